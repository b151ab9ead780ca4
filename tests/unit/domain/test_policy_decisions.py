"""The one policy: every decision says why, and what it was about."""

from __future__ import annotations

from uuid import UUID

import pytest

from agencyclaw.domain.people import Actor, ScopeKind, Surface, SurfaceKind, Tier
from agencyclaw.domain.policy import Allow, Rule, Switches, decide, help_with

DM = Surface(kind=SurfaceKind.DM, scope=ScopeKind.INTERNAL)
NOWHERE = Surface(kind=SurfaceKind.THREAD, scope=ScopeKind.UNKNOWN)
READ = Rule("list_tasks", changes=False, tier=Tier.VIEWER)
CHANGE = Rule("create_task", changes=True, tier=Tier.MEMBER)
AUDIT = Rule("audit_brand_mappings", changes=False, tier=Tier.ADMIN)


def actor(tier: Tier) -> Actor:
    return Actor(profile_id=UUID(int=1), name="Ines Varga", tier=tier, slack_user_id="U01INES")


@pytest.mark.parametrize(
    ("tier", "surface", "rule", "reason"),
    [
        (Tier.MEMBER, DM, READ, "allowed"),
        (Tier.MEMBER, DM, CHANGE, "allowed"),
        (Tier.MEMBER, DM, AUDIT, "admin_skill_denied"),
        (Tier.VIEWER, DM, AUDIT, "admin_skill_denied"),
        (Tier.VIEWER, DM, CHANGE, "viewer_mutation_denied"),
        (Tier.ADMIN, NOWHERE, CHANGE, "unknown_scope_mutation"),
        (Tier.ADMIN, NOWHERE, READ, "allowed"),
        (Tier.ADMIN, DM, None, "unknown_skill"),
        (Tier.ADMIN, None, READ, "unknown_surface"),
        (None, DM, READ, "unknown_actor"),
    ],
)
def test_every_decision_carries_its_reason_and_what_it_was_about(
    tier: Tier | None, surface: Surface | None, rule: Rule | None, reason: str
) -> None:
    decision = decide(actor(tier) if tier else None, surface, rule)

    assert decision.reason == reason
    assert decision.meta == {
        "actor_tier": tier.label if tier else None,
        "surface": surface.kind.value if surface else None,
        "scope": surface.scope.value if surface else None,
        "skill": rule.skill if rule else None,
    }


def test_a_denial_has_words_for_the_person() -> None:
    decision = decide(actor(Tier.MEMBER), DM, AUDIT)

    assert not isinstance(decision, Allow)
    assert "needs an admin" in decision.message


def test_what_is_switched_off_is_denied() -> None:
    assert decide(actor(Tier.ADMIN), DM, READ, Switches(frozenset())).reason == "skill_disabled"


def test_admins_are_named_to_nobody_of_another_company_and_admins_are_sent_to_nobody() -> None:
    shared = NOWHERE.model_copy(update={"is_shared": True})
    helped = [
        help_with("viewer_mutation_denied", actor(tier), surface, ["Sara Lindqvist"])
        for tier, surface in ((Tier.VIEWER, NOWHERE), (Tier.VIEWER, shared), (Tier.ADMIN, NOWHERE))
    ]

    what = "An admin can change your role from viewer to member."
    assert helped == [f"{what} Admins: Sara Lindqvist.", what, ""]
