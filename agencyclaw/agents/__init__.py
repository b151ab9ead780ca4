"""The agents: their prompts, tools and policies."""
