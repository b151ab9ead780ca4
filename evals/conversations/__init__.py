"""Long conversations with one person, played over the wire with a model that reads."""
