"""Searching for a tool: close hits only, few of them, and none where nothing fits."""

from __future__ import annotations

import pytest
from pydantic_ai import Agent, ToolDefinition
from pydantic_ai.messages import (
    ModelMessage,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from agencyclaw.deps import Deps
from agencyclaw.domain.people import Tier
from agencyclaw.domain.text import canonical_json
from agencyclaw.tools import TOOLS, build_toolset
from agencyclaw.tools.tool_search import close_hits, tool_search
from tests.fakes.ports import context, demo_agency

# As a model words what it needs, and the tool it needs for it.
WANTED = {
    "notify when a task is done, watch a task": "watch_client",
    "error report: failed answers, error rate this week": "error_digest",
    "update task": "clickup_task_update",
    "change due date": "clickup_task_update",
    "reassign task": "clickup_task_update",
    "close task": "clickup_task_update",
    "mark task done": "clickup_task_update",
    "reassign": "change_tasks",
    "reassign all tasks of a person": "change_tasks",
    "hand over": "change_tasks",
    "transfer tasks to a colleague": "change_tasks",
    "bulk update tasks": "change_tasks",
    "move due dates": "change_tasks",
    "postpone tasks": "change_tasks",
    "close several tasks": "change_tasks",
    "search tasks by title": "search_tasks",
    "find a task": "search_tasks",
    "find task by name": "search_tasks",
    "set KPI target": "kpi_target_upsert",
    "what is the ACOS target": "kpi_target_lookup",
    "create brand": "create_brand",
    "add a brand": "create_brand",
    "does a task like this exist already": "clickup_task_duplicate_check",
    "rename brand": "update_brand",
    "restore an archived client, set it active again": "cc_client_update",
    "change a client: status active or archived": "cc_client_update",
    "unarchive client": "cc_client_update",
    "add a client": "create_client",
    "list all products of a client": "catalog_lookup",
    "brand mapping audit": "audit_brand_mappings",
    "repair brand mappings": "apply_remediation",
    "assign person to role": "assign_person",
    "unassign person": "remove_assignment",
    "org chart": "cc_org_chart_ascii",
    "permissions": "cc_policy_explain",
    "calculate percentage": "calculate",
    "research several clients": "research",
    "plan a larger piece of work": "delegate_planner",
    "duplicate task": "clickup_task_duplicate_check",
    "check task draft": "clickup_task_quality_gate",
    "approve document": "decide_document",
    "documents waiting": "list_waiting_documents",
    "unanswered questions": "list_unanswered_questions",
    "sync SOPs": "sop_sync_run",
    "search messages in Slack": "search_messages",
    "find what was agreed in a channel": "search_messages",
    "read this channel": "read_conversation",
    "summarise the conversation": "read_conversation",
    "create recurring reminder": "remind",
    "remind me tomorrow": "remind",
    "set a reminder": "remind",
    "set reminder": "remind",
    "end a reminder": "forget",
    "cancel reminder": "forget",
    "remove a preference": "forget",
    "product ASIN": "catalog_lookup",
    "catalog": "catalog_lookup",
    "where tasks of a brand go": "resolve_brand",
    "preview missing mappings": "cc_brand_mapping_remediation_preview",
}
ON_DEMAND = {name for name, spec in TOOLS.items() if spec.is_on_demand}


async def found(*queries: str) -> list[str]:
    run = context(demo_agency().run(tier=Tier.SUPER_ADMIN))
    tools = await build_toolset().get_tools(run)
    deferred: list[ToolDefinition] = [
        tool.tool_def for tool in tools.values() if tool.tool_def.defer_loading
    ]
    return close_hits(run, queries, deferred)


def test_each_wording_is_of_a_tool_that_is_not_in_sight() -> None:
    assert set(WANTED.values()) <= ON_DEMAND


@pytest.mark.parametrize("query", WANTED)
async def test_what_is_wanted_is_found_and_little_beside_it(query: str) -> None:
    hits = await found(query)

    assert WANTED[query] in hits
    assert len(hits) <= 3


@pytest.mark.parametrize("name", [name for name, spec in TOOLS.items() if spec.is_on_demand])
async def test_a_tool_called_by_its_name_is_the_only_hit(name: str) -> None:
    assert await found(name) == [name]


@pytest.mark.parametrize("query", ["send an email", "weather", "book a flight"])
async def test_nothing_is_found_where_nothing_fits(query: str) -> None:
    assert await found(query) == []


# What somebody may ask for and no tool serves: more is listed for some, but for most nothing.
UNSERVED = (
    "refund a customer",
    "send a message to a colleague",
    "change a product price",
    "create a google sheet",
    "schedule a Zoom call",
    "make a phone call",
    "book a meeting room",
    "order more stock",
    "get competitor prices",
    "post to social media",
    "upload a video",
    "resize images",
)


async def test_of_what_no_tool_serves_little_is_found() -> None:
    listed = [query for query in UNSERVED if await found(query)]

    assert len(listed) <= 2, listed


async def told(query: str) -> str:
    """What a model is told that searches in a run."""

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        if len(messages) == 1:
            return ModelResponse(parts=[ToolCallPart("search_tools", {"queries": [query]})])
        return ModelResponse(parts=[TextPart("done")])

    agent = Agent(deps_type=Deps, toolsets=[build_toolset()], capabilities=[tool_search()])
    deps = demo_agency().run(tier=Tier.SUPER_ADMIN)
    run = await agent.run("hi", model=FunctionModel(answer), deps=deps)
    [part] = [
        part
        for message in run.all_messages()
        for part in message.parts
        if isinstance(part, ToolReturnPart)
    ]
    return canonical_json(part.content)


async def test_where_nothing_fits_that_is_said_with_the_closest_by_title_only() -> None:
    near, far = await told("book a meeting room"), await told("resize images")
    titles = {spec.title for spec in TOOLS.values()}

    assert "These words find no tool. The closest are: " in near
    assert any(title in near for title in titles)
    assert not any(name in near for name in TOOLS)
    assert "These words find no tool. Else search once more" in far
    assert not any(title in far for title in titles)


@pytest.mark.parametrize("query", ["list my schedules", "show scheduled questions"])
async def test_a_search_for_what_is_in_sight_names_it_instead_of_denying_it(query: str) -> None:
    answer = await told(query)

    assert "this tool is in sight already: recall." in answer
    assert "Else search once more in other words" in answer


@pytest.mark.parametrize(
    "query", ["list proposals waiting for my confirmation", "cards that wait for me"]
)
async def test_what_waits_for_a_person_is_found(query: str) -> None:
    assert "list_own_changes" in await found(query)


async def test_a_title_finds_what_is_called_so_alone() -> None:
    for title in {TOOLS[name].title for name in ON_DEMAND}:
        called = {name for name in ON_DEMAND if TOOLS[name].title == title}
        assert set(await found(title)) == called


async def test_what_is_found_is_listed_as_before() -> None:
    assert await told("org chart") == ('{"discovered_tools":[{"name":"cc_org_chart_ascii"}]}')


async def test_each_query_of_a_search_has_its_own_hits() -> None:
    assert {"clickup_task_update", "cc_org_chart_ascii"} <= set(
        await found("update task", "org chart")
    )


async def test_most_searches_load_one_tool() -> None:
    sizes = [len(await found(query)) for query in WANTED]

    assert sum(sizes) / len(sizes) < 1.6
