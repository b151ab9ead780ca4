"""Migrates a database to the newest schema; one small query if there is nothing to do."""

import asyncio
import contextlib
import importlib.util
import re
import time
from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import asyncpg

from agencyclaw.domain.errors import Misconfigured, Unavailable
from agencyclaw.store.engine import connect, plain

if TYPE_CHECKING:
    from alembic.config import Config

FOLDER = Path(__file__).parents[2] / "migrations"
MODELS = (
    "agencyclaw.store.tables",
    "agencyclaw.store.conversation_tables",
    "agencyclaw.store.proposal_tables",
    "agencyclaw.store.record_tables",
)
OLDEST = 15
LOCK = 0x6167656E63790001
PAUSE = 0.05
LOCK_LIMIT = 600.0
FORMAT = "format --quiet REVISION_SCRIPT_FILENAME"
FOLLOWS = re.compile(r'^down_revision = "(\w+)"', re.MULTILINE)


async def migrate(dsn: str, folder: Path = FOLDER) -> list[str]:
    """Apply the missing migrations and return their names."""
    if await is_newest(dsn, folder):
        return []
    return await asyncio.to_thread(_upgrade, plain(dsn), folder)


async def is_newest(dsn: str, folder: Path = FOLDER) -> bool:
    """Return whether nothing is missing; raises Misconfigured if no migration leads on from it."""
    current = await _current(dsn)
    if current is not None and _is_before_the_first(current, folder):
        raise Misconfigured(
            f"The database is at revision {current} of a development version, which can't be "
            "upgraded. Take a dump if you need what it holds, then reset it: the demo's with "
            "`make demo RESET=1`, the one of DATABASE_URL by creating it anew, the embedded one by "
            "moving the folder AGENCYCLAW_HOME away."
        )
    if current is not None and current not in _known(folder):
        raise Misconfigured(
            f"The database is at revision {current}, which this AgencyClaw does not know. "
            "Run the version that migrated it, or point DATABASE_URL at another database."
        )
    return current == head(folder)


def head(folder: Path = FOLDER) -> str | None:
    """Return the revision that no other follows; numbers may be out of order."""
    files = (folder / "versions").glob("[0-9]*.py")
    followed = {name for path in files for name in FOLLOWS.findall(path.read_text("utf-8"))}
    return max(_known(folder).keys() - followed, default=None)


def has_all(current: str, folder: Path = FOLDER) -> bool:
    """Return whether a database at this revision has what this version needs; it may be newer."""
    if current in _known(folder):
        return current == head(folder)
    return not _is_before_the_first(current, folder)


async def new_revision(message: str, dsn: str, folder: Path = FOLDER) -> Path:
    """Write the next migration: what the table classes have and the database lacks."""
    await migrate(dsn, folder)
    number = int(max(_known(folder), default="0")) + 1
    return await asyncio.to_thread(_generate, plain(dsn), folder, message, f"{number:04d}")


def execute_script(sql: str) -> None:
    """Execute SQL text of any number of statements as it is; for migrations."""
    from alembic import op

    connection: Any = op.get_bind().connection.driver_connection
    connection.execute(sql.encode())


def _known(folder: Path) -> dict[str, str]:
    """Map revisions to file names like 0107_what_changes, without importing the files."""
    names = (path.stem for path in (folder / "versions").glob("[0-9]*.py"))
    return {name.partition("_")[0]: name for name in names}


def _is_before_the_first(revision: str, folder: Path) -> bool:
    return revision < min(_known(folder), default="")


async def _current(dsn: str) -> str | None:
    connection = await connect(dsn)
    try:
        version = connection.get_server_version()
        if version.major < OLDEST:
            raise Misconfigured(
                f"DATABASE_URL leads to Postgres {version.major}.{version.minor}, and {OLDEST} or "
                "newer is needed."
            )
        return await connection.fetchval("SELECT version_num FROM alembic_version")
    except asyncpg.UndefinedTableError:
        return None
    except asyncpg.InsufficientPrivilegeError as error:
        raise _lacks_rights(str(error)) from error
    finally:
        await connection.close()


def _upgrade(dsn: str, folder: Path) -> list[str]:
    import psycopg
    from alembic import command

    names = _known(folder)
    applied: list[str] = []

    def note(*, step: Any, **_: Any) -> None:
        applied.append(names[step.up_revision_id])

    with _explained(), psycopg.connect(dsn, autocommit=True) as guard:
        # Polled: the blocking form deadlocks with a migration that builds an index concurrently.
        deadline = time.monotonic() + LOCK_LIMIT
        while guard.execute("SELECT pg_try_advisory_lock(%s)", [LOCK]).fetchone() != (True,):
            if time.monotonic() > deadline:
                raise Unavailable("Another process has been migrating this database for too long.")
            time.sleep(PAUSE)
        command.upgrade(_configure(dsn, folder, on_apply=note), "head")
    return applied


@contextlib.contextmanager
def _explained() -> Generator[None]:
    """Explain which right or extension the database lacks; other errors pass."""
    import psycopg.errors as refusals
    from sqlalchemy.exc import DBAPIError

    try:
        yield
    except (DBAPIError, refusals.Error) as error:
        # What `execute_script` runs is not wrapped by SQLAlchemy.
        cause = error.orig if isinstance(error, DBAPIError) else error
        reason = str(cause).partition("\n")[0]
        match cause:
            case refusals.InsufficientPrivilege():
                raise _lacks_rights(reason) from error
            case refusals.UndefinedFile() | refusals.FeatureNotSupported():
                raise Misconfigured(
                    f"The Postgres of DATABASE_URL lacks an extension: {reason}. Install what it "
                    "calls contrib, which has pg_trgm."
                ) from error
            case _:
                raise


def _lacks_rights(reason: str) -> Misconfigured:
    return Misconfigured(
        f"The role of DATABASE_URL may not set up its database: {reason}. Make it the owner: alter "
        "database NAME owner to ROLE; and of what another role made there: reassign owned by OTHER "
        "to ROLE."
    )


def _generate(dsn: str, folder: Path, message: str, revision: str) -> Path:
    from alembic import command
    from sqlmodel import SQLModel

    for module in MODELS:
        importlib.import_module(module)
    config = _configure(dsn, folder, metadata=SQLModel.metadata, on_apply=None)
    script: Any = command.revision(config, message, autogenerate=True, rev_id=revision)
    return Path(script.path)


def _configure(dsn: str, folder: Path, **attributes: Any) -> "Config":
    import psycopg
    from alembic.config import Config
    from sqlalchemy import NullPool, create_engine

    def connect() -> Any:
        return psycopg.connect(dsn)

    engine = create_engine("postgresql+psycopg://", creator=connect, poolclass=NullPool)
    config = Config(attributes={"engine": engine, **attributes})
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.set_main_option("file_template", "%%(rev)s_%%(slug)s")
    if importlib.util.find_spec("ruff"):
        config.set_section_option("post_write_hooks", "hooks", "ruff")
        config.set_section_option("post_write_hooks", "ruff.type", "module")
        config.set_section_option("post_write_hooks", "ruff.module", "ruff")
        config.set_section_option("post_write_hooks", "ruff.options", FORMAT)
    return config
