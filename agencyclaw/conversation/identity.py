"""Resolves who speaks and where: stored ids become an Actor and a Surface, or a refusal."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from uuid import UUID

import logfire

from agencyclaw.conversation.slack_ports import ChannelsPort, MembersPort, SlackPorts
from agencyclaw.domain.errors import AgencyClawError, NotGranted, Refused, Throttled
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import (
    Actor,
    ChannelFacts,
    ChannelKind,
    ChannelScope,
    Freshness,
    Membership,
    Place,
    ProfileFacts,
    ScopeKind,
    Surface,
    SurfaceKind,
    Tier,
)
from agencyclaw.domain.receipts import Incoming
from agencyclaw.proposals.identities import (
    WHO_YOU_ARE,
    Identify,
    Identity,
    Unidentified,
    Unverified,
    Who,
)
from agencyclaw.spans import traced
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.jobs import DEBUG, TERMINAL

UNVERIFIED = "membership_unknown"
UNPLACED = "channel_unknown"
_UNLINKED = message("identity.unlinked")
_DOUBLED = message("identity.doubled")
_INACTIVE = message("identity.inactive")
_GUEST = message("identity.outside", who=message("identity.guest"))
_OUTSIDER = message("identity.outside", who=message("identity.outsider"))
_GONE = message("identity.gone")
_NOT_GRANTED = message("identity.not_granted")
_NOT_GRANTED_CHANNELS = message("identity.not_granted_channels")
_UNSEEN = message("identity.unseen")
WHAT_IT_IS = message("identity.what_it_is")
_REFUSED = {
    Membership.GUEST: ("guest_actor", _GUEST),
    Membership.OUTSIDER: ("external_actor", _OUTSIDER),
    Membership.GONE: ("inactive_account", _GONE),
}


@dataclass(frozen=True)
class _NoAnswer:
    """Slack is away, and may be asked again after some seconds."""

    after_s: float

    @classmethod
    def because_of(cls, error: AgencyClawError) -> _NoAnswer:
        return cls(error.after if isinstance(error, Throttled) else 0.0)


async def identify(
    directory: DirectoryReader,
    slack: SlackPorts,
    place: Place,
    slack_user_id: str,
    super_admins: frozenset[UUID],
    freshness: Freshness = Freshness.NOW,
) -> Who:
    """Resolve a person: a full member of the workspace with exactly one active profile.

    At a terminal Slack is not asked.
    """
    profiles = await directory.profiles_by_slack_id(slack_user_id)
    if not profiles:
        return Unidentified("unlinked_actor", _UNLINKED)
    if len(profiles) > 1:
        return Unidentified("doubly_linked_actor", _DOUBLED)
    profile = profiles[0]
    if profile.employment_status == "inactive":
        return Unidentified("inactive_actor", _INACTIVE)
    member, facts = await asyncio.gather(
        _check_member(slack.members, place, slack_user_id, freshness),
        _facts_of(slack.channels, place, freshness),
    )
    # Only a channel is bound to somebody.
    is_channel = not place.is_direct
    binding = await directory.binding(place.team_id, place.channel_id) if is_channel else None
    actor = Actor(
        profile_id=profile.id,
        name=profile.name,
        tier=tier_of(profile, super_admins),
        slack_user_id=slack_user_id,
        clickup_user_id=profile.clickup_user_id,
        timezone=profile.timezone,
    )
    for answer in (member, facts):
        if isinstance(answer, Unidentified):
            return answer
    channel = facts if isinstance(facts, ChannelFacts) else None
    identity = Identity(actor, _surface_of(place, channel, binding))
    for answer, about in ((member, WHO_YOU_ARE), (facts, WHAT_IT_IS)):
        if isinstance(answer, _NoAnswer):
            return Unverified(identity, about, answer.after_s)
    return identity


async def who_spoke(identify: Identify, incoming: Incoming, freshness: Freshness) -> Who:
    """Resolve the author of a stored message or press."""
    with traced("identify"):
        who = await identify(incoming.place, incoming.slack_user_id, freshness)
        return _seen_from(incoming, who)


def _seen_from(incoming: Incoming, who: Who) -> Who:
    """Return the identity with its place; a channel message may start a thread of its own."""
    is_first = incoming.slack_ts == incoming.place.thread_ts
    if not is_first or not isinstance(who, Identity) or who.surface.kind is not SurfaceKind.THREAD:
        return who
    return Identity(who.actor, who.surface.model_copy(update={"kind": SurfaceKind.CHANNEL}))


async def _check_member(
    members: MembersPort | None, place: Place, slack_user_id: str, freshness: Freshness
) -> Unidentified | _NoAnswer | None:
    """Return why a person is refused; None for a full member of the workspace."""
    if members is None or place.team_id == TERMINAL:
        return None
    try:
        membership = await members.membership(place.team_id, slack_user_id, freshness)
    except NotGranted as error:
        logfire.error("membership can't be asked for", why=str(error))
        return Unidentified(UNVERIFIED, _NOT_GRANTED)
    except AgencyClawError as error:
        logfire.warn("membership unknown", error=type(error).__name__)
        return _NoAnswer.because_of(error)
    if membership not in _REFUSED:
        return None
    reason, text = _REFUSED[membership]
    return Unidentified(reason, text)


def tier_of(profile: ProfileFacts, super_admins: frozenset[UUID]) -> Tier:
    """Return the tier: from the configured list, then the admin flag, then the viewer role."""
    if profile.id in super_admins:
        return Tier.SUPER_ADMIN
    if profile.is_admin:
        return Tier.ADMIN
    return Tier.VIEWER if profile.role == "viewer" else Tier.MEMBER


async def _facts_of(
    channels: ChannelsPort | None, place: Place, freshness: Freshness
) -> ChannelFacts | Unidentified | _NoAnswer | None:
    """Return what kind of place it is, or why it is refused.

    None at a terminal and in a Home tab, where Slack is not asked.
    """
    if channels is None or place.team_id in (TERMINAL, DEBUG) or not place.channel_id:
        return None
    try:
        return await channels.about(place, freshness)
    except NotGranted as error:
        logfire.error("channels can't be asked for", why=str(error))
        return None if place.is_direct else Unidentified(UNPLACED, _NOT_GRANTED_CHANNELS)
    except Refused:
        return Unidentified("unknown_channel", _UNSEEN)
    except AgencyClawError as error:
        logfire.warn("channel unknown", error=type(error).__name__)
        return _NoAnswer.because_of(error)


def _surface_of(place: Place, facts: ChannelFacts | None, binding: ChannelScope | None) -> Surface:
    """Return the surface; Slack's facts about a channel take precedence over the form of its id.

    The scope of a DM is internal, that of an unbound channel unknown. Unknown is also an internal
    channel that is shared with another company.
    """
    kind = _kind_of(place, facts)
    is_shared = facts is not None and facts.is_shared and kind is not SurfaceKind.DM
    scope = _scope_of(kind, place, binding)
    if is_shared and scope.kind is ScopeKind.INTERNAL:
        scope = ChannelScope(ScopeKind.UNKNOWN)
    return Surface(
        kind=kind,
        scope=scope.kind,
        client_id=scope.client_id,
        brand_id=scope.brand_id,
        team_id=place.team_id,
        channel_id=place.channel_id,
        is_shared=is_shared,
    )


def _kind_of(place: Place, facts: ChannelFacts | None) -> SurfaceKind:
    if place.team_id in (TERMINAL, DEBUG):
        return SurfaceKind.TERMINAL
    if facts is None:
        return SurfaceKind.DM if place.is_direct else SurfaceKind.THREAD
    match facts.kind:
        case ChannelKind.DIRECT:
            return SurfaceKind.DM
        case ChannelKind.GROUP:
            return SurfaceKind.GROUP_DM
        case ChannelKind.PUBLIC | ChannelKind.PRIVATE:
            return SurfaceKind.THREAD


def _scope_of(kind: SurfaceKind, place: Place, binding: ChannelScope | None) -> ChannelScope:
    if place.team_id == TERMINAL or kind is SurfaceKind.DM:
        return ChannelScope(ScopeKind.INTERNAL)
    if binding is None or kind in (SurfaceKind.GROUP_DM, SurfaceKind.TERMINAL):
        return ChannelScope(ScopeKind.UNKNOWN)
    return binding
