"""Exports runs as eval cases."""
