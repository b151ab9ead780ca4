"""The catalogue: what no tool may have is refused when the module is read."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any, Literal

import pytest
from inline_snapshot import snapshot
from pydantic import AnyUrl, BaseModel, ConfigDict, Field
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.people import Tier
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.tools import TOOLS
from agencyclaw.tools.arguments import Name
from agencyclaw.tools.catalogue import check_function, reads


class Loose(BaseModel):
    text: str


Bounded = Annotated[str, Field(max_length=5)]


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Near(Closed):
    kind: Literal["near"]


class Far(Closed):
    kind: Literal["far"]
    text: str


class Nested(Closed):
    within: Annotated[tuple[Nested, ...], Field(max_length=2)] = ()


class Addressed(Closed):
    channel: Bounded


class Folded(Closed):
    inner: Annotated[tuple[Addressed, ...], Field(max_length=2)]


async def unbounded_alternative(
    ctx: RunContext[Deps], place: Annotated[Near | Far, Field(discriminator="kind")]
) -> None:
    """Do it."""


async def unbounded_pair(ctx: RunContext[Deps], pair: tuple[Bounded, str]) -> None:
    """Do it."""


async def anything(ctx: RunContext[Deps], value: Any) -> None:
    """Do it."""


async def anything_inside(
    ctx: RunContext[Deps], values: Annotated[list[Any], Field(max_length=3)]
) -> None:
    """Do it."""


async def unbounded_address(ctx: RunContext[Deps], page: AnyUrl) -> None:
    """Do it."""


async def unbounded_bytes(ctx: RunContext[Deps], content: bytes) -> None:
    """Do it."""


async def recursive(ctx: RunContext[Deps], value: Nested) -> None:
    """Do it."""


async def sly_field(ctx: RunContext[Deps], value: Folded) -> None:
    """Do it."""


async def fine_parts(
    ctx: RunContext[Deps], day: date, pair: tuple[Bounded, Near], other: Near, is_late: bool
) -> None:
    """Do it."""


async def fine(ctx: RunContext[Deps], name: Bounded, other: Bounded | None = None) -> None:
    """Do it."""


async def unannotated(ctx: RunContext[Deps], name) -> None:
    """Do it."""


async def unbounded(ctx: RunContext[Deps], name: str) -> None:
    """Do it."""


async def unbounded_inside(
    ctx: RunContext[Deps], names: Annotated[list[str], Field(max_length=3)]
) -> None:
    """Do it."""


async def unbounded_list(ctx: RunContext[Deps], names: list[Bounded]) -> None:
    """Do it."""


async def unbounded_or_nothing(ctx: RunContext[Deps], name: str | None = None) -> None:
    """Do it."""


async def unbounded_field(ctx: RunContext[Deps], value: Loose) -> None:
    """Do it."""


async def unbounded_number(ctx: RunContext[Deps], count: int) -> None:
    """Do it."""


async def open_object(ctx: RunContext[Deps], extra: dict[str, Bounded]) -> None:
    """Do it."""


async def open_ended(ctx: RunContext[Deps], **more: Bounded) -> None:
    """Do it."""


async def contextless(name: Bounded) -> None:
    """Do it."""


async def silent(ctx: RunContext[Deps], name: Bounded) -> None:
    pass


async def resultless(ctx: RunContext[Deps], name: Bounded):  # noqa: ANN201
    """Do it."""


def not_async(ctx: RunContext[Deps], name: Bounded) -> None:
    """Do it."""


FAULTS = [
    (unannotated, "no annotation"),
    (unbounded, "a str needs max_length"),
    (unbounded_inside, "a str needs max_length"),
    (unbounded_list, "a list needs max_length"),
    (unbounded_or_nothing, "a str needs max_length"),
    (unbounded_field, "an open object"),
    (unbounded_number, "least and a greatest"),
    (open_object, "an open object"),
    (unbounded_alternative, "a str needs max_length"),
    (unbounded_pair, "a str needs max_length"),
    (anything, "any type"),
    (anything_inside, "any type"),
    (unbounded_address, "a str needs max_length"),
    (unbounded_bytes, "a str needs max_length"),
    (recursive, "within itself"),
    (sly_field, "not arguments: channel"),
    (open_ended, "open-ended"),
    (contextless, "RunContext"),
    (silent, "docstring"),
    (resultless, "no annotation"),
    (not_async, "async"),
]


@pytest.mark.parametrize(("function", "fault"), FAULTS)
def test_a_tool_without_limits_fails_loudly_and_by_name(function: Any, fault: str) -> None:
    with pytest.raises(TypeError, match=fault) as refused:
        check_function(function)
    assert f"tool {function.__name__}" in str(refused.value)


@pytest.mark.parametrize("function", [fine, fine_parts])
def test_a_bounded_function_is_fine(function: Any) -> None:
    check_function(function)


@pytest.mark.parametrize(
    "name",
    [
        "confirmed",
        "skip_confirmation",
        "force",
        "approved_by",
        "actor",
        "actor_id",
        "on_behalf_of",
        "user",
        "profile_id",
        "tier",
        "list_id",
        "space_id",
        "task_id",
        "id",
        "channel",
        "thread_ts",
        "team_id",
        "destination",
        "fingerprint",
        "proposal",
    ],
)
def test_no_argument_carries_consent_identity_or_destination(name: str) -> None:
    made: dict[str, Any] = {"RunContext": RunContext, "Deps": Deps, "Bounded": Bounded}
    exec(f"async def sly(ctx: RunContext[Deps], {name}: Bounded) -> None:\n    'Do.'", made)

    with pytest.raises(TypeError, match=f"tool sly, argument {name}"):
        check_function(made["sly"])


def test_a_refused_function_is_not_in_the_catalogue() -> None:
    before = dict(TOOLS)
    with pytest.raises(TypeError):
        reads(tier=Tier.VIEWER)(unbounded)
    assert before == TOOLS


def test_a_tool_needs_its_sentence_and_says_where_it_goes() -> None:
    async def nameless_here(ctx: RunContext[Deps], query: Name) -> None:
        """Do it."""

    with pytest.raises(TypeError, match=r"messages/en/steps.py lacks the sentence steps.nameless"):
        reads(tier=Tier.VIEWER)(nameless_here)
    assert "nameless_here" not in TOOLS


def test_a_name_is_given_once() -> None:
    async def lookup_client(ctx: RunContext[Deps], query: Name) -> None:
        """Do it."""

    with pytest.raises(TypeError, match="one of that name"):
        reads(tier=Tier.VIEWER)(lookup_client)


def test_every_tool_is_declared_with_tier_title_and_skill() -> None:
    changing = {spec.name: spec.rule.tier for spec in TOOLS.values() if spec.rule.changes}
    assert changing == snapshot(
        {
            "sync_accounts": Tier.ADMIN,
            "assign_person": Tier.ADMIN,
            "remove_assignment": Tier.ADMIN,
            "create_brand": Tier.ADMIN,
            "update_brand": Tier.ADMIN,
            "cc_brand_delete": Tier.ADMIN,
            "create_client": Tier.ADMIN,
            "change_tasks": Tier.MEMBER,
            "cc_client_update": Tier.ADMIN,
            "link_channel": Tier.ADMIN,
            "kpi_target_upsert": Tier.ADMIN,
            "import_records": Tier.ADMIN,
            "apply_remediation": Tier.ADMIN,
            "sop_sync_run": Tier.ADMIN,
            "kpi_result_upsert": Tier.MEMBER,
            "name_procedure": Tier.ADMIN,
            "decide_document": Tier.ADMIN,
            "clickup_task_update": Tier.MEMBER,
            "create_task": Tier.MEMBER,
            "run_retry": Tier.ADMIN,
            "set_alert_channel": Tier.ADMIN,
            "remember": Tier.MEMBER,
            "remind": Tier.MEMBER,
            "cc_clickup_space_sync": Tier.ADMIN,
            "cc_clickup_space_classify": Tier.ADMIN,
            "ask_regularly": Tier.MEMBER,
            "keep_account_separate": Tier.ADMIN,
            "watch_client": Tier.MEMBER,
            "forget": Tier.MEMBER,
            "clickup_task_checklist": Tier.MEMBER,
            "comment_on_task": Tier.MEMBER,
            "cc_team_member_create": Tier.ADMIN,
            "cc_team_member_update": Tier.ADMIN,
            "cc_team_member_archive": Tier.ADMIN,
        }
    )
    assert TOOLS["create_task"].effect is CreateTask
    assert TOOLS["create_task"].rule.tier is Tier.MEMBER
    assert all(spec.title and "_" not in spec.title for spec in TOOLS.values())
    assert {name: spec.skill_id for name, spec in TOOLS.items()} == snapshot(
        {
            "lookup_client": "cc_client_lookup",
            "assign_person": "cc_assignment_upsert",
            "read_attached_file": "read_attached_file",
            "remove_assignment": "cc_assignment_remove",
            "create_brand": "cc_brand_create",
            "update_brand": "cc_brand_update",
            "lookup_brand": "cc_brand_list_all",
            "resolve_brand": "cc_resolve_scope",
            "get_client_context": "client_context_builder",
            "kpi_target_lookup": "kpi_target_lookup",
            "list_records": "list_records",
            "cc_policy_explain": "cc_policy_explain",
            "compare_accounts": "compare_accounts",
            "sync_accounts": "sync_accounts",
            "kpi_target_upsert": "kpi_target_upsert",
            "audit_brand_mappings": "cc_brand_clickup_mapping_audit",
            "cc_brand_delete": "cc_brand_delete",
            "cc_brand_mapping_remediation_preview": "cc_brand_mapping_remediation_preview",
            "change_tasks": "clickup_tasks_update",
            "create_client": "create_client",
            "cc_client_update": "cc_client_update",
            "read_task": "clickup_task_read",
            "client_risks": "client_risks",
            "link_channel": "link_channel",
            "apply_remediation": "cc_brand_mapping_remediation_apply",
            "sop_sync_run": "sop_sync_run",
            "finished_tasks": "clickup_task_finished",
            "list_waiting_documents": "kb_waiting",
            "client_brief": "client_brief",
            "import_records": "import_records",
            "export_records": "export_records",
            "decide_document": "kb_decide",
            "list_unanswered_questions": "kb_gaps",
            "cc_org_chart_ascii": "cc_org_chart_ascii",
            "load_prior_skill_result": "load_prior_skill_result",
            "read_guide": "guide_read",
            "name_procedure": "kb_name",
            "kpi_result_upsert": "kpi_result_upsert",
            "calculate": "calculate",
            "read_conversation": "slack_read",
            "search_messages": "slack_search",
            "search_kb": "sop_lookup",
            "read_procedure": "sop_read",
            "clickup_task_update": "clickup_task_update",
            "list_tasks": "clickup_task_list_weekly",
            "run_status_lookup": "run_status_lookup",
            "error_digest": "error_digest",
            "event_dedupe_audit": "event_dedupe_audit",
            "usage_cost_report": "usage_cost_report",
            "create_task": "clickup_task_create",
            "run_retry": "run_retry",
            "set_alert_channel": "set_alert_channel",
            "remember": "remember_client_note",
            "list_own_changes": "list_own_changes",
            "recall": "list_client_notes",
            "catalog_lookup": "catalog_lookup",
            "clickup_task_quality_gate": "clickup_task_quality_gate",
            "clickup_task_duplicate_check": "clickup_task_duplicate_check",
            "remind": "remind",
            "forget": "forget_client_note",
            "research": "research",
            "cc_role_lookup": "cc_role_lookup",
            "cc_assignment_matrix": "cc_assignment_matrix",
            "cc_role_capacity_snapshot": "cc_role_capacity_snapshot",
            "cc_clickup_space_list": "cc_clickup_space_list",
            "cc_clickup_space_sync": "cc_clickup_space_sync",
            "cc_clickup_space_classify": "cc_clickup_space_classify",
            "keep_account_separate": "keep_account_separate",
            "ask_regularly": "ask_regularly",
            "watch_client": "watch_client",
            "delegate_planner": "delegate_planner",
            "clickup_task_checklist": "clickup_task_checklist",
            "comment_on_task": "clickup_task_comment",
            "search_tasks": "clickup_task_search",
            "export_tasks": "clickup_task_export",
            "cc_team_member_lookup": "cc_team_member_lookup",
            "cc_team_member_create": "cc_team_member_create",
            "cc_team_member_update": "cc_team_member_update",
            "cc_team_member_archive": "cc_team_member_archive",
        }
    )
