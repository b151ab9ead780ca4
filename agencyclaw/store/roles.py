"""Two database roles: the owner migrates, the runtime role works and can only add to the audit.

A trigger rejects changes of the audit, but the owner of a table can disable its triggers. So the
role of a running process owns nothing and has only the rights it needs.
"""

from __future__ import annotations

from urllib.parse import unquote, urlsplit

import asyncpg

from agencyclaw.domain.errors import Misconfigured
from agencyclaw.store.engine import connect, plain

# Concurrent grants conflict with each other.
_LOCK = 0x6167656E63790002
_LACKS = """
select not exists (select from pg_roles where rolname = $1) or (
  select bool_or(not case relkind
      when 'S' then has_sequence_privilege(r.oid, c.oid, 'usage')
      else has_table_privilege(r.oid, c.oid, 'select') end)
    or has_table_privilege(r.oid, 'agent_events', 'update, delete, truncate')
  from pg_class c, pg_roles r
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'S') and r.rolname = $1
  group by r.oid
)
"""
_NAMES = """
select set_config('agencyclaw.runtime', $1, false), set_config('agencyclaw.password', $2, false)
"""
_CREATE = """
do $$
declare runtime text := current_setting('agencyclaw.runtime');
begin
  if not exists (select from pg_roles where rolname = runtime) then
    execute format('create role %I login password %L', runtime,
      nullif(current_setting('agencyclaw.password'), ''));
  end if;
end $$
"""
_ADMIT = """
do $$
declare runtime text := quote_ident(current_setting('agencyclaw.runtime'));
begin
  execute 'grant usage on schema public to ' || runtime;
  execute 'grant select, insert, update, delete on all tables in schema public to ' || runtime;
  execute 'grant usage, select on all sequences in schema public to ' || runtime;
  execute 'revoke update, delete, truncate on agent_events from ' || runtime;
  execute 'revoke insert, update, delete on alembic_version from ' || runtime;
end $$
"""


async def admit(owner_dsn: str, runtime_dsn: str) -> None:
    """Create the runtime role if it is missing, and grant it the rights of a running process."""
    who = urlsplit(plain(runtime_dsn))
    if not who.username:
        raise Misconfigured("DATABASE_URL names no role: postgresql://role:password@host/name.")
    name, password = unquote(who.username), unquote(who.password or "")
    owner = await connect(owner_dsn)
    try:
        if not await owner.fetchval(_LACKS, name):
            return
        await owner.execute("select pg_advisory_lock($1)", _LOCK)
        await owner.execute(_NAMES, name, password)
        await owner.execute(_CREATE)
        await owner.execute(_ADMIT)
    except asyncpg.InsufficientPrivilegeError as error:
        raise Misconfigured(
            f"The role of DATABASE_OWNER_URL may not make the role {name}, or give it rights: "
            f"{error}. Make it yourself: create role {name} login password '…'. The other one must "
            "own the database and what is in it."
        ) from error
    finally:
        await owner.close()
