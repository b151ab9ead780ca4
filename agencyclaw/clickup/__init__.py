"""The only package that speaks HTTP to ClickUp."""
