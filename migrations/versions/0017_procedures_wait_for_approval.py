"""Procedures copied from ClickUp wait for approval, and are kept when their page is deleted."""

from alembic import op

revision = "0017"
down_revision = "0016"

# Only approved procedures have search keys and words, so no other can be found.
_COLUMNS = """
alter table playbook_sops
  add column keys text[] generated always as ({keys}) stored,
  add column search tsvector generated always as ({search}) stored
"""
_INDEXES = (
    "create index playbook_sops_keys on playbook_sops using gin (keys) with (fastupdate = off)",
    "create index playbook_sops_search on playbook_sops using gin (search) with (fastupdate = off)",
)
_KEYS = "sop_keys(name, category, aliases, content_md)"
_SEARCH = "sop_words(name, category, aliases, content_md)"
# `waiting` for a first approval, `approved` and in use, `retired` by an admin, or `gone` from ClickUp.
_STATE = """
alter table playbook_sops add column state text not null default 'approved'
  constraint playbook_sops_state check (state in ('waiting', 'approved', 'retired', 'gone'))
"""
# Without the column every procedure is in use. Adding columns fires no trigger, so search_words
# would not count the procedures that come back; this update does.
_USE_ALL = "update playbook_sops set state = 'approved' where state <> 'approved'"


def _rebuild_search_columns(keys: str, search: str) -> None:
    op.execute("alter table playbook_sops drop column keys, drop column search")
    op.execute(_COLUMNS.format(keys=keys, search=search))
    for statement in _INDEXES:
        op.execute(statement)


def _if_approved(expression: str) -> str:
    return f"case when state = 'approved' then {expression} end"


def upgrade() -> None:
    op.execute(_STATE)
    _rebuild_search_columns(_if_approved(_KEYS), _if_approved(_SEARCH))


def downgrade() -> None:
    op.execute(_USE_ALL)
    _rebuild_search_columns(_KEYS, _SEARCH)
    op.execute("alter table playbook_sops drop column state")
