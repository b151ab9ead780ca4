"""What is asked over HTTP: health, metrics, Slack's requests, the debug chat."""
