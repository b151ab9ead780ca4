"""Reads the threads: forty messages of people, a call, and twenty messages more.

A line is `name: text`. Before the name, `*` marks what is for the assistant, `~` an edit (`start of
the message => its new text`) and `-` a deletion (`start of the message`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator

from evals.scene import Part
from evals.world import slack_id_of
from evals.yaml_files import read_named

FOLDER = Path(__file__).parent / "cases"
PEOPLE = {
    "ines": "Ines Varga",
    "tomas": "Tomas Reed",
    "sara": "Sara Lindqvist",
    "miguel": "Miguel Duarte",
    "yuki": "Yuki Tan",
    "paul": "Paul Brandt",
}
ASSISTANT = "U01CLAW"
_LINE = re.compile(r"(?P<mark>[*~-]?)(?P<by>\w+): (?P<text>.+)")
_KINDS: dict[str, Literal["says", "edits", "deletes"]] = {"~": "edits", "-": "deletes"}


class Happening(Part):
    """Something that a person does in a thread; `is_for_us` is what a person would say it is."""

    kind: Literal["says", "edits", "deletes"]
    by: str
    text: str
    is_for_us: bool = False

    @property
    def user(self) -> str:
        """The Slack id of who does it."""
        return slack_id_of(PEOPLE[self.by])

    @property
    def raw(self) -> str:
        """The text as Slack has it: mentions are ids."""
        known = {"claw": ASSISTANT} | {name: slack_id_of(full) for name, full in PEOPLE.items()}
        named = re.sub(r"@(\w+)", lambda found: f"<@{known[found[1]]}>", self.text)
        return named.replace("⏎", "\n")


class Gold(Part):
    """An answer that is right, and what every right one says; `a | b` are two wordings of it.

    A wording is found as whole words and whole figures: "7" is not in "17", nor "10" in "10,000".
    """

    answer: str
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()

    def complaints(self, text: str) -> Iterator[str]:
        """Yield what an answer lacks, and what it must not say."""
        for fact in self.says:
            if not any(_says(text, one.strip()) for one in fact.split("|")):
                yield f"does not say {fact!r}"
        yield from (f"says {one!r}" for one in self.never if _says(text, one))


def _says(text: str, wording: str) -> bool:
    whole = rf"(?<!\w)(?<!\d[.,]){re.escape(wording.casefold())}(?!\w)(?![.,]\d)"
    return re.search(whole, text.casefold()) is not None


def _read(lines: object) -> object:
    return [*map(_happening, lines.splitlines())] if isinstance(lines, str) else lines


def _happening(line: str) -> Happening:
    found = _LINE.fullmatch(line)
    if found is None or found["by"] not in PEOPLE:
        raise ValueError(f"no such line: {line}")
    return Happening(
        kind=_KINDS.get(found["mark"], "says"),
        by=found["by"],
        text=found["text"],
        is_for_us=found["mark"] == "*",
    )


Happenings = Annotated[tuple[Happening, ...], BeforeValidator(_read)]


class ThreadCase(Part):
    """A thread of people; `gold` answers the call, then each message that is for us."""

    name: str
    about: str
    channel: str
    before: Happenings
    call: Annotated[Happening, BeforeValidator(_happening)]
    after: Happenings
    gold: tuple[Gold, ...]


def load_threads(only: str = "") -> list[ThreadCase]:
    """Read the cases whose name contains a word."""
    return [ThreadCase.model_validate(given) for given in read_named(FOLDER, only)]
