"""The vectors of procedures, for whoever has an embedding model; plain arrays need no extension."""

from alembic import op

revision = "0030"
down_revision = "0029"

_VECTORS = """
create table procedure_vectors (
  sop_id uuid not null references playbook_sops on delete cascade,
  model text not null,
  part integer not null,
  text_hash text not null,
  vector float4[] not null,
  primary key (sop_id, model, part)
)
"""


def upgrade() -> None:
    op.execute(_VECTORS)


def downgrade() -> None:
    op.execute("drop table procedure_vectors")
