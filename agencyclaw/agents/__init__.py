"""What the model is told and offered."""
