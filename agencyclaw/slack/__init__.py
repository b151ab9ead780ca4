"""The only package that knows Slack."""
