"""Plain values and rules: the standard library, pydantic, and nothing else."""
