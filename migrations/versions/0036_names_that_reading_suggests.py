"""Questions for which a procedure was read, as names that it may be given."""

from alembic import op

revision = "0036"
down_revision = "0034"


def upgrade() -> None:
    op.execute(
        "alter table knowledge_gaps"
        " add column chosen_id uuid references playbook_sops on delete set null"
    )
    op.execute("alter table knowledge_gap_notes add column was_read boolean not null default false")


def downgrade() -> None:
    op.execute("alter table knowledge_gap_notes drop column was_read")
    op.execute("alter table knowledge_gaps drop column chosen_id")
