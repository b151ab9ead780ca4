"""The policy: who may use which tool where; asked at offer, call, confirmation and execution."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal, TypeVar
from uuid import UUID

from agencyclaw.domain.changes import Change, EffectScope
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor, ScopeKind, Surface, Tier, Value

DIRECT = "dm"
AGENCY_WIDE = "agency_wide"
T = TypeVar("T")


class Shows(StrEnum):
    """Whose data a tool shows, which decides who may read along.

    - NOTHING: nothing about clients
    - THEIRS: what a client may see of itself
    - OURS: what the agency knows
    - NOTES: what somebody wrote for themselves, or only admins may see; never shown in a channel
    """

    NOTHING = "nothing"
    THEIRS = "theirs"
    OURS = "ours"
    NOTES = "notes"


class Answering(StrEnum):
    """Where a tool's result may be shown: here, in the asker's DM, or nowhere."""

    HERE = "here"
    DIRECT = "direct"
    NOWHERE = "nowhere"


@dataclass(frozen=True)
class Rule:
    """What a tool or effect itself requires; only an effect has a client."""

    skill: str
    changes: bool
    tier: Tier
    title: str = ""
    client_id: UUID | None = None
    scope: EffectScope | None = None
    shows: Shows = Shows.OURS


class Override(Value):
    """An admin's decision about a tool: everywhere, in one workspace, or for one client.

    `channels` are Slack ids, with "dm" for direct messages; empty means everywhere.
    """

    tool: str
    scope: Literal["global", "team", "client"]
    scope_id: str | None = None
    enabled: bool | None = None
    tier: Tier | None = None
    requires_confirmation: bool | None = None
    channels: tuple[str, ...] = ()
    calls_per_hour: int | None = None

    def is_about(self, rule: Rule, team_id: str, client_id: UUID | None) -> bool:
        """Return whether it applies to this tool, here, for this client."""
        here = {"global": self.scope_id, "team": team_id, "client": str(client_id)}[self.scope]
        return self.tool == rule.skill and self.scope_id == here


@dataclass(frozen=True)
class Switches:
    """Which tools are enabled, and the admins' overrides."""

    enabled: frozenset[str]
    overrides: tuple[Override, ...] = ()

    def without(self, *tools: str) -> Switches:
        """Return them with some tools disabled."""
        return replace(self, enabled=self.enabled.difference(tools))


@dataclass(frozen=True)
class Limit:
    """How many calls an hour a person may make; with a client, counted for that client."""

    calls_per_hour: int
    client_id: UUID | None = None


@dataclass(frozen=True)
class Terms:
    """What applies to a tool in one place, with every override."""

    is_enabled: bool
    tier: Tier
    requires_confirmation: bool
    channels: tuple[str, ...] = ()
    limit: Limit | None = None


_RANKS = ("global", "team", "client")


def terms_of(rule: Rule, surface: Surface, switches: Switches | None) -> Terms:
    """Return a tool's terms: for each field, the narrowest override decides.

    A tool disabled in the catalogue stays disabled, whatever an override says.
    """
    if switches is None:
        return Terms(is_enabled=True, tier=rule.tier, requires_confirmation=rule.changes)
    client_id = rule.client_id or surface.client_id
    about = [
        override
        for override in switches.overrides
        if override.is_about(rule, surface.team_id, client_id)
    ]
    about.sort(key=lambda override: _RANKS.index(override.scope))
    is_on = _last((override.enabled for override in about), True)
    wants_consent = _last((override.requires_confirmation for override in about), False)
    return Terms(
        is_enabled=rule.skill in switches.enabled and is_on,
        tier=_last((override.tier for override in about), rule.tier),
        requires_confirmation=rule.changes or wants_consent,
        channels=_last((override.channels or None for override in about), ()),
        limit=_last((_limit(override, client_id) for override in about), None),
    )


def _last(values: Iterable[T | None], otherwise: T) -> T:
    """Return the last value that is set."""
    for value in values:
        otherwise = otherwise if value is None else value
    return otherwise


