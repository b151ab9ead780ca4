"""The stand-in Slack workspace: Web API, socket, what people press."""
