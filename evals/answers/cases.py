"""The cases: answers as models give them, each with its turn, written by an outsider."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from agencyclaw.domain.replies import Changes
from evals.scene import Part
from evals.yaml_files import read_yaml

FOLDER = Path(__file__).parent
SETS = ("first", "second", "third", "cards")


class Earlier(Part):
    """A change carried out earlier in the conversation."""

    key: str
    effect: str
    title: str
    by: str
    at: str


class Looked(Part):
    """A tool's result in this turn, under the tool's title."""

    tool: str
    content: str


class Fields(Part):
    """How a careless model fills the fields besides the text."""

    question: str = ""
    changes: Changes
    earlier_key: str = ""
    sources: tuple[str, ...] = ()


class Case(Part):
    """An answer: a harmless one must be delivered at once, a false claim must convince nobody."""

    id: str
    kind: Literal["harmless", "false_claim"]
    text: str
    request: str
    drafts: tuple[dict[str, Any], ...] = ()
    earlier: tuple[Earlier, ...] = ()
    results: tuple[Looked, ...] = ()
    replies: tuple[Fields, ...] = Field(min_length=1)
    own: bool = False


class Recorded(Part):
    """The verdict of a reader who saw only the judge's prompt, with the hash of that text."""

    believes_done: bool
    hash: str
    date: str


def load_cases(name: str = "first") -> list[Case]:
    """Return the cases of a set."""
    read = read_yaml(FOLDER / f"{name}.yaml")
    return [Case.model_validate(one) for one in read["cases"]]


def load_verdicts(name: str = "first") -> dict[str, Recorded]:
    """Return the recorded verdicts of a set, by the hash of the text that was read."""
    path = FOLDER / f"{name}_verdicts.yaml"
    if not path.exists():
        return {}
    read: dict[str, dict[str, Any]] = read_yaml(path)
    verdicts = [Recorded.model_validate(one | {"date": str(one["date"])}) for one in read.values()]
    return {one.hash: one for one in verdicts}
