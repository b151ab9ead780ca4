"""What a brief on a client has, for whom, and what it says is missing."""

from __future__ import annotations

from datetime import date

from agencyclaw.domain.clients import Brand
from agencyclaw.domain.kpi import Goals, StoredTarget
from agencyclaw.domain.people import Tier
from agencyclaw.domain.sops import OpenGap
from agencyclaw.domain.watches import Check
from agencyclaw.tools.client_briefs import ClientBrief, client_brief
from agencyclaw.tools.client_risks import client_risks
from agencyclaw.tools.results import Ask
from tests.fakes.ports import (
    NOW,
    SHARED_LIST,
    Agency,
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
