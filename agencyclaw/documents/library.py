"""`agencyclaw kb`: add, sync, list, name, approve or retire documents, and list gaps."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import hashlib
from collections.abc import Iterable
from pathlib import Path

from agencyclaw.deps.ports import TaskBoard
from agencyclaw.documents.conversion import UnreadableFile
from agencyclaw.documents.reading import SUFFIXES, read_document, split
from agencyclaw.domain.errors import Misconfigured, NotFound, Stale
from agencyclaw.domain.library import DecideDocument, Decision, moves_for
from agencyclaw.domain.naming import Naming, aliases_of, category_of
from agencyclaw.domain.procedures import PageChange, compare
from agencyclaw.domain.sops import OpenGap
from agencyclaw.domain.text import folded, one_line
from agencyclaw.proposals.library import facts_of
from agencyclaw.store.document_states import DocumentRecord, shelved
from agencyclaw.store.documents import DocumentStore, Listed, open_gaps
from agencyclaw.store.engine import Database
from agencyclaw.store.events import record_event
from agencyclaw.store.knowledge import KnowledgeReader
from agencyclaw.store.procedures import move_pages, named_procedures, rename, stored_pages

MOST_FILES = 2_000
MOST_GAPS = 50
_OUTCOMES = {"added": "added", "changed": "a new version", "unchanged": "unchanged"}


async def run_library(db: Database, options: argparse.Namespace) -> tuple[str, int]:
    """Run a command; returns the text to print and the exit code."""
    store = DocumentStore(db)
    match options.action:
        case "add":
            return await _add(store, Path(options.name), is_external=options.external)
        case "approve":
            if done := await _decide(db, options.name, "use"):
                return done
            origin, version = await store.approve(options.name, by=_who())
            return f"In use from now on: {origin}, version {version}.", 0
        case "retire":
            if done := await _decide(db, options.name, "retire"):
                return done
            return f"Out of use: {await store.retire(options.name)}.", 0
        case "alias":
            return await _alias(db, options), 0
        case "gaps":
            return await _gaps(db), 0
        case "settle":
            return await _settle(store, options.name), 0
        case _:
            return await _list(db, store), 0


async def _add(store: DocumentStore, path: Path, *, is_external: bool) -> tuple[str, int]:
    """Add one file, or all of a folder; an unreadable file does not stop the others."""
    lines: list[str] = []
    refused = waiting = 0
    for origin, file in _files(path):
        line, is_refused, waits = await _add_file(store, origin, file, is_external=is_external)
        lines.append(line)
        refused += is_refused
        waiting += waits
    if waiting:
        lines.append("Nothing of it is used before it is approved: agencyclaw kb approve NAME")
    return "\n".join(lines), 1 if refused else 0


async def _add_file(
    store: DocumentStore, origin: str, file: Path, *, is_external: bool
) -> tuple[str, bool, bool]:
    found = await asyncio.to_thread(read_document, file)
    if isinstance(found, UnreadableFile):
        return f"{origin}: not added, {found.reason}.", True, False
    outcome, version = await store.add(
        origin,
        split(found),
        tier="external" if is_external else "internal",
        checksum=hashlib.sha256(f"{found.title}\n{found.body}".encode()).hexdigest(),
        by=_who(),
    )
    line = f"{origin}: {_OUTCOMES[outcome]} (version {version}), “{found.title}”."
    return line, False, outcome != "unchanged"


def _files(path: Path) -> Iterable[tuple[str, Path]]:
    """Return each file with its name: its path below the given folder."""
    if path.is_file():
        return [(path.name, path)]
    if path.is_symlink():
        raise Misconfigured(f"{path} is a link. Give the folder itself.")
    if not path.is_dir():
        raise Misconfigured(f"There is no file or folder {path}.")
    files = sorted(
        file
        for file in path.rglob("*")
        if file.suffix.lower() in SUFFIXES and file.is_file() and not file.is_symlink()
    )
    if not files:
        raise Misconfigured(f"{path} has no file that can be read ({', '.join(sorted(SUFFIXES))}).")
    if len(files) > MOST_FILES:
        raise Misconfigured(
            f"{path} has {len(files):,} files; {MOST_FILES:,} are the most at once."
        )
    return [(f"{path.name}/{file.relative_to(path)}", file) for file in files]


async def _list(db: Database, store: DocumentStore) -> str:
    waiting = [
        f"procedure “{one.title}” from ClickUp, version {one.version}: waits for approval"
        for one in await shelved(db)
        if one.kind == "procedure" and one.state == "waiting"
    ]
    lines = [*waiting, *(_line(one) for one in await store.documents())]
    return "\n".join(lines) or "No documents yet. Add a file or a folder: agencyclaw kb add PATH"


def _line(one: Listed) -> str:
    state = f"approved by {one.approved_by}" if one.state == "approved" else "waits for approval"
    trust = "external, " if one.tier == "external" else ""
    return (
        f"{one.id[:8]}  {one.origin}, version {one.version}: “{one_line(one.title, 80)}”,"
        f" {trust}{state}, added by {one.added_by} on {one.created_at:%Y-%m-%d}"
    )


async def _gaps(db: Database) -> str:
    """List unanswered questions, what would answer them now, and names that others suggest."""
    found = await open_gaps(db, limit=MOST_GAPS)
    read = await open_gaps(db, limit=MOST_GAPS, were_read=True)
    reader = KnowledgeReader(db)
    lines = [_gap_line(gap, await _found_now(reader, gap)) for gap in found]
    unnamed = [gap for gap in read if gap.suggests_a_name]
    suggested = [_gap_line(gap, "") for gap in unnamed if not await _found_now(reader, gap)]
    if suggested:
        hint = 'Give a procedure one of its names: agencyclaw kb alias TITLE "A FEW WORDS" --add'
        suggested = ["Answered by reading, found by no words:", *suggested, hint]
    if not lines and not suggested:
        return "No questions without an answer."
    return "\n".join([*lines, *suggested, "Take one off the list: agencyclaw kb settle ID"])


async def _found_now(reader: KnowledgeReader, gap: OpenGap) -> str:
    """Return the title of what a search answers a question with today."""
    hits = await reader.find_sops(gap.question, limit=1)
    return hits[0].sop.title if hits and hits[0].is_ground else ""


def _gap_line(gap: OpenGap, now: str) -> str:
    times = "once" if gap.asked == 1 else f"{gap.asked} times, last"
    about = f" ({one_line(gap.client, 60)})" if gap.client else ""
    near = f"; closest: “{one_line(gap.closest, 60)}”" if gap.closest else ""
    read = f"; read: “{one_line(gap.chosen, 60)}”" if gap.chosen else near
    answered = f"; answered by now: “{one_line(now, 60)}”" if now else read
    by = f" by {one_line(gap.asked_by, 60)}" if gap.asked_by else ""
    asked = f"{times}{by} on {gap.last_asked:%Y-%m-%d}"
    return f"{str(gap.id)[:8]}  {one_line(gap.question, 100)}{about}, asked {asked}{answered}"


async def _settle(store: DocumentStore, prefix: str) -> str:
    if len(prefix) < 4 or not await store.settle(prefix):
        raise NotFound(
            f"No open question begins with {prefix}. `agencyclaw kb gaps` lists them.",
            reason="not_found",
        )
    return "It is off the list until somebody asks it in vain again."


async def sync_procedures(
    db: Database, board: TaskBoard, *, is_dry: bool = False
) -> tuple[str, int]:
    """Copy the procedures from ClickUp; typing the command is the consent.

    A dry run prints the changes and makes none.
    """
    docs = await board.procedure_docs()
    found = compare(docs, await stored_pages(db, [doc.doc_id for doc in docs]))
    unread = [f"Not read: {doc.trouble}" for doc in docs if doc.trouble]
    code = 1 if unread else 0
    if found is None:
        return "\n".join(["The procedures are as they are in ClickUp.", *unread]), code
    lines = [line for change in found.changes for line in _change_lines(change)]
    counts = f"{found.counts}; {found.unchanged} unchanged."
    if is_dry:
        return "\n".join([*lines, counts, *unread, "Nothing was taken over: a dry run."]), code
    async with db.transaction() as conn:
        if other := await move_pages(conn, [change.move for change in found.changes]):
            raise Stale(f"“{other}” was changed meanwhile; try again.", reason="changed_since")
        audit = facts_of(found) | {"by": _who()}
        await record_event(conn, "procedures_taken_over", payload=audit)
    hint = ["Approve what is new: agencyclaw kb approve TITLE"] if found.of("new") else []
    return "\n".join([*lines, counts, *unread, *hint]), code


def _change_lines(change: PageChange) -> list[str]:
    """Return the page's title and its changed lines."""
    return [
        f"{change.kind}: {change.sentence}",
        *(f"  {one}" for one in change.text.splitlines()[1:]),
    ]


