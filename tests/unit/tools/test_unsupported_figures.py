"""A figure that nobody stated: the model is told once, then the card and the result say so."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agencyclaw.deps import Deps
from agencyclaw.domain.checklists import Checklist, ChecklistItem
from agencyclaw.domain.kpi import Amount
from agencyclaw.domain.policy import Override
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.task_changes import UpdateTask
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.task_fields import FieldOption, FieldValue, TaskCustomField
from agencyclaw.tools import Proposed, Refusal, build_toolset
from agencyclaw.tools.calculation import WorkedOut
from tests.fakes.ports import (
    Agency,
    FakeCalculator,
    FakeProposals,
    a_row,
    a_sop,
    coupon_hit,
    demo_agency,
)

Call = tuple[str, dict[str, Any]]
SAID = (
    "A task for Copperleaf: check the garlic press B0CF7GARL1, due Friday. ACOS goal in the US is"
    " 30 %, sales 200k USD."
)
TASK: dict[str, Any] = {
    "client": "Copperleaf",
    "title": "Check the garlic press",
    "objective": "Check the listing of the garlic press B0CF7GARL1 once more",
    "product_identifiers": ["B0CF7GARL1"],
}
TARGET: dict[str, Any] = {
    "client": "Glintly Inc",
    "brand": "Glintly",
    "marketplace": "US",
    "period": "monthly",
}

GOAL = TARGET | {"acos": 20.1}
INVENTED = {"day": {"kind": "weekday", "weekday": "monday"}, "quote": "by Monday"}


async def results(deps: Deps, *calls: Call) -> list[ToolReturnPart]:
    """What a model that makes these calls, one after another, gets back."""

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        done = sum(isinstance(one, ModelResponse) for one in messages)
        needed = {name for name, _ in calls}
        hidden = needed - {tool.name for tool in info.function_tools if not tool.defer_loading}
        if hidden and done == 0:
            query = {"queries": [name.replace("_", " ") for name in hidden]}
            return ModelResponse(parts=[ToolCallPart("search_tools", query)])
        made = [part for one in messages for part in one.parts if isinstance(part, ToolCallPart)]
        at = len([part for part in made if part.tool_name in needed])
        if at < len(calls):
            return ModelResponse(parts=[ToolCallPart(*calls[at])])
        return ModelResponse(parts=[TextPart("done")])

    agent = Agent(deps_type=Deps, toolsets=[build_toolset()], retries={"tools": 3})
    run = await agent.run(deps.request, model=FunctionModel(answer), deps=deps)
    return [
        part
        for message in run.all_messages()
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, ToolReturnPart) and part.tool_name in {name for name, _ in calls}
    ]


def a_run(agency: Agency, said: str = SAID) -> Deps:
    return agency.run(request=said)


@pytest.mark.parametrize(
    ("name", "arguments", "field", "figure"),
    [
        ("create_task", TASK | {"details": "Answer within 48 hours"}, "Details", "48"),
        ("create_task", TASK | {"title": "Cut ACOS to 25 %"}, "Title", "25"),
        (
            "create_task",
            TASK | {"facts": [{"about": "target", "value": "ACOS 25 %", "quote": "30 %"}]},
            "Targets",
            "ACOS 25 %",
        ),
        (
            "create_task",
            TASK | {"facts": [{"about": "budget", "value": "$500", "quote": "$500 a day"}]},
            "Budget",
            "$500",
        ),
        ("kpi_target_upsert", TARGET | {"acos": 25}, "Acos", "25"),
        (
            "kpi_target_upsert",
            TARGET | {"sales": Amount(number="300", scale="thousand"), "currency": "USD"},
            "Sales",
            "300",
        ),
        (
            "kpi_target_upsert",
            TARGET | {"acos": 30, "which": {"month": 1, "year": 2031, "quote": "US is 30 %"}},
            "Period",
            "January 2031",
        ),
        (
            "update_brand",
            {"client": "Glintly Inc", "brand": "Glintly", "new_name": "Glintly 3000"},
            "New name",
            "3000",
        ),
        ("create_brand", {"client": "Glintly Inc", "name": "Lumen 77"}, "Name", "77"),
        (
            "create_brand",
            {"client": "Glintly Inc", "name": "Lumen", "keywords": ["lamp 500"]},
            "Keywords",
            "500",
        ),
    ],
)
async def test_what_nobody_stated_is_sent_back_once_and_then_named_on_card_and_result(
    name: str, arguments: dict[str, Any], field: str, figure: str
) -> None:
    agency = demo_agency()
    first, second = await results(a_run(agency), (name, arguments), (name, arguments))

    assert first.outcome == "retried"
    assert field in str(first.content)
    assert figure in str(first.content)
    assert isinstance(second.content, Proposed), second.content
    line = f"Not stated by anyone: {figure} ({field})."
    assert line in second.content.against
    [effect] = agency.proposals.drafted
    assert line in effect.warnings


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("create_task", TASK | {"details": "ACOS goal: 30 %"}),
        (
            "create_task",
            TASK | {"facts": [{"about": "target", "value": "30 %", "quote": "US is 30 %"}]},
        ),
        (
            "kpi_target_upsert",
            TARGET
            | {"acos": 30, "sales": Amount(number="200", scale="thousand"), "currency": "USD"},
        ),
        ("kpi_target_upsert", TARGET | {"sales": Amount(number="200,000"), "currency": "USD"}),
        (
            "kpi_target_upsert",
            TARGET | {"acos": 30.0, "which": {"month": 12, "quote": "US is 30 %"}},
        ),
    ],
)
async def test_what_was_stated_is_prepared_at_once(name: str, arguments: dict[str, Any]) -> None:
    agency = demo_agency()
    said = (
        SAID.replace("200k", "200.000")
        if arguments.get("sales") == Amount(number="200,000")
        else SAID
    )
    [only] = await results(a_run(agency, said), (name, arguments))

    assert isinstance(only.content, Proposed), only.content
    assert agency.proposals.drafted[0].unsupported_facts == ()


async def test_a_figure_that_is_left_out_at_the_second_try_is_on_no_card() -> None:
    agency = demo_agency()
    made_up = TASK | {"details": "Answer within 48 hours"}
    first, second = await results(a_run(agency), ("create_task", made_up), ("create_task", TASK))

    assert first.outcome == "retried"
    assert isinstance(second.content, Proposed)
    assert agency.proposals.drafted[0].unsupported_facts == ()


async def test_another_figure_is_sent_back_too_and_all_are_named_in_the_end() -> None:
    agency = demo_agency()
    parts = await results(
        a_run(agency),
        ("create_task", TASK | {"details": "Within 48 hours"}),
        ("create_task", TASK | {"details": "Within 72 hours"}),
        ("create_task", TASK | {"details": "Within 72 hours"}),
    )

    assert [part.outcome for part in parts] == ["retried", "retried", "success"]
    assert agency.proposals.drafted[0].warnings == ("Not stated by anyone: 72 (Details).",)


async def test_a_figure_that_calculate_worked_out_is_stated() -> None:
    agency = demo_agency()
    agency.calculator = FakeCalculator("20.1")
    calls = ("calculate", {"code": "print(30 * 0.67)"}), ("kpi_target_upsert", GOAL)
    worked_out, prepared = await results(a_run(agency, f"{SAID} Times 0.67."), *calls)

    assert isinstance(worked_out.content, WorkedOut), worked_out.content
    assert isinstance(prepared.content, Proposed)
    assert agency.proposals.drafted[0].unsupported_facts == ()


async def test_a_share_beside_its_figures_is_stated_and_a_wrong_one_is_not() -> None:
    agency = demo_agency()
    said = f"{SAID} Of 1,310 orders 895 came with a coupon."
    right = TASK | {"details": "Why did 68.3 % of the orders (895 of 1,310) take a coupon?"}
    wrong = TASK | {"details": "Why did 63.8 % of the orders (895 of 1,310) take a coupon?"}
    [prepared] = await results(a_run(agency, said), ("create_task", right))
    [sent_back] = await results(a_run(demo_agency(), said), ("create_task", wrong))

    assert isinstance(prepared.content, Proposed), prepared.content
    assert agency.proposals.drafted[0].unsupported_facts == ()
    assert sent_back.outcome == "retried"
    assert "63.8" in str(sent_back.content)


async def test_a_number_of_what_a_record_is_called_needs_no_source() -> None:
    agency = demo_agency()
    [only] = await results(
        a_run(agency), ("create_task", TASK | {"replaces": "The 99 things to do"})
    )

    assert isinstance(only.content, Proposed)


STEPS = Checklist(id="c1", name="Steps", items=(ChecklistItem(id="i1", name="Step 3"),))
GOAL_FIELD, STAGE_FIELD = (
    TaskCustomField(
        value=FieldValue(id=name, name=name, kind=kind),
        options=tuple(FieldOption(id=option, name=option) for option in options),
    )
    for name, kind, options in (("KPI 2", "short_text", ()), ("Stage", "labels", ("Q3 2027",)))
)


@pytest.mark.parametrize(
    ("tool", "arguments", "invented"),
    [
        ("clickup_task_checklist", {"tick": ["Step 3"]}, ""),
        ("clickup_task_checklist", {"rename": [{"item": "Step 3", "new_text": "Last step"}]}, ""),
        (
            "clickup_task_checklist",
            {"rename": [{"item": "Step 3", "new_text": "Step 77"}]},
            "77 (Rename)",
        ),
        ("clickup_task_update", {"fields": [{"field": "KPI 2", "value": "sales"}]}, ""),
        ("clickup_task_update", {"fields": [{"field": "Stage", "value": ["Q3 2027"]}]}, ""),
        ("clickup_task_update", {"fields": [{"field": "KPI 2", "value": "77"}]}, "77 (Fields)"),
    ],
)
async def test_a_number_in_a_name_within_an_argument_needs_no_source_and_any_other_does(
    tool: str, arguments: dict[str, Any], invented: str
) -> None:
    agency = demo_agency()
    agency.board.checklists = {"86a": (STEPS,)}
    agency.board.fields = {"86a": (GOAL_FIELD, STAGE_FIELD)}
    _, about = changing(agency)
    made = await results(a_run(agency), *[(tool, about | arguments)] * 2)

    assert made[0].outcome == ("retried" if invented else "success")
    last = made[-1].content
    assert isinstance(last, Proposed), last
    assert invented in " ".join(last.against)
    assert all(bool(one.unsupported_facts) is bool(invented) for one in agency.proposals.drafted)


async def test_a_number_in_the_title_of_a_chosen_procedure_needs_no_source() -> None:
    agency = demo_agency()
    sop = a_sop("Listing check 77", "listings", "1. Look.")
    agency.knowledge.hits = {"listing check": coupon_hit(sop=sop)}
    asked = TASK | {"procedure": {"title": "Listing check 77"}}
    [only] = await results(a_run(agency), ("create_task", asked))

    assert isinstance(only.content, Proposed), only.content


async def test_a_days_quote_that_nobody_wrote_is_sent_back_and_the_rest_is_prepared() -> None:
    agency = demo_agency()
    call = ("create_task", TASK | {"due": INVENTED})
    first, second = await results(a_run(agency), call, call)

    assert "“by Monday” does not stand" in str(first.content)
    assert isinstance(second.content, Proposed)
    assert any("by Monday" in one for one in second.content.missing)
    [effect] = agency.proposals.drafted
    assert isinstance(effect, CreateTask)
    assert effect.due is None


async def waiting_with(agency: Agency, call: Call) -> Proposal:
    """What is prepared by a call that the model insists on, as it waits on its card."""
    await results(a_run(agency), call, call)
    draft = await FakeProposals().draft(agency.proposals.drafted.pop())
    return draft.model_copy(update={"state": ProposalState.OPEN})


async def test_what_nobody_stated_stays_named_on_the_card_that_a_correction_keeps_it_on() -> None:
    agency = demo_agency()
    call = ("create_task", TASK | {"details": "Answer within 48 hours"})
    agency.proposals.waiting = [await waiting_with(agency, call)]
    friday = {"day": {"kind": "weekday", "weekday": "friday"}, "quote": "due Friday"}
    kept = {"client": "Copperleaf", "title": TASK["title"], "replaces": TASK["title"]}
    again = ("create_task", kept | {"objective": "", "due": friday})
    [only] = await results(a_run(agency), again)

    assert isinstance(only.content, Proposed), only.content
    [effect] = agency.proposals.drafted
    assert isinstance(effect, CreateTask)
    assert effect.details == "Answer within 48 hours"
    assert "Not stated by anyone: 48 (Details)." in effect.warnings


async def test_what_nobody_stated_stays_named_on_a_change_that_is_added_to() -> None:
    agency = demo_agency()
    call = changing(agency, new_title="Fix 12 listings", add_text="Within 48 hours.")
    agency.proposals.waiting = [await waiting_with(agency, call)]
    [only] = await results(a_run(agency), changing(agency, priority="high", new_title="Fix"))

    assert isinstance(only.content, Proposed), only.content
    [effect] = agency.proposals.drafted
    assert effect.warnings == ("Not stated by anyone: 48 (Add text).",)


def changing(agency: Agency, **arguments: Any) -> Call:
    agency.board.lists = {"g1": [a_row("Fix listing", id="86a")]}
    return "clickup_task_update", {"task": "Fix listing", "client": "Glintly Inc", **arguments}


async def test_a_change_is_sent_back_and_then_prepared_without_what_nobody_stated() -> None:
    agency = demo_agency()
    call = changing(agency, due=INVENTED, new_title="Fix 12 listings")
    first, second = await results(a_run(agency), call, call)

    assert first.outcome == "retried"
    assert isinstance(second.content, Proposed), second.content
    [effect] = agency.proposals.drafted
    assert isinstance(effect, UpdateTask)
    assert effect.fields == ("title",)
    assert effect.warnings == ("Not stated by anyone: Mon 23 Nov 2026 (Due), 12 (New title).",)


async def test_a_change_of_which_nothing_is_left_is_refused_with_the_reason() -> None:
    agency = demo_agency()
    [only] = await results(a_run(agency), changing(agency, due=INVENTED))

    assert isinstance(only.content, Refusal)
    assert "“by Monday” does not stand" in only.content.message
    assert agency.proposals.drafted == []


def limited(*tools: str) -> tuple[Override, ...]:
    return tuple(Override(tool=tool, scope="global", calls_per_hour=1) for tool in tools)


async def test_a_call_that_was_sent_back_counts_once_and_the_next_card_again() -> None:
    agency = demo_agency()
    deps = agency.run(request=SAID, overrides=limited("create_task"))
    call = ("create_task", TASK | {"details": "Within 48 hours"})
    another = ("create_task", TASK | {"title": "Check it again"})

    first, second, third = await results(deps, call, call, another)

    assert first.outcome == "retried"
    assert isinstance(second.content, Proposed), second.content
    assert isinstance(third.content, Refusal)
    assert third.content.reason == "rate_limited"
    assert agency.meter.used == {("create_task", None): 1}


async def test_two_tools_that_make_one_effect_share_its_limit_and_have_their_own() -> None:
    agency = demo_agency()
    agency.board.checklists = {"86a": (STEPS,)}
    update, about = changing(agency)
    ticking = ("clickup_task_checklist", about | {"tick": ["Step 3"]})
    overrides = limited("clickup_task_checklist", "clickup_task_update")

    first, second = await results(
        agency.run(overrides=overrides), ticking, (update, about | {"priority": "high"})
    )

    assert isinstance(first.content, Proposed), first.content
    assert isinstance(second.content, Refusal), second.content
    assert second.content.reason == "rate_limited"
    used = {("clickup_task_checklist", None): 1, ("clickup_task_update", None): 1}
    assert agency.meter.used == used
