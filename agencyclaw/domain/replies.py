"""A reply in typed fields: the text a person reads, and its claims, which code can check."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from agencyclaw.domain.names import plain_name
from agencyclaw.domain.people import Value
from agencyclaw.domain.text import folded

# The tools that a model ends a run with.
REPLY = "reply"
NOT_FOR_ME = "not_for_me"
NOTHING_TO_SAY = "nothing_to_say"
ENDINGS = frozenset({REPLY, NOT_FOR_ME, NOTHING_TO_SAY})
Changes = Literal["none", "prepared", "waiting", "earlier", "wanted_not_done"]


def _or_empty(value: Any) -> Any:
    return "" if value is None else value


def _as_list(value: Any) -> Any:
    """Return a single title as a list of one, and None as an empty list."""
    if value is None or value == "":
        return []
    return [value] if isinstance(value, str) else value


# Models express "nothing" in several ways; all of them are accepted.
Words = Annotated[str, BeforeValidator(_or_empty)]
Titles = Annotated[list[str], BeforeValidator(_as_list)]


class Reply(BaseModel):
    """Answer the person: always with this, once all is looked up and prepared."""

    # Fields come in this order: what `changes` says decides whether `text` is shown as it grows.
    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    changes: Changes = "none"
    """What you changed: none, also where you report what others did; prepared, by a tool in this
    turn; waiting, if they want what an open card of theirs offers: it is shown again; earlier,
    carried out before, or its Undo, with its key in `earlier`; wanted_not_done, if they wanted one
    and none is prepared."""
    earlier: Words = ""
    """With changes=earlier: its key or keys, such as e1; with waiting: that card's title."""
    text: Words
    """The answer in Markdown (tables may become lists), without the question."""
    question: Words = ""
    """The one question you put to them, shown below the text."""
    sources: Titles = Field(default_factory=list[str])
    """Titles of the procedures and documents it rests on."""

    @property
    def words(self) -> str:
        """The text, with the question where the text does not put it."""
        question = self.question.strip()
        if not question or folded(question) in folded(self.text):
            return self.text
        return f"{self.text.rstrip()}\n\n{question}"

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the earlier changes that it speaks of."""
        return tuple(self.earlier.replace(",", " ").split()) if self.changes == "earlier" else ()

    @property
    def only_asks(self) -> bool:
        """Whether it says nothing beside its question."""
        question = self.question.strip()
        return bool(question) and not plain_name(self.text.replace(question, " "))

    @property
    def clarifies(self) -> bool:
        """Whether it asks for what a wanted change still needs."""
        return bool(self.question.strip()) and self.changes == "wanted_not_done"


class NotForMe(BaseModel):
    """Say nothing: this message is for somebody else in the thread. People talk to each other
    there, also right after your words: a remark, thanks, or a question that one of them is to
    answer. Use it instead of an answer, before any other tool, and whenever you are in doubt."""

    model_config = ConfigDict(frozen=True)


class NothingToSay(BaseModel):
    """Post nothing: the question of a schedule only wants to hear of something that you looked for
    and that is not there today."""

    model_config = ConfigDict(frozen=True)


Silence = NotForMe | NothingToSay


class ChangeRow(Value):
    """A change of this conversation as stored; it has a `key` if it was carried out.

    `undoable` is the proposal whose card can still undo it; `waits`: its card is open.
    `waits_for` is somebody else, whose card is open.
    """

    key: str = ""
    undoable: UUID | None = None
    waits: bool = False
    waits_for: str = ""
    label: str
    state: str