async def _alias(db: Database, options: argparse.Namespace) -> str:
    """Set or show a procedure's search names; raises NotFound."""
    wanted = folded(options.name)
    found = [one for one in await named_procedures(db) if folded(one[1]) == wanted]
    if len(found) != 1:
        several = "Several procedures are called that." if found else "There is no such procedure."
        raise NotFound(
            f"{several} `agencyclaw kb alias` takes a title as ClickUp has it.", reason="not_found"
        )
    sop_id, title, before = found[0]
    aliases = aliases_of([*(before.aliases if options.add else ()), *options.aliases])
    after = Naming(
        category=category_of(options.category) if options.category else before.category,
        aliases=aliases if options.aliases else before.aliases,
    )
    if after != before:
        async with db.transaction() as conn:
            if not await rename(conn, sop_id, before, after):
                raise Stale("Its names were changed meanwhile; try again.", reason="changed_since")
            names = {
                "before": before.model_dump(mode="json"),
                "after": after.model_dump(mode="json"),
            }
            payload = {"procedure": str(sop_id), "by": _who(), **names}
            await record_event(conn, "procedure_named", payload=payload)
    listed = ", ".join(f"“{name}”" for name in after.aliases) or "its title and category alone"
    return f"“{title}” is found as {listed}. Its category is {after.category}."


async def _decide(db: Database, name: str, decision: Decision) -> tuple[str, int] | None:
    """Approve or retire a procedure by its title; None if no procedure has it."""
    wanted = folded(name)
    procedures = [one for one in await shelved(db) if one.kind == "procedure"]
    found = [
        one
        for one in procedures
        if wanted == folded(one.title) and (decision == "retire" or one.state == "waiting")
    ]
    if len(found) != 1:
        return None
    effect = DecideDocument(
        document=found[0], decision=decision, moves=moves_for(found[0], decision, found)
    )
    async with db.transaction() as conn:
        record = DocumentRecord(conn, effect)
        if effect.conflict(await record.read()):
            raise Stale("Somebody decided about it meanwhile; try again.", reason="changed_since")
        await record.move(_who())
        payload = {"document": found[0].key, "decision": decision, "by": _who()}
        await record_event(conn, "document_decided", payload=payload)
    how = "In use" if decision == "use" else "Out of use"
    return f"{how} from now on: the procedure “{found[0].title}”.", 0


def _who() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "the command line"
