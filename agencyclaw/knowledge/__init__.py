"""Pure knowledge: ranking, context packs under a budget, task briefs, answer checks."""
