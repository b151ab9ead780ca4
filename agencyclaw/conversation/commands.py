"""The sub-commands of `/claw`: one table with an entry for each."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import logfire

from agencyclaw.conversation import fixed_texts
from agencyclaw.conversation.admin import AdminCommands
from agencyclaw.conversation.deferred_acts import DeferredActs, act_of
from agencyclaw.conversation.feedback import FeedbackReview
from agencyclaw.conversation.memory import MemoryCommands
from agencyclaw.conversation.surfaces import Surfaces, place_words
from agencyclaw.domain.commands import CommandReply, SlashCommand, command_of
from agencyclaw.domain.feedback import FeedbackQueue
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Freshness
from agencyclaw.domain.receipts import Note, OutboxKind, Receipt
from agencyclaw.proposals.identities import Identify, Known, Unidentified, Unverified
from agencyclaw.store.engine import Database, as_records_away
from agencyclaw.store.events import record_event
from agencyclaw.store.homes import Homes
from agencyclaw.store.outbox import post
from agencyclaw.store.receipts import keep_settled
from agencyclaw.store.transcripts import note_command

_AGAIN = message("commands.again")
_INTRODUCTION = message("commands.introduction")


@dataclass(frozen=True)
class Request:
    """A typed command, with the person and the place."""

    typed: SlashCommand
    known: Known


@dataclass(frozen=True)
class SlashCommands:
    """Carries out typed commands."""

    db: Database
    identify: Identify
    surfaces: Surfaces
    memory: MemoryCommands
    admin: AdminCommands
    deferred: DeferredActs
    feedback: FeedbackReview

    async def carry_out(self, typed: SlashCommand) -> CommandReply | FeedbackQueue:
        """Identify the person and run the command; unidentified people may only read the help.

        If Slack can't say who it is, the command is stored and carried out later.
        """
        with logfire.span("command", name=_name_of(typed)), as_records_away():
            await note_command(self.db, typed)
            reply = await self._try(typed)
            if isinstance(reply, Unverified):
                reply = await self.deferred.defer(typed.act, reply)
            return CommandReply(text=reply) if isinstance(reply, str) else reply

    async def retry(self, receipt: Receipt) -> None:
        """Retry a deferred command, or a deferred press in the Home tab."""
        act = act_of(receipt)
        is_typed = act.source == "commands"
        reply = await (self._try(command_of(act)) if is_typed else self.memory.try_press(act))
        if isinstance(reply, Unverified):
            await self.deferred.retry(receipt, reply)
            return
        await self.deferred.end(receipt, reply if isinstance(reply, str) else _AGAIN)
        if not is_typed:
            await Homes(self.db).again(act.place.team_id, act.slack_user_id)

    async def forward(self, typed: SlashCommand, asked_where: str) -> None:
        """Move a question to a new thread of the person's direct messages and answer it there.

        Its thread says where it was asked, which may tell the client it is about.
        """
        origin = f"({asked_where})" if asked_where else ""
        text = f"{typed.rest}\n\n{origin}".strip()
        # A command is what was typed into its line, and can hold nothing else.
        act = typed.act.model_copy(update={"text": text, "carries": ()})
        async with self.db.transaction() as conn:
            receipt_id = await keep_settled(conn, act)
            if receipt_id is not None:
                await post(
                    conn,
                    key=f"forward:{receipt_id}",
                    kind=OutboxKind.FORWARD,
                    place=typed.place,
                    note=Note(text=typed.rest, footer=asked_where),
                    slack_user_id=typed.slack_user_id,
                    receipt_id=receipt_id,
                )

    async def _try(self, typed: SlashCommand) -> str | CommandReply | FeedbackQueue | Unverified:
        command = SUBCOMMANDS.get(typed.name)
        if command is None or command.name == "help":
            return help_text(is_unknown=command is None and bool(typed.name))
        match await self.identify(typed.place, typed.slack_user_id, command.freshness):
            case Unidentified(reason=reason, message=message):
                await self._note_refusal(typed, reason)
                return message
            case Unverified() as unverified:
                return unverified
            case Known() as known:
                return await command.run(self, Request(typed, known))

    async def _note_refusal(self, typed: SlashCommand, reason: str) -> None:
        await record_event(
            self.db.pool,
            "guard_reply",
            reason=reason,
            slack_user_id=typed.slack_user_id,
            payload={"command": typed.name, "channel": typed.place.channel_id},
        )


@dataclass(frozen=True)
class SubCommand:
    """A sub-command: name, usage, description and function.

    Typing it is consent, so `freshness` demands Slack's current word unless it only reads.
    """

    name: str
    usage: str
    what: str
    run: Callable[[SlashCommands, Request], Awaitable[str | CommandReply | FeedbackQueue]]
    freshness: Freshness = Freshness.NOW


def _name_of(typed: SlashCommand) -> str:
    return typed.name if typed.name in SUBCOMMANDS else "unknown"


def help_text(*, is_unknown: bool = False) -> str:
    """Return the list of sub-commands, one per line."""
    opening = message("commands.dont_know_command_but") if is_unknown else ""
    lines = [f"• `/claw {command.usage}` {command.what}" for command in SUBCOMMANDS.values()]
    return f"{opening}{_INTRODUCTION}\n\n" + "\n".join(lines)


async def _help(_: SlashCommands, __: Request) -> str:
    return help_text()


async def _where(commands: SlashCommands, request: Request) -> str:
    return await commands.surfaces.describe(request.typed.place, request.known)


async def _ask(commands: SlashCommands, request: Request) -> str:
    if not request.typed.rest:
        return message("commands.what_would_you_like")
    await commands.forward(request.typed, await place_words(commands.surfaces, request.typed.place))
    return fixed_texts.FORWARDED


async def _link(commands: SlashCommands, request: Request) -> str:
    return await commands.surfaces.link(request.typed, request.known)


async def _unlink(commands: SlashCommands, request: Request) -> str:
    return await commands.surfaces.unlink(request.typed, request.known)


async def _remember(commands: SlashCommands, request: Request) -> str:
    return await commands.memory.remember(request.typed, request.known)


async def _forget(commands: SlashCommands, request: Request) -> str | CommandReply:
    return await commands.memory.forget(request.typed, request.known)


async def _pause(commands: SlashCommands, request: Request) -> str:
    return await commands.admin.pause(request.typed, request.known)


async def _resume(commands: SlashCommands, request: Request) -> str:
    return await commands.admin.resume(request.typed, request.known)


async def _consent(commands: SlashCommands, request: Request) -> str:
    return await commands.admin.consent(request.typed, request.known)


async def _feedback(commands: SlashCommands, request: Request) -> str | FeedbackQueue:
    shown = await commands.feedback.queue(request.known.actor, request.known.surface)
    return shown.text if isinstance(shown, CommandReply) else shown


_ALL = (
    SubCommand("help", "help", "shows this", _help),
    SubCommand(
        "where",
        "where",
        message("commands.says_what_channel_belongs"),
        _where,
        Freshness.RECENT,
    ),
    SubCommand(
        "ask", "ask …", message("commands.answers_question_our_direct"), _ask, Freshness.RECENT
    ),
    SubCommand(
        "remember",
        "remember [CLIENT:] …",
        message("commands.remember"),
        _remember,
    ),
    SubCommand("forget", "forget …", message("commands.forget"), _forget),
    SubCommand(
        "link",
        "link CLIENT",
        message("commands.link"),
        _link,
    ),
    SubCommand("unlink", "unlink", message("commands.unlink"), _unlink),
    SubCommand(
        "consent",
        "consent press|words|default …",
        message("commands.consent"),
        _consent,
    ),
    SubCommand(
        "feedback",
        "feedback",
        message("commands.feedback"),
        _feedback,
        Freshness.RECENT,
    ),
    SubCommand("pause", "pause", message("commands.pause"), _pause),
    SubCommand("resume", "resume", message("commands.resume"), _resume),
)
SUBCOMMANDS = {command.name: command for command in _ALL}
