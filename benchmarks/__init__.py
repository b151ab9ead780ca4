"""Benchmarks: AgencyClaw beside comparable frameworks, in one run. Start with README.md."""
