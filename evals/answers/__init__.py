"""How answers fare in the checks: harmless ones and false claims, by recorded verdicts."""
