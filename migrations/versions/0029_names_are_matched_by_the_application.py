"""Search ranks by full text and spelling; names are matched by one rule, outside the database."""

import runpy
from pathlib import Path

from alembic import op

revision = "0029"
down_revision = "0028"

_TABLES = ("playbook_sops", "knowledge_documents")
_EARLIER = Path(__file__).with_name("0003_search_over_procedures.py")


def upgrade() -> None:
    for table in _TABLES:
        op.execute(f"alter table {table} drop column keys")
    op.execute("drop function sop_keys, phrase_key")


def downgrade() -> None:
    earlier = runpy.run_path(str(_EARLIER))
    op.execute(earlier["PHRASE_KEY"])
    op.execute(earlier["SOP_KEYS"])
    for table in _TABLES:
        op.execute(
            f"alter table {table} add column keys text[] generated always as (case when state ="
            " 'approved' then sop_keys(name, category, aliases, content_md) end) stored"
        )
        op.execute(f"create index {table}_keys on {table} using gin (keys) with (fastupdate = off)")
