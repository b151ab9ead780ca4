"""Collects the assistant's spans, as a telemetry service would, and shows its runs."""
