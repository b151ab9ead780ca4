"""What a brief on a client has, for whom, and what it says is missing."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Brand
from agencyclaw.domain.errors import Unavailable
from agencyclaw.domain.kpi import Goals, StoredTarget
from agencyclaw.domain.memory import ClientNote, ClientRecord, PastEvent
from agencyclaw.domain.people import Scope, ScopeKind, Tier
from agencyclaw.domain.sops import OpenGap
from agencyclaw.domain.tasks import TaskRead
from agencyclaw.domain.watches import Check
from agencyclaw.tools.client_briefs import ClientBrief, client_brief
from agencyclaw.tools.client_risks import client_risks
from agencyclaw.tools.results import NAMED_AT_MOST, Ask
from agencyclaw.tools.task_search import search_tasks
from agencyclaw.tools.tasks import TaskList
from tests.fakes.ports import (
    NOW,
    SHARED_LIST,
    Agency,
    FakeBoard,
    a_brand,
    a_client,
    a_row,
    an_id,
    context,
    demo_agency,
)

TODAY = NOW.date()
QUESTION = "How long do Glintly returns take?"


async def brief(agency: Agency, client: str, tier: Tier = Tier.ADMIN) -> ClientBrief:
    found = await client_brief(context(agency.run(tier=tier)), client)
    assert not isinstance(found, Ask)
    return found


def glintly(agency: Agency) -> Brand:
    return next(one for one in agency.directory.all_brands if one.name == "Glintly")


async def test_a_target_in_force_names_its_period_and_a_past_one_counts_for_nothing() -> None:
    agency = demo_agency()
    for marketplace, start in (("US", TODAY.replace(day=1)), ("CA", date(2026, 10, 1))):
        agency.directory.all_targets.append(
            StoredTarget(
                brand_id=glintly(agency).id,
                marketplace=marketplace,
                period="monthly",
                start=start,
                goals=Goals.model_validate({"acos": 25}),
            )
        )
    lines = {line.fact: line.source for line in (await brief(agency, "Glintly Inc")).targets}

    assert lines["Glintly US: ACOS 25%"] == "monthly target since 2026-11-01"
    assert "Glintly CA: no active target" in lines


async def test_open_questions_are_for_those_who_may_list_them() -> None:
    agency = demo_agency()
    gap = OpenGap(id=an_id("gap"), question=QUESTION, asked=3, last_asked=NOW)
    agency.knowledge.unmet_gaps = [gap]

    [question] = (await brief(agency, "Glintly Inc")).open_questions
    assert (question.fact, question.source) == (QUESTION, "asked 3 times, last on 2026-11-18")
    assert (await brief(agency, "Glintly Inc", Tier.MEMBER)).open_questions == ()


async def test_more_tasks_than_are_read_at_once_are_said_to_be_more() -> None:
    agency = demo_agency()
    agency.board.lists = {"g1": [a_row("Late", due=date(2026, 11, 2))]}
    agency.board.is_cut = True

    assert (
        "There are more tasks than the 1 that are read at once"
        in (await brief(agency, "Glintly Inc")).note
    )


async def test_more_finished_tasks_than_are_read_at_once_are_said_to_be_more() -> None:
    agency = demo_agency()
    done = [a_row(f"Done {n}", done=NOW - timedelta(days=1)) for n in range(3)]
    agency.board.lists = {"g1": done}
    agency.board.is_cut = True
    found = await brief(agency, "Glintly Inc")

    assert found.finished
    assert found.finished.total == 3
    assert "More tasks were finished than the 3 that are read at once" in found.note


async def test_of_a_client_without_a_link_to_clickup_no_tasks_are_counted() -> None:
    agency = demo_agency()
    agency.directory.all_brands[:] = [
        one.model_copy(update={"space_id": None, "list_id": None})
        for one in agency.directory.all_brands
    ]
    found = await brief(agency, "Glintly Inc")

    assert found.open_work is None
    assert found.finished is None
    assert "no tasks are known" in found.note


async def test_a_brand_without_a_link_is_not_taken_for_all_of_its_client() -> None:
    agency = demo_agency()
    agency.board.lists = {SHARED_LIST: [a_row("Late", due=date(2026, 11, 2))]}
    agency.directory.all_brands[:] = [
        one.model_copy(update={"space_id": None, "list_id": None})
        if one.name == "Copperleaf"
        else one
        for one in agency.directory.all_brands
    ]
    found = await client_brief(context(agency.run()), "Brightkettle Group", "Copperleaf")
    of_all = await brief(agency, "Brightkettle Group")

    assert isinstance(found, ClientBrief)
    assert found.open_work is None
    assert "Copperleaf is not linked to ClickUp, so no tasks are known." in found.note
    assert of_all.open_work


class OnlyFinished(FakeBoard):
    """Tasks of which only the finished ones can be read."""

    async def tasks_together(self, *args: Any, **more: Any) -> TaskRead:
        _, _, date_kind, _ = args
        if date_kind != "done":
            raise Unavailable("ClickUp is away")
        return await super().tasks_together(*args, **more)


async def test_finished_tasks_are_not_said_to_be_missing_with_the_open_ones() -> None:
    agency = demo_agency()
    agency.board = OnlyFinished(lists={"g1": [a_row("Done", done=NOW - timedelta(days=1))]})
    found = await brief(agency, "Glintly Inc")

    assert found.open_work is None
    assert found.finished
    assert found.finished.total == 1
    assert "Open tasks, and what is wrong with them, could not be read" in found.note
    assert "its tasks" not in found.note


async def test_a_task_of_a_list_that_two_clients_share_is_a_risk_of_both() -> None:
    agency = demo_agency()
    agency.board.lists = {SHARED_LIST: [a_row("Late", due=date(2026, 11, 2), assignees=("A",))]}
    other = next(one for one in agency.directory.all_brands if one.list_id != SHARED_LIST)
    agency.directory.all_brands.append(
        other.model_copy(update={"id": an_id("sharing"), "list_id": SHARED_LIST})
    )
    overview = await client_risks(context(agency.run()))
    late = {one.client for one in overview.clients if one.risks[0].kind is Check.LATE}

    names = {one.id: one.name for one in agency.directory.all_clients}
    assert late == {"Brightkettle Group", names[other.client_id]}


PRO = Scope(
    client_id=an_id("client Pawtrail"),
    client_name="Pawtrail",
    brand_id=an_id("brand Pawtrail Pawtrail Pro"),
    brand_name="Pawtrail Pro",
)


def of_pawtrail() -> Deps:
    """A run in the channel of one of Pawtrail's brands, of which each has a late task."""
    agency = demo_agency()
    late = date(2026, 11, 2)
    agency.board.lists = {
        "p1": [a_row("Coupon one", due=late)],
        "p2": [a_row("Coupon two", due=late)],
        "p3": [a_row("Coupon three", due=late)],
    }
    return agency.run(scope=ScopeKind.CLIENT_SCOPED, client="Pawtrail", about=PRO)


