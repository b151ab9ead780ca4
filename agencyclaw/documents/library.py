"""`agencyclaw kb`: add, sync, list, name, approve or retire documents, and list gaps."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from agencyclaw.deps.board import TaskBoard
from agencyclaw.deps.unanswered import answer_today, naming_gaps
from agencyclaw.documents.conversion import UnreadableFile
from agencyclaw.documents.reading import SUFFIXES, read_document, split
from agencyclaw.domain.errors import Misconfigured, NotFound, Stale
from agencyclaw.domain.library import DecideDocument, Decision, moves_for
from agencyclaw.domain.naming import Naming, aliases_of, category_of
from agencyclaw.domain.procedures import PageChange, compare, unchanged, unread_of
from agencyclaw.domain.sops import OpenGap
from agencyclaw.domain.text import folded, one_line
from agencyclaw.proposals.library import facts_of
from agencyclaw.store.document_states import DocumentRecord, audit_decision, shelved
from agencyclaw.store.documents import DocumentStore, ListedDocument
from agencyclaw.store.engine import Database
from agencyclaw.store.events import record_event
from agencyclaw.store.gaps import open_gaps, settle_gap
from agencyclaw.store.knowledge import KnowledgeReader
from agencyclaw.store.procedures import move_pages, named_procedures, rename, stored_pages

MOST_FILES = 2_000
MOST_GAPS = 50
MOST_READ = 200
_SEVERAL = "Several procedures are called that."
_OUTCOMES = {"added": "added", "changed": "a new version", "unchanged": "unchanged"}


async def run_library(db: Database, options: argparse.Namespace) -> tuple[str, int]:
    """Run a command; returns the text to print and the exit code."""
    store = DocumentStore(db)
    match options.action:
        case "add":
            return await _add(store, Path(options.name), is_external=options.external)
        case "approve":
            if text := await _decide(db, options.name, "use"):
                return text, 0
            origin, version = await store.approve(options.name, by=_who())
            return f"In use from now on: {origin}, version {version}.", 0
        case "retire":
            if text := await _decide(db, options.name, "retire"):
                return text, 0
            return f"Out of use: {await store.retire(options.name, by=_who())}.", 0
        case "alias":
            return await _alias(db, options), 0
        case "gaps":
            return await _gaps(db), 0
        case "settle":
            return await _settle(db, options.name), 0
        case _:
            return await _list(db, store), 0


async def _add(store: DocumentStore, path: Path, *, is_external: bool) -> tuple[str, int]:
    """Add one file, or all of a folder; an unreadable file does not stop the others."""
    added = [
        await _add_file(store, origin, file, is_external=is_external)
        for origin, file in _files(path)
    ]
    lines = [file.line for file in added]
    if any(file.waits for file in added):
        lines.append("Nothing of it is used before it is approved: agencyclaw kb approve NAME")
    return "\n".join(lines), 1 if any(file.is_refused for file in added) else 0


class _AddedFile(NamedTuple):
    """What to print about a file; `waits`: a new version of it waits for approval."""

    line: str
    is_refused: bool = False
    waits: bool = False


async def _add_file(
    store: DocumentStore, origin: str, file: Path, *, is_external: bool
) -> _AddedFile:
    text = await asyncio.to_thread(read_document, file)
    if isinstance(text, UnreadableFile):
        return _AddedFile(f"{origin}: not added, {text.reason}.", is_refused=True)
    outcome, version = await store.add(
        origin,
        split(text),
        tier="external" if is_external else "internal",
        checksum=hashlib.sha256(f"{text.title}\n{text.body}".encode()).hexdigest(),
        by=_who(),
    )
    line = f"{origin}: {_OUTCOMES[outcome]} (version {version}), “{text.title}”."
    return _AddedFile(line, waits=outcome != "unchanged")


def _files(path: Path) -> Iterable[tuple[str, Path]]:
    """Return each file with its name: its path below the given folder."""
    path = Path(os.path.abspath(path))  # so that "." has a name, too
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
        f"procedure “{version.title}” from ClickUp, version {version.version}: waits for approval"
        for version in await shelved(db)
        if version.kind == "procedure" and version.state == "waiting"
    ]
    lines = [*waiting, *(_document_line(document) for document in await store.documents())]
    return "\n".join(lines) or "No documents yet. Add a file or a folder: agencyclaw kb add PATH"


def _document_line(document: ListedDocument) -> str:
    approved = f"approved by {document.approved_by}"
    state = approved if document.state == "approved" else "waits for approval"
    trust = "external, " if document.tier == "external" else ""
    title = one_line(document.title, 80)
    return (
        f"{document.id[:8]}  {document.origin}, version {document.version}: “{title}”,"
        f" {trust}{state}, added by {document.added_by} on {document.created_at:%Y-%m-%d}"
    )


async def _gaps(db: Database) -> str:
    """List unanswered questions, what would answer them now, and names that others suggest."""
    unanswered = await open_gaps(db, limit=MOST_GAPS)
    read = await open_gaps(db, limit=MOST_READ, were_read=True)
    reader = KnowledgeReader(db)
    lines = [_gap_line(gap, await answer_today(reader, gap)) for gap in unanswered]
    naming = await naming_gaps(reader, read, limit=MOST_GAPS)
    suggested = [_gap_line(gap, "") for gap in naming]
    if suggested:
        hint = 'Give a procedure one of its names: agencyclaw kb alias TITLE "A FEW WORDS" --add'
        suggested = ["Answered by reading, found by no words:", *suggested, hint]
    if not lines and not suggested:
        return "No questions without an answer."
    return "\n".join([*lines, *suggested, "Take one off the list: agencyclaw kb settle ID"])


def _gap_line(gap: OpenGap, now: str) -> str:
    times = "once" if gap.asked == 1 else f"{gap.asked} times, last"
    about = f" ({one_line(gap.client, 60)})" if gap.client else ""
    near = f"; closest: “{one_line(gap.closest, 60)}”" if gap.closest else ""
    read = f"; read: “{one_line(gap.chosen, 60)}”" if gap.chosen else near
    answered = f"; answered by now: “{one_line(now, 60)}”" if now else read
    by = f" by {one_line(gap.asked_by, 60)}" if gap.asked_by else ""
    asked = f"{times}{by} on {gap.last_asked:%Y-%m-%d}"
    return f"{str(gap.id)[:8]}  {one_line(gap.question, 100)}{about}, asked {asked}{answered}"


async def _settle(db: Database, prefix: str) -> str:
    meant = await settle_gap(db, prefix) if len(prefix) >= 4 else 0
    if meant == 1:
        return "It is off the list until somebody asks it in vain again."
    begins = f"Several open questions begin with {prefix}: give more of it."
    none = f"No open question begins with {prefix}. `agencyclaw kb gaps` lists them."
    raise NotFound(begins if meant else none, reason="not_found")


async def sync_procedures(
    db: Database, board: TaskBoard, *, is_dry: bool = False
) -> tuple[str, int]:
    """Copy the procedures from ClickUp; typing the command is the consent.

    A dry run prints the changes and makes none.
    """
    docs = await board.procedure_docs()
    effect = compare(docs, await stored_pages(db, [doc.doc_id for doc in docs]))
    unread = unread_of(docs)
    code = 1 if unread else 0
    if effect is None:
        return "\n".join([unchanged(docs), *unread]), code
    lines = [line for change in effect.changes for line in _change_lines(change)]
    counts = f"{effect.counts}; {effect.unchanged} unchanged."
    if is_dry:
        return "\n".join([*lines, counts, *unread, "Nothing was taken over: a dry run."]), code
    async with db.transaction() as conn:
        if conflict := await move_pages(conn, [change.move for change in effect.changes]):
            raise Stale(f"“{conflict}” was changed meanwhile; try again.", reason="changed_since")
        audit = facts_of(effect) | {"by": _who()}
        await record_event(conn, "procedures_taken_over", payload=audit)
    hint = ["Approve what is new: agencyclaw kb approve TITLE"] if effect.of("new") else []
    return "\n".join([*lines, counts, *unread, *hint]), code


def _change_lines(change: PageChange) -> list[str]:
    """Return the page's title and its changed lines."""
    return [
        f"{change.kind}: {change.sentence}",
        *(f"  {line}" for line in change.text.splitlines()[1:]),
    ]


