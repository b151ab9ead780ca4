"""The one policy: every decision says why, and by what it was judged."""

from __future__ import annotations

from itertools import product
from uuid import UUID

import pytest

from agencyclaw.domain.people import Actor, ScopeKind, Surface, SurfaceKind, Tier
from agencyclaw.domain.policy import Allow, Deny, Rule, Switches, decide

ONE, OTHER = UUID(int=1), UUID(int=2)
READ = Rule("list_tasks", changes=False, tier=Tier.VIEWER)
CHANGE = Rule("create_task", changes=True, tier=Tier.MEMBER)
ADMINS = Rule("audit_brand_mappings", changes=False, tier=Tier.ADMIN)
ADMINS_CHANGE = Rule("assign_person", changes=True, tier=Tier.ADMIN)


def an_actor(tier: Tier) -> Actor:
    return Actor(profile_id=ONE, name="Somebody", tier=tier, slack_user_id="U1")


def a_surface(scope: ScopeKind, client_id: UUID | None = None) -> Surface:
    return Surface(kind=SurfaceKind.THREAD, scope=scope, client_id=client_id)


INTERNAL = a_surface(ScopeKind.INTERNAL)


def reason(tier: Tier, rule: Rule, surface: Surface = INTERNAL) -> str:
    return decide(an_actor(tier), surface, rule).reason


@pytest.mark.parametrize(
    ("tier", "rule", "expected"),
    [
        (Tier.VIEWER, READ, "allowed"),
        (Tier.VIEWER, CHANGE, "viewer_mutation_denied"),
        (Tier.VIEWER, ADMINS, "admin_skill_denied"),
        (Tier.VIEWER, ADMINS_CHANGE, "viewer_mutation_denied"),
        (Tier.MEMBER, CHANGE, "allowed"),
        (Tier.MEMBER, ADMINS, "admin_skill_denied"),
        (Tier.MEMBER, ADMINS_CHANGE, "admin_skill_denied"),
        (Tier.ADMIN, ADMINS_CHANGE, "allowed"),
        (Tier.SUPER_ADMIN, ADMINS_CHANGE, "allowed"),
        (Tier.VIEWER, Rule("x", changes=False, tier=Tier.MEMBER), "tier_too_low"),
    ],
)
def test_a_tier_may_do_what_it_may(tier: Tier, rule: Rule, expected: str) -> None:
    assert reason(tier, rule) == expected


def test_a_place_nobody_vouched_for_takes_questions_only() -> None:
    unknown = a_surface(ScopeKind.UNKNOWN)

    assert reason(Tier.SUPER_ADMIN, CHANGE, unknown) == "unknown_scope_mutation"
    assert reason(Tier.VIEWER, READ, unknown) == "allowed"


def test_a_clients_channel_takes_work_for_that_client_only() -> None:
    surface = a_surface(ScopeKind.CLIENT_SCOPED, ONE)
    for client, expected in ((ONE, "allowed"), (OTHER, "other_client"), (None, "allowed")):
        rule = Rule("create_task", changes=True, tier=Tier.MEMBER, client_id=client)
        assert reason(Tier.SUPER_ADMIN, rule, surface) == expected


def test_what_is_switched_off_is_off_for_everybody() -> None:
    decision = decide(an_actor(Tier.SUPER_ADMIN), INTERNAL, READ, Switches(frozenset()))

    assert decision.reason == "skill_disabled"


def test_what_is_unknown_is_refused_in_order() -> None:
    actor = an_actor(Tier.SUPER_ADMIN)

    assert decide(None, None, None).reason == "unknown_actor"
    assert decide(actor, None, None).reason == "unknown_surface"
    assert decide(actor, INTERNAL, None).reason == "unknown_skill"


def test_every_decision_carries_its_reason_and_what_it_was_judged_by() -> None:
    scopes = [a_surface(scope, ONE) for scope in ScopeKind]
    for tier, surface, rule in product(Tier, scopes, (READ, CHANGE, ADMINS, ADMINS_CHANGE)):
        decision = decide(an_actor(tier), surface, rule)

        assert isinstance(decision, Allow | Deny)
        assert decision.reason
        assert decision.meta == {
            "actor_tier": tier.label,
            "surface": "thread",
            "scope": surface.scope.value,
            "skill": rule.skill,
        }
        assert isinstance(decision, Allow) or decision.message


def test_a_lower_tier_never_may_more() -> None:
    for surface, rule in product([a_surface(s, ONE) for s in ScopeKind], (READ, CHANGE, ADMINS)):
        allowed = [decide(an_actor(t), surface, rule).reason == "allowed" for t in sorted(Tier)]

        assert allowed == sorted(allowed)
