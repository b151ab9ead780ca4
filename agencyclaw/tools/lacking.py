"""Collects what keeps a card from being prepared, so that all of it is told in one answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from agencyclaw.domain.errors import NotMapped, Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.text import cut
from agencyclaw.tools.results import QUESTION_LIMIT, Ask

T = TypeVar("T")


@dataclass
class Lacking:
    """What a card lacks: questions, and refusals, which no answer of the person changes.

    `remarks` are what the card would say whatever is answered.
    """

    questions: list[Ask] = field(default_factory=list[Ask])
    refusals: list[Refused] = field(default_factory=list[Refused])
    remarks: list[str] = field(default_factory=list[str])

    def __bool__(self) -> bool:
        """Whether there is anything."""
        return bool(self.questions or self.refusals)

    def found(self, part: T | Ask) -> T | None:
        """Return a part of the card; None where it is a question, which is kept."""
        if not isinstance(part, Ask):
            return part
        if part not in self.questions:
            self.questions.append(part)
        return None

    def tried(self, part: Callable[[], T | Ask]) -> T | None:
        """Return a part of the card; None where it is asked for or refused, which is kept."""
        with self.refused():
            return self.found(part())
        return None

    async def settle(self, part: Awaitable[T | Ask]) -> T | None:
        """Do the same with what takes a look-up."""
        with self.refused():
            return self.found(await part)
        return None

    @contextmanager
    def refused(self) -> Generator[None, None, None]:
        """Keep what is refused within."""
        try:
            yield
        except Refused as refusal:
            self.refuse(refusal)

    def refuse(self, refusal: Refused) -> None:
        """Keep a refusal, once."""
        if refusal.message not in [one.message for one in self.refusals]:
            self.refusals.append(refusal)

    def as_ask(self, left_out: Sequence[str] = ()) -> Ask:
        """Return everything as one question; raises it as one refusal where something is refused.

        `left_out` are the facts that will not be on the card, for the model.
        """
        if self.refusals:
            raise self.refusal()
        asked = ask_together(self.questions)
        return asked.model_copy(update={"missing": (*self.remarks, *left_out)})

    def refusal(self) -> Refused:
        """Return everything as one refusal, of the first one's kind and reason."""
        # A missing list goes first: only its refusal keeps what was asked for.
        unmapped = (one for one in self.refusals if isinstance(one, NotMapped))
        first = next(unmapped, self.refusals[0])
        lines = [*(one.message for one in self.refusals), *self.remarks]
        if self.questions:
            listed = "\n".join(_numbered(self.questions))
            lines.append(message("questions.beside_refusal", listed=listed))
        return type(first)("\n".join(lines), reason=first.reason)


def ask_together(asks: Sequence[Ask]) -> Ask:
    """Ask for everything missing in one message; one question has its choices as buttons.

    A press answers one question, so in one row the choices of two would look like alternatives.
    """
    if len(asks) == 1:
        return asks[0]
    first = _on_buttons(asks)
    listed = "\n".join([message("questions.together"), *_numbered(asks, on_buttons=first)])
    answers = ""
    if first.options:
        answers = "\n" + message("questions.buttons_answer", number=asks.index(first) + 1)
    question = cut(listed, QUESTION_LIMIT - len(answers)) + answers
    return Ask(question=question, options=first.options)


def _numbered(asks: Sequence[Ask], *, on_buttons: Ask | None = None) -> Iterator[str]:
    """Yield the questions with their choices in words, but for the one that has buttons."""
    for number, ask in enumerate(asks, start=1):
        yield f"{number}. {ask.question if ask is on_buttons else _with_options(ask)}"


def _on_buttons(asks: Sequence[Ask]) -> Ask:
    """Return the question whose choices are shown: records before fixed answers."""
    with_records = (one for one in asks if any(each.kind != "fixed" for each in one.options))
    with_any = (one for one in asks if one.options)
    return next(with_records, None) or next(with_any, asks[0])


def _with_options(ask: Ask) -> str:
    is_unsaid = any(one.label not in ask.question for one in ask.options)
    return f"{ask.question} ({' / '.join(ask.labels)})" if is_unsaid else ask.question
