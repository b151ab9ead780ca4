"""What the commands do, one function each; each imports what only it needs."""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

import logfire

from agencyclaw import eventloop
from agencyclaw.database import database_addresses, open_database
from agencyclaw.demo import demo_database, demo_environment, demo_home, demo_settings
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.domain.text import counted
from agencyclaw.settings import Settings, load_settings, unknown_settings
from agencyclaw.store.engine import Database
from agencyclaw.tracing import configure_tracing, trace_link

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics.export import MetricReader

    from agencyclaw.chat import Line


# What is removed in time, in words: one of it, several of it.
_KEPT = {
    "runs": ("run", "runs"),
    "deliveries": ("delivery", "deliveries"),
    "receipts": ("message or press", "messages and presses"),
    "sessions": ("idle session", "idle sessions"),
    "gaps": ("question without an answer", "questions without an answer"),
    "costs": ("entry of what requests cost", "entries of what requests cost"),
}


def run(options: argparse.Namespace) -> int:
    """Run one command to its end and return its exit code."""
    settings = load_settings(_overrides(options))
    serves = options.command == "serve"
    readers = _readers() if serves and settings.agencyclaw_http_port else []
    configure_tracing(settings, quiet=not serves, readers=readers)
    if serves:
        for said in unknown_settings():
            logfire.warn("{said}", said=said)
    command: Callable[[Settings, argparse.Namespace], Awaitable[int]] = _COMMANDS[options.command]
    return eventloop.run(_finish(command(settings, options)))


def _readers() -> list[MetricReader]:
    from opentelemetry.exporter.prometheus import PrometheusMetricReader

    return [PrometheusMetricReader(scope_info_enabled=False)]


async def _finish(work: Awaitable[int]) -> int:
    return await work


def _overrides(options: argparse.Namespace) -> dict[str, object]:
    """Look at the demo where nothing else is configured; it keeps away from what is real."""
    settings = load_settings()
    if options.command == "serve":
        # Fictional clients and their admins belong beside nobody's real ones.
        return demo_settings() if options.demo_agency else {}
    if settings.clickup_api_token:
        return {}
    is_sync = options.command == "kb" and options.action == "sync"
    if options.command in {"chat", "doctor"} or is_sync:
        return demo_environment(settings)
    is_there = not settings.database_url and demo_home(settings).exists()
    return demo_database(settings) if is_there else {}


async def _serve(settings: Settings, options: argparse.Namespace) -> int:
    with eventloop.loading():
        from agencyclaw.serving import serve

    return await serve(settings, options)


async def _chat(settings: Settings, options: argparse.Namespace) -> int:
    from agencyclaw.app import terminal
    from agencyclaw.chat import press, talk

    if bool(options.press) == bool(options.text.strip()):
        raise Misconfigured('Say something: agencyclaw chat "what can you do"')
    async with open_database(settings) as db, terminal(settings, db) as house:
        act, words = (press, options.press) if options.press else (talk, options.text)
        lines = await act(
            house,
            words,
            person=options.person,
            thread=options.thread,
            super_admins=settings.super_admin_profile_ids,
        )
    _print_lines(lines, as_json=options.json)
    return 0


def _print_lines(lines: list[Line], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps([line.as_json() for line in lines], ensure_ascii=False, indent=2))
        return
    for line in lines:
        print(line.text, end="\n\n")


async def _migrate(settings: Settings, options: argparse.Namespace) -> int:
    from agencyclaw.store.migrate import new_revision

    if options.new:
        async with database_addresses(settings) as (owner, _):
            print(f"wrote {Path(await new_revision(options.new, owner)).name}")
        return 0
    async with open_database(settings):
        print("The database is at the newest schema.")
    return 0


async def _seed(settings: Settings, _: argparse.Namespace) -> int:
    from agencyclaw.store.seed import seed

    async with open_database(settings) as db:
        report = await seed(db)
    print(f"Lanternfish Commerce is loaded ({counted(report.total, 'row')} written).")
    return 0


