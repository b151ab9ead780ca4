"""Procedures, a client's context, and earlier results."""

from __future__ import annotations

import asyncio
from datetime import date
from uuid import uuid4

import pytest

from agencyclaw.domain.clients import Client
from agencyclaw.domain.errors import DatabaseUnavailable, NotFound, Refused, Unavailable
from agencyclaw.domain.people import Scope, ScopeKind, Tier
from agencyclaw.domain.policy import Deny, Override
from agencyclaw.domain.procedures import DocRead
from agencyclaw.domain.runs import Evidence
from agencyclaw.domain.sops import SopHit
from agencyclaw.domain.task_requests import ChosenProcedure
from agencyclaw.tools.context import ClientContext, get_client_context, known_of_place
from agencyclaw.tools.policy_checks import judge
from agencyclaw.tools.prior_results import load_prior_skill_result
from agencyclaw.tools.procedure_sync import sop_sync_run
from agencyclaw.tools.results import Ask
from agencyclaw.tools.sops import OpenedProcedure, read_procedure, search_kb
from agencyclaw.tools.tasks import create_task
from tests.fakes.ports import (
    NOW,
    Agency,
    a_prior,
    a_row,
    a_sop,
    an_id,
    context,
    demo_agency,
)

GLINTLY = an_id("client Glintly Inc")


def agency_with_history() -> Agency:
    agency = demo_agency()
    agency.knowledge.prior = {GLINTLY: [a_prior("Coupon for screen wipes"), a_prior("Restock")]}
    return agency


async def test_a_procedure_comes_with_its_source_and_an_excerpt() -> None:
    answer = await search_kb(context(demo_agency().run()), "set up a coupon")

    assert (answer.found, answer.confidence) == (True, 0.74)
    hit = answer.procedures[0]
    assert (hit.title, hit.category, hit.version) == ("Coupons Promotion SOP", "coupons", "3")
    assert (hit.confidence, hit.match) == ("high", "alias")
    assert hit.url == "https://app.clickup.com/docs/coupons"
    assert "1. Check that every ASIN" in hit.excerpt


async def test_an_earlier_task_does_not_outrank_a_procedure() -> None:
    answer = await search_kb(context(agency_with_history().run()), "coupon", "Glintly Inc")

    assert answer.confidence == 0.74
    assert [task.title for task in answer.earlier_tasks] == ["Coupon for screen wipes"]


async def test_nothing_found_is_said_and_asked() -> None:
    answer = await search_kb(context(demo_agency().run()), "knitting")

    assert (answer.found, answer.confidence) == (False, 0.0)
    assert answer.procedures == answer.earlier_tasks == ()
    assert answer.note
    assert "No procedure was found" in answer.note
    assert "ask" in answer.note


def a_document(score: float, tier: str = "internal") -> SopHit:
    body = "# Cartons\n\nSomething first.\n\nKnitting is done by hand.\n\n" + "More. " * 300
    sop = a_sop("Warehouse handbook", "", body, tier=tier)
    return SopHit(sop=sop, match="text", score=score)


async def test_a_procedure_to_rest_on_needs_no_documents() -> None:
    agency = agency_with_history()
    agency.knowledge.documents = {"coupon": a_document(0.65)}
    deps = agency.run()
    answer = await search_kb(context(deps), "coupon")

    assert answer.procedures
    assert answer.documents == ()
    assert deps.inquiry.unmet is None


async def test_without_a_procedure_documents_answer_and_are_named_as_such() -> None:
    agency = demo_agency()
    agency.knowledge.documents = {"knitting": a_document(0.65)}
    deps = agency.run()
    answer = await search_kb(context(deps), "knitting")

    [document] = answer.documents
    assert (document.title, document.tier) == ("Warehouse handbook", "internal")
    assert document.confidence == "medium"
    assert document.excerpt.startswith("Knitting is done by hand.")
    assert len(document.excerpt) <= 700
    assert answer.note is not None
    assert "not as the SOP" in answer.note
    assert deps.inquiry.unmet is None


async def test_the_first_question_that_nothing_is_offered_for_is_kept_for_the_end_of_the_turn() -> (
    None
):
    agency = demo_agency()
    agency.knowledge.documents = {"knitting": a_document(0.3, "external")}
    deps = agency.run()
    answer = await search_kb(context(deps), "knitting needles")
    await search_kb(context(deps), "wool")

    assert answer.note is not None
    assert "closest" in answer.note
    gap = deps.inquiry.unmet
    assert gap is not None
    assert not deps.inquiry.is_met
    assert (gap.question, gap.closest) == ("knitting needles", "Warehouse handbook")


