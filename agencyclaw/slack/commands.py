"""The slash command: read, carried out by the house, answered in its acknowledgement."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import logfire
from pydantic import Field, ValidationError

from agencyclaw.domain.commands import Forwarded, Told, Typed
from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Incoming, Note, ReceiptKind
from agencyclaw.domain.text import clean
from agencyclaw.slack.answers import build_answer
from agencyclaw.slack.channels import Channels
from agencyclaw.slack.forwarding import direct_place, open_direct, show_question
from agencyclaw.slack.messages import Payload, plain, shorten
from agencyclaw.slack.patience import patiently
from agencyclaw.slack.ports import CommandDesk, Inbox
from agencyclaw.slack.web import Web

COMMAND = "/claw"
# Of the three seconds in which a command is acknowledged.
_PATIENCE_S = 1.5
COMMAND_SCOPE = "commands"

_UNREADABLE = "I couldn't read that command. Nothing was changed; please type it again."
_FAILED = "I couldn't do that just now. Nothing was changed; please try again in a moment."
_FORWARDED = "I'll answer you in our direct messages."


class CommandBody(Payload):
    """What Slack sends of a command: the fields we read."""

    team_id: str = Field(min_length=2)
    channel_id: str = Field(min_length=2)
    user_id: str = Field(min_length=2)
    trigger_id: str = Field(min_length=1)
    text: str = ""


class CommandLine:
    """Reads commands and brings their answers back."""

    def __init__(
        self,
        web: Web,
        inbox: Inbox,
        desk: CommandDesk,
        now: Callable[[], float],
        channels: Channels | None = None,
    ) -> None:
        self._web = web
        self._inbox = inbox
        self._desk = desk
        self._now = now
        self._channels = channels

    async def answer(self, body: dict[str, Any]) -> dict[str, Any]:
        """Carry out a command; what is returned is shown to the person who typed, and only there.

        Slack never sends a command twice: what failed is said.
        """
        try:
            typed = read_command(body, self._now())
        except ValidationError:
            return _whisper(_UNREADABLE)
        if self._channels:
            place = await self._channels.placed(typed.place)
            typed = typed.model_copy(update={"place": place})
        try:
            match await self._desk.carry_out(typed):
                case Told(text=text):
                    return _whisper(text)
                case Forwarded() as question:
                    await self._forward(typed, question)
                    return _whisper(_FORWARDED)
        except AgencyClawError as error:
            logfire.warn("slack.command_failed", error=type(error).__name__)
            return _whisper(_FAILED)

    async def _forward(self, typed: Typed, question: Forwarded) -> None:
        """Let the question begin a thread of the person's direct messages, and take it from there.

        It is shown before it is stored, since the thread's name is the message's own. Both happen
        before the acknowledgement: when something breaks between, Slack says that it failed.
        """
        opening = partial(open_direct, self._web, typed.slack_user_id)
        channel = await patiently(opening, _PATIENCE_S)
        ts = await show_question(self._web, channel, question.question, question.asked_where)
        asked = f"({question.asked_where})" if question.asked_where else ""
        await self._inbox.accept(
            Incoming(
                key=typed.key,
                source="commands",
                kind=ReceiptKind.MESSAGE,
                place=direct_place(typed.place.team_id, channel, ts),
                slack_ts=ts,
                slack_user_id=typed.slack_user_id,
                text=f"{question.question}\n\n{asked}".strip(),
                # A command holds what was typed into its line, and can hold nothing else.
                carries=(),
            )
        )


def read_command(body: dict[str, Any], now: float) -> Typed:
    """Return what was typed, cleaned; raises ValidationError when it is no command of Slack's."""
    typed = CommandBody.model_validate(body)
    text = clean(plain(typed.text), limit=len(typed.text) + 1).strip()
    name, _, rest = text.partition(" ")
    ts = f"{now:.6f}"
    return Typed(
        key=f"command:{typed.team_id}:{typed.trigger_id}",
        place=Place(
            team_id=typed.team_id,
            channel_id=typed.channel_id,
            thread_ts=ts,
            is_direct=typed.channel_id.startswith("D"),
        ),
        slack_ts=ts,
        slack_user_id=typed.user_id,
        name=name.casefold(),
        rest=shorten(rest.strip()),
    )


def _whisper(text: str) -> dict[str, Any]:
    shown = build_answer(Note(text=text))
    return {"response_type": "ephemeral", "text": shown.text, "blocks": shown.blocks}
