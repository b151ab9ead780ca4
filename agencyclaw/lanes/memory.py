"""The memory in a person's own hands: typed commands and the Home tab are their own consent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from agencyclaw.domain.clients import Client, Named
from agencyclaw.domain.commands import Typed
from agencyclaw.domain.memory import (
    NOTE_LIMIT,
    SPOKEN,
    ClientNote,
    KeptLine,
    PreferenceKey,
    Preferences,
)
from agencyclaw.domain.people import Actor, Place, ScopeKind, Tier
from agencyclaw.domain.policy import Deny, Rule, decide
from agencyclaw.domain.text import digest, folded, one_line
from agencyclaw.effects.standing import Present, Standing
from agencyclaw.lanes.identity import Known
from agencyclaw.store.engine import Connection, Database
from agencyclaw.store.events import record_event
from agencyclaw.store.memory_writes import (
    archive_note,
    drop_preference,
    keep_note,
    keep_preference,
)
from agencyclaw.tools.names import find_named

_REMEMBERING = Rule("remember", changes=True, tier=Tier.MEMBER, title="Remembering")
_USAGE = (
    "What should I remember? `/claw remember Glintly Inc: prefers short titles` for a client, "
    "`/claw remember answer me briefly` for yourself."
)
_ELSEWHERE = (
    "This channel belongs to another client, so nothing about that one is kept here. Say it in our "
    "direct messages instead. Nothing was kept."
)


class Clients(Protocol):
    """The clients a person may see."""

    async def clients(self, actor: Actor) -> list[Client]:
        """Return the active clients this person may see, by name."""
        ...


class Reader(Protocol):
    """What is remembered."""

    async def notes(self, client_ids: list[UUID]) -> list[ClientNote]:
        """Return the notes about the given clients, newest first."""
        ...

    async def preferences(self, profile_id: UUID) -> Preferences:
        """Return what a person prefers."""
        ...


@dataclass(frozen=True)
class MemoryDesk:
    """Keeps and forgets at a person's own word, with an audit row each."""

    db: Database
    directory: Clients
    memory: Reader
    standing: Standing

    async def remember(self, typed: Typed, known: Known) -> str:
        """Keep what was typed: about the client in front of the colon, else for the person."""
        if refused := _refused(known):
            return refused
        if not typed.rest.strip():
            return _USAGE
        name, colon, words = typed.rest.partition(":")
        clients = await self.directory.clients(known.actor)
        here = _of_place(clients, known)
        named = find_named(name, clients) if colon and words.strip() else []
        found = [one for one in named if one in here]
        if named and not found:
            return _ELSEWHERE
        if len(found) > 1:
            names = ", ".join(one_line(one.name, 60) for one in found)
            return f"Which client do you mean: {names}? Nothing was kept."
        if found:
            return await self._keep_note(found[0], _fact(words), known)
        if known.surface.scope is ScopeKind.CLIENT_SCOPED and here:
            return await self._keep_note(here[0], _fact(typed.rest), known)
        return await self._keep_preference(_fact(typed.rest), known)

    async def forget(self, typed: Typed, known: Known) -> str:
        """Forget the one thing that was named, if it is one."""
        if refused := _refused(known):
            return refused
        if not folded(typed.rest):
            return "What should I forget? Write a few of its words after `/claw forget`."
        found = await self._meant(typed.rest, known)
        if len(found) != 1:
            said = "Nothing like that is remembered." if not found else _several(found)
            return f"{said} Nothing was changed."
        await self._drop(found[0], known)
        return f"Forgotten: “{found[0].text}”."

    async def _meant(self, said: str, known: Known) -> list[KeptLine]:
        """Return what holds these words, or of one client those behind its name and a colon."""
        lines = await self._lines(known)
        if found := [line for line in lines if folded(said) in folded(line.text)]:
            return found
        name, _, words = said.partition(":")
        of = (
            {one.id for one in find_named(name, await self._clients(known))}
            if words
            else set[UUID]()
        )
        return [
            line
            for line in lines
            if line.client and line.client.id in of and folded(words) in folded(line.text)
        ]

    async def lines(self, team_id: str, slack_user_id: str) -> list[KeptLine]:
        """Return what a person may see and delete, their own preferences first."""
        known = await self._present(team_id, slack_user_id)
        return await self._lines(known) if known else []

    async def press(self, team_id: str, slack_user_id: str, mark: str) -> str:
        """Forget what the person pressed, or say why not; a mark not among theirs means nothing."""
        known = await self._present(team_id, slack_user_id)
        if known is None:
            return ""
        if refused := _refused(known):
            return refused
        for line in await self._lines(known):
            if line.mark == mark:
                await self._drop(line, known)
        return ""

    async def _present(self, team_id: str, slack_user_id: str) -> Present | None:
        known = await self.standing.of(Place.home_tab(team_id), slack_user_id)
        return known if isinstance(known, Present) else None

    async def _clients(self, known: Known | Present) -> list[Client]:
        return _of_place(await self.directory.clients(known.actor), known)

    async def _lines(self, known: Known | Present) -> list[KeptLine]:
        preferences = await self.memory.preferences(known.actor.profile_id)
        notes = await self.memory.notes([one.id for one in await self._clients(known)])
        return [*_own(preferences, known.actor.name), *(_of_client(note) for note in notes)]

    async def _keep_note(self, client: Client, words: str, known: Known) -> str:
        actor = known.actor
        async with self.db.transaction() as conn:
            note_id = await keep_note(
                conn, client.id, words, author=actor.profile_id, confidence=1.0, source="manual"
            )
            if note_id is None:
                return f"I remember that about {client.name} already."
            after = {"client": client.name, "note": words, "note_id": str(note_id)}
            await _audit(conn, "remembered", actor, before=None, after=after)
        return f"I'll remember about {client.name}: “{words}”. It is on my Home tab."

    async def _keep_preference(self, words: str, known: Known) -> str:
        actor = known.actor
        async with self.db.transaction() as conn:
            if not await keep_preference(conn, actor.profile_id, "other", words):
                return "I remember as much as I can for you; forget something first."
            await _audit(conn, "remembered", actor, before=None, after={"preference": words})
        return f"I'll remember for you alone: “{words}”. It is on my Home tab."

    async def _drop(self, line: KeptLine, known: Known | Present) -> None:
        async with self.db.transaction() as conn:
            if line.note_id and line.client:
                is_gone = await archive_note(conn, line.note_id, line.client.id)
            else:
                is_gone = await drop_preference(
                    conn, known.actor.profile_id, line.key or "other", line.text
                )
            if is_gone:
                before = {"text": line.text, "by": line.by}
                await _audit(conn, "forgotten", known.actor, before=before, after=None)


