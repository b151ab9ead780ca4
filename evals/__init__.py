"""Evals: conversations played against the whole pipeline and scored by what they leave behind."""
