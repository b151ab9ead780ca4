"""Runs written as eval cases."""
