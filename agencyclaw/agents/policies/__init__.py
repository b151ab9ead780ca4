"""What every run passes through: one module each, joined in `run_policies`."""
