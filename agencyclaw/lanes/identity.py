"""Who speaks, and where: stored ids become an Actor and a Surface, or a refusal."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

import logfire

from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.people import (
    Actor,
    Membership,
    Place,
    ProfileFacts,
    ScopeKind,
    Surface,
    SurfaceKind,
    Tier,
)
from agencyclaw.domain.receipts import Incoming
from agencyclaw.store.jobs import DEBUG, TERMINAL

UNVERIFIED = "membership_unknown"
_UNLINKED = (
    "I don't know you yet: no team profile carries your Slack account, so I can't look anything up "
    "or prepare work for you. Please ask an admin to link your Slack account to your profile."
)
_DOUBLED = (
    "Your Slack account is on more than one team profile, so I can't be sure who you are. "
    "Please ask an admin to leave it on one profile only."
)
_INACTIVE = (
    "Your team profile is marked as inactive, so I can't help you here. "
    "An admin can set it to active again."
)


_GUEST = (
    "In this Slack you are a guest, and I only work with full members of the team, so I can't look "
    "anything up or prepare work for you. Nothing was changed. Please ask somebody of the agency."
)
_OUTSIDER = (
    "You are from another company's Slack, and I only work with members of this one, so I can't "
    "look anything up or prepare work for you. Nothing was changed. Please ask somebody of the "
    "agency."
)
_GONE = "Slack tells me that this account is no longer active, so I did nothing with it."
_UNVERIFIED = (
    "I couldn't check with Slack just now who you are, so I did nothing. Nothing was changed. "
    "Please try again in a minute; if it stays like this, ask an admin to look at my permissions "
    "in Slack."
)
_REFUSED = {
    Membership.GUEST: ("guest_actor", _GUEST),
    Membership.OUTSIDER: ("external_actor", _OUTSIDER),
    Membership.GONE: ("inactive_account", _GONE),
}


class Members(Protocol):
    """Slack's own word about people."""

    async def membership(self, team_id: str, slack_user_id: str) -> Membership:
        """Return how far a person belongs to a workspace; raises when that can't be known."""
        ...


class People(Protocol):
    """The look-ups identity needs."""

    async def profiles_by_slack_id(self, slack_user_id: str) -> list[ProfileFacts]:
        """Return every profile that carries this Slack id."""
        ...

    async def binding(self, team_id: str, channel_id: str) -> tuple[str, UUID | None] | None:
        """Return scope and client of a channel, or None when nobody bound it."""
        ...


@dataclass(frozen=True)
class Known:
    """A person we know, in a place we understand."""

    actor: Actor
    surface: Surface


@dataclass(frozen=True)
class Stranger:
    """Somebody we must not act for, with the reason for the audit and the words for them."""

    reason: str
    message: str


async def identify(
    people: People,
    members: Members | None,
    place: Place,
    slack_user_id: str,
    super_admins: frozenset[UUID],
) -> Known | Stranger:
    """Resolve who speaks: a full member of the workspace with exactly one active profile.

    Without `members` nobody is asked about: at a terminal there is no Slack.
    """
    profiles = await people.profiles_by_slack_id(slack_user_id)
    if not profiles:
        return Stranger("unlinked_actor", _UNLINKED)
    if len(profiles) > 1:
        return Stranger("doubly_linked_actor", _DOUBLED)
    profile = profiles[0]
    if profile.employment_status == "inactive":
        return Stranger("inactive_actor", _INACTIVE)
    stranger, surface = await asyncio.gather(
        _not_of_us(members, place, slack_user_id), _surface(people, place)
    )
    if stranger:
        return stranger
    actor = Actor(
        profile_id=profile.id,
        name=profile.name,
        tier=tier_of(profile, super_admins),
        slack_user_id=slack_user_id,
        clickup_user_id=profile.clickup_user_id,
        timezone=profile.timezone,
    )
    return Known(actor, surface)


def seen_from(incoming: Incoming, who: Known | Stranger) -> Known | Stranger:
    """Return the same, in a channel itself where a message begins a thread of its own."""
    begins = incoming.slack_ts == incoming.place.thread_ts
    if not begins or isinstance(who, Stranger) or who.surface.kind is not SurfaceKind.THREAD:
        return who
    return Known(who.actor, who.surface.model_copy(update={"kind": SurfaceKind.CHANNEL}))


async def _not_of_us(members: Members | None, place: Place, slack_user_id: str) -> Stranger | None:
    """Return why Slack does not vouch for this person; what can't be known counts as no."""
    if members is None or place.team_id == TERMINAL:
        return None
    try:
        found = await members.membership(place.team_id, slack_user_id)
    except AgencyClawError as error:
        logfire.warn("membership unknown", error=type(error).__name__)
        return Stranger(UNVERIFIED, _UNVERIFIED)
    return Stranger(*_REFUSED[found]) if found in _REFUSED else None


def tier_of(profile: ProfileFacts, super_admins: frozenset[UUID]) -> Tier:
    """Return the tier: the configured list, then the admin flag, then the viewer role."""
    if profile.id in super_admins:
        return Tier.SUPER_ADMIN
    if profile.is_admin:
        return Tier.ADMIN
    return Tier.VIEWER if profile.role == "viewer" else Tier.MEMBER


async def _surface(people: People, place: Place) -> Surface:
    """Return the surface; a DM of a known person is internal, an unbound channel unknown."""
    kind, scope, client_id = await _kind_and_scope(people, place)
    return Surface(
        kind=kind,
        scope=scope,
        client_id=client_id,
        team_id=place.team_id,
        channel_id=place.channel_id,
    )


async def _kind_and_scope(
    people: People, place: Place
) -> tuple[SurfaceKind, ScopeKind, UUID | None]:
    if place.team_id == TERMINAL:
        return SurfaceKind.TERMINAL, ScopeKind.INTERNAL, None
    if place.team_id == DEBUG:
        return SurfaceKind.TERMINAL, ScopeKind.UNKNOWN, None
    if place.is_direct:
        return SurfaceKind.DM, ScopeKind.INTERNAL, None
    bound = await people.binding(place.team_id, place.channel_id)
    if bound is None:
        return SurfaceKind.THREAD, ScopeKind.UNKNOWN, None
    scope, client_id = bound
    return SurfaceKind.THREAD, ScopeKind(scope), client_id
