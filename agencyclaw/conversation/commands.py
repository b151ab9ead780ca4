"""What a person types after `/claw`: one table, one entry for each sub-command."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import logfire

from agencyclaw.conversation.admin import AdminCommands
from agencyclaw.conversation.identity import UNVERIFIED, Identify, Known, Stranger
from agencyclaw.conversation.memory import MemoryDesk
from agencyclaw.conversation.surfaces import Surfaces, place_words
from agencyclaw.domain.commands import Forwarded, Told, Typed
from agencyclaw.domain.people import Freshness
from agencyclaw.proposals.standing import Unverified
from agencyclaw.store.engine import Database, as_unavailable
from agencyclaw.store.events import record_event
from agencyclaw.store.transcripts import note_command

Outcome = Told | Forwarded

_INTRODUCTION = (
    "I look things up and prepare work; you decide. Write to me in a direct message, or mention me "
    "in a channel; in a thread where I take part you need not mention me again. What I prepare "
    "comes as a card, and nothing happens until you press its button or say yes."
)


@dataclass(frozen=True)
class Request:
    """What was typed, by whom, and where."""

    typed: Typed
    known: Known


@dataclass(frozen=True)
class CommandDesk:
    """Carries out what people type."""

    db: Database
    identify: Identify
    surfaces: Surfaces
    memory: MemoryDesk
    admin: AdminCommands

    async def carry_out(self, typed: Typed) -> Outcome:
        """Find out who types, and do it; whoever is a stranger may only read the help."""
        command = SUBCOMMANDS.get(typed.name)
        name = command.name if command else "unknown"
        with logfire.span("command", name=name), as_unavailable():
            await note_command(self.db, typed.place, typed.key, typed.slack_user_id)
            if command is None or command.name == "help":
                return Told(text=help_text(is_unknown=command is None and bool(typed.name)))
            match await self.identify(typed.place, typed.slack_user_id, command.freshness):
                case Stranger(reason=reason, message=message):
                    await self._note_refusal(typed, reason)
                    return Told(text=message)
                case Unverified() as unverified:
                    # Typed, not stored: it can't wait, and is typed again.
                    await self._note_refusal(typed, UNVERIFIED)
                    return Told(text=unverified.message)
                case Known() as known:
                    return await command.run(self, Request(typed, known))

    async def _note_refusal(self, typed: Typed, reason: str) -> None:
        await record_event(
            self.db.pool,
            "guard_reply",
            reason=reason,
            slack_user_id=typed.slack_user_id,
            payload={"command": typed.name, "channel": typed.place.channel_id},
        )


@dataclass(frozen=True)
class SubCommand:
    """One thing to type: how it is written, what it does in a few words, and the doing.

    What is typed is its own consent, so it takes Slack's word of this moment unless it only reads.
    """

    name: str
    usage: str
    what: str
    run: Callable[[CommandDesk, Request], Awaitable[Outcome]]
    freshness: Freshness = Freshness.NOW


def help_text(*, is_unknown: bool = False) -> str:
    """Return what can be typed, one line each."""
    opening = "I don't know that command, but these I know.\n\n" if is_unknown else ""
    lines = [f"• `/claw {one.usage}` {one.what}" for one in SUBCOMMANDS.values()]
    return f"{opening}{_INTRODUCTION}\n\n" + "\n".join(lines)


async def _help(_: CommandDesk, __: Request) -> Outcome:
    return Told(text=help_text())


async def _where(desk: CommandDesk, request: Request) -> Outcome:
    return Told(text=await desk.surfaces.describe(request.typed.place, request.known))


async def _ask(desk: CommandDesk, request: Request) -> Outcome:
    if not request.typed.rest:
        return Told(text="What would you like to ask? Write it after the word: `/claw ask …`")
    return Forwarded(
        question=request.typed.rest,
        asked_where=await place_words(desk.surfaces, request.typed.place),
    )


async def _link(desk: CommandDesk, request: Request) -> Outcome:
    return Told(text=await desk.surfaces.link(request.typed, request.known))


async def _unlink(desk: CommandDesk, request: Request) -> Outcome:
    return Told(text=await desk.surfaces.unlink(request.typed, request.known))


async def _remember(desk: CommandDesk, request: Request) -> Outcome:
    return Told(text=await desk.memory.remember(request.typed, request.known))


async def _forget(desk: CommandDesk, request: Request) -> Outcome:
    return Told(text=await desk.memory.forget(request.typed, request.known))


async def _pause(desk: CommandDesk, request: Request) -> Outcome:
    return Told(text=await desk.admin.pause(request.typed, request.known))


async def _resume(desk: CommandDesk, request: Request) -> Outcome:
    return Told(text=await desk.admin.resume(request.typed, request.known))


async def _consent(desk: CommandDesk, request: Request) -> Outcome:
    return Told(text=await desk.admin.consent(request.typed, request.known))


_ALL = (
    SubCommand("help", "help", "shows this", _help),
    SubCommand(
        "where",
        "where",
        "says what this channel belongs to and what you may do here",
        _where,
        Freshness.RECENT,
    ),
    SubCommand("ask", "ask …", "answers a question in our direct messages", _ask, Freshness.RECENT),
    SubCommand(
        "remember",
        "remember [CLIENT:] …",
        "keeps a fact about a client, or what you prefer",
        _remember,
    ),
    SubCommand("forget", "forget …", "forgets the one thing that has these words", _forget),
    SubCommand(
        "link",
        "link CLIENT",
        "makes this channel that client's, or `link internal` the agency's own (admins)",
        _link,
    ),
    SubCommand("unlink", "unlink", "takes that back (admins)", _unlink),
    SubCommand(
        "consent",
        "consent press|words|default …",
        "says where a plain yes counts, and where only a press does (admins)",
        _consent,
    ),
    SubCommand("pause", "pause", "stops everything I carry out, at once (super admins)", _pause),
    SubCommand("resume", "resume", "lets me go on (super admins)", _resume),
)
SUBCOMMANDS = {one.name: one for one in _ALL}
