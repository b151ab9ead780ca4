"""AgencyClaw: an operations colleague that reads freely and never writes alone."""
