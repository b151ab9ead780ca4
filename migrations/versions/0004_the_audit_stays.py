"""Audit rows are added and stay: a trigger refuses to change, delete or empty them."""

from alembic import op

revision = "0004"
down_revision = "0003"

# A run may be forgotten after its time; the row then only loses its pointer to it.
REFUSE = """
create function keep_audit() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(new) - 'run_id' = to_jsonb(old) - 'run_id'
    and new.run_id is null then
    return new;
  end if;
  raise exception 'audit rows are added, never changed';
end $$
"""
ROWS = """
create trigger audit_rows_stay before update or delete on agent_events
for each row execute function keep_audit()
"""
TABLE = """
create trigger audit_stays before truncate on agent_events
for each statement execute function keep_audit()
"""


def upgrade() -> None:
    for statement in (REFUSE, ROWS, TABLE):
        op.execute(statement)


def downgrade() -> None:
    op.execute("drop trigger audit_stays on agent_events")
    op.execute("drop trigger audit_rows_stay on agent_events")
    op.execute("drop function keep_audit()")