def _limit(override: Override, client_id: UUID | None) -> Limit | None:
    if override.calls_per_hour is None:
        return None
    return Limit(override.calls_per_hour, client_id if override.scope == "client" else None)


@dataclass(frozen=True)
class Allow:
    """Allowed, within a limit if there is one."""

    reason: str = "allowed"
    meta: dict[str, Any] = field(default_factory=dict[str, Any])
    limit: Limit | None = None


@dataclass(frozen=True)
class Deny:
    """Refused: `reason` for the audit, `message` for the person, `remedy` what would change it."""

    reason: str
    message: str
    meta: dict[str, Any] = field(default_factory=dict[str, Any])
    remedy: str = ""


Decision = Allow | Deny

_HERE = Answering.HERE
NEEDS_SUPER_ADMIN = message("policy.needs_super_admin")
ABOUT_AGENCY = message("policy.agency_wide")

# What an admin can do about a refusal.
_UP_TO_ADMINS = {
    "unknown_actor": message("policy.unknown_actor"),
    "skill_disabled": message("policy.skill_disabled"),
    "viewer_mutation_denied": message("policy.viewer_mutation_denied"),
    "admin_skill_denied": message("policy.admin_skill_denied"),
    "tier_too_low": message("policy.tier_too_low"),
    "unknown_scope_mutation": message("policy.unknown_scope_mutation"),
    "channel_not_allowed": message("policy.channel_not_allowed"),
    "rate_limited": message("policy.rate_limited"),
    "client_out_of_reach": message("policy.client_out_of_reach"),
}
_REMEDIES = _UP_TO_ADMINS | {
    "unknown_skill": message("policy.unknown_skill"),
    "shared_channel": message("policy.shared_channel"),
    "other_client": message("policy.other_client_policy"),
    AGENCY_WIDE: message("policy.shared_channel"),
    "confirmation_required": message("policy.confirmation_required"),
}


def decide(
    actor: Actor | None,
    surface: Surface | None,
    rule: Rule | None,
    switches: Switches | None = None,
) -> Decision:
    """Judge one use of a tool by a person in a place; every answer carries its reason.

    Without `switches`, only person, place and rule are judged.
    """
    meta = {
        "actor_tier": actor.tier.label if actor else None,
        "surface": surface.kind.value if surface else None,
        "scope": surface.scope.value if surface else None,
        "skill": rule.skill if rule else None,
    }
    if actor is None:
        return _deny("unknown_actor", message("policy.dont_know_who_you"), meta)
    if surface is None:
        return _deny("unknown_surface", message("policy.dont_know_place"), meta)
    if rule is None:
        return _deny("unknown_skill", message("policy.cant_do"), meta)
    terms = terms_of(rule, surface, switches)
    if not terms.is_enabled:
        return _deny("skill_disabled", message("policy.admin_has_switched_off"), meta)
    refused = _judge_tier(actor, rule, terms) or _judge_place(surface, rule, terms)
    return _deny(*refused, meta) if refused else Allow(meta=meta, limit=terms.limit)


def decide_each(
    actor: Actor, surface: Surface, effect: Change, switches: Switches
) -> tuple[Decision, ...]:
    """Judge an effect once for each client it touches, or once if it touches none."""
    client_ids = [client.id for client in effect.clients] or [None]
    return tuple(
        decide(actor, surface, rule_of(type(effect), client_id), switches)
        for client_id in client_ids
    )


def rule_of(kind: type[Change], client_id: UUID | None) -> Rule:
    """Return what a kind of effect requires for a client, or for none."""
    return Rule(kind.skill, changes=True, tier=kind.tier, client_id=client_id, scope=kind.scope)


def decide_effect(actor: Actor, surface: Surface, effect: Change, switches: Switches) -> Decision:
    """Judge an effect as a whole: it is refused if one of its clients or parts is."""
    decisions = [
        decision
        for change in (effect, *effect.parts)
        for decision in decide_each(actor, surface, change, switches)
    ]
    return next((decision for decision in decisions if isinstance(decision, Deny)), decisions[0])


