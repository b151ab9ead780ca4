"""How the time of a schedule is read, and what its card says of that."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from agencyclaw.domain.days import WEEKDAYS
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.domain.schedule_changes import BeginWatch
from agencyclaw.domain.schedules import Every
from agencyclaw.domain.watches import Check
from agencyclaw.tools.schedules import When, ask_regularly, remind, watch_client
from tests.fakes.ports import SHARED_LIST, a_row, context, demo_agency

WORDS = "check the late tasks"
READ = ("“every weekday” is read as 08:00.",)


@pytest.mark.parametrize(
    ("before", "origin", "remarks"),
    [
        ("at 8 please", Origin.TYPED, ()),
        ("in the morning please", Origin.TYPED, READ),
        ("at 8 please", Origin.OTHERS, READ),
    ],
)
async def test_a_time_that_the_person_wrote_before_was_not_read_from_the_quote(
    before: str, origin: Origin, remarks: tuple[str, ...]
) -> None:
    request = f"{WORDS} every weekday"
    typed = Material(origin=Origin.TYPED, whose="Ines Varga", text=request)
    earlier = Material(origin=origin, whose="Ines Varga", text=before)
    deps = replace(demo_agency().run(request=request), materials=(typed, earlier))
    when = When(quote="every weekday", time="08:00", every="week", weekdays=WEEKDAYS[:5])

    prepared = await remind(context(deps), words=WORDS, when=when)

    assert prepared.remarks == remarks


@pytest.mark.parametrize("prepare", [remind, ask_regularly])
async def test_what_comes_again_after_minutes_is_refused_and_never_becomes_a_single_one(
    prepare: Callable[..., Awaitable[object]],
) -> None:
    deps = demo_agency().run(request=f"{WORDS} every ten minutes")
    when = When(quote="every ten minutes", minutes=10, every="day")

    with pytest.raises(Refused, match="every day, week or month"):
        await prepare(context(deps), words=WORDS, when=when)


@pytest.mark.parametrize("every", ["once", "day", "month"])
async def test_weekdays_without_every_week_are_refused_and_never_left_out(every: Every) -> None:
    deps = demo_agency().run(request=f"{WORDS} on Mondays")
    when = When(quote="on Mondays", every=every, weekdays=("monday",))

    with pytest.raises(Refused, match="every week"):
        await remind(context(deps), words=WORDS, when=when)


async def test_a_task_is_watched_however_long_its_title_is() -> None:
    agency = demo_agency()
    row = a_row("Ask for the brand guide " * 40, id="86a", url="https://app.clickup.com/t/86a")
    agency.board.lists = {"g1": [row]}
    deps = agency.run(request="tell me when it is done")

    watch = await watch_client(context(deps), Check.DONE, task=row.url)

    assert isinstance(watch, BeginWatch)
    assert "Ask for the brand guide" in watch.schedule.words


@pytest.mark.parametrize("client", [None, "Brightkettle"])
async def test_a_brand_says_whose_task_or_records_are_watched(client: str | None) -> None:
    agency = demo_agency()
    title = "Appeal the Tessera category change"
    agency.board.lists = {SHARED_LIST: [a_row(title, id="86a", url=None)]}
    deps = agency.run(request="tell me when the appeal for Tessera is done")

    task = await watch_client(context(deps), Check.DONE, client=client, brand="Tessera", task=title)
    unmapped = await watch_client(context(deps), Check.UNMAPPED, client=client, brand="Tessera")

    for watch in (task, unmapped):
        assert isinstance(watch, BeginWatch)
        assert watch.schedule.watch
        assert watch.schedule.watch.client
        assert watch.schedule.watch.client.name == "Brightkettle Group"
