"""Runs the model's programs; the only package that starts the interpreter."""
