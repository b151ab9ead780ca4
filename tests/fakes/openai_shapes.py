"""What both of OpenAI's protocols say in their own words: a text, or calls of tools."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]
CREATED = 1_790_000_000


@dataclass(frozen=True)
class Call:
    """One call of a tool."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True)
class Answer:
    """What the model answers."""

    text: str = ""
    calls: tuple[Call, ...] = ()

    @classmethod
    def of(cls, reply: Any, number: int) -> Answer:
        """Read a reply: a text, `{tool: arguments}`, or pairs of both."""
        if isinstance(reply, str):
            return cls(text=reply)
        pairs = reply.items() if isinstance(reply, Mapping) else reply
        return cls(
            calls=tuple(
                Call(f"call_{number}_{at}", name, json.dumps(arguments))
                for at, (name, arguments) in enumerate(pairs)
            )
        )

    @property
    def words(self) -> list[str]:
        """The pieces in which a text is streamed."""
        parts = self.text.split(" ")
        return [f"{part} " for part in parts[:-1]] + parts[-1:] if self.text else []


def event(data: Json, name: str = "") -> str:
    """One server-sent event."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data)}\n\n"
