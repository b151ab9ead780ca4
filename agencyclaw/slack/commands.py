"""Handles the slash command, and answers it in its acknowledgement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import logfire
from pydantic import Field, ValidationError

from agencyclaw.domain.commands import CommandReply, SlashCommand
from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.feedback import FeedbackQueue
from agencyclaw.domain.messages import message
from agencyclaw.domain.receipts import Note
from agencyclaw.domain.text import clean
from agencyclaw.slack.answers import build_answer
from agencyclaw.slack.blocks import Message
from agencyclaw.slack.channels import Channels
from agencyclaw.slack.feedback import build_queue
from agencyclaw.slack.memory_lines import memory_lines
from agencyclaw.slack.messages import plain, shorten
from agencyclaw.slack.payloads import Payload, place_in
from agencyclaw.slack.ports import SlashCommandsPort

COMMAND = "/claw"
COMMAND_SCOPE = "commands"

_UNREADABLE = message("commands.unreadable")
_FAILED = message("commands.failed")


class CommandBody(Payload):
    """The fields we read of a slash command."""

    team_id: str = Field(min_length=2)
    channel_id: str = Field(min_length=2)
    user_id: str = Field(min_length=2)
    trigger_id: str = Field(min_length=1)
    text: str = ""


class SlashCommandHandler:
    """Handles slash commands."""

    def __init__(
        self,
        commands: SlashCommandsPort,
        now: Callable[[], float],
        channels: Channels,
    ) -> None:
        self._commands = commands
        self._now = now
        self._channels = channels

    async def answer(self, body: dict[str, Any]) -> dict[str, Any]:
        """Carry out a command; the returned message is shown to the person who typed it alone.

        Slack never resends a command, so a failure to store it is reported.
        """
        try:
            typed = read_command(body, self._now())
        except ValidationError:
            return _ephemeral(build_answer(Note(text=_UNREADABLE)))
        place = await self._channels.placed(typed.place)
        typed = typed.model_copy(update={"place": place})
        try:
            reply = await self._commands.carry_out(typed)
            if isinstance(reply, FeedbackQueue):
                return _ephemeral(build_queue(reply))
            return _ephemeral(_reply_message(reply))
        except AgencyClawError as error:
            logfire.warn("slack.command_failed", error=type(error).__name__)
            return _ephemeral(build_answer(Note(text=_FAILED)))


def read_command(body: dict[str, Any], now: float) -> SlashCommand:
    """Return the typed command, sanitised; raises ValidationError for anything else."""
    command = CommandBody.model_validate(body)
    text = clean(plain(command.text), limit=len(command.text) + 1)
    name, rest = [*text.split(maxsplit=1), "", ""][:2]
    ts = f"{now:.6f}"
    return SlashCommand(
        key=f"command:{command.team_id}:{command.trigger_id}",
        place=place_in(command.team_id, command.channel_id, ts),
        slack_ts=ts,
        slack_user_id=command.user_id,
        name=name.casefold(),
        rest=shorten(rest),
    )


def _reply_message(reply: CommandReply) -> Message:
    """Return a reply, with the remembered items that it lists below it."""
    content = build_answer(Note(text=reply.text))
    items = memory_lines(reply.kept, _more)
    return replace(content, blocks=[*content.blocks, *items])


def _more(left: int) -> str:
    return message("memory.more_type_words", left=left)


def _ephemeral(content: Message) -> dict[str, Any]:
    return {"response_type": "ephemeral", "text": content.text, "blocks": content.blocks}
