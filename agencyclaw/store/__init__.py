"""Everything that speaks SQL.

A module whose docstring ends with "Hot path" has statements that run between a message and its
answer, or between a press and its receipt. They are raw SQL, one per step rather than one per
table, because each is a round trip to Postgres. So are statements that lock rows, change a row only
in a certain state, or run in a transaction of asyncpg. The rest may
let SQLAlchemy build them and `table_rows.run` run them. The table classes in `*tables.py` are for
migrations and for whole rows; importing them takes half a second.
"""
