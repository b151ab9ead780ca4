"""The runtime's role: it works with everything, and can only add to the audit."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

import asyncpg
import pytest

from agencyclaw.cli.database import open_database
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.settings import Settings
from agencyclaw.store.embedded import EmbeddedPostgres
from agencyclaw.store.engine import Database
from agencyclaw.store.events import record_event
from agencyclaw.store.migrate import migrate
from agencyclaw.store.queue_connection import queue_app
from agencyclaw.store.roles import admit
from agencyclaw.store.seed import seed

FORBIDDEN = [
    "alter table agent_events disable trigger all",
    "alter table agent_events disable trigger audit_rows_stay",
    "drop trigger audit_rows_stay on agent_events",
    "create or replace function keep_audit() returns trigger language plpgsql as 'begin end'",
    "update agent_events set event_type = 'nothing'",
    "delete from agent_events",
    "truncate agent_events",
    "drop table agent_events",
    "set session_replication_role = replica",
    "create table mine (id int)",
    "update alembic_version set version_num = '0001'",
]


async def test_the_embedded_postgres_runs_as_a_role_that_can_only_add_to_the_audit(
    home: Path,
) -> None:
    settings = Settings(agencyclaw_home=home, database_url="")
    async with open_database(settings) as db:
        await seed(db)
        async with db.transaction() as conn:
            await record_event(conn, "restored")
        for statement in FORBIDDEN:
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await db.pool.execute(statement)
        assert await db.pool.fetchval("select count(*) from agent_events") == 1


async def test_the_owner_makes_the_runtimes_role_and_a_later_table_is_its_too(home: Path) -> None:
    async with EmbeddedPostgres(home) as postgres:
        admin = await asyncpg.connect(postgres.admin_dsn)
        await admin.execute("create role keeper login createrole")
        await admin.execute("create database kept owner keeper")
        await admin.close()
        owner = postgres.admin_dsn.replace("//postgres@/postgres", "//keeper@/kept")
        runtime = owner.replace("//keeper@", "//hand:secret@")
        settings = Settings(database_url=runtime, database_owner_url=owner)
        async with open_database(settings) as db:
            await seed(db)
            assert await db.pool.fetchval("select current_user") == "hand"
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                await db.pool.execute(FORBIDDEN[0])
        keeper = await asyncpg.connect(owner)
        await keeper.execute("create table later (id int)")
        await keeper.close()
        async with open_database(settings) as db:
            assert await db.pool.fetchval("select count(*) from later") == 0
        # Who only serves needs no owner.
        async with open_database(Settings(database_url=runtime)) as db:
            assert await db.pool.fetchval("select count(*) from agency_clients") > 0


async def test_whoever_opens_a_connection_what_is_stuck_on_it_is_ended(database: Database) -> None:
    names = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
    queue, outside = queue_app(database), await database.connect()

    async def of_the_queue(query: str, name: str) -> Any:
        row = await queue.connector.execute_query_one_async(
            "select current_setting(%(name)s)", name=name
        )
        return row["current_setting"]

    async with queue.open_async():
        for ask in (database.pool.fetchval, outside.fetchval, of_the_queue):
            set_to = [await ask("select current_setting($1)", name) for name in names]
            assert set_to == ["1min", "20s", "1min"]
    await outside.close()


async def test_an_owner_that_may_make_no_roles_is_told_what_to_do(spare_database: str) -> None:
    await migrate(spare_database)
    runtime = spare_database.replace("agencyclaw@", f"hand_{uuid4().hex}:x@")
    with pytest.raises(Misconfigured, match="Make it yourself: create role hand_"):
        await admit(spare_database, runtime)
