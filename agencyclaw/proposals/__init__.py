"""Everything between a prepared effect and its execution: propose, consent, execute."""
