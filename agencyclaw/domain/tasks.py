"""Tasks as people speak of them: windows of time, identifiers of products, lists."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from agencyclaw.domain.people import Value
from agencyclaw.domain.text import folded, one_line

Title = Annotated[str, Field(min_length=3, max_length=200)]
SHOWN_AT_MOST = 200
PRIORITIES = ("urgent", "high", "normal", "low")

_ASIN = re.compile(r"\bB0[A-Z0-9]{8}\b", re.IGNORECASE)
_ISBN = re.compile(r"\b\d{9}[\dX]\b", re.IGNORECASE)
_SKU = re.compile(r"\b(?=[A-Z0-9-]*[A-Z])(?=[A-Z0-9-]*\d)[A-Z0-9]+(?:-[A-Z0-9]+)+\b")
_LETTERS_SKU = re.compile(r"(?<![\w-])[A-Z]{1,6}(?:-[A-Z]{1,6}){2,}(?![\w-])")
# "Q4-2026", "US-CA-MX" and "MON-WED-FRI" look like one and are none.
_NO_SKU = re.compile(
    r"(?:(?:Q[1-4]|[HW]\d{1,2}|FY\d{0,4}|\d{2,4}|(?:US|CA|MX|BR|UK|GB|DE|FR|IT|ES|NL|SE|PL|JP|AU|EU|NA)"
    r"|MON|TUE|WED|THU|FRI|SAT|SUN|JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)(?:-|$))+"
)
# What an order to make a task is made of, misspelt too; a title of nothing else says nothing.
_ORDER = (
    "please pls plz just jsut juts jus simply yes yeah yep ok okay fine go ahead now already asap"
    " again then and can could would will you us me let lets whatever anything for the a an my our"
    " it this that these those them one up thing things stuff task tasks ticket tickets"
    " create creat crete craete creating make do doing add open fix set start put through"
)
_ORDER_WORDS = frozenset(_ORDER.split())
_COUPON_SCOPE = re.compile(
    r"\b(coupon|discount|listing|catalog(?:ue)?|product|sku|asin)s?\b", re.IGNORECASE
)


def find_identifiers(text: str) -> tuple[str, ...]:
    """Return ASINs, ten-digit ISBNs and hyphenated SKUs in `text`: upper case, each once.

    An ISBN's check digit is right. A SKU has a digit ("CL-2") or three parts in capitals, as
    "CL-GP-BK".
    """
    rules = (_ASIN, _ISBN, _SKU, _LETTERS_SKU)
    found = [m.upper() for rule in rules for m in rule.findall(text)]
    found = [item for item in found if not _ISBN.fullmatch(item) or _is_isbn(item)]
    fitting = [item for item in found if 4 <= len(item) <= 24 and not _NO_SKU.fullmatch(item)]
    return tuple(dict.fromkeys(fitting))


def _is_isbn(item: str) -> bool:
    """Return whether the check digit of a ten-digit ISBN is right: a phone number's seldom is."""
    digits = [10 if sign == "X" else int(sign) for sign in item]
    return (
        sum(weight * digit for weight, digit in zip(range(10, 0, -1), digits, strict=True)) % 11
        == 0
    )


def needs_identifier(text: str) -> bool:
    """Return whether work like this cannot start without knowing which products it is about."""
    return _COUPON_SCOPE.search(text) is not None


def says_nothing(title: str) -> bool:
    """Return whether a title is only an order to make one ("just create it")."""
    words = re.findall(r"[^\W_]+", folded(title))
    return bool(words) and _ORDER_WORDS.issuperset(words)


class WindowKind(StrEnum):
    """The windows of time a task list can be asked for."""

    THIS_WEEK = "this_week"
    THIS_MONTH = "this_month"
    LAST_N_DAYS = "last_n_days"
    NEXT_N_DAYS = "next_n_days"
    DATES = "dates"


Basis = Literal["due", "updated"]


class Window(Value):
    """A half-open stretch of time in UTC, with the words a person reads for it."""

    start: datetime
    end: datetime
    label: str


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _days(start: date, end: date, label: str) -> Window:
    """Build a window of whole UTC days, `end` included."""
    span = f"{label}, {start:%a %d %b} – {end:%a %d %b %Y}" if label else f"{start} – {end}"
    return Window(start=_midnight(start), end=_midnight(end + timedelta(days=1)), label=span)


def build_window(
    kind: WindowKind,
    today: date,
    *,
    days: int = 14,
    first: date | None = None,
    last: date | None = None,
) -> Window:
    """Return the window of a kind; weeks run from Monday 00:00 UTC for seven days.

    Raises ValueError in a person's words when dates are missing or the wrong way round.
    """
    match kind:
        case WindowKind.THIS_WEEK:
            monday = today - timedelta(days=today.weekday())
            return _days(monday, monday + timedelta(days=6), "this week")
        case WindowKind.THIS_MONTH:
            start = today.replace(day=1)
            return _days(
                start, (start + timedelta(days=32)).replace(day=1) - timedelta(days=1), "this month"
            )
        case WindowKind.LAST_N_DAYS:
            return _days(today - timedelta(days=days - 1), today, f"the last {days} days")
        case WindowKind.NEXT_N_DAYS:
            return _days(today, today + timedelta(days=days - 1), f"the next {days} days")
        case WindowKind.DATES:
            return _between(first, last)


def _between(first: date | None, last: date | None) -> Window:
    if first is None or last is None:
        raise ValueError("Both dates are needed: from and to.")
    if last < first:
        raise ValueError("The range ends before it starts.")
    return _days(first, last, "")


class TaskRow(Value):
    """A ClickUp task, slimmed to what a list shows."""

    id: str
    name: str
    status: str
    is_closed: bool = False
    assignees: tuple[str, ...] = ()
    priority: str | None = None
    due: date | None = None
    updated: datetime | None = None
    url: str | None = None
    list_name: str | None = None
    brand: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """What people call it: its title, and what stood on a button."""
        return (self.name, self.full_name)

    @property
    def full_name(self) -> str:
        """The title with what tells it from a task of the same title."""
        due = f"due {self.due}" if self.due else "no due date"
        where = self.brand or self.list_name
        facts = (self.status, due, *self.assignees[:1], *([one_line(where, 20)] if where else []))
        return f"{one_line(self.name, 30)} ({', '.join(facts)})"


class ListRef(Value):
    """A ClickUp list as far as we need it."""

    id: str
    name: str
    space_id: str | None = None
    space_name: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """All that people call it."""
        return (self.name, self.id)

    @property
    def full_name(self) -> str:
        """The name with what tells it from a namesake."""
        return f"{self.name} in {self.space_name}" if self.space_name else self.name
