"""`agencyclaw doctor`: checks each setting and prints what is wrong and how to fix it."""

from __future__ import annotations

import argparse
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, aclosing, asynccontextmanager
from dataclasses import dataclass

from agencyclaw.cli.checks import check_clickup, check_models
from agencyclaw.cli.database import open_existing_database
from agencyclaw.cli.lookups import stray_brands, stray_docs, stray_in_clickup, stray_in_slack
from agencyclaw.conversation.terminal_acts import super_admins_at_work
from agencyclaw.documents.guides import read_folder
from agencyclaw.domain.errors import AgencyClawError, Misconfigured, Unavailable
from agencyclaw.domain.text import counted
from agencyclaw.sandbox.interpreter import open_interpreter
from agencyclaw.settings import Settings, unknown_settings
from agencyclaw.slack.checkup import check_slack
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.embedded import EmbeddedPostgres
from agencyclaw.store.engine import Database
from agencyclaw.store.setup_checks import linked_people, read_server
from agencyclaw.store.spending import spent_by_workspace
from agencyclaw.task_board import clickup_client, clickup_reader

_ONE_ROLE = (
    ". One role does everything, so only a trigger protects the audit, and that role can switch it "
    "off: name another owner in DATABASE_OWNER_URL"
)
# Said to the assistant, because nobody should need a database client for it.
_WRONG_LINKS = (
    "Tell the assistant what is right, as an admin: “the tasks of Glintly go to the list Glintly"
    " Backlog”, “Miguel's ClickUp account is miguel@…”. Docs are listed in CLICKUP_DOCS."
)
_WRONG_ACCOUNTS = (
    "Tell the assistant whose account is right, as an admin: “Miguel's Slack account is @miguel”;"
    " or archive who has left."
)


@dataclass(frozen=True)
class SettingCheck:
    """The result of one check."""

    what: str
    is_good: bool
    says: str

    @property
    def line(self) -> str:
        """The result as one printed line."""
        return f"{'ok  ' if self.is_good else 'BAD '} {self.what}: {self.says}"


async def run(settings: Settings, _: argparse.Namespace) -> int:
    """Print every check; returns 1 if something must be fixed."""
    findings = await examine(settings)
    for finding in findings:
        print(finding.line)
    return 0 if all(finding.is_good for finding in findings) else 1


async def examine(settings: Settings) -> list[SettingCheck]:
    """Check database, Slack, ClickUp and model, independently of each other."""
    checks: list[tuple[str, Callable[[Settings], Awaitable[str]]]] = [
        ("settings", _settings),
        ("database", _database),
        ("people", _people),
        ("Slack", _slack),
        ("Slack's people", _accounts),
        ("ClickUp", _clickup),
        ("mappings", _mappings),
        ("model", _model),
        ("costs", _costs),
        ("guides", _guides),
        ("sandbox", _sandbox),
        ("telemetry", _telemetry),
    ]
    return [await _check(what, check, settings) for what, check in checks]


async def _check(
    what: str, check: Callable[[Settings], Awaitable[str]], settings: Settings
) -> SettingCheck:
    try:
        return SettingCheck(what, is_good=True, says=await check(settings))
    except (AgencyClawError, RuntimeError) as error:
        return SettingCheck(what, is_good=False, says=str(error))
    except Exception as error:  # a check that fails must not take the other ones' results along
        says = f"the check itself failed ({type(error).__name__}: {error})"
        return SettingCheck(what, is_good=False, says=says)


async def _database(settings: Settings) -> str:
    async with open_existing_database(settings) as db:
        server = await read_server(db)
        embedded = "" if settings.database_url else EmbeddedPostgres(settings.agencyclaw_home).dsn
    kind = f"embedded; while the assistant runs: {embedded}" if embedded else "DATABASE_URL"
    warning = _ONE_ROLE if server.may_edit_audit else ""
    return f"Postgres {server.version} ({kind}), newest schema{warning}"


@asynccontextmanager
async def _usable_database(settings: Settings) -> AsyncGenerator[Database]:
    """Yield the database; its own check reports what is wrong with it."""
    async with AsyncExitStack() as stack:
        try:
            db = await stack.enter_async_context(open_existing_database(settings))
        except Unavailable as error:
            raise RuntimeError("not checked, because the database can't be used.") from error
        yield db


async def _people(settings: Settings) -> str:
    async with _usable_database(settings) as db:
        linked = sum(bool(person.slack_user_id) for person in await linked_people(db))
        super_admins = settings.super_admin_profile_ids
        known = len(await super_admins_at_work(DirectoryReader(db), super_admins))
    missing = len(super_admins) - known
    if missing:
        raise RuntimeError(
            f"{missing} of SUPER_ADMIN_PROFILE_IDS {'names' if missing == 1 else 'name'} nobody at"
            " work; correct the list. `agencyclaw setup` names the admins with their ids."
        )
    if not linked:
        raise RuntimeError("no profile is linked to a Slack account; run `agencyclaw setup`.")
    people = counted(linked, "profile is", "profiles are")
    return f"{people} linked to Slack, {counted(known, 'super admin')}"


