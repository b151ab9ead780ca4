"""A proposal that takes another one back names it, and is named by it."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    for name in ("undo_of", "undone_by"):
        op.add_column("proposals", sa.Column(name, sa.Uuid(), nullable=True))
        op.create_foreign_key(
            op.f(f"proposals_{name}_fkey"), "proposals", "proposals", [name], ["id"]
        )


def downgrade() -> None:
    for name in ("undone_by", "undo_of"):
        op.drop_constraint(op.f(f"proposals_{name}_fkey"), "proposals", type_="foreignkey")
        op.drop_column("proposals", name)
