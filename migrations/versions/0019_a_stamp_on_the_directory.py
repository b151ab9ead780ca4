"""The directory is stamped anew whenever a client, a brand or the standing of a space changes."""

from alembic import op

revision = "0019"
down_revision = "0018"

_TABLES = ("agency_clients", "brands", "clickup_space_registry")
_STAMP = """
create table directory_stamp (
  is_only boolean primary key default true check (is_only),
  stamp uuid not null default gen_random_uuid()
)
"""
# A stamp is never used twice, also where rows of the past are put back.
_STAMPED = """
create function stamp_directory() returns trigger language plpgsql as $$
begin
  update directory_stamp set stamp = gen_random_uuid();
  return null;
end $$
"""
_TRIGGER = """
create trigger stamps_directory after insert or update or delete or truncate on {table}
for each statement execute function stamp_directory()
"""
# Words by which search knows a name from a word of the question.
_WORDS = """
create function keyword_words(keywords text[]) returns text[] language sql immutable parallel safe
return array(
  select lower(keyword) from unnest(keywords) as keyword
  union select word from unnest(keywords) as keyword,
    unnest(string_to_array(lower(keyword), ' ')) as word
)
"""
_INDEXES = {
    "agency_clients_called": "agency_clients (lower(name))",
    "agency_clients_called_first": "agency_clients (lower(split_part(name, ' ', 1)))",
    "brands_called": "brands (lower(name))",
    "brands_called_first": "brands (lower(split_part(name, ' ', 1)))",
    "brands_keyword_words": "brands using gin (keyword_words(product_keywords))",
    "profiles_called": "profiles using gin (string_to_array(lower(full_name), ' '))",
}


def upgrade() -> None:
    op.execute(_STAMP)
    op.execute("insert into directory_stamp default values")
    op.execute(_STAMPED)
    for table in _TABLES:
        op.execute(_TRIGGER.format(table=table))
        op.execute(f"alter table {table} enable always trigger stamps_directory")
    op.execute(_WORDS)
    for name, what in _INDEXES.items():
        op.execute(f"create index {name} on {what}")


def downgrade() -> None:
    for name in _INDEXES:
        op.execute(f"drop index {name}")
    op.execute("drop function keyword_words")
    for table in _TABLES:
        op.execute(f"drop trigger stamps_directory on {table}")
    op.execute("drop function stamp_directory")
    op.execute("drop table directory_stamp")
