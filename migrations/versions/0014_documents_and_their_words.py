"""Documents beside the procedures, how many hold each word, and questions nothing answered."""

from alembic import op

revision = "0014"
down_revision = "0013"

# What a text begins with says what it is about: its first paragraph weighs more than the rest.
SOP_WORDS = """
create or replace function sop_words(name text, category text, aliases text[], body text)
returns tsvector
language sql immutable parallel safe
begin atomic
  select setweight(to_tsvector('english', name), 'A')
    || setweight(to_tsvector('english', sop_heading('', category, aliases)), 'B')
    || setweight(to_tsvector('english', left(split_part(body, E'\\n\\n', 1), 1000)), 'C')
    || setweight(to_tsvector('english', left(body, 200000)), 'D')
  where body ~ '\\S';
end
"""
WEIGH_AGAIN = "update playbook_sops set content_md = content_md"

# A document is used once an admin approved it: until then, and after it is retired or replaced, it
# has neither keys nor words and cannot be found. The columns bear the names of the procedures'.
DOCUMENTS = """
create table knowledge_documents (
  id uuid primary key default gen_random_uuid(),
  tier text not null default 'internal'
    constraint knowledge_documents_tier check (tier in ('internal', 'external')),
  origin text not null,
  part integer not null default 1,
  name text not null,
  category text not null default '',
  aliases text[] not null default '{}',
  content_md text not null,
  version text not null,
  url text,
  checksum text not null,
  state text not null default 'waiting'
    constraint knowledge_documents_state check (state in ('waiting', 'approved', 'replaced')),
  added_by text not null default '',
  approved_by text,
  approved_at timestamptz,
  created_at timestamptz not null default now(),
  keys text[] generated always as (
    case when state = 'approved' then sop_keys(name, category, aliases, content_md) end) stored,
  search tsvector generated always as (
    case when state = 'approved' then sop_words(name, category, aliases, content_md) end) stored,
  constraint knowledge_documents_version unique (origin, version, part)
)
"""
DOCUMENT_INDEXES = """
create index knowledge_documents_keys on knowledge_documents
  using gin (keys) with (fastupdate = off);
create index knowledge_documents_search on knowledge_documents
  using gin (search) with (fastupdate = off);
"""

# How many documents of a shelf hold a stem, exact at any time, so that rare words can go first
# without counting; the empty stem has the number of documents.
WORDS = """
create table search_words (
  shelf text not null,
  stem text collate "C" not null,
  documents integer not null,
  primary key (shelf, stem)
)
"""


def _count(tg: str, source: str) -> str:
    return f"""
create function count_words_{tg}() returns trigger language plpgsql as $$
begin
  insert into search_words as w (shelf, stem, documents)
  select tg_argv[0], stem, sum(n) from (
    {source}
  ) as changed group by stem having sum(n) <> 0 order by stem
  on conflict (shelf, stem) do update set documents = w.documents + excluded.documents;
  return null;
end $$
"""  # noqa: S608


def _stems(rows: str, sign: int) -> str:
    return f"""
    select stem, {sign} as n from {rows}, unnest(tsvector_to_array(search) || array['']) as stem
    where search is not null"""  # noqa: S608


COUNTS = {
    "added": _stems("new_rows", 1),
    "changed": _stems("new_rows", 1) + " union all " + _stems("old_rows", -1),
    "removed": _stems("old_rows", -1),
}
EVENTS = {
    "added": "insert on {table} referencing new table as new_rows",
    "changed": "update on {table} referencing new table as new_rows old table as old_rows",
    "removed": "delete on {table} referencing old table as old_rows",
}
SHELVES = {"sop": "playbook_sops", "document": "knowledge_documents"}

SPELLING = """
do $$
begin
  if exists (select from pg_extension where extname = 'pg_trgm') then
    drop index if exists playbook_sops_spelling;
    create index search_words_spelling on search_words using gin (stem gin_trgm_ops);
  end if;
end $$
"""

# A question to which nothing was found, the same words once; `asked` counts.
GAPS = """
create table knowledge_gaps (
  id uuid primary key default gen_random_uuid(),
  key text not null,
  client_id uuid references agency_clients on delete cascade,
  question text not null,
  asked integer not null default 1,
  best double precision not null default 0,
  closest text,
  first_asked timestamptz not null default now(),
  last_asked timestamptz not null default now(),
  asked_by uuid references profiles on delete set null,
  settled_at timestamptz,
  constraint knowledge_gaps_key unique nulls not distinct (key, client_id)
)
"""


def upgrade() -> None:
    op.execute(SOP_WORDS)
    op.execute(WEIGH_AGAIN)
    for statement in (DOCUMENTS, *DOCUMENT_INDEXES.split(";")[:2], WORDS, GAPS):
        op.execute(statement)
    for what, source in COUNTS.items():
        op.execute(_count(what, source))
    for shelf, table in SHELVES.items():
        for what, event in EVENTS.items():
            op.execute(
                f"create trigger {table}_words_{what} after {event.format(table=table)}"
                f" for each statement execute function count_words_{what}('{shelf}')"
            )
    op.execute(
        "insert into search_words (shelf, stem, documents) select 'sop', stem, sum(n) from ("  # noqa: S608
        + _stems("playbook_sops", 1)
        + ") as held group by stem"
    )
    op.execute(SPELLING)


def downgrade() -> None:
    for table in SHELVES.values():
        for what in EVENTS:
            op.execute(f"drop trigger if exists {table}_words_{what} on {table}")
    op.execute("drop function count_words_added, count_words_changed, count_words_removed")
    op.execute("drop table search_words, knowledge_gaps, knowledge_documents")
