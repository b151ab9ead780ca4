"""What tools return: small values without empty fields, including questions and refusals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    field_serializer,
    model_serializer,
)

from agencyclaw.domain.choices import Choice
from agencyclaw.domain.findings import FindingSource
from agencyclaw.domain.messages import message
from agencyclaw.domain.text import first_lines, folded

_ALIKE = (
    "More than one is called “{name}”: say what tells it apart, such as its client, its list, its"
    " link or an e-mail address."
)
OPTIONS_AT_MOST = 5
QUESTION_LIMIT = 4_000
NAMED_AT_MOST = 25


class Result(BaseModel):
    """A tool's result; empty fields are not sent.

    `also_meant` is set by the gate: whom else a name in the call fits; `whom_it_fits` are all of
    these as choices, for an answer that asks which.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    also_meant: str | None = None
    whom_it_fits: tuple[Choice, ...] = Field(default=(), exclude=True)

    @model_serializer(mode="wrap")
    def _compact(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        whole: dict[str, Any] = handler(self)
        return {name: value for name, value in whole.items() if value not in _SAYS_NOTHING}


class Searched(BaseModel):
    """Where was searched, and for which time."""

    model_config = ConfigDict(frozen=True)

    where: str
    when: str


class Listing(Result):
    """A list over clients; `reach` tells the person how far it reaches, `searched` where it looked.

    Code shows both to the person; the model need not pass them on.
    """

    reach: str = Field(default="", exclude=True)
    searched: Searched | None = Field(default=None, exclude=True)


class Quoting(Result):
    """A result that quotes documents, which the answer must then name."""

    @property
    def quoted(self) -> tuple[FindingSource, ...]:
        """The documents it quotes."""
        return ()

    @property
    def opened(self) -> tuple[FindingSource, ...]:
        """The documents it quotes at length, which an answer probably rests on."""
        return self.quoted


_SAYS_NOTHING: tuple[Any, ...] = (None, "", [], (), {})


class Ask(Result):
    """A question that only the person can answer; `options` become buttons.

    `missing` is what the card will lack whatever the answer, unless the person gives it, too.
    `urls` are the records' own addresses in it, to which an answer may link.
    """

    kind: Literal["ask"] = "ask"
    question: Annotated[str, Field(max_length=QUESTION_LIMIT)]
    options: tuple[Choice, ...] = Field(default=(), max_length=OPTIONS_AT_MOST)
    missing: tuple[str, ...] = ()
    urls: tuple[str, ...] = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The buttons' labels."""
        return tuple(one.label for one in self.options)

    @field_serializer("options")
    def _to_model(self, _: tuple[Choice, ...]) -> list[str]:
        """Show the model the options' labels only."""
        return list(self.labels)


# A refusal because ClickUp is away, or takes no more requests just now.
AWAY = "unavailable"


class Refusal(Result):
    """Why a tool did nothing. `reason` is a code, `message` is for people unless `is_for_model`.

    `kept` is what was asked for and stays in the thread; code shows it below the answer, unless
    its client and title, `kept_of`, are on a card later.
    """

    kind: Literal["refusal"] = "refusal"
    reason: str
    message: str
    is_for_model: bool = Field(default=False, exclude=True)
    kept: str = ""
    kept_of: tuple[str, ...] = Field(default=(), exclude=True)


class OpenTask(Result):
    """An open task similar to the prepared one."""

    title: str
    url: str | None = None


class Proposed(Result):
    """A prepared change that is shown to the person and not yet made."""

    kind: Literal["proposed"] = "proposed"
    status: str = "waiting for the person"
    # Whom it is for and what it is called, as `Refusal.kept_of`.
    of: tuple[str, ...] = Field(default=(), exclude=True)
    summary: str
    where: str
    fields: dict[str, str] = Field(default_factory=dict[str, str])
    rests_on: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    similar_open_tasks: tuple[OpenTask, ...] = ()
    by_itself: str = ""
    note: str


def where_searched(searches: Iterable[Searched]) -> str:
    """Return one sentence for all searches, each place once; "" if there was none."""
    times: dict[str, list[str]] = {}
    for one in searches:
        times.setdefault(one.where, []).append(one.when)
    places = [f"{where}, {' and '.join(dict.fromkeys(when))}" for where, when in times.items()]
    return message("messages.looked_at", places="; ".join(places)) if places else ""


def shown_names(names: Iterable[str], most: int = NAMED_AT_MOST) -> tuple[str, ...]:
    """Return the first names, and how many more there are."""
    return first_lines(tuple(names), most)


def ask_which(question: str, choices: Iterable[Choice]) -> Ask:
    """Ask with one button per record; more than fit are listed in the question.

    If two records have the same name, no button is offered, because it would be a guess.
    """
    distinct = list({(one.kind, one.id): one for one in choices}.values())
    times = Counter(folded(one.label) for one in distinct)
    alike = [label for one in distinct if times[folded(label := one.label)] > 1]
    if len(distinct) <= OPTIONS_AT_MOST and not alike:
        return Ask(question=question, options=tuple(distinct))
    listed = ", ".join(shown_names(dict.fromkeys(one.label for one in distinct)))
    listed += "" if listed.endswith(".") else "."
    same = _ALIKE.format(name=alike[0]) if alike else ""
    return Ask(question=f"{question} {listed} {same}".strip())
