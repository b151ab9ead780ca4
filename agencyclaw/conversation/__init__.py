"""One conversation at a time."""
