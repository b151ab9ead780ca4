"""Capabilities that every run passes through, one per module."""
