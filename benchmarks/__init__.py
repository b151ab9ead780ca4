"""What AgencyClaw costs, beside its peers, in one run. Start with README.md."""