async def _slack(settings: Settings) -> str:
    settings.require_slack(over_http=settings.is_over_http)
    return await check_slack(
        settings.slack_bot_token, settings.slack_app_token, settings.slack_api_url
    )


async def _clickup(settings: Settings) -> str:
    try:
        return await check_clickup(settings)
    except Misconfigured:
        raise
    except Unavailable as error:
        where = f"CLICKUP_API_URL is {settings.clickup_api_url}"
        raise RuntimeError(f"{error} ({where}.)") from error


async def _model(settings: Settings) -> str:
    """Call every configured model once, as the assistant would."""
    settings.require_model()
    if not settings.models:
        return "a script plays the tour; set OPENAI_API_KEY or AGENCYCLAW_MODEL to talk freely"
    return await check_models(settings)


async def _costs(settings: Settings) -> str:
    """Compare what this month has cost with the limits."""
    caps = settings.cost_caps
    async with _usable_database(settings) as db:
        workspaces = await spent_by_workspace(db, caps)
    spent = sum(one.cost_usd for one in workspaces)
    unpriced = sum(one.unpriced for one in workspaces)
    limited = sum(one.people_at_limit for one in workspaces)
    problems = (
        f"a workspace has reached the {caps.workspace:.2f} of AGENCYCLAW_COST_A_MONTH, so nobody is"
        " answered there; raise it, or wait for the next month"
        if caps.workspace and any(one.cost_usd >= caps.workspace for one in workspaces)
        else "",
        f"{counted(limited, 'person', 'people')} reached the {caps.person:.2f} of"
        " AGENCYCLAW_COST_A_MONTH_PERSON"
        if limited
        else "",
        f"no limit counts {unpriced:,} tokens of a model without a known price"
        if unpriced and (caps.person or caps.workspace)
        else "",
    )
    if found := "; ".join(filter(None, problems)):
        raise RuntimeError(f"{spent:.2f} USD this month; {found}.")
    limits = (
        f"at most {caps.workspace:.2f} in a workspace" if caps.workspace else "",
        f"at most {caps.person:.2f} for a person" if caps.person else "",
    )
    return f"{spent:.2f} USD this month, {', '.join(filter(None, limits)) or 'without a limit'}"


async def _mappings(settings: Settings) -> str:
    """Look up every ClickUp list and space of a brand, every person and every Doc."""
    settings.require_clickup()
    async with _usable_database(settings) as db, aclosing(clickup_client(settings)) as client:
        reader = clickup_reader(settings, client)
        brands = await stray_brands(db, reader)
        people = await stray_in_clickup(db, reader)
        places = await stray_docs(client, settings.clickup_team_id, settings.clickup_docs)
    problems = [*brands.problems, *people, *places]
    _require_none(problems, _WRONG_LINKS)
    docs = counted(len(settings.clickup_docs), "place of Docs", "places of Docs")
    return f"{counted(brands.total, 'brand')}, all people and {docs} lead where they should"


async def _accounts(settings: Settings) -> str:
    """Look up every person's Slack account."""
    async with _usable_database(settings) as db:
        people = await stray_in_slack(db, settings.slack_bot_token, settings.slack_api_url)
    _require_none(people.problems, _WRONG_ACCOUNTS)
    return f"{counted(people.total, 'person', 'people')} found in Slack"


def _require_none(strays: list[str], remedy: str) -> None:
    if strays:
        lines = "".join(f"\n     {stray}" for stray in strays)
        many = counted(len(strays), "entry leads", "entries lead")
        raise RuntimeError(f"{many} nowhere. {remedy}{lines}")


async def _settings(_: Settings) -> str:
    if unknown := unknown_settings():
        raise RuntimeError(" ".join(unknown))
    return "every AGENCYCLAW_… that is set is a setting"


async def _guides(settings: Settings) -> str:
    if settings.agencyclaw_guides is None:
        return "none, as AGENCYCLAW_GUIDES names no folder"
    folder = read_folder(settings.agencyclaw_guides)
    loaded = ", ".join(guide.name for guide in folder.guides) or "none"
    if folder.left_out:
        faults = "\n".join(f"     {fault.line}" for fault in folder.left_out)
        raise RuntimeError(f"{loaded} loaded, but\n{faults}")
    return f"{loaded} loaded"


async def _sandbox(settings: Settings) -> str:
    interpreter = open_interpreter(settings.agencyclaw_sandbox)
    if interpreter is None:
        return "the assistant runs no programs of its own (AGENCYCLAW_SANDBOX is 0)"
    result = await interpreter.run("print(sum(figures))", {"figures": [1, 2, 3]})
    if result.printed != "6":
        raise RuntimeError(
            f"the interpreter does not work here ({result.fault or result.printed}). Run"
            " `make sandbox` again, or set AGENCYCLAW_SANDBOX to 0."
        )
    return "programs run in a process without environment, files and network"


async def _telemetry(settings: Settings) -> str:
    if settings.exports_spans:
        return "spans leave this machine, as configured"
    return "nothing leaves this machine (no LOGFIRE_TOKEN and no OTEL_EXPORTER_OTLP_… endpoint)"