async def _catalog(settings: Settings, options: argparse.Namespace) -> int:
    from agencyclaw.store.products import add_products

    text = _read_text(Path(options.file))
    async with open_database(settings) as db:
        added, known = await add_products(db, text)
    new = f"{counted(added, 'product')} {'is' if added == 1 else 'are'} new"
    print(f"{new}, {known:,} {'was' if known == 1 else 'were'} brought up to date.")
    return 0


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise Misconfigured(f"{path} can't be read: {why}.") from None


async def _tidy(settings: Settings, _: argparse.Namespace) -> int:
    from agencyclaw.conversation.upkeep import Upkeep

    async with open_database(settings) as db:
        forgotten = await Upkeep(db, settings.agencyclaw_retention_days).forget_old()
    removed = {kind: number for kind, number in forgotten.counts.items() if number}
    parts = [counted(number, *_KEPT[kind]) for kind, number in removed.items()]
    print(f"Removed: {', '.join(parts) or 'nothing was old enough'}.")
    return 0


async def _restored(settings: Settings, _: argparse.Namespace) -> int:
    from agencyclaw.store.restored import put_aside

    async with open_database(settings) as db:
        aside = await put_aside(db, silence_s=settings.agencyclaw_dead_after_s)
    parts = [
        counted(aside.messages, "message or press", "messages and presses"),
        counted(aside.deliveries, "delivery", "deliveries"),
        counted(aside.proposals, "proposal"),
    ]
    print(f"Put aside: {', '.join(parts)}.")
    if aside.looked_for:
        many = counted(aside.looked_for, "confirmed task")
        print(f"The next process looks in ClickUp for {many}, and sends none again.")
    if aside.undecided:
        many = counted(aside.undecided, "confirmed change")
        print(f"The cards of {many} ask people to look whether it was made.")
    return 0


async def _runs(settings: Settings, options: argparse.Namespace) -> int:
    if options.do and not options.id:
        raise Misconfigured(f"Say which run: agencyclaw runs {options.do} ID")
    async with open_database(settings) as db:
        text = await _told(settings, db, options)
    if options.do == "export" and options.to:
        await asyncio.to_thread(Path(options.to).write_text, text, encoding="utf-8")
        text = f"wrote {options.to}: correct what is expected, and give the case a name"
    print(text)
    return 0


async def _told(settings: Settings, db: Database, options: argparse.Namespace) -> str:
    from agencyclaw.exports.case import export_run
    from agencyclaw.reports import list_runs, show_run

    async def link_to(run: str, trace: str) -> str:
        return await trace_link(settings, run=run, trace=trace)

    match options.do:
        case "show":
            return await show_run(db, options.id, as_json=options.json, link_to=link_to)
        case "export":
            return await export_run(db, options.id)
        case _:
            return await list_runs(db, as_json=options.json)


async def _sync(settings: Settings, *, is_dry: bool) -> int:
    from agencyclaw.app import clickup_client, clickup_reader
    from agencyclaw.library import sync_procedures

    settings.require_clickup()
    clickup = clickup_client(settings)
    try:
        async with open_database(settings) as db:
            reader = clickup_reader(settings, clickup)
            text, code = await sync_procedures(db, reader, is_dry=is_dry)
    finally:
        await clickup.aclose()
    print(text)
    return code


async def _kb(settings: Settings, options: argparse.Namespace) -> int:
    from agencyclaw.library import run_library

    if options.action == "sync":
        return await _sync(settings, is_dry=options.dry_run)
    if not options.name and options.action not in {"list", "gaps"}:
        raise Misconfigured(f"Say which: agencyclaw kb {options.action} NAME")
    async with open_database(settings) as db:
        text, code = await run_library(db, options)
    print(text)
    return code


async def _doctor(settings: Settings, _: argparse.Namespace) -> int:
    from agencyclaw.doctor import examine

    findings = await examine(settings)
    for finding in findings:
        print(finding.line)
    return 0 if all(finding.is_good for finding in findings) else 1


_COMMANDS: dict[str, Callable[[Settings, argparse.Namespace], Awaitable[int]]] = {
    "serve": _serve,
    "chat": _chat,
    "migrate": _migrate,
    "seed": _seed,
    "catalog": _catalog,
    "tidy": _tidy,
    "restored": _restored,
    "runs": _runs,
    "kb": _kb,
    "doctor": _doctor,
}
