"""The part of every statement that ends a message: it ends the suspensions the message made."""

# For a statement whose `closed` has the ids of the ended receipts. A question's suspension waits on
# for its answer.
FREED = """freed as (
  update proposals set suspended_by = null, suspended_until = now() from closed
  where suspended_by = closed.id and suspended_until is null
  returning proposals.*
)"""
