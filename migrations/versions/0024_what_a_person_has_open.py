"""A plain yes looks for the cards it can be about among what its person has open or lately had."""

from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.create_index(
        "proposals_of_actor", "proposals", ["channel_id", "actor_profile_id", "settled_at"]
    )


def downgrade() -> None:
    op.drop_index("proposals_of_actor", "proposals")
