"""Procedures taken over from ClickUp wait for an approval, and stay where their page is gone."""

from alembic import op

revision = "0017"
down_revision = "0016"

# Whatever is not in use has neither keys nor words, so that it can't be found.
_COLUMNS = """
alter table playbook_sops
  add column keys text[] generated always as ({keys}) stored,
  add column search tsvector generated always as ({search}) stored
"""
_INDEXES = """
create index playbook_sops_keys on playbook_sops using gin (keys) with (fastupdate = off);
create index playbook_sops_search on playbook_sops using gin (search) with (fastupdate = off);
"""
_KEYS = "sop_keys(name, category, aliases, content_md)"
_SEARCH = "sop_words(name, category, aliases, content_md)"
_STATE = """
alter table playbook_sops add column state text not null default 'approved'
  constraint playbook_sops_state check (state in ('waiting', 'approved', 'retired', 'gone'))
"""


def _searched(keys: str, search: str) -> None:
    op.execute("alter table playbook_sops drop column keys, drop column search")
    op.execute(_COLUMNS.format(keys=keys, search=search))
    for statement in _INDEXES.strip().split("\n"):
        op.execute(statement)


def upgrade() -> None:
    op.execute(_STATE)
    approved = "case when state = 'approved' then {} end".format
    _searched(approved(_KEYS), approved(_SEARCH))


def downgrade() -> None:
    _searched(_KEYS, _SEARCH)
    op.execute("alter table playbook_sops drop column state")
