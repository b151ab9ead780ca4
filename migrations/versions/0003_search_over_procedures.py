"""Search over procedures: names as keys, words as a weighted vector, spelling if available."""

from alembic import op

revision = "0003"
down_revision = "0002"

# The same three rules as agencyclaw/domain/search_keys.py. A procedure without text has neither
# keys nor words: it cannot be used, so it must not be found. The bodies are bound when they are
# created, so that a restore, which runs with an empty search path, finds what they call.
PHRASE_KEY = r"""
create function phrase_key(phrase text) returns text
language sql immutable strict parallel safe
begin atomic
  select replace(
    regexp_replace(
      regexp_replace(
        regexp_replace(
          ' ' || regexp_replace(
            lower(phrase),
            '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007f\u00a0\u2010-\u2015\u2018-\u201f\u2026]+',
            ' ', 'g'
          ) || ' ',
          '([^ ]{2})ies(?= )', '\1y', 'g'
        ),
        '(x|ch|sh|ss)es(?= )', '\1', 'g'
      ),
      '([^ ][^ s])s(?= )', '\1', 'g'
    ),
    ' ', ''
  );
end
"""

SOP_KEYS = """
create function sop_keys(name text, category text, aliases text[], body text) returns text[]
language sql immutable parallel safe
begin atomic
  select array_agg(distinct key)
  from (select phrase_key(word) as key from unnest(array[name, category] || aliases) as word) keys
  where key <> '' and body ~ '\\S';
end
"""

SOP_HEADING = """
create function sop_heading(name text, category text, aliases text[]) returns text
language sql immutable parallel safe
begin atomic
  select name || ' ' || replace(category, '_', ' ')
    || coalesce((select string_agg(' ' || word, '') from unnest(aliases) as word), '');
end
"""

SOP_WORDS = """
create function sop_words(name text, category text, aliases text[], body text) returns tsvector
language sql immutable parallel safe
begin atomic
  select setweight(to_tsvector('english', name), 'A')
    || setweight(to_tsvector('english', sop_heading('', category, aliases)), 'B')
    || setweight(to_tsvector('english', left(body, 200000)), 'D')
  where body ~ '\\S';
end
"""

COLUMNS = """
alter table playbook_sops
  add column keys text[]
    generated always as (sop_keys(name, category, aliases, content_md)) stored,
  add column search tsvector
    generated always as (sop_words(name, category, aliases, content_md)) stored
"""

# Written seldom, read with every request: no list of pending entries to read through.
INDEXES = """
create index playbook_sops_keys on playbook_sops using gin (keys) with (fastupdate = off);
create index playbook_sops_search on playbook_sops using gin (search) with (fastupdate = off);
"""

# A server without the contrib package, or an owner who may not add it, does without correction of
# spelling: the query that needs it is told so by Postgres and finds nothing.
SPELLING = """
do $$
begin
  if exists (select from pg_available_extensions where name = 'pg_trgm') then
    create extension if not exists pg_trgm;
    create index playbook_sops_spelling on playbook_sops
      using gin (sop_heading(name, category, aliases) gin_trgm_ops);
  end if;
exception when insufficient_privilege then
  raise notice 'pg_trgm may not be installed by this role: spelling is not corrected';
end
$$
"""


def upgrade() -> None:
    for function in (PHRASE_KEY, SOP_KEYS, SOP_HEADING, SOP_WORDS):
        op.execute(function)
    op.execute(COLUMNS)
    op.execute(INDEXES)
    op.execute(SPELLING)


def downgrade() -> None:
    op.execute("drop index if exists playbook_sops_spelling")
    op.execute("alter table playbook_sops drop column search, drop column keys")
    op.execute("drop function sop_words, sop_heading, sop_keys, phrase_key")
