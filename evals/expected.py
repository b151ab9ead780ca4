"""What a case must leave behind, field by field; fields that are not named are not checked."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta
from typing import Annotated, Any, Literal, cast
from zoneinfo import ZoneInfo

from pydantic import BeforeValidator, Field

from agencyclaw.store.demo_agency import TIMEZONE
from evals.scene import Part

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NEXT_WEEK = " next week"
_AHEAD = re.compile(r"today(?: ?\+ ?(\d+))?")
_INSERTED = re.compile(rf"\$\{{(today(?: ?\+ ?\d+)?|next (?:{'|'.join(_WEEKDAYS)}))\}}")


def _as_call(value: Any) -> Any:
    """A bare name is a call with any arguments; `{tool: {...}}` names some of them."""
    if isinstance(value, str):
        return {"tool": value}
    if isinstance(value, dict) and "tool" not in value:
        [(tool, args)] = cast("dict[str, Any]", value).items()
        return {"tool": tool, "args": args or {}}
    return cast("Any", value)


class ExpectedCall(Part):
    """A call that must be made, with those arguments that are named."""

    tool: str
    args: dict[str, Any] = Field(default_factory=dict)


class ExpectedTurn(Part):
    """What one turn has to lead to.

    `calls` must all be made, others may be; `quiet` allows none. `facts` are values the answer has
    to carry: names, numbers, titles; `point` is one that has to stand at its beginning. In `facts`,
    `point` and `tells`, ` | ` stands between words of which one will do. `questions` are the most
    that one message may ask. `by` says who answers: the model or fixed sentences. Only where it
    `reports` what was done may the model say that something was. `condensed` has to stand in what
    the older part of the thread was condensed to by then. `about` is the client that the next
    message means when it names none; empty where none is settled.
    """

    by: Literal["model", "code", "nobody"] = "model"
    calls: tuple[Annotated[ExpectedCall, BeforeValidator(_as_call)], ...] = ()
    quiet: bool = False
    avoids: tuple[str, ...] = ()
    asks: bool | None = None
    questions: int | None = None
    choices: tuple[str, ...] | None = None
    cites: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    point: str = ""
    never: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    tells: tuple[str, ...] = ()
    bullets: int | None = None
    condensed: tuple[str, ...] = ()
    about: str | None = None
    reports: bool = False
    fails: bool = False


class ExpectedProposal(Part):
    """A proposal as it must be at the end; `list` is where a task goes."""

    kind: str = "create_task"
    undo: bool = False
    client: str = ""
    brand: str | None = None
    list: str = ""
    title: tuple[str, ...] = ()
    state: str = "open"
    actor: str | None = None
    assignee: str | None = None
    start: str | None = None
    due: str | None = None
    starts: str | None = None
    ends: str | None = None
    identifiers: tuple[str, ...] = ()
    pending: bool = False
    sources: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    anyway: bool = False


class ExpectedTask(Part):
    """A task that must be in ClickUp at the end, and was not before, or was different."""

    list: str
    title: tuple[str, ...] = ()
    assignees: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    archived: bool = False


class Expected(Part):
    """The expected ledger of a case: one entry per turn, proposals, new and changed tasks.

    `gaps` are words of each question that must be on the list of unanswered ones.
    """

    turns: tuple[ExpectedTurn, ...]
    proposals: tuple[ExpectedProposal, ...] = ()
    tasks: tuple[ExpectedTask, ...] = ()
    changed: tuple[ExpectedTask, ...] = ()
    requests_to_create: int | None = None
    gaps: tuple[str, ...] | None = None


def day_of(words: str, today: date) -> date:
    """Return the day that `today+3`, `this monday` (from today on), `next monday` (after today),
    `monday next week` or `2026-03-31` means; raises ValueError.
    """
    ahead = _AHEAD.fullmatch(words.strip())
    if ahead:
        return today + timedelta(days=int(ahead[1] or 0))
    if words.startswith("next "):
        return today + timedelta(days=(_weekday(words, "next ") - today.weekday()) % 7 or 7)
    if words.startswith("this "):
        return today + timedelta(days=(_weekday(words, "this ") - today.weekday()) % 7)
    if words.endswith(_NEXT_WEEK):
        weekday = _WEEKDAYS.index(words.removesuffix(_NEXT_WEEK))
        return today + timedelta(days=7 + weekday - today.weekday())
    return date.fromisoformat(words)


def with_days(text: str, today: date) -> str:
    """Return a text with the day in place of each `${today+3}` or `${next friday}`."""
    return _INSERTED.sub(lambda found: day_of(found[1], today).isoformat(), text)


def agency_today() -> date:
    """Return the day it is where the demo agency is."""
    return datetime.now(ZoneInfo(TIMEZONE)).date()


def _weekday(words: str, before: str) -> int:
    return _WEEKDAYS.index(words.removeprefix(before))
