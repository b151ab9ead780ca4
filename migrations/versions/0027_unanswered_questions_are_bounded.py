"""Which turn noted an unanswered question: one a turn, and so many of a person within a day."""

from alembic import op

revision = "0027"
down_revision = "0026"

_NOTES = """
create table knowledge_gap_notes (
  run_id uuid primary key,
  asked_by uuid references profiles on delete cascade,
  noted_at timestamptz not null default now()
)
"""


def upgrade() -> None:
    op.execute(_NOTES)
    op.execute("create index knowledge_gap_notes_noted_at on knowledge_gap_notes (noted_at)")


def downgrade() -> None:
    op.execute("drop table knowledge_gap_notes")