def _refused(known: Known | Present) -> str:
    match decide(known.actor, known.surface, _REMEMBERING):
        case Deny(message=message):
            return f"{message} Nothing was changed."
        case _:
            return ""


def _of_place(clients: list[Client], known: Known | Present) -> list[Client]:
    """Return those of the clients that may be spoken of here."""
    if known.surface.scope is ScopeKind.CLIENT_SCOPED:
        return [one for one in clients if one.id == known.surface.client_id]
    return clients


def _fact(words: str) -> str:
    return one_line(words, NOTE_LIMIT)


def _several(found: list[KeptLine]) -> str:
    return "Several fit: " + "; ".join(f"“{one_line(line.text, 60)}”" for line in found[:5]) + "."


def _own(preferences: Preferences, name: str) -> list[KeptLine]:
    default = preferences.default_client
    kept = [
        _preference(one.key, one.value, name, str(one.set_at.date())) for one in preferences.kept
    ]
    return [_preference("default_client", default.name, name, ""), *kept] if default else kept


def _preference(key: PreferenceKey, value: str, name: str, day: str) -> KeptLine:
    return KeptLine(
        mark=f"preference:{digest([key, folded(value)])[:16]}",
        about=f"For you, {SPOKEN[key]}",
        text=value,
        by=name,
        day=day,
        key=key,
    )


def _of_client(note: ClientNote) -> KeptLine:
    return KeptLine(
        mark=f"note:{note.id}",
        about=note.client,
        text=note.note,
        by=note.author,
        day=str(note.created_at.date()),
        note_id=note.id,
        client=Named(id=note.client_id, name=note.client),
    )


async def _audit(
    conn: Connection,
    event: str,
    actor: Actor,
    *,
    before: dict[str, Any] | None,
    after: dict[str, Any] | None,
) -> None:
    await record_event(
        conn,
        event,
        actor=actor.profile_id,
        slack_user_id=actor.slack_user_id,
        payload={"before": before, "after": after},
    )
