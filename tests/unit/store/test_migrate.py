"""Migrations: applied once whoever comes first, cheap when there is nothing to do."""

import asyncio
import shutil
import subprocess
import sys
from pathlib import Path

import asyncpg
import pytest

from agencyclaw.domain.errors import Misconfigured, Unavailable
from agencyclaw.store.migrate import FOLDER, migrate, new_revision

SLOW_TABLE = "CREATE TABLE brewed AS SELECT pg_sleep(0.2)::text AS tea"
SCRIPT = """
CREATE TABLE steps (note text DEFAULT '50 % :of it');
CREATE FUNCTION double(n int) RETURNS int LANGUAGE sql AS $$ SELECT n * 2; $$;
INSERT INTO steps DEFAULT VALUES;
"""
DENIED = """
DO $$ BEGIN
  RAISE EXCEPTION 'permission denied for schema public' USING ERRCODE = 'insufficient_privilege';
END $$
"""


def add(folder: Path, number: int, name: str, sql: str) -> None:
    before = f'"{number - 1:04d}"' if number > 1 else "None"
    (folder / "versions" / f"{number:04d}_{name}.py").write_text(
        "from agencyclaw.store.migrate import execute_script\n"
        f'revision = "{number:04d}"\n'
        f"down_revision = {before}\n"
        f"def upgrade():\n    execute_script({sql!r})\n"
    )


async def fetch(dsn: str, query: str) -> object:
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval(query)
    finally:
        await connection.close()


async def test_two_that_start_at_once_apply_each_migration_once(
    spare_database: str, migrations: Path
) -> None:
    add(migrations, 1, "tea", SLOW_TABLE)
    add(migrations, 2, "steps", SCRIPT)
    applied = await asyncio.gather(
        migrate(spare_database, migrations), migrate(spare_database, migrations)
    )
    assert sorted(applied) == [[], ["0001_tea", "0002_steps"]]
    assert await fetch(spare_database, "SELECT count(*) FROM brewed") == 1


async def test_a_script_of_many_statements_runs_as_it_is(
    spare_database: str, migrations: Path
) -> None:
    add(migrations, 1, "steps", SCRIPT)
    await migrate(spare_database, migrations)
    assert await fetch(spare_database, "SELECT note || double(21) FROM steps") == "50 % :of it42"


async def test_a_new_migration_is_the_only_one_applied(
    spare_database: str, migrations: Path
) -> None:
    add(migrations, 1, "tea", SLOW_TABLE)
    await migrate(spare_database, migrations)
    add(migrations, 2, "steps", SCRIPT)
    dsn = spare_database.replace("postgresql://", "postgresql+asyncpg://")
    assert await migrate(dsn, migrations) == ["0002_steps"]


async def test_a_failure_keeps_what_came_before_and_can_be_mended(
    spare_database: str, migrations: Path
) -> None:
    add(migrations, 1, "steps", SCRIPT)
    add(migrations, 2, "broken", "CREATE TABLE half (id int); SELECT nonsense")
    with pytest.raises(Exception, match="nonsense"):
        await migrate(spare_database, migrations)
    assert await fetch(spare_database, "SELECT version_num FROM alembic_version") == "0001"
    assert await fetch(spare_database, "SELECT to_regclass('half')") is None
    add(migrations, 2, "broken", "CREATE TABLE half (id int)")
    assert await migrate(spare_database, migrations) == ["0002_broken"]


async def test_nothing_to_do_imports_no_migration_machinery(
    spare_database: str, migrations: Path
) -> None:
    add(migrations, 1, "steps", SCRIPT)
    await migrate(spare_database, migrations)
    code = (
        "import asyncio, pathlib, sys\n"
        "from agencyclaw.store.migrate import migrate\n"
        "print(asyncio.run(migrate(sys.argv[1], pathlib.Path(sys.argv[2]))))\n"
        "print([name for name in ('alembic', 'sqlalchemy', 'psycopg') if name in sys.modules])\n"
    )
    command = [sys.executable, "-c", code, spare_database, str(migrations)]
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True)
    assert done.stdout.split() == ["[]", "[]"], done.stderr


async def test_a_database_from_a_newer_version_is_refused(
    spare_database: str, migrations: Path
) -> None:
    add(migrations, 1, "steps", SCRIPT)
    add(migrations, 2, "tea", SLOW_TABLE)
    await migrate(spare_database, migrations)
    (migrations / "versions" / "0002_tea.py").unlink()
    with pytest.raises(Misconfigured, match="revision 0002"):
        await migrate(spare_database, migrations)


async def test_a_database_from_before_the_first_migration_is_refused(
    spare_database: str, migrations: Path
) -> None:
    add(migrations, 1, "steps", SCRIPT)
    await migrate(spare_database, migrations)
    (migrations / "versions" / "0001_steps.py").unlink()
    add(migrations, 100, "initial", SLOW_TABLE)
    with pytest.raises(Misconfigured, match=r"revision 0001 .* Take a dump .* reset"):
        await migrate(spare_database, migrations)
    assert await fetch(spare_database, "SELECT to_regclass('brewed')") is None


async def test_the_next_revision_holds_what_the_tables_have_and_the_database_lacks(
    spare_database: str, migrations: Path
) -> None:
    first = await new_revision("The first tables", spare_database, migrations)
    assert first.name == "0001_the_first_tables.py"
    assert '"agency_clients"' in first.read_text()
    second = await new_revision("Nothing more", spare_database, migrations)
    assert second.name == "0002_nothing_more.py"
    assert "op." not in second.read_text()


async def test_the_migrations_make_the_tables_of_the_code(
    spare_database: str, tmp_path: Path
) -> None:
    folder = shutil.copytree(FOLDER, tmp_path / "all")
    missing = await new_revision("What the migrations forgot", spare_database, folder)
    assert "op." not in missing.read_text()


@pytest.mark.parametrize(
    "dsn",
    ["postgresql:///x?host=/nowhere", "postgresql://127.0.0.1:1/x", "sqlite:///x", "nonsense"],
)
async def test_a_database_that_is_not_there_is_named(dsn: str) -> None:
    with pytest.raises(Unavailable, match="DATABASE_URL"):
        await migrate(dsn)


async def test_a_right_that_a_script_lacks_is_told_with_how_to_mend_it(
    spare_database: str, migrations: Path
) -> None:
    add(migrations, 1, "forbidden", DENIED)

    with pytest.raises(Misconfigured, match=r"permission denied .* Make it the owner"):
        await migrate(spare_database, migrations)


async def test_a_role_that_may_not_set_up_its_database_is_told_how_to_mend_it(
    spare_database: str,
) -> None:
    await fetch(spare_database, "revoke create on schema public from pg_database_owner")

    with pytest.raises(Misconfigured, match=r"permission denied .* Make it the owner"):
        await migrate(await with_few_rights(spare_database))


async def test_a_role_that_may_not_read_what_another_set_up_is_told_how_to_mend_it(
    spare_database: str, migrations: Path
) -> None:
    add(migrations, 1, "steps", SCRIPT)
    await migrate(spare_database, migrations)
    await fetch(spare_database, "revoke all on alembic_version from current_user, public")

    with pytest.raises(Misconfigured, match=r"permission denied .* Make it the owner"):
        await migrate(await with_few_rights(spare_database), migrations)


async def with_few_rights(dsn: str) -> str:
    """Return the address with a role that may do what it was granted: a superuser may all."""
    is_super = await fetch(dsn, "select rolsuper from pg_roles where rolname = current_user")
    role = f"{'&' if '?' in dsn else '?'}options=-c%20role%3Dpg_monitor"
    return dsn + role if is_super else dsn
