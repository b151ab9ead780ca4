"""A Slack workspace and a ClickUp on this machine, spoken to only over their public protocols."""
