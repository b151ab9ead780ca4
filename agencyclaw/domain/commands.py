"""Slash commands: what a person typed, and the reply."""

from __future__ import annotations

from agencyclaw.domain.memory import MemoryLine
from agencyclaw.domain.people import Place, Value
from agencyclaw.domain.receipts import Incoming, ReceiptKind
from agencyclaw.domain.text import folded


class SlashCommand(Value):
    """A slash command, which is its own consent because a person typed it.

    `name` is the first word, folded; `rest` is what follows, as typed.
    """

    key: str
    place: Place
    slack_ts: str
    slack_user_id: str
    name: str
    rest: str = ""

    @property
    def act(self) -> Incoming:
        """The command as it is stored, with nothing but what was typed."""
        return Incoming(
            key=self.key,
            source="commands",
            kind=ReceiptKind.COMMAND,
            place=self.place,
            slack_ts=self.slack_ts,
            slack_user_id=self.slack_user_id,
            text=f"{self.name} {self.rest}".strip(),
            carries=(),
        )


def command_of(act: Incoming) -> SlashCommand:
    """Return the command that was stored."""
    name, _, rest = act.text.partition(" ")
    return SlashCommand(
        key=act.key,
        place=act.place,
        slack_ts=act.slack_ts,
        slack_user_id=act.slack_user_id,
        name=name,
        rest=rest,
    )


class CommandReply(Value):
    """The reply, visible only to the person; `kept` are remembered items that they can delete."""

    text: str
    kept: tuple[MemoryLine, ...] = ()


def is_stop(text: str) -> bool:
    """Return whether a whole message is the command to stop."""
    return folded(text) == "stop"