async def test_a_gap_is_the_clients_that_it_was_asked_for() -> None:
    agency = demo_agency()
    about_glintly, about_nobody = agency.run(), agency.run()
    await search_kb(context(about_glintly), "knitting needles", client="Glintly")
    await search_kb(context(about_nobody), "knitting needles")

    gaps = [deps.inquiry.unmet for deps in (about_glintly, about_nobody)]
    assert [gap.client_id for gap in gaps if gap] == [GLINTLY, None]


async def test_what_is_looked_for_and_then_ordered_is_one_gap_in_the_same_words() -> None:
    title = "Refresh the storefront banner"
    search, order = demo_agency().run(), demo_agency().run()
    await search_kb(context(search), title)
    await create_task(
        context(order),
        client="Glintly Inc",
        title=title,
        objective="Refresh the storefront banner with three new photos",
        procedure=ChosenProcedure(none_because="None is about storefronts."),
    )

    assert [one.inquiry.unmet and one.inquiry.unmet.question for one in (search, order)] == [
        title,
        title,
    ]


async def test_documents_may_fail() -> None:
    agency = demo_agency()
    agency.knowledge.document_fault = DatabaseUnavailable("gone")

    assert (await search_kb(context(agency.run()), "coupon")).procedures
    assert not (await search_kb(context(agency.run()), "knitting")).found


async def test_without_a_client_earlier_tasks_are_not_searched() -> None:
    agency = agency_with_history()
    await search_kb(context(agency.run()), "restock")

    assert agency.knowledge.asked_for_prior == 0


async def test_one_failing_tier_leaves_the_others() -> None:
    agency = agency_with_history()
    agency.knowledge.prior_fault = DatabaseUnavailable("gone")
    answer = await search_kb(context(agency.run()), "coupon", "Glintly Inc")
    assert [hit.title for hit in answer.procedures] == ["Coupons Promotion SOP"]

    agency = agency_with_history()
    agency.knowledge.sop_fault = DatabaseUnavailable("gone")
    answer = await search_kb(context(agency.run()), "coupon", "Glintly Inc")
    assert answer.found
    assert [task.title for task in answer.earlier_tasks] == ["Coupon for screen wipes"]
    assert answer.note == "The procedures could not be searched just now; there may well be one."


async def test_when_nothing_could_be_searched_that_is_no_empty_answer() -> None:
    agency = demo_agency()
    agency.knowledge.sop_fault = DatabaseUnavailable("gone")

    with pytest.raises(DatabaseUnavailable):
        await search_kb(context(agency.run()), "coupon")


async def test_only_earlier_tasks_are_weak_evidence() -> None:
    answer = await search_kb(context(agency_with_history().run()), "restock", "Glintly")

    assert (answer.found, answer.confidence) == (True, 0.4)
    assert answer.note
    assert "only earlier tasks" in answer.note


@pytest.mark.parametrize("client", ["Zephyr", "a"])
async def test_an_unclear_client_costs_only_the_earlier_tasks(client: str) -> None:
    answer = await search_kb(context(agency_with_history().run()), "coupon", client)

    assert answer.procedures
    assert answer.note == "Earlier tasks were not searched: which client is meant is unclear."


async def test_excerpts_share_one_budget() -> None:
    agency = demo_agency()
    agency.knowledge.hits = {
        f"w{n}": SopHit(
            sop=a_sop(f"SOP {n}", "ngram", f"step {n} " * 500), match="text", score=0.8 - n / 100
        )
        for n in range(6)
    }
    answer = await search_kb(context(agency.run()), "w0 w1 w2 w3 w4 w5")

    assert [len(hit.excerpt) for hit in answer.procedures] == [1_500, 250, 250, 250]
    assert all(hit.excerpt.endswith("…") for hit in answer.procedures)
    assert answer.other_titles == ("SOP 4", "SOP 5")


async def test_the_titles_of_the_rest_come_with_their_other_names() -> None:
    answer = await search_kb(context(demo_agency().run()), "knitting")

    assert answer.other_titles == ("Coupons Promotion SOP (also: coupon)",)


