"""Recognises a plain yes or no, and decides which card it answers."""
