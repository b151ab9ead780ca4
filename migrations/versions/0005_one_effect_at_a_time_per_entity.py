"""A proposal names what it would change, so that two on the same thing are told apart in time."""

from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.execute("alter table proposals add column entity text not null default ''")
    op.execute(
        "create index proposals_at_work on proposals (entity)"
        " where state in ('confirmed', 'executing', 'unclear')"
    )


def downgrade() -> None:
    op.execute("drop index proposals_at_work")
    op.execute("alter table proposals drop column entity")
