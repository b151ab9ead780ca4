"""What the model may call: one file per subject, one function per tool."""
