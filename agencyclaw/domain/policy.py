"""The one policy: who may do what where. Offered, called and executed are judged by this code."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from agencyclaw.domain.effects import CreateTask
from agencyclaw.domain.people import Actor, ScopeKind, Surface, Tier


@dataclass(frozen=True)
class Rule:
    """What a tool declares about itself, or what an effect is; only that knows its client."""

    skill: str
    changes: bool
    tier: Tier
    title: str = ""
    client_id: UUID | None = None


def rule_of(effect: CreateTask) -> Rule:
    """Return the rule an effect is judged by when a person releases it."""
    return Rule(effect.skill, changes=True, tier=effect.tier, client_id=effect.client.id)


@dataclass(frozen=True)
class Allow:
    """Go on."""

    reason: str = "allowed"
    meta: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True)
class Deny:
    """Stop: `reason` is for the audit, `message` for the person."""

    reason: str
    message: str
    meta: dict[str, Any] = field(default_factory=dict[str, Any])


Decision = Allow | Deny

_UNKNOWN_PLACE = (
    "I can't prepare changes in this channel, because nobody has said which client it belongs to. "
    "Ask me in a direct message, or ask an admin to bind this channel."
)
# The words of "not found": a client's channel does not say which other clients there are.
_OTHER_CLIENT = "I couldn't find that client among those you can see here."
_VIEWER = "You have read access, so I can look things up for you but not prepare changes."


def decide(
    actor: Actor | None, surface: Surface | None, rule: Rule | None, *, is_enabled: bool = True
) -> Decision:
    """Judge one use of one tool by one person in one place; every answer carries its reason."""
    meta = {
        "actor_tier": actor.tier.label if actor else None,
        "surface": surface.kind.value if surface else None,
        "scope": surface.scope.value if surface else None,
        "skill": rule.skill if rule else None,
    }
    if actor is None:
        return Deny("unknown_actor", "I don't know who you are yet.", meta)
    if surface is None:
        return Deny("unknown_surface", "I don't know this place.", meta)
    if rule is None:
        return Deny("unknown_skill", "I can't do that.", meta)
    if not is_enabled:
        return Deny("skill_disabled", "An admin has switched that off.", meta)
    return _judge(actor, surface, rule, meta)


def _judge(actor: Actor, surface: Surface, rule: Rule, meta: dict[str, Any]) -> Decision:
    if rule.changes and actor.tier is Tier.VIEWER:
        return Deny("viewer_mutation_denied", _VIEWER, meta)
    if actor.tier < rule.tier:
        if rule.tier >= Tier.ADMIN:
            return Deny("admin_skill_denied", "That needs an admin of your agency.", meta)
        return Deny("tier_too_low", "Your access does not include that.", meta)
    if rule.changes and surface.scope is ScopeKind.UNKNOWN:
        return Deny("unknown_scope_mutation", _UNKNOWN_PLACE, meta)
    if _is_of_another_client(surface, rule):
        return Deny("other_client", _OTHER_CLIENT, meta)
    return Allow(meta=meta)


def _is_of_another_client(surface: Surface, rule: Rule) -> bool:
    is_bound = surface.scope is ScopeKind.CLIENT_SCOPED
    return is_bound and rule.client_id is not None and rule.client_id != surface.client_id