async def test_the_other_titles_are_told_once_unless_asked_for_and_not_beside_a_name() -> None:
    run = context(demo_agency().run())
    first, beside = await asyncio.gather(search_kb(run, "knitting"), search_kb(run, "crochet"))

    assert first.other_titles
    assert beside.other_titles == ()
    assert (await search_kb(run, "knitting again")).other_titles == ()
    assert (await search_kb(run, "knitting again", page=1)).other_titles == first.other_titles
    named = await search_kb(context(agency_with_history().run()), "coupon")
    assert named.procedures[0].match != "text"
    assert named.other_titles == ()


async def test_more_titles_than_fit_come_page_by_page_and_none_is_lost() -> None:
    agency = demo_agency()
    titles = [f"How we do the thing that is called number {n:03}" for n in range(300)]
    agency.knowledge.hits = {
        title: SopHit(sop=a_sop(title, "many", "1. Do it"), match="text", score=0.1)
        for title in titles
    }
    first = await search_kb(context(agency.run()), "nothing of it")
    pages = [await search_kb(context(agency.run()), "nothing of it", page=n) for n in (1, 2, 3, 4)]

    assert sum(map(len, first.other_titles)) <= 4_000
    assert [title for page in pages for title in page.other_titles] == titles
    assert first.note is not None
    assert "Page 1 of 4" in first.note


async def test_a_procedure_is_opened_by_its_title_or_another_name_and_whole() -> None:
    agency = demo_agency()
    body = "\n\n".join(f"Paragraph {n}. " + "Words of it. " * 30 for n in range(60))
    sop = a_sop("Long SOP", "ngram", body, aliases=("the long one",))
    agency.knowledge.hits = {"w": SopHit(sop=sop, match="text", score=0.8)}

    opened = [
        await read_procedure(context(agency.run()), "long sop", part) for part in (1, 2, 3, 4)
    ]
    texts = [one.text for one in opened if isinstance(one, OpenedProcedure)]
    assert "\n\n".join(texts) == body.strip()
    assert all(len(text) <= 8_000 for text in texts)
    assert (await read_procedure(context(agency.run()), "The long one")) == opened[0]


async def test_a_title_that_no_procedure_has_opens_none() -> None:
    with pytest.raises(NotFound, match="No procedure is called “Refunds”"):
        await read_procedure(context(demo_agency().run()), "Refunds")


async def test_a_title_that_two_procedures_have_is_asked_about() -> None:
    agency = demo_agency()
    agency.knowledge.hits = {
        name: SopHit(sop=a_sop("Refunds", name, name, id=uuid4()), match="text", score=0.8)
        for name in ("owners", "guests")
    }
    asked = await read_procedure(context(agency.run()), "refunds")

    assert isinstance(asked, Ask)
    assert [one.label for one in asked.options] == ["Refunds (owners)", "Refunds (guests)"]


async def test_the_context_contains_team_brands_tasks_and_procedures() -> None:
    agency = agency_with_history()
    agency.board.lists = {"g1": [a_row("Fix images", due=date(2026, 11, 20))]}
    answer = await get_client_context(context(agency.run(request="coupon please")), "Glintly Inc")

    assert isinstance(answer, ClientContext)
    for part in (
        "PPC Strategist: Sara Okafor (brand Glintly)",
        "Glintly: mapped, US",
        "Fix images [open] · due 2026-11-20",
        "Coupon for screen wipes · prepared 2026-10-01",
        "Coupons Promotion SOP (version 3)",
    ):
        assert part in answer.text
    assert answer.included == {
        "assignments": 2,
        "brands": 1,
        "active": 1,
        "completed": 2,
        "sops": 1,
    }
    assert answer.as_of == NOW
    assert "https://app.clickup.com/t/86fiximages" in answer.urls


async def test_a_procedure_found_by_name_is_told_whole() -> None:
    agency = demo_agency()
    body = "\n".join(f"{n}. Step {n} of this procedure, in some detail." for n in range(1, 60))
    sop = a_sop("Long SOP", "ngram", body)
    agency.knowledge.hits = {"w": SopHit(sop=sop, match="alias", score=0.8)}
    answer = await search_kb(context(agency.run()), "w")

    assert "59. Step 59" in answer.procedures[0].excerpt
    assert answer.note is None


