"""What a person may do in a place, and what would change that."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, TypeVar
from uuid import UUID

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.closeness import words_of
from agencyclaw.domain.names import ALIKE, likeness
from agencyclaw.domain.people import Actor, ScopeKind, Surface, Tier
from agencyclaw.domain.policy import (
    AGENCY_WIDE,
    Decision,
    Deny,
    Rule,
    Shows,
    Switches,
    Terms,
    decide,
    terms_of,
)
from agencyclaw.domain.text import counted, folded, one_line
from agencyclaw.tools.arguments import Name
from agencyclaw.tools.catalogue import TOOLS, reads
from agencyclaw.tools.clients import find_client
from agencyclaw.tools.people import admin_names
from agencyclaw.tools.policy_checks import connected, has_needs
from agencyclaw.tools.results import Ask, Result

T = TypeVar("T")
NOT_KNOWN = "Nothing like that is built; this is all there is."
WAITS = "What prepares a change only prepares it: this person confirms it on its card."
_WITHHELD = "What you can't do for this person, and who may; when they ask for it, say so:"
_ELSEWHERE = "- in a direct message, or in a channel of the agency's own"
_PLACES = {
    ScopeKind.INTERNAL: "a place of the agency's own",
    ScopeKind.CLIENT_SCOPED: "a client's channel",
    ScopeKind.UNKNOWN: "a channel that is linked to nobody",
}


@dataclass(frozen=True)
class Permission:
    """One tool in a person's words, the decision on it, and the terms it rests on."""

    what: str
    rule: Rule
    terms: Terms
    decision: Decision

    @property
    def is_allowed(self) -> bool:
        """Whether it may be used."""
        return not isinstance(self.decision, Deny)


class _Asking(NamedTuple):
    """Who asks, where, under which switches, and for which client."""

    actor: Actor
    surface: Surface
    switches: Switches
    client_id: UUID | None


def permissions(
    held: object, actor: Actor, surface: Surface, switches: Switches, client_id: UUID | None = None
) -> list[Permission]:
    """Return every tool that has what it needs, with the decision on it here, or for one client.

    Includes disabled tools, because somebody may ask for them. `held` as of `has_needs`.
    """
    decided = _decided(_Asking(actor, surface, switches, client_id))
    return [one for one in decided if has_needs(held, TOOLS[one.rule.skill])]


def permitted(actor: Actor, surface: Surface, switches: Switches) -> frozenset[str]:
    """Return the tools that may be used here."""
    return _permitted(_Asking(actor, surface, switches, None))


@lru_cache(maxsize=256)
def _permitted(asking: _Asking) -> frozenset[str]:
    return frozenset(one.rule.skill for one in _decided(asking) if one.is_allowed)


# The same people ask in the same places, and every answer needs all of the decisions.
@lru_cache(maxsize=256)
def _decided(asking: _Asking) -> tuple[Permission, ...]:
    rules = (replace(spec.rule, client_id=asking.client_id) for spec in TOOLS.values())
    return tuple(_permission(rule, asking.actor, asking.surface, asking.switches) for rule in rules)


def _permission(rule: Rule, actor: Actor, surface: Surface, switches: Switches) -> Permission:
    spoken = f"{rule.title[:1].lower()}{rule.title[1:]}"
    terms = terms_of(rule, surface, switches)
    return Permission(spoken, rule, terms, decide(actor, surface, rule, switches))


_BY_TIER = frozenset({"viewer_mutation_denied", "admin_skill_denied", "tier_too_low"})


def withheld(deps: Deps) -> str:
    """Return what only a higher tier may use, or only elsewhere, for the instructions; "" if none.

    The model is not offered it, and would otherwise say that it does not exist.
    """
    return _withheld(_Asking(deps.actor, deps.surface, connected(deps), None))


