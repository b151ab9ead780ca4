"""The systems compared: each answers the same conversation from the same Postgres."""
