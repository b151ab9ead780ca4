"""The gate, under a real agent: hides, judges again, drafts, and words every failure."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import logfire
import pytest
from logfire.testing import CaptureLogfire
from pydantic_ai import Agent, FunctionToolset, ModelRetry, RunContext, Tool, ToolFailed
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from agencyclaw.deps import Deps
from agencyclaw.domain.choices import choice
from agencyclaw.domain.errors import Misconfigured, NotFound, Throttled, Unavailable
from agencyclaw.domain.people import ScopeKind, Session, Tier
from agencyclaw.domain.proposals import ProposalState
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.text import canonical_json
from agencyclaw.tools import TOOLS, Ask, Gate, Proposed, Refusal, build_toolset
from agencyclaw.tools.clients import ClientList
from tests.fakes.ports import Agency, FakeProposals, a_row, an_id, context, demo_agency

COUPON: dict[str, Any] = {
    "client": "Copperleaf",
    "title": "Coupon for the garlic press",
    "objective": "A coupon for the garlic press B0CF7GARL1",
    "identifiers_pending": True,
}


UNREACHABLE = "ClickUp can't be reached right now; nothing was changed."
LIMITED = (
    "ClickUp limits how often I may ask it, and that is used up for about 3 s; nothing was changed."
)
UNUSABLE = "ClickUp refuses our access or is not set up: an admin has to see to it."
OURS = f"That failed on our side; nothing was changed (run {an_id('run')})."


def one_call(name: str, arguments: dict[str, Any] | str) -> FunctionModel:
    """A model that calls one tool, which it searches for if need be, then says "done"."""
    calls = [ToolCallPart(name, arguments)]
    if name in TOOLS and TOOLS[name].is_on_demand:
        calls.insert(0, ToolCallPart("search_tools", {"queries": [name]}))

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        done = len(messages) // 2
        return ModelResponse(parts=[calls[done] if done < len(calls) else TextPart("done")])

    return FunctionModel(answer)


def returns(messages: list[ModelMessage]) -> list[ToolReturnPart]:
    return [
        part
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, ToolReturnPart)
    ]


async def called(
    deps: Deps, name: str, arguments: dict[str, Any] | str, gate: Gate | None = None
) -> ToolReturnPart:
    agent = Agent(deps_type=Deps, toolsets=[gate or build_toolset()], retries={"tools": 3})
    result = await agent.run("hi", model=one_call(name, arguments), deps=deps)
    assert result.output == "done"
    return returns(result.all_messages())[-1]


async def offered(deps: Deps) -> list[str]:
    model = TestModel(call_tools=[])
    agent = Agent(deps_type=Deps, toolsets=[build_toolset()])
    await agent.run("hi", model=model, deps=deps)
    parameters = model.last_model_request_parameters
    assert parameters is not None
    return [tool.name for tool in parameters.function_tools if not tool.defer_loading]


def gate_over(name: str, fault: BaseException | None = None, value: Any = None) -> Gate:
    """The gate over one tool that fails or returns as told, under a name the catalogue has."""

    async def stand_in(ctx: RunContext[Deps]) -> Any:
        """Stand in."""
        if fault:
            raise fault
        return value

    return Gate(FunctionToolset[Deps]([Tool(stand_in, name=name)]))


async def test_a_member_is_offered_everything_a_viewer_no_changes() -> None:
    agency = demo_agency()

    at_hand = {name: spec.rule for name, spec in TOOLS.items() if not spec.is_on_demand}

    assert set(await offered(agency.run(tier=Tier.MEMBER))) == {
        name for name, rule in at_hand.items() if rule.tier <= Tier.MEMBER
    } | {"search_tools"}
    assert await offered(agency.run(tier=Tier.VIEWER)) == [
        *(name for name, rule in at_hand.items() if rule.tier is Tier.VIEWER and not rule.changes),
        "search_tools",
    ]


async def test_definitions_are_built_once_for_all_requests() -> None:
    sent = list[AgentInfo]()

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        sent.append(info)
        part = ToolCallPart("list_clients", {}) if len(messages) == 1 else TextPart("done")
        return ModelResponse(parts=[part])

    agent = Agent(FunctionModel(answer), deps_type=Deps, toolsets=[build_toolset()])
    await agent.run("Which clients?", deps=demo_agency().run())

    first, second = (
        [tool for tool in info.function_tools if not tool.defer_loading] for info in sent
    )
    assert len(first) > 10
    assert all(one is other for one, other in zip(first, second, strict=True))


async def test_only_an_admin_can_search_for_what_only_admins_may_do() -> None:
    agency = demo_agency()

    assert "search_tools" in await offered(agency.run(tier=Tier.ADMIN))
    for tier in (Tier.MEMBER, Tier.VIEWER):
        hidden = await build_toolset().get_tools(context(agency.run(tier=tier)))
        assert not [name for name in hidden if TOOLS[name].rule.tier >= Tier.ADMIN]


async def test_what_one_run_may_use_says_nothing_of_another() -> None:
    agency, gate = demo_agency(), build_toolset()
    for tier in (Tier.VIEWER, Tier.ADMIN, Tier.VIEWER):
        run = context(agency.run(tier=tier))
        tools = await (await gate.for_run(run)).get_tools(run)
        assert ("create_task" in tools) is (tier is Tier.ADMIN)


async def test_in_an_unknown_place_changes_are_not_offered() -> None:
    assert "create_task" not in await offered(demo_agency().run(scope=ScopeKind.UNKNOWN))


async def test_what_is_switched_off_is_not_offered() -> None:
    deps = demo_agency().run(enabled=frozenset({"lookup_client"}))

    assert await offered(deps) == ["lookup_client"]


async def test_a_hidden_or_unknown_tool_is_not_run() -> None:
    agency = demo_agency()
    for name in ("create_task", "clickup_task_delete"):
        part = await called(agency.run(tier=Tier.VIEWER), name, COUPON)
        assert part.outcome == "retried"
        assert part.retry is not None
        assert part.retry.cause == "unknown_tool"
    assert agency.proposals.drafted == []


async def test_the_call_is_judged_again() -> None:
    agency = demo_agency()
    agency.directory.staff[0] = agency.directory.staff[0].model_copy(update={"is_admin": True})
    gate = build_toolset()
    allowed = context(agency.run())
    tool = (await gate.get_tools(allowed))["create_task"]
    demoted = replace(allowed, deps=agency.run(tier=Tier.VIEWER))

    result = await gate.call_tool("create_task", dict(COUPON), demoted, tool)

    assert result == Refusal(
        reason="viewer_mutation_denied",
        message=(
            "You have read access, so I prepare no changes for you. A member who works for the"
            " client can. An admin can change your role from"
            f" viewer to member. Admins: {agency.directory.staff[0].name}."
        ),
    )
    assert agency.proposals.drafted == []


async def refused(agency: Agency, deps: Deps) -> str:
    """What a call of a tool says that was offered, and is not allowed any more."""
    gate, allowed = build_toolset(), context(agency.run())
    tool = (await gate.get_tools(allowed))["create_task"]
    refusal = await gate.call_tool("create_task", dict(COUPON), replace(allowed, deps=deps), tool)
    assert isinstance(refusal, Refusal)
    return refusal.message


def with_admins() -> Agency:
    agency = demo_agency()
    team = agency.directory.staff
    agency.directory.staff = [one.model_copy(update={"is_admin": True}) for one in team]
    return agency


async def test_a_refusal_names_at_most_three_admins() -> None:
    agency = with_admins()
    said = await refused(agency, agency.run(tier=Tier.VIEWER))

    assert said.endswith("Admins: Ines Varga, Miguel Duarte, Sara Lindqvist.")


async def test_where_another_company_reads_along_a_refusal_names_no_admin() -> None:
    agency = with_admins()
    deps = agency.run(tier=Tier.VIEWER)
    surface = deps.surface.model_copy(update={"is_shared": True})
    said = await refused(agency, replace(deps, surface=surface))

    assert said.endswith("An admin can change your role from viewer to member.")


async def test_an_admin_is_sent_to_no_admin() -> None:
    agency = with_admins()
    said = await refused(agency, agency.run(tier=Tier.ADMIN, enabled=frozenset()))

    assert said == "An admin has switched that off."


async def test_a_change_becomes_a_draft_and_the_model_hears_that_it_waits() -> None:
    agency = demo_agency()
    part = await called(agency.run(), "create_task", COUPON)

    assert [effect.title for effect in agency.proposals.drafted] == [COUPON["title"]]
    assert isinstance(part.content, Proposed)
    assert "a yes or no right below it" in part.content.status
    assert part.content.note == "Nothing has been created yet."
    assert part.content.summary == ("Create the task “Coupon for the garlic press” for Copperleaf")
    assert part.content.missing[-1] == "Due date: not stated."
    assert part.content.fields["Assignee"] == "unassigned"
    assert part.content.rests_on == ("Coupons Promotion SOP",)


async def test_every_effect_is_in_the_time_of_who_asks_for_it() -> None:
    agency = demo_agency()
    await called(agency.run(), "create_task", COUPON)
    effect = agency.proposals.drafted.pop()
    gate = gate_over("create_task", value=effect.model_copy(update={"timezone": "UTC"}))
    await called(agency.run(timezone="Asia/Tokyo"), "create_task", {}, gate)

    [drafted] = agency.proposals.drafted
    assert drafted.timezone == "Asia/Tokyo"


async def test_a_question_of_a_tool_is_an_ordinary_result_and_drafts_nothing() -> None:
    agency = demo_agency()
    part = await called(agency.run(), "create_task", COUPON | {"client": "Pawtrail"})

    assert isinstance(part.content, Ask)
    assert part.content.labels == ("Pawtrail", "Pawtrail Lite", "Pawtrail Pro")
    assert agency.proposals.drafted == []


async def test_a_refusal_is_a_result_that_costs_no_retry_and_ends_no_run() -> None:
    part = await called(demo_agency().run(), "get_client_context", {"client": "Zephyr"})

    assert part.outcome == "success"
    assert isinstance(part.content, Refusal)
    assert part.content.reason == "client_not_found"


async def test_refusals_never_use_up_the_retries() -> None:
    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if len(messages) < 14:
            return ModelResponse(parts=[ToolCallPart("get_client_context", {"client": "Zephyr"})])
        return ModelResponse(parts=[TextPart("I can't find it.")])

    agent = Agent(deps_type=Deps, toolsets=[build_toolset()], retries={"tools": 1})
    result = await agent.run("hi", model=FunctionModel(answer), deps=demo_agency().run())

    assert result.output == "I can't find it."
    assert len(returns(result.all_messages())) == 7


async def test_more_drafts_than_a_run_may_have_are_refused_kindly() -> None:
    agency = demo_agency()
    agency.proposals.limit = 0
    part = await called(agency.run(), "create_task", COUPON)

    assert isinstance(part.content, Refusal)
    assert part.content.reason == "draft_limit"


@pytest.mark.parametrize(
    ("fault", "reason", "message"),
    [
        (Unavailable("502 from 10.0.0.7"), "unavailable", UNREACHABLE),
        (Throttled("429", after=3), "unavailable", LIMITED),
        (Misconfigured("token pk_123 refused"), "misconfigured", UNUSABLE),
        (NotFound("No such list.", reason="gone"), "gone", "No such list."),
        (RuntimeError("postgresql://user:secret@db/x"), "broken", OURS),
        (KeyError("x"), "broken", OURS),
    ],
)
async def test_every_failure_has_a_sentence_and_no_detail(
    fault: Exception, reason: str, message: str
) -> None:
    part = await called(demo_agency().run(), "search_kb", {}, gate_over("search_kb", fault))

    assert part.content == Refusal(reason=reason, message=message)


@pytest.mark.parametrize("fault", [ModelRetry("again"), ToolFailed("no")])
async def test_the_frameworks_own_signals_pass(fault: Exception) -> None:
    part = await called(demo_agency().run(), "search_kb", {}, gate_over("search_kb", fault))

    assert part.outcome == ("retried" if isinstance(fault, ModelRetry) else "failed")


async def test_a_cancellation_passes() -> None:
    gate = gate_over("search_kb", asyncio.CancelledError())

    with pytest.raises(asyncio.CancelledError):
        await called(demo_agency().run(), "search_kb", {}, gate)


async def test_a_tool_that_only_reads_cannot_bring_an_effect() -> None:
    agency = demo_agency()
    await called(agency.run(), "create_task", COUPON)
    effect = agency.proposals.drafted.pop()
    assert isinstance(effect, CreateTask)
    part = await called(agency.run(), "search_kb", {}, gate_over("search_kb", value=effect))

    assert isinstance(part.content, Refusal)
    assert part.content.reason == "broken"
    assert agency.proposals.drafted == []


@pytest.mark.parametrize(
    "extra", [{"confirmed": True}, {"force": "yes"}, {"approved_by": "Ines"}, {"list_id": "9"}]
)
async def test_arguments_a_tool_does_not_have_are_refused(extra: dict[str, Any]) -> None:
    agency = demo_agency()
    part = await called(agency.run(), "create_task", COUPON | extra)

    assert part.outcome == "retried"
    assert agency.proposals.drafted == []


@pytest.mark.parametrize(
    "arguments",
    [
        {"client": "x" * 121, "title": "abc", "objective": "x"},
        COUPON | {"title": "x" * 201},
        COUPON | {"details": "x" * 3_001},
        COUPON | {"client": None},
        COUPON | {"due": "2026-02-30"},
        COUPON | {"due": 1e12},
        COUPON | {"product_identifiers": ["x"] * 51},
        "[" * 5_000,
        "not json",
    ],
)
async def test_bad_arguments_never_reach_a_tool(arguments: Any) -> None:
    agency = demo_agency()
    part = await called(agency.run(), "create_task", arguments)

    assert part.outcome == "retried"
    assert agency.proposals.drafted == []


async def test_arguments_are_cleaned_before_the_tool_sees_them() -> None:
    agency = demo_agency()
    dirty = COUPON | {
        "title": "Garlic\x00 coupon\u202e \U000e0041press",
        "client": "Copper\u200bleaf",
    }
    await called(agency.run(), "create_task", dirty)

    assert agency.proposals.drafted[0].title == "Garlic coupon press"


@pytest.mark.parametrize(
    "text", ["'; drop table x --", "{{7*7}}", "%s%s%n", "{0.__class__}", "../../etc", "%", "_"]
)
async def test_signs_of_other_languages_are_just_signs(text: str) -> None:
    part = await called(demo_agency().run(), "lookup_client", {"query": text})

    assert isinstance(part.content, ClientList)
    assert part.content.clients == ()


async def test_results_carry_no_empty_fields() -> None:
    agency = demo_agency()
    agency.board.lists = {"g1": [a_row("Undated")]}
    arguments = {"client": "Glintly Inc", "window": "any_time"}
    part = await called(agency.run(), "list_tasks", arguments)

    assert part.model_response_object()["tasks"] == [
        {
            "title": "Undated",
            "url": "https://app.clickup.com/t/86undated",
            "status": "open",
            "brand": "Glintly",
        }
    ]


async def test_every_call_leaves_a_span_without_words_of_the_conversation(
    capfire: CaptureLogfire,
) -> None:
    await called(demo_agency().run(), "create_task", COUPON)
    await called(demo_agency().run(), "get_client_context", {"client": "Zephyr"})
    fault = RuntimeError("boom")
    await called(demo_agency().run(), "search_kb", {}, gate_over("search_kb", fault))

    spans = [
        span["attributes"]
        for span in capfire.exporter.exported_spans_as_dict()
        if span["name"] == "tool"
    ]
    assert [(span["tool"], span["outcome"]) for span in spans] == [
        ("create_task", "proposed"),
        ("get_client_context", "client_not_found"),
        ("search_kb", "broken"),
    ]
    assert all(span["run"] == str(an_id("run")) for span in spans)
    assert not any("garlic" in str(span) or "Zephyr" in str(span) for span in spans)
    logfire.configure(send_to_logfire=False, console=False)


async def test_changes_never_run_beside_other_calls() -> None:
    running: list[str] = []

    class Watched(Gate):
        async def call_tool(self, name: str, *rest: Any) -> Any:
            running.append(f"+{name}")
            await asyncio.sleep(0)
            result = await super().call_tool(name, *rest)
            running.append(f"-{name}")
            return result

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if len(messages) == 1:
            calls = [ToolCallPart("create_task", COUPON), ToolCallPart("create_task", COUPON)]
            return ModelResponse(parts=[*calls, ToolCallPart("lookup_client", {})])
        return ModelResponse(parts=[TextPart("done")])

    agent = Agent(deps_type=Deps, toolsets=[Watched(build_toolset().wrapped)])
    await agent.run("hi", model=FunctionModel(answer), deps=demo_agency().run())

    assert running == [
        "+create_task",
        "-create_task",
        "+create_task",
        "-create_task",
        "+lookup_client",
        "-lookup_client",
    ]


async def test_a_whole_agency_can_be_asked_by_the_test_model() -> None:
    agency: Agency = demo_agency()
    agent = Agent(deps_type=Deps, toolsets=[build_toolset()])
    result = await agent.run("hi", model=TestModel(), deps=agency.run())

    assert {part.tool_name for part in returns(result.all_messages())} == {
        name for name, spec in TOOLS.items() if not spec.is_on_demand
    } | {"search_tools"}


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("list_tasks", {}),
        ("resolve_brand", {"brand": "Glintly"}),
        ("catalog_lookup", {"query": "screen wipes"}),
        ("get_client_context", {}),
        ("recall", {}),
    ],
)
@pytest.mark.parametrize(
    ("client", "other"), [("Glintly", "Casa Mundo"), ("Casa Mundo", "Glintly Inc")]
)
async def test_whatever_is_read_of_a_name_that_two_clients_have_names_the_other(
    tool: str, arguments: dict[str, Any], client: str, other: str
) -> None:
    agency = demo_agency()
    deps = agency.run(request="how is Glintly?")
    asked = await called(deps, tool, arguments | {"client": client})
    deps = agency.run(request="how is Casa Mundo?")
    named = await called(deps, tool, arguments | {"client": "Casa Mundo"})

    assert f"also fits {other};" in (asked.content.also_meant or "")
    assert named.content.also_meant is None


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [("list_tasks", {}), ("get_client_context", {}), ("recall", {})],
)
@pytest.mark.parametrize(
    ("chosen", "other"), [("Glintly Inc", "Casa Mundo"), ("Casa Mundo", "Glintly Inc")]
)
@pytest.mark.parametrize("by", ["press", "thread"])
async def test_of_a_name_that_two_clients_have_the_chosen_one_is_told_alone(
    tool: str, arguments: dict[str, Any], chosen: str, other: str, by: str
) -> None:
    agency = demo_agency()
    pressed = choice("client", an_id(f"client {chosen}"), chosen) if by == "press" else None
    deps = agency.run(request=chosen if pressed else "and what is late for Glintly?")
    deps = replace(deps, choice=pressed, thread_texts=("how is Glintly?",))
    if by == "thread":
        deps = replace(
            deps, session=Session(id=an_id("session"), thread_client_id=an_id(f"client {chosen}"))
        )
    for name in (chosen, "Glintly") if by == "thread" else (chosen,):
        told = await called(deps, tool, arguments | {"client": name})
        assert told.content.also_meant is None
        assert other not in canonical_json(told.content.model_dump())

    looked_up = await called(deps, "lookup_client", {"query": "Glintly"})
    assert f"In this thread {chosen} is meant." in looked_up.content.note
    assert deps.topic.clients == {an_id(f"client {chosen}")}


@pytest.mark.parametrize("client", ["Glintly", "Glintly Inc"])
@pytest.mark.parametrize(
    ("request_text", "earlier"),
    [("how is Glintly Inc?", ()), ("and what else?", ("how is Glintly Inc?",))],
)
async def test_of_a_client_that_a_person_named_whole_nobody_else_is_told(
    client: str, request_text: str, earlier: tuple[str, ...]
) -> None:
    deps = replace(demo_agency().run(request=request_text), thread_texts=earlier)
    read = await called(deps, "list_tasks", {"client": client})
    looked_up = await called(deps, "lookup_client", {"query": client})

    assert read.content.also_meant is None
    assert "Casa Mundo" not in (looked_up.content.note or "")
    assert deps.topic.clients == {an_id("client Glintly Inc")}


async def test_who_names_the_other_of_two_clients_is_told_whom_the_name_also_fits() -> None:
    deps = demo_agency().run(request="and Casa Mundo?")
    settled = Session(id=an_id("session"), thread_client_id=an_id("client Glintly Inc"))
    deps = replace(deps, session=settled, thread_texts=("how is Glintly?",))
    told = await called(deps, "list_tasks", {"client": "Glintly"})

    assert "also fits Casa Mundo;" in (told.content.also_meant or "")


async def test_a_card_that_is_withdrawn_for_another_is_told() -> None:
    agency = demo_agency()
    deps = agency.run(tier=Tier.MEMBER)
    await called(deps, "create_task", {**COUPON, "title": "Old coupon"})
    [old] = agency.proposals.drafted
    waiting = await FakeProposals().draft(old)
    agency.proposals.waiting = [waiting.model_copy(update={"state": ProposalState.OPEN})]

    told = await called(deps, "create_task", {**COUPON, "replaces": "old coupon"})
    none = await called(deps, "create_task", {**COUPON, "replaces": "Another one"})

    withdrawn = (
        "“Old coupon” for Copperleaf, Brightkettle Group is withdrawn when this one is shown"
    )
    assert withdrawn in told.content.note
    assert "No card “Another one” of this client waits, so none is withdrawn." in none.content.note
    assert "“Old coupon”" not in none.content.note


async def test_a_card_of_the_same_tool_that_goes_on_waiting_is_told() -> None:
    agency = demo_agency()
    deps = agency.run(tier=Tier.ADMIN, request="ACOS 25 for November, I mean 26, or December")
    target = {"client": "Glintly Inc", "brand": "Glintly", "marketplace": "US", "acos": 25}
    months = [
        {**target, "period": "monthly", "which": {"quote": f"{name}", "month": month}}
        for month, name in ((11, "November"), (12, "December"))
    ]
    await called(deps, "kpi_target_upsert", months[0])
    waiting = await FakeProposals().draft(agency.proposals.drafted[0])
    agency.proposals.waiting = [waiting.model_copy(update={"state": ProposalState.OPEN})]

    other = await called(deps, "kpi_target_upsert", months[1])
    again = await called(deps, "kpi_target_upsert", {**months[0], "acos": 26})

    stays = (
        "The card “Targets of Glintly US, November 2026” goes on waiting: where this one is meant"
        " in its place, they press Cancel on it."
    )
    assert stays in other.content.note
    assert "goes on waiting" not in again.content.note
    assert "“Targets of Glintly US, November 2026” is withdrawn" in again.content.note


async def test_what_hides_in_a_title_does_not_keep_its_proposal_confirmable() -> None:
    agency = demo_agency()
    hidden = {**COUPON, "title": "Coupon\u202e\x00 for the gar\u200blic press"}

    await called(agency.run(tier=Tier.MEMBER), "create_task", hidden)

    assert [titles for _, titles in agency.proposals.revised] == [[COUPON["title"]]]