@lru_cache(maxsize=256)
def _withheld(asking: _Asking) -> str:
    denied = [one for one in _decided(asking) if isinstance(one.decision, Deny)]
    by_tier = [one for one in denied if one.decision.reason in _BY_TIER]
    titles = {
        f"- {_may(tier)}": _each_once(p.what for p in by_tier if _least_tier(p) is tier)
        for tier in (Tier.MEMBER, Tier.ADMIN, Tier.SUPER_ADMIN)
    }
    titles[_ELSEWHERE] = _each_once(p.what for p in denied if p.decision.reason == AGENCY_WIDE)
    lines = [f"{who}: {', '.join(whats)}." for who, whats in titles.items() if whats]
    return "\n".join([_WITHHELD, *lines]) if lines else ""


def _least_tier(permission: Permission) -> Tier:
    """Return the lowest tier that may use it; viewers prepare nothing, whatever the tool says."""
    least = Tier.MEMBER if permission.rule.changes else Tier.VIEWER
    return max(permission.terms.tier, least)


def _may(tier: Tier) -> str:
    label = tier.spoken
    return f"{'an' if label[0] in 'aeiou' else 'a'} {label} may"


class Disallowed(Result):
    """What this person may not do here, why, who may, and what would change that."""

    what: str
    reason: str
    why: str
    needs_at_least: str
    what_would_change_it: str


class PolicyAnswer(Result):
    """What one person may do in one place."""

    rights: str
    place: str
    client: str | None = None
    brand: str | None = None
    may_look_up: tuple[str, ...] = ()
    may_prepare: tuple[str, ...] = ()
    may_not: tuple[Disallowed, ...] = ()
    admins: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    note: str


@reads(tier=Tier.VIEWER, shows=Shows.NOTHING, on_demand=True)
async def cc_policy_explain(
    ctx: RunContext[Deps], about: Name | None = None, client: Name | None = None
) -> PolicyAnswer | Ask:
    """Explain what this person is allowed to do here (permissions, rights), why not, who may.

    Args:
        about: Only what has this word in it, such as "task" or "brand"; leave out for all.
        client: For this client; leave out for the place as it is.
    """
    deps = ctx.deps
    found = await find_client(deps, client) if client and folded(client) else None
    if isinstance(found, Ask):
        return found
    client_id = found.client.id if found else None
    all_permissions = permissions(deps, deps.actor, deps.surface, deps.switches, client_id)
    matches = [permission for permission in all_permissions if _is_about(permission, about)]
    shown = matches or all_permissions
    allowed = [permission for permission in shown if permission.is_allowed]
    return PolicyAnswer(
        rights=deps.actor.tier.spoken,
        place=_PLACES[deps.surface.scope],
        client=one_line(found.client.name, 120) if found else deps.scope.client_name,
        brand=None if found else deps.scope.brand_name,
        may_look_up=_each_once(one.what for one in allowed if not one.rule.changes),
        may_prepare=_each_once(one.what for one in allowed if one.rule.changes),
        may_not=_each_once(
            _refused(one, one.decision) for one in shown if isinstance(one.decision, Deny)
        ),
        admins=tuple(await admin_names(deps)),
        limits=_each_once(
            f"{one.what}: {counted(limit.calls_per_hour, 'time')} an hour"
            for one in allowed
            if (limit := one.terms.limit)
        ),
        note=WAITS if matches or not folded(about or "") else f"{NOT_KNOWN} {WAITS}",
    )


def _each_once(things: Iterable[T]) -> tuple[T, ...]:
    """Return things without repetition: tools for one purpose share a title."""
    return tuple(dict.fromkeys(things))


def _is_about(permission: Permission, about: str | None) -> bool:
    words = words_of(about or "")
    terms = words_of(f"{permission.what} {permission.rule.skill}")
    return bool(words) and all(
        any(likeness(word, term) >= ALIKE for term in terms) for word in words
    )


def _refused(permission: Permission, denied: Deny) -> Disallowed:
    return Disallowed(
        what=permission.what,
        reason=denied.reason,
        why=denied.message,
        needs_at_least=_least_tier(permission).spoken,
        what_would_change_it=denied.remedy,
    )
