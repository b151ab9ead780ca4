"""HTTP endpoints: health, metrics, Slack's requests, the debug chat."""
