"""Capabilities every run passes through, one file each."""
