"""How well questions find the agency's procedures, beside plain full text search and BM25."""
