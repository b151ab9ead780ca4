"""What people wrote in Slack's conversations, and who may be shown it where."""

from __future__ import annotations

from collections.abc import Mapping, Set
from datetime import date, datetime, time, timedelta
from typing import Literal, assert_never
from uuid import UUID
from zoneinfo import ZoneInfo

from agencyclaw.domain.days import WEEKDAYS, Weekday, spoken_day
from agencyclaw.domain.messages import message
from agencyclaw.domain.names import OneName
from agencyclaw.domain.people import ChannelKind, ScopeKind, Surface, SurfaceKind, Value
from agencyclaw.domain.thread import ThreadPost

Since = (
    Literal["today", "yesterday", "this_week", "last_week", "this_month", "last_n_days", "any_time"]
    | Weekday
)


class Channel(OneName):
    """A conversation in Slack; `client_id` is the client that an admin linked it to.

    If it `is_shared`, people of another company are in it. No two channels of a workspace share a
    name; a direct message has none.
    """

    id: str
    name: str = ""
    kind: ChannelKind
    client_id: UUID | None = None
    is_shared: bool = False


class ChannelMessage(Value):
    """A message, with its conversation, its thread and its address."""

    channel: Channel
    post: ThreadPost
    root_ts: str
    url: str


class Quotation(Value):
    """A message as it is quoted; `whose` names its author and how they stand to us."""

    channel: Channel
    whose: str
    written_at: datetime
    text: str
    url: str


class FoundMessages(Value):
    """Messages that were found, the most relevant first, and how far the search went.

    - `looked_at`: the conversations that were read; `unread`: those that could not be read
    - `left_out`: how many conversations were beyond the limit
    - `is_whole`: nothing else was written there in that time
    - `is_public_searched`: Slack searched all public channels
    - `is_listed`: Slack listed the other conversations
    - `is_granted`: False if the app lacks the permission to read the unread ones
    """

    quotations: tuple[Quotation, ...] = ()
    looked_at: tuple[Channel, ...] = ()
    unread: tuple[Channel, ...] = ()
    left_out: int = 0
    is_whole: bool = True
    is_public_searched: bool = False
    is_listed: bool = True
    is_granted: bool = True


class Period(Value):
    """A stretch of time: from its beginning to before its end; open where None."""

    since: datetime | None = None
    until: datetime | None = None

    @property
    def label(self) -> str:
        """Return it as people read it."""
        first = spoken_day(self.since.date()) if self.since else ""
        last = spoken_day((self.until - timedelta.resolution).date()) if self.until else ""
        if first and last:
            return message("built.from_to", first=first, last=last)
        if first:
            return message("built.since", day=first)
        return message("built.until_day", day=last) if last else message("built.any_time")


def period_of(
    since: Since, days: int, first: date | None, last: date | None, today: date, zone: ZoneInfo
) -> Period:
    """Return a period of whole days in a person's zone; raises ValueError if it ends first.

    A weekday is the latest one, today included. `first` and `last` replace `since`.
    """
    if first is None and last is None:
        first, last = _days_of(since, days, today)
    if first and last and last < first:
        raise ValueError("backwards")
    until = last + timedelta(days=1) if last else None
    return Period(since=_midnight(first, zone), until=_midnight(until, zone))


def _days_of(since: Since, days: int, today: date) -> tuple[date | None, date | None]:
    monday = today - timedelta(days=today.weekday())
    match since:
        case "any_time":
            return None, None
        case "today":
            return today, None
        case "yesterday":
            return today - timedelta(days=1), today - timedelta(days=1)
        case "this_week":
            return monday, None
        case "last_week":
            return monday - timedelta(weeks=1), monday - timedelta(days=1)
        case "this_month":
            return today.replace(day=1), None
        case "last_n_days":
            return today - timedelta(days=days - 1), None
        case "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday":
            return today - timedelta(days=(today.weekday() - WEEKDAYS.index(since)) % 7), None
    assert_never(since)


def _midnight(day: date | None, zone: ZoneInfo) -> datetime | None:
    return datetime.combine(day, time(), zone) if day else None


def may_show(channel: Channel, surface: Surface, here: str, clients: Set[UUID]) -> bool:
    """Return whether a conversation's messages may be shown on a surface.

    A conversation may always be shown in itself, `here`. `clients` are those that the person and
    the place may both see. Private conversations are shown in direct messages only; a client's
    channel shows nothing of others.
    """
    if channel.id == here:
        return True
    if surface.is_open or channel.kind is ChannelKind.DIRECT:
        return False
    if surface.kind is not SurfaceKind.DM and channel.kind is not ChannelKind.PUBLIC:
        return False
    if surface.scope is ScopeKind.CLIENT_SCOPED and channel.client_id != surface.client_id:
        return False
    return channel.client_id is None or channel.client_id in clients


def bound(channel: Channel, clients: Mapping[str, UUID]) -> Channel:
    """Return a conversation with the client it belongs to."""
    return channel.model_copy(update={"client_id": clients.get(channel.id)})
