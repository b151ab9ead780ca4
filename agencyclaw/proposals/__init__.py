"""The human hand: propose, consent, execute."""