def used_up(decision: Allow, limit: Limit, free_at: datetime) -> Deny:
    """Return the refusal of a call beyond the limit."""
    if limit.calls_per_hour == 0:
        why = message("policy.admin_has_set_no")
    else:
        why = message(
            "policy.you_have_used_within", times=_times(limit.calls_per_hour), free_at=free_at
        )
    return _deny("rate_limited", why, decision.meta)


def is_up_to_admins(reason: str) -> bool:
    """Whether an admin can change something about a refusal."""
    return reason in _UP_TO_ADMINS


def help_with(reason: str, actor: Actor, surface: Surface, admins: Sequence[str]) -> str:
    """Return what an admin can change about a refusal, with admins' names; "" for admins.

    Where people of another company read along, nobody is named.
    """
    if actor.tier >= Tier.ADMIN or not is_up_to_admins(reason):
        return ""
    is_named = admins and not surface.is_shared
    names = message("policy.admins", names=", ".join(admins)) if is_named else ""
    return f"{_REMEDIES[reason]} {names}".rstrip()


def _times(count: int) -> str:
    return message("built.once") if count == 1 else message("built.times", count=count)


def _deny(reason: str, message: str, meta: dict[str, Any]) -> Deny:
    return Deny(reason, message, meta, _REMEDIES.get(reason, ""))


def _judge_tier(actor: Actor, rule: Rule, terms: Terms) -> tuple[str, str] | None:
    if rule.changes and actor.tier is Tier.VIEWER:
        return "viewer_mutation_denied", message("policy.viewer")
    if actor.tier < terms.tier:
        if terms.tier is Tier.SUPER_ADMIN:
            return "admin_skill_denied", NEEDS_SUPER_ADMIN
        if terms.tier is Tier.ADMIN:
            return "admin_skill_denied", message("policy.needs_admin_your_agency")
        return "tier_too_low", message("policy.your_access_does_not")
    return None


def _judge_place(surface: Surface, rule: Rule, terms: Terms) -> tuple[str, str] | None:
    if rule.changes and surface.is_shared:
        return "shared_channel", message("policy.shared")
    if surface.is_shared and _is_clients(surface) and answering(surface, rule.shows) is not _HERE:
        return "shared_channel", message("policy.shared_read")
    is_vouched = surface.scope is not ScopeKind.UNKNOWN or rule.scope is EffectScope.PLACE
    if rule.changes and not is_vouched:
        return "unknown_scope_mutation", message("policy.unknown_place")
    if _is_of_another_client(surface, rule):
        # Reads like "not found": a client's channel must not reveal which other clients there are.
        return "other_client", message("policy.other_client")
    if _is_clients(surface) and rule.scope is EffectScope.AGENCY:
        return AGENCY_WIDE, ABOUT_AGENCY
    if terms.channels and _place_word(surface) not in terms.channels:
        return "channel_not_allowed", message("policy.elsewhere")
    if terms.requires_confirmation and not rule.changes:
        return "confirmation_required", message("policy.unconfirmable")
    return None


def answered_in(surface: Surface, rule: Rule) -> Answering:
    """Return where the result of an allowed tool may be shown."""
    return _HERE if rule.changes else answering(surface, rule.shows)


def answering(surface: Surface, shows: Shows) -> Answering:
    """Return where such data may be shown."""
    if surface.is_private or shows is Shows.NOTHING:
        return _HERE
    if surface.is_shared:
        return _HERE if _is_clients(surface) and shows is Shows.THEIRS else Answering.NOWHERE
    if surface.scope is ScopeKind.UNKNOWN or shows is Shows.NOTES:
        return Answering.DIRECT
    return _HERE


def _is_clients(surface: Surface) -> bool:
    return surface.scope is ScopeKind.CLIENT_SCOPED


def _place_word(surface: Surface) -> str:
    return DIRECT if surface.is_private else surface.channel_id


def _is_of_another_client(surface: Surface, rule: Rule) -> bool:
    return _is_clients(surface) and rule.client_id not in (None, surface.client_id)
