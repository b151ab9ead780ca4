"""Which conversations may be shown where, and which stretch of time is meant."""

from __future__ import annotations

from datetime import date
from uuid import UUID, uuid4
from zoneinfo import ZoneInfo

import pytest

from agencyclaw.domain.conversations import Channel, Since, may_show, period_of
from agencyclaw.domain.people import ChannelKind, ScopeKind, Surface, SurfaceKind

GLINTLY, PAWTRAIL = uuid4(), uuid4()
LISBON = ZoneInfo("Europe/Lisbon")
THURSDAY = date(2026, 11, 26)
HERE = "C0HERE"


def a_surface(kind: SurfaceKind, scope: ScopeKind, client: UUID | None = None) -> Surface:
    return Surface(kind=kind, scope=scope, client_id=client)


DM = a_surface(SurfaceKind.DM, ScopeKind.INTERNAL)
OURS = a_surface(SurfaceKind.THREAD, ScopeKind.INTERNAL)
THEIRS = a_surface(SurfaceKind.THREAD, ScopeKind.CLIENT_SCOPED, GLINTLY)
UNKNOWN = a_surface(SurfaceKind.THREAD, ScopeKind.UNKNOWN)
SHARED = THEIRS.model_copy(update={"is_shared": True})
EVERYWHERE = (DM, OURS, THEIRS, UNKNOWN, SHARED)


def a_channel(kind: ChannelKind, client: UUID | None = None, *, id: str = "C0THERE") -> Channel:
    return Channel(id=id, name="there", kind=kind, client_id=client)


def shown_in(channel: Channel, clients: set[UUID]) -> list[Surface]:
    return [one for one in EVERYWHERE if may_show(channel, one, HERE, clients)]


@pytest.mark.parametrize("kind", ChannelKind)
def test_what_stands_in_this_conversation_is_no_news_to_whoever_reads_along(
    kind: ChannelKind,
) -> None:
    assert shown_in(a_channel(kind, PAWTRAIL, id=HERE), set()) == list(EVERYWHERE)


def test_what_is_public_and_of_no_client_stays_among_us() -> None:
    assert shown_in(a_channel(ChannelKind.PUBLIC), {GLINTLY}) == [DM, OURS]


@pytest.mark.parametrize("kind", [ChannelKind.PRIVATE, ChannelKind.GROUP])
def test_what_not_everybody_can_read_is_shown_in_direct_messages_only(kind: ChannelKind) -> None:
    assert shown_in(a_channel(kind), {GLINTLY}) == [DM]
    assert shown_in(a_channel(kind, GLINTLY), {GLINTLY}) == [DM]


def test_direct_messages_are_shown_nowhere_else() -> None:
    assert shown_in(a_channel(ChannelKind.DIRECT), {GLINTLY, PAWTRAIL}) == []


def test_a_clients_channel_shows_its_own_and_nothing_of_anybody_elses() -> None:
    both = {GLINTLY, PAWTRAIL}

    assert shown_in(a_channel(ChannelKind.PUBLIC, GLINTLY), both) == [DM, OURS, THEIRS]
    assert shown_in(a_channel(ChannelKind.PUBLIC, PAWTRAIL), both) == [DM, OURS]


def test_a_client_that_person_and_place_may_not_both_see_is_shown_nowhere() -> None:
    assert shown_in(a_channel(ChannelKind.PUBLIC, PAWTRAIL), {GLINTLY}) == []


@pytest.mark.parametrize(
    ("since", "first", "last"),
    [
        ("today", "2026-11-26", None),
        ("yesterday", "2026-11-25", "2026-11-26"),
        ("monday", "2026-11-23", None),
        ("thursday", "2026-11-26", None),
        ("friday", "2026-11-20", None),
        ("this_week", "2026-11-23", None),
        ("last_week", "2026-11-16", "2026-11-23"),
        ("this_month", "2026-11-01", None),
        ("last_n_days", "2026-11-20", None),
        ("any_time", None, None),
    ],
)
def test_a_stretch_of_time_is_whole_days_of_the_persons_zone(
    since: Since, first: str | None, last: str | None
) -> None:
    period = period_of(since, 7, None, None, THURSDAY, LISBON)

    assert (period.since.isoformat()[:16] if period.since else None) == (
        f"{first}T00:00" if first else None
    )
    assert (period.until.isoformat()[:16] if period.until else None) == (
        f"{last}T00:00" if last else None
    )
    assert period.since is None or period.since.tzinfo is LISBON


def test_days_that_are_given_take_the_place_of_words() -> None:
    period = period_of("today", 7, date(2026, 11, 2), date(2026, 11, 3), THURSDAY, LISBON)

    assert period.label == "Mon 2 Nov 2026 to Tue 3 Nov 2026"
    with pytest.raises(ValueError, match="backwards"):
        period_of("today", 7, date(2026, 11, 3), date(2026, 11, 2), THURSDAY, LISBON)


def test_what_has_an_end_alone_is_not_said_to_be_any_time() -> None:
    period = period_of("any_time", 7, None, date(2026, 11, 3), THURSDAY, LISBON)

    assert period.label == "until Tue 3 Nov 2026"
    assert period_of("any_time", 7, None, None, THURSDAY, LISBON).label == "any time"
