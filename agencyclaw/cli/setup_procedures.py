"""The agency's procedures: ClickUp Docs that are taken over, and which of them may be used."""

from __future__ import annotations

from collections.abc import Iterable

from agencyclaw.cli.setup_accounts import Connecting
from agencyclaw.cli.setup_agency import labels_of
from agencyclaw.cli.setup_changes import SetupChanges
from agencyclaw.domain.errors import NotFound, Refused
from agencyclaw.domain.library import DecideDocument, DocumentVersion, moves_for
from agencyclaw.domain.procedures import DocRead, compare
from agencyclaw.domain.text import counted, one_line
from agencyclaw.settings import Settings
from agencyclaw.store.document_states import shelved
from agencyclaw.store.engine import Database
from agencyclaw.store.procedures import stored_pages
from agencyclaw.task_board import open_clickup

_BEGINNING = 90
_FILES = "Files are added by `agencyclaw kb add FOLDER`, and approved here or in Slack."


async def set_up_procedures(connecting: Connecting, changes: SetupChanges, db: Database) -> None:
    """Ask where the Docs are, take over what changed in them, and ask what may be used."""
    changes.asking.title("Procedures")
    changes.asking.say(_FILES)
    docs = await _docs(connecting, changes)
    effect = compare(docs, await stored_pages(db, [doc.doc_id for doc in docs]))
    for doc in docs:
        if doc.trouble:
            changes.asking.say(f"BAD  {doc.trouble}")
    if effect:
        await changes.offer(effect)
    await _approve(changes, db)


async def _docs(connecting: Connecting, changes: SetupChanges) -> list[DocRead]:
    """Return the Docs of the places that are set, or of the spaces that are chosen now."""
    if connecting.settings.clickup_docs:
        return await _read(changes, connecting.settings)
    spaces = await changes.directory.spaces()
    while True:
        question = "Which spaces have Docs with procedures"
        chosen = await changes.asking.choose(question, labels_of(spaces))
        if not chosen:
            return []
        found: dict[str, list[DocRead]] = {}
        for space in (spaces[at] for at in chosen):
            # A space without Docs would be missed at every later check.
            settings = connecting.settings_with(_places([space.id]))
            if docs := await _read(changes, settings, f"{space.name}: "):
                found[space.id] = docs
        if found:
            connecting.keep(_places(found))
            every = [doc for docs in found.values() for doc in docs]
            return list({doc.doc_id: doc for doc in every}.values())


def _places(ids: Iterable[str]) -> dict[str, str]:
    return {"CLICKUP_DOCS": ",".join(ids)}


async def _read(changes: SetupChanges, settings: Settings, place: str = "") -> list[DocRead]:
    """Return the Docs of the places that are set; none, having said why, if there are none.

    What ClickUp can't be asked for ends setup, which can be run again.
    """
    try:
        async with open_clickup(settings) as reader:
            return await reader.procedure_docs()
    except (NotFound, Refused) as refusal:
        changes.asking.say(f"BAD  {place}{refusal}")
        return []


async def _approve(changes: SetupChanges, db: Database) -> None:
    """Ask which of the waiting procedures and documents may be used, by title and beginning."""
    versions = await shelved(db)
    waiting = [version for version in versions if version.state == "waiting"]
    if not waiting:
        return
    changes.asking.say(f"{counted(len(waiting), 'document waits', 'documents wait')} for approval.")
    chosen = await changes.asking.choose(
        "Which may the assistant use", [_line(version) for version in waiting]
    )
    for at in chosen:
        same = [version for version in versions if version.id == waiting[at].id]
        moves = moves_for(waiting[at], "use", same)
        await changes.carry_out(DecideDocument(document=waiting[at], decision="use", moves=moves))


def _line(version: DocumentVersion) -> str:
    return f"{version.title} ({version.origin}): {one_line(version.begins, _BEGINNING)}"
