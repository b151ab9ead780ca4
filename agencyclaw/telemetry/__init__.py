"""Logs and spans of a process."""
