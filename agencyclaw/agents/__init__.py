"""The agents: what each model is told and which tools it is offered."""
