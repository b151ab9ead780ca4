"""Evals: plays conversations through the whole pipeline and scores what they leave behind."""
