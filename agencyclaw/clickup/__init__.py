"""The only room that speaks HTTP to ClickUp."""