@pytest.mark.parametrize("brand", [None, "Pawtrail Lite", "Pawtrail"])
async def test_in_a_brands_channel_a_brief_that_names_none_is_of_that_brand(
    brand: str | None,
) -> None:
    deps = of_pawtrail()
    found = await client_brief(context(deps), "Pawtrail", brand)

    assert isinstance(found, ClientBrief)
    assert found.open_work
    assert found.open_work.late.total == 1
    assert found.brand == (brand or "Pawtrail Pro")
    assert {line.fact.split(":")[0] for line in found.targets} == {found.brand}
    assert bool(deps.other_matches) == (brand is None)


async def test_a_brief_of_a_client_in_a_brands_channel_has_all_brands_by_the_clients_name() -> None:
    agency = demo_agency()
    about = Scope(
        client_id=an_id("client Brightkettle Group"),
        client_name="Brightkettle Group",
        brand_id=an_id("brand Brightkettle Group Tessera"),
        brand_name="Tessera",
    )
    deps = agency.run(scope=ScopeKind.CLIENT_SCOPED, client="Brightkettle Group", about=about)
    found = await client_brief(context(deps), "Brightkettle Group", "Brightkettle Group")

    assert isinstance(found, ClientBrief)
    assert found.brand is None
    assert len(found.targets) > 1


@pytest.mark.parametrize(
    ("more", "told"), [(1, "1 more client has no risks."), (2, "2 more clients have no risks.")]
)
async def test_of_more_calm_clients_than_are_named_it_says_how_many_more(
    more: int, told: str
) -> None:
    agency = demo_agency()
    agency.directory.all_brands.clear()
    agency.directory.all_clients = [a_client(f"Client {n}") for n in range(NAMED_AT_MOST + more)]
    overview = await client_risks(context(agency.run()))

    assert len(overview.without_risks) == NAMED_AT_MOST
    assert told in overview.note


