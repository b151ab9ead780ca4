"""Hands out databases that are wiped between plays, so that prepared statements survive."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

from agencyclaw.store.engine import Database
from evals.databases import Cluster, DatabaseContent

# Triggers and keys would only be in the way: the audit's refuse to delete, and order matters.
_WIPE = """
create function seeded.wipe() returns void language plpgsql
set session_replication_role = replica as $$ begin {} end $$
"""
_MARKS = """
create schema seeded;
create table seeded.marks (name text primary key, mark bigint)
"""
# A row that was touched stands elsewhere, or is of another transaction.
_MARK = """(select sum(hashtext(ctid::text || ' ' || xmin::text)) from "{name}")"""
_KEEP = f"""
create table seeded."{{name}}" as table "{{name}}";
insert into seeded.marks values ('{{name}}', {_MARK})
"""
_BRING_BACK = f"""
if {_MARK} is distinct from (select mark from seeded.marks where name = '{{name}}') then
  delete from "{{name}}";
  insert into "{{name}}" ({{columns}}) overriding system value
    select {{columns}} from seeded."{{name}}";
  update seeded.marks set mark = {_MARK} where name = '{{name}}';
end if;
"""
_TABLES = """
select c.relname as name, (select string_agg(quote_ident(attname), ', ' order by attnum)
    from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped
      and attgenerated = '') as columns
from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
"""


@dataclass
class Slates:
    """A pool of databases with the demo agency; one that comes back is wiped for the next user."""

    cluster: Cluster
    _stack: AsyncExitStack = field(default_factory=AsyncExitStack)
    _idle: list[Database] = field(default_factory=list[Database])

    @asynccontextmanager
    async def take(self) -> AsyncGenerator[Database]:
        """Yield a database that nobody else uses."""
        db = self._idle.pop() if self._idle else await self._made()
        try:
            yield db
        except BaseException:
            # Anything may be under way in it: it is not used again, nor are its connections kept.
            db.pool.terminate()
            raise
        await db.pool.execute("select seeded.wipe()")
        self._idle.append(db)

    async def _made(self) -> Database:
        db = await self._stack.enter_async_context(self.cluster.database(DatabaseContent.AGENCY))
        await _remember(db)
        return db

    async def close(self) -> None:
        """Drop all databases."""
        await self._stack.aclose()


async def _remember(db: Database) -> None:
    """Copy the tables, and create the function that restores them."""
    statements: list[str] = []
    await db.pool.execute(_MARKS)
    for table in await db.pool.fetch(_TABLES):
        name, columns = table["name"], table["columns"]
        if await db.pool.fetchval(f'select exists (select from "{name}")'):
            await db.pool.execute(_KEEP.format(name=name))
            statements.append(_BRING_BACK.format(name=name, columns=columns))
        else:
            statements.append(f'delete from "{name}";')
    await db.pool.execute(_WIPE.format("\n".join(statements)))
