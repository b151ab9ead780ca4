"""A command that a person typed: what was typed, and what comes of it."""

from __future__ import annotations

from agencyclaw.domain.memory import KeptLine
from agencyclaw.domain.people import Place, Value
from agencyclaw.domain.receipts import Incoming, ReceiptKind
from agencyclaw.domain.text import folded


class Typed(Value):
    """A slash command: its own consent, for it is a person's own act and no model's.

    `name` is the first word, folded; `rest` is what follows, as it was typed.
    """

    key: str
    place: Place
    slack_ts: str
    slack_user_id: str
    name: str
    rest: str = ""

    @property
    def act(self) -> Incoming:
        """The command as it is stored; it can hold nothing but what was typed into its line."""
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


def typed_of(act: Incoming) -> Typed:
    """Return the command that was stored."""
    name, _, rest = act.text.partition(" ")
    return Typed(
        key=act.key,
        place=act.place,
        slack_ts=act.slack_ts,
        slack_user_id=act.slack_user_id,
        name=name,
        rest=rest,
    )


class CommandReply(Value):
    """The answer, for the person alone; `kept` is what they may pick from, to have it forgotten."""

    text: str
    kept: tuple[KeptLine, ...] = ()


def is_stop(text: str) -> bool:
    """Return whether a whole message is the command to stop."""
    return folded(text) == "stop"
