"""What admins decided about tools: the narrower decision wins, field by field."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest

from agencyclaw.domain.bulk_changes import UpdateTasks
from agencyclaw.domain.clients import Named
from agencyclaw.domain.people import Actor, ScopeKind, Surface, SurfaceKind, Tier
from agencyclaw.domain.policy import (
    Allow,
    Deny,
    Limit,
    Override,
    Rule,
    Switches,
    decide,
    decide_effect,
    terms_of,
    used_up,
)
from agencyclaw.domain.task_changes import TaskFacts, UpdateTask

GLINTLY, PAWTRAIL = UUID(int=1), UUID(int=2)
TEAM = "T0LANTERN"
READ = Rule("list_tasks", changes=False, tier=Tier.VIEWER)
CHANGE = Rule("create_task", changes=True, tier=Tier.MEMBER)
UPDATE = Rule("update_task", changes=True, tier=Tier.ADMIN)
ON = frozenset({"list_tasks", "create_task", "update_task"})


def surface(
    scope: ScopeKind = ScopeKind.INTERNAL,
    client_id: UUID | None = None,
    *,
    kind: SurfaceKind = SurfaceKind.THREAD,
    team: str = TEAM,
    channel: str = "C01OPS",
) -> Surface:
    return Surface(kind=kind, scope=scope, client_id=client_id, team_id=team, channel_id=channel)


def everywhere(tool: str = "create_task", **decided: Any) -> Override:
    return Override(tool=tool, scope="global", **decided)


def in_team(team: str = TEAM, tool: str = "create_task", **decided: Any) -> Override:
    return Override(tool=tool, scope="team", scope_id=team, **decided)


def for_client(client: UUID = GLINTLY, tool: str = "create_task", **decided: Any) -> Override:
    return Override(tool=tool, scope="client", scope_id=str(client), **decided)


def reason(
    rule: Rule,
    *overrides: Override,
    tier: Tier = Tier.MEMBER,
    where: Surface | None = None,
    on: frozenset[str] = ON,
) -> str:
    who = Actor(profile_id=UUID(int=9), name="Miguel", tier=tier, slack_user_id="U1")
    return decide(who, where or surface(), rule, Switches(on, overrides)).reason


def test_an_override_switches_off_what_the_catalogue_has_on() -> None:
    assert reason(CHANGE, everywhere(enabled=False)) == "skill_disabled"


def test_what_the_catalogue_has_off_no_override_switches_on() -> None:
    assert reason(CHANGE, everywhere(enabled=True), on=frozenset()) == "skill_disabled"


def test_the_narrower_decision_wins_whatever_the_order() -> None:
    wide, narrow = everywhere(enabled=False), in_team(enabled=True)

    assert reason(CHANGE, wide, narrow) == reason(CHANGE, narrow, wide) == "allowed"
    assert reason(CHANGE, everywhere(enabled=True), in_team(enabled=False)) == "skill_disabled"


def test_what_a_narrower_decision_leaves_open_the_wider_decides() -> None:
    where = surface(ScopeKind.CLIENT_SCOPED, GLINTLY)
    switches = Switches(
        ON,
        (
            for_client(calls_per_hour=3),
            everywhere(tier=Tier.ADMIN, calls_per_hour=9),
            in_team(channels=("C01OPS",)),
        ),
    )

    terms = terms_of(CHANGE, where, switches)

    assert (terms.tier, terms.channels) == (Tier.ADMIN, ("C01OPS",))
    assert terms.limit == Limit(3, GLINTLY)


def test_a_decision_about_another_workspace_client_or_tool_is_none() -> None:
    others = (
        in_team("T0OTHER", enabled=False),
        for_client(PAWTRAIL, enabled=False),
        everywhere("list_tasks", enabled=False),
    )
    assert reason(CHANGE, *others, where=surface(ScopeKind.CLIENT_SCOPED, GLINTLY)) == "allowed"


def test_a_client_is_that_of_the_effect_or_else_of_the_channel() -> None:
    closed = for_client(enabled=False)
    about_it = Rule("create_task", changes=True, tier=Tier.MEMBER, client_id=GLINTLY)
    about_another = Rule("create_task", changes=True, tier=Tier.MEMBER, client_id=PAWTRAIL)

    assert reason(about_it, closed) == "skill_disabled"
    assert reason(about_another, closed) == "allowed"
    assert reason(CHANGE, closed) == "allowed"
    in_channel = surface(ScopeKind.CLIENT_SCOPED, GLINTLY)
    assert reason(CHANGE, closed, where=in_channel) == "skill_disabled"


@pytest.mark.parametrize(
    ("rule", "decided", "tier", "expected"),
    [
        (CHANGE, Tier.ADMIN, Tier.MEMBER, "admin_skill_denied"),
        (CHANGE, Tier.ADMIN, Tier.ADMIN, "allowed"),
        (UPDATE, Tier.MEMBER, Tier.MEMBER, "allowed"),
        (READ, Tier.MEMBER, Tier.VIEWER, "tier_too_low"),
        (READ, Tier.SUPER_ADMIN, Tier.ADMIN, "admin_skill_denied"),
        (CHANGE, Tier.MEMBER, Tier.VIEWER, "viewer_mutation_denied"),
    ],
)
def test_a_tier_is_raised_or_lowered_but_never_for_a_viewers_change(
    rule: Rule, decided: Tier, tier: Tier, expected: str
) -> None:
    assert reason(rule, everywhere(rule.skill, tier=decided), tier=tier) == expected


def test_channels_are_the_only_ones_and_dm_is_the_word_for_direct_messages() -> None:
    only_ops = everywhere(channels=("C01OPS",))
    only_dm = everywhere(channels=("dm",))
    dm = surface(kind=SurfaceKind.DM, channel="D01MIG")
    terminal = surface(kind=SurfaceKind.TERMINAL, channel="terminal")

    assert reason(CHANGE, only_ops) == "allowed"
    assert reason(CHANGE, only_ops, where=surface(channel="C01BRIGHT")) == "channel_not_allowed"
    assert reason(CHANGE, only_ops, where=dm) == "channel_not_allowed"
    assert reason(CHANGE, only_dm) == "channel_not_allowed"
    assert reason(CHANGE, only_dm, where=dm) == reason(CHANGE, only_dm, where=terminal) == "allowed"


def test_a_look_up_that_has_to_be_confirmed_is_refused_and_a_change_always_is() -> None:
    asked = everywhere("list_tasks", requires_confirmation=True)

    assert reason(READ, asked) == "confirmation_required"
    assert reason(CHANGE, everywhere(requires_confirmation=True)) == "allowed"
    assert terms_of(CHANGE, surface(), Switches(ON)).requires_confirmation


def test_every_refusal_says_what_would_change_it() -> None:
    free_at = datetime(2026, 11, 18, 10, 30, tzinfo=UTC)
    refused = [
        decide(None, None, None),
        decide(
            Actor(profile_id=GLINTLY, name="P", tier=Tier.VIEWER, slack_user_id="U"), None, None
        ),
    ]
    assert all(isinstance(one, Deny) and one.message for one in refused)
    late = used_up(Allow(), Limit(5), free_at)

    assert late.reason == "rate_limited"
    assert late.message == (
        "You have used that 5 times within the last hour, which is as often as an admin allows. "
        "It is free again at 10:30."
    )
    assert late.remedy
    assert "no uses at all" in used_up(Allow(), Limit(0), free_at).message


def test_a_change_of_many_is_refused_where_one_of_its_changes_is() -> None:
    client = Named(id=GLINTLY, name="Glintly Inc")
    task = UpdateTask(
        client=client,
        task_id="86k1",
        url="x",
        before=TaskFacts(title="Banner"),
        after=TaskFacts(title="Banner 2"),
    )
    change = UpdateTasks(tasks=(task,))
    on = frozenset({UpdateTask.skill, UpdateTasks.skill})
    who = Actor(profile_id=UUID(int=9), name="Miguel", tier=Tier.MEMBER, slack_user_id="U1")

    def decided(*overrides: Override) -> str:
        return decide_effect(who, surface(), change, Switches(on, overrides)).reason

    assert decided() == "allowed"
    assert decided(in_team(tool=UpdateTask.skill, enabled=False)) == "skill_disabled"
    assert decided(for_client(tool=UpdateTask.skill, enabled=False)) == "skill_disabled"
    assert decided(in_team(tool=UpdateTasks.skill, enabled=False)) == "skill_disabled"
