"""The only room that knows Slack."""