async def _alias(db: Database, options: argparse.Namespace) -> str:
    """Set or show a procedure's search names; raises NotFound."""
    title = folded(options.name)
    matching = [entry for entry in await named_procedures(db) if folded(entry.title) == title]
    if len(matching) != 1:
        several = _SEVERAL if matching else "There is no such procedure."
        raise NotFound(
            f"{several} `agencyclaw kb alias` takes a title as ClickUp has it.", reason="not_found"
        )
    sop_id, title, before = matching[0]
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


async def _decide(db: Database, name: str, decision: Decision) -> str:
    """Approve or retire a procedure by its title, and say so; "" if no procedure has it.

    Raises NotFound if several have it.
    """
    procedures = [version for version in await shelved(db) if version.kind == "procedure"]
    matching = [version for version in procedures if folded(version.title) == folded(name)]
    if decision == "use":
        matching = [version for version in matching if version.state == "waiting"]
    if not matching:
        return ""
    if len(matching) > 1:
        raise NotFound(
            f"{_SEVERAL} Give them titles of their own in ClickUp, then: agencyclaw kb sync",
            reason="not_found",
        )
    [procedure] = matching
    effect = DecideDocument(
        document=procedure, decision=decision, moves=moves_for(procedure, decision, matching)
    )
    async with db.transaction() as conn:
        record = DocumentRecord(conn, effect)
        if effect.conflict(await record.read()):
            raise Stale("Somebody decided about it meanwhile; try again.", reason="changed_since")
        await record.move(_who())
        await audit_decision(conn, procedure.key, decision, _who())
    how = "In use" if decision == "use" else "Out of use"
    return f"{how} from now on: the procedure “{procedure.title}”."


def _who() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "the command line"
