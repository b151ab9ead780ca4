"""The stand-in ClickUp, version 2 of its API."""
