"""Reads the conversations: what one person does after another, and nothing of what is right."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BeforeValidator, Field, model_validator

from evals.scene import Part
from evals.yaml_files import read_named

FOLDER = Path(__file__).parent / "cases"


class Act(Part):
    """One thing that happens: somebody writes, with files or without, or presses, or time passes.

    `by` is somebody else than the conversation's person; `apart` begins a new thread.
    """

    say: str = ""
    press: str = ""
    wait_minutes: int = 0
    files: dict[str, str] = Field(default_factory=dict[str, str])
    by: str = ""
    apart: bool = False

    @model_validator(mode="after")
    def _is_one(self) -> Act:
        if sum(map(bool, (self.say, self.press, self.wait_minutes))) != 1:
            raise ValueError("an act is one of say, press, wait_minutes")
        return self

    def __str__(self) -> str:
        return self.say or (f"[{self.press}]" if self.press else f"({self.wait_minutes} min later)")


def _act(value: object) -> object:
    """A bare text is said."""
    return {"say": value} if isinstance(value, str) else value


class Conversation(Part):
    """A person in a direct message, or in a channel where the first message calls us."""

    name: str
    about: str
    person: str
    channel: str = ""
    acts: tuple[Annotated[Act, BeforeValidator(_act)], ...]


def load_conversations(only: str = "") -> list[Conversation]:
    """Read the conversations whose name contains a word."""
    return [Conversation.model_validate(given) for given in read_named(FOLDER, only)]
