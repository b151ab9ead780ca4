"""Measures the checks of answers: harmless ones and false claims, with recorded verdicts."""
