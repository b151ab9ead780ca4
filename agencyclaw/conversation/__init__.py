"""Handles incoming messages and presses, one conversation at a time."""
