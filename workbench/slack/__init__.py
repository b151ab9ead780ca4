"""The stand-in Slack workspace: Web API, Socket Mode and interactions."""
