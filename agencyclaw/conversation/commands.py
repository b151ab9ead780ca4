"""The sub-commands of `/claw`: one table with an entry for each."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from agencyclaw.conversation import fixed_texts
from agencyclaw.conversation.admin import AdminCommands
from agencyclaw.conversation.deferred_acts import DeferredActs, act_of
from agencyclaw.conversation.feedback import FeedbackReview
from agencyclaw.conversation.memory import MemoryCommands
from agencyclaw.conversation.surfaces import Surfaces, asked_where
from agencyclaw.domain.commands import CommandReply, SlashCommand, command_of
from agencyclaw.domain.feedback import FeedbackQueue
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Freshness
from agencyclaw.domain.receipts import Note, OutboxKind, Receipt
from agencyclaw.proposals.identities import Identify, Identity, Unidentified, Unverified
from agencyclaw.spans import traced
from agencyclaw.store.engine import Database, as_records_away
from agencyclaw.store.events import record_event
from agencyclaw.store.homes import Homes
from agencyclaw.store.outbox import post
from agencyclaw.store.receipts import keep_settled
from agencyclaw.store.transcripts import note_command

_AGAIN = message("commands.again")
_DONE_BEFORE = message("immediate.done_before")
_INTRODUCTION = message("commands.introduction")

Reply = str | CommandReply | FeedbackQueue
Run = Callable[[SlashCommand, Identity], Awaitable[Reply]]


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
        name = typed.name if typed.name in SUBCOMMANDS else "unknown"
        with traced("command", name=name), as_records_away():
            await note_command(self.db, typed)
            reply = await self._try(typed)
            if isinstance(reply, Unverified):
                reply = await self.deferred.defer(typed.act, reply)
            return CommandReply(text=reply) if isinstance(reply, str) else reply

    async def retry(self, receipt: Receipt) -> None:
        """Retry a deferred command, or a deferred press in the Home tab."""
        act = act_of(receipt)
        is_typed = act.source == "commands"
        if await self.deferred.receipts.held(act.key):
            # It was carried out by an attempt that ended before this was recorded.
            await self.deferred.end(receipt, _DONE_BEFORE)
            return
        reply = await (self._try(command_of(act)) if is_typed else self.memory.try_press(act))
        if isinstance(reply, Unverified):
            await self.deferred.retry(receipt, reply)
            return
        await self.deferred.end(receipt, reply if isinstance(reply, str) else _AGAIN)
        if not is_typed:
            await Homes(self.db).redraw_soon(act.place.team_id, act.slack_user_id)

    async def _try(self, typed: SlashCommand) -> Reply | Unverified:
        command = SUBCOMMANDS.get(typed.name)
        if command is None or command.run is None:
            return help_text(is_unknown=command is None and bool(typed.name))
        match await self.identify(typed.place, typed.slack_user_id, command.freshness):
            case Unidentified(reason=reason, message=message):
                await record_event(
                    self.db.pool,
                    "guard_reply",
                    reason=reason,
                    slack_user_id=typed.slack_user_id,
                    payload={"command": typed.name, "channel": typed.place.channel_id},
                )
                return message
            case Unverified() as unverified:
                return unverified
            case Identity() as identity:
                return await command.run(self)(typed, identity)

    async def ask(self, typed: SlashCommand, _: Identity) -> str:
        """Move a question to a new thread of the person's direct messages and answer it there.

        Its thread says where it was asked, which may tell the client it is about.
        """
        if not typed.rest:
            return message("commands.nothing_asked")
        where = await asked_where(self.db, typed.place)
        text = f"{typed.rest}\n\n({where})" if where else typed.rest
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
                    note=Note(text=typed.rest, footer=where),
                    slack_user_id=typed.slack_user_id,
                    receipt_id=receipt_id,
                )
        return fixed_texts.FORWARDED


@dataclass(frozen=True)
class SubCommand:
    """A sub-command: its usage, which begins with its name, what it does, and what runs it.

    Typing it is consent, so Slack is asked anew who typed it, unless it only reads. Help, which
    anybody may read, has nothing that runs it.
    """

    usage: str
    what: str
    run: Callable[[SlashCommands], Run] | None = None
    freshness: Freshness = Freshness.NOW

    @property
    def name(self) -> str:
        """The word that calls it."""
        return self.usage.partition(" ")[0]


def help_text(*, is_unknown: bool = False) -> str:
    """Return the list of sub-commands, one per line."""
    opening = message("commands.unknown") if is_unknown else ""
    lines = [f"• `/claw {command.usage}` {command.what}" for command in SUBCOMMANDS.values()]
    return f"{opening}{_INTRODUCTION}\n\n" + "\n".join(lines)


_RECENT = Freshness.RECENT
_ALL = (
    SubCommand("help", message("commands.help")),
    SubCommand("where", message("commands.help_where"), lambda to: to.surfaces.describe, _RECENT),
    SubCommand("ask …", message("commands.help_ask"), lambda to: to.ask, _RECENT),
    SubCommand(
        "remember [CLIENT|BRAND:] …", message("commands.remember"), lambda to: to.memory.remember
    ),
    SubCommand("forget …", message("commands.forget"), lambda to: to.memory.forget),
    SubCommand("schedules", message("commands.schedules"), lambda to: to.memory.schedules, _RECENT),
    SubCommand("link CLIENT|BRAND", message("commands.link"), lambda to: to.surfaces.link),
    SubCommand("unlink", message("commands.unlink"), lambda to: to.surfaces.unlink),
    SubCommand(
        "consent press|words|default …", message("commands.consent"), lambda to: to.admin.consent
    ),
    SubCommand("feedback", message("commands.feedback"), lambda to: to.feedback.queue, _RECENT),
    SubCommand("pause", message("commands.pause"), lambda to: to.admin.pause),
    SubCommand("resume", message("commands.resume"), lambda to: to.admin.resume),
)
SUBCOMMANDS = {command.name: command for command in _ALL}