async def test_the_one_procedure_called_by_its_name_is_told_whole_beside_others() -> None:
    agency = demo_agency()
    steps = "\n".join(f"{n}. Step {n} of this procedure, in some detail." for n in range(1, 60))
    agency.knowledge.hits = {
        "named": SopHit(sop=a_sop("NGram SOP", "ngram", steps), match="alias", score=0.8),
        "words": SopHit(sop=a_sop("N-PAT SOP", "npat", steps), match="text", score=0.4),
    }
    answer = await search_kb(context(agency.run()), "named words")

    first, second = answer.procedures
    assert "59. Step 59" in first.excerpt
    assert len(second.excerpt) <= 250


async def test_a_procedure_found_by_words_only_comes_with_a_warning() -> None:
    agency = demo_agency()
    sop = a_sop("Some SOP", "ngram", "1. Do it")
    agency.knowledge.hits = {"w": SopHit(sop=sop, match="text", score=0.5)}
    answer = await search_kb(context(agency.run()), "w")

    assert answer.note is not None
    assert "check that it fits" in answer.note


@pytest.mark.parametrize(
    ("tier", "decision", "is_told"),
    [
        (Tier.MEMBER, None, True),
        (Tier.VIEWER, None, False),
        (Tier.ADMIN, Override(tool="get_client_context", scope="global", enabled=False), False),
    ],
)
async def test_what_is_on_record_is_told_at_the_start_to_whoever_may_ask_for_it(
    tier: Tier, decision: Override | None, is_told: bool
) -> None:
    glintly = an_id("client Glintly Inc")
    deps = demo_agency().run(
        tier=tier,
        scope=ScopeKind.CLIENT_SCOPED,
        client="Glintly Inc",
        about=Scope(client_id=glintly, client_name="Glintly Inc"),
        overrides=(decision,) if decision else (),
    )

    known = await known_of_place(deps)

    assert ("PPC Strategist" in known.text) is is_told
    assert isinstance(judge(deps, "get_client_context"), Deny) is not is_told


async def test_the_context_survives_a_silent_clickup_and_says_so() -> None:
    agency = demo_agency()
    agency.board.faults = {"g1": Unavailable("502")}
    answer = await get_client_context(context(agency.run()), "Glintly Inc")

    assert isinstance(answer, ClientContext)
    assert answer.note == "Open tasks could not be read from ClickUp just now."
    assert "Glintly: mapped" in answer.text


async def test_the_context_of_an_unclear_client_is_a_question() -> None:
    agency = demo_agency()
    agency.directory.all_clients += [Client(id=uuid4(), name="Glintly Ltd")]

    assert isinstance(await get_client_context(context(agency.run()), "Glintly"), Ask)


async def test_an_earlier_result_comes_back_by_its_key() -> None:
    agency = demo_agency()
    agency.notebook.kept["ev:1/2"] = Evidence(
        key="ev:1/2",
        skill="list_tasks",
        payload={
            "tasks": [{"title": f"Task {n}"} for n in range(80)],
            "note": "x" * 5_000,
            "by_client": {f"Client {n}": n for n in range(70)},
        },
        created_at=NOW,
    )
    run = agency.run(timezone="Asia/Tokyo")
    result = await load_prior_skill_result(context(run), "ev:1/2")

    assert result.skill == "list_tasks"
    assert result.model_dump(mode="json")["created_at"].endswith("+09:00")
    assert result.data["tasks"][0] == {"title": "Task 0"}
    assert result.data["tasks"][-1] == "… 20 more"
    assert len(result.data["note"]) == 3_500
    assert result.data["by_client"]["Client 59"] == 59
    assert result.data["by_client"]["…"] == "10 more"


@pytest.mark.parametrize(
    ("docs", "is_compared"),
    [
        ([], False),
        ([DocRead(doc_id="d1", trouble="No access.")], False),
        ([DocRead(doc_id="d1", trouble="No access."), DocRead(doc_id="d2")], True),
    ],
)
async def test_procedures_are_as_in_clickup_only_where_a_doc_was_read(
    docs: list[DocRead], is_compared: bool
) -> None:
    agency = demo_agency()
    agency.board.docs = docs

    with pytest.raises(Refused) as refused:
        await sop_sync_run(context(agency.run()))

    assert ("as they are in ClickUp" in refused.value.message) is is_compared
    assert ("Not read: No access." in refused.value.message) is bool(docs)