@pytest.mark.parametrize(
    ("more", "told"), [(1, "1 more client has risks:"), (2, "2 more clients have risks:")]
)
async def test_of_more_clients_with_risks_than_are_shown_it_says_how_many_more(
    more: int, told: str
) -> None:
    agency = demo_agency()
    names = [f"Client {n}" for n in range(NAMED_AT_MOST + more)]
    agency.directory.all_clients = [a_client(name) for name in names]
    agency.directory.all_brands[:] = [a_brand(name, f"Brand of {name}") for name in names]
    overview = await client_risks(context(agency.run()))

    assert len(overview.clients) == NAMED_AT_MOST
    assert told in overview.note
    assert "no risks" not in overview.note


async def test_in_a_brands_channel_the_risks_are_that_brands_and_it_says_so() -> None:
    deps = of_pawtrail()
    overview = await client_risks(context(deps))

    [risks] = [one.risks for one in overview.clients]
    assert "Coupon two" in str(risks)
    assert "Coupon one" not in str(risks)
    assert "Pawtrail Pro alone" in overview.note


async def test_in_a_brands_channel_a_search_may_name_another_brand() -> None:
    deps = of_pawtrail()
    here = await search_tasks(context(deps), "coupon", "Pawtrail")
    other = await search_tasks(context(deps), "coupon", "Pawtrail", "Pawtrail Lite")

    assert isinstance(here, TaskList)
    assert isinstance(other, TaskList)
    assert [one.title for one in here.tasks] == ["Coupon two"]
    assert [one.title for one in other.tasks] == ["Coupon three"]


async def test_a_brief_of_a_brand_says_whose_tasks_its_list_has_besides() -> None:
    agency = demo_agency()
    row = a_row("Late", due=date(2026, 11, 2), done=NOW - timedelta(days=1), brand=None)
    agency.board.lists = {SHARED_LIST: [row]}
    found = await client_brief(context(agency.run()), "Brightkettle Group", "Copperleaf")
    of_all = await client_brief(context(agency.run()), "Brightkettle Group")

    assert isinstance(found, ClientBrief)
    assert found.open_work
    assert found.finished
    assert [one.brand for one in found.open_work.late.tasks] == [None]
    assert [one.brand for one in found.finished.tasks] == [None]
    assert "Copperleaf and Nordvent, Tessera share a list" in found.note
    assert isinstance(of_all, ClientBrief)
    assert "share a list" not in of_all.note


async def test_the_risks_of_a_brand_say_whose_tasks_its_list_has_besides() -> None:
    agency = demo_agency()
    agency.board.lists = {SHARED_LIST: [a_row("Late", due=date(2026, 11, 2))]}
    about = Scope(
        client_id=an_id("client Brightkettle Group"),
        client_name="Brightkettle Group",
        brand_id=an_id("brand Brightkettle Group Tessera"),
        brand_name="Tessera",
    )
    deps = agency.run(scope=ScopeKind.CLIENT_SCOPED, client="Brightkettle Group", about=about)

    assert (
        "Tessera and Copperleaf, Nordvent share a list" in (await client_risks(context(deps))).note
    )


async def test_more_notes_than_are_shown_are_said_to_be_more() -> None:
    agency = demo_agency()
    of = a_client("Glintly Inc").id
    notes = [
        ClientNote(
            id=an_id(f"note {n}"), client_id=of, note=f"Note {n}", author="Ines", created_at=NOW
        )
        for n in range(12)
    ]
    agency.memory.records[of] = ClientRecord(notes=tuple(notes[:10]))
    assert "Left out" not in (await brief(agency, "Glintly Inc")).note

    agency.memory.records[of] = ClientRecord(notes=tuple(notes))
    found = await brief(agency, "Glintly Inc")

    assert len(found.notes) == 10
    assert "Left out: 2 older notes." in found.note


async def test_more_changes_and_questions_than_are_shown_are_said_to_be_more() -> None:
    agency = demo_agency()
    of = a_client("Glintly Inc").id
    gaps = [
        OpenGap(id=an_id(f"gap {n}"), question=f"Question {n}?", asked=3, last_asked=NOW)
        for n in range(12)
    ]
    events = tuple(PastEvent(at=NOW, text=f"Change {n}") for n in range(12))
    agency.knowledge.unmet_gaps = gaps[:10]
    agency.memory.records[of] = ClientRecord(events=events[:10])
    assert "Left out" not in (await brief(agency, "Glintly Inc")).note

    agency.knowledge.unmet_gaps = gaps
    agency.memory.records[of] = ClientRecord(events=events)
    found = await brief(agency, "Glintly Inc")

    assert len(found.events) == len(found.open_questions) == 10
    assert "Left out: older changes, questions asked less often." in found.note
