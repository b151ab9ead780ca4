"""Asks Slack what a channel is: its kind, and whether people of other companies are in it."""

from __future__ import annotations

import asyncio

from pydantic import Field, ValidationError

from agencyclaw.domain.errors import AgencyClawError, Refused, Unavailable
from agencyclaw.domain.people import ChannelFacts, ChannelKind, Freshness, Place
from agencyclaw.slack.payloads import Payload, is_direct, place_in
from agencyclaw.slack.web import Method, Web
from agencyclaw.store.slack_cache import SlackCache

CACHED_S = 600.0
_PATIENCE_S = 2.0
_PATIENCE_FOR_KIND_S = 0.3
_KINDS = frozenset(kind.value for kind in ChannelKind)


class SlackConversation(Payload):
    """A conversation object: the fields that tell its kind and its audience."""

    id: str = Field(min_length=2)
    name: str = ""
    user: str = ""
    is_im: bool = False
    is_member: bool = False
    is_mpim: bool = False
    is_private: bool = False
    is_archived: bool = False
    is_shared: bool = False
    is_ext_shared: bool = False
    is_org_shared: bool = False
    is_pending_ext_shared: bool = False
    pending_shared: tuple[str, ...] = ()


class Channels:
    """Asks Slack about channels, and caches answers for up to ten minutes."""

    def __init__(self, web: Web, slack_cache: SlackCache) -> None:
        self._web = web
        self._slack_cache = slack_cache
        self._kinds: dict[tuple[str, str], ChannelKind] = {}

    async def about(self, place: Place, freshness: Freshness = Freshness.NOW) -> ChannelFacts:
        """Return what a place is.

        Raises Refused if Slack shows us no such channel, and Unavailable, Unclear, Throttled or
        Misconfigured if it does not say.
        """
        team_id, channel_id = place.team_id, place.channel_id
        longest_s = CACHED_S if freshness is Freshness.RECENT else 0.0
        cached = await self._slack_cache.channel(team_id, channel_id, longest_s)
        if cached is not None:
            return cached
        asked_at = await self._slack_cache.ask_about_channel(team_id, channel_id)
        facts = await self._ask(channel_id)
        await self._slack_cache.keep_channel(team_id, channel_id, facts, asked_at)
        return facts

    async def note_kind(
        self, team_id: str, channel_id: str, channel_type: str | None
    ) -> ChannelKind | None:
        """Store the kind of channel that an event names, and return the known kind."""
        if channel_type not in _KINDS:
            return await self.kind(team_id, channel_id)
        kind = ChannelKind(channel_type)
        if self._kinds.get((team_id, channel_id)) is not kind:
            await self._slack_cache.keep_kind(team_id, channel_id, kind)
            self._kinds[team_id, channel_id] = kind
        return kind

    async def kind(self, team_id: str, channel_id: str) -> ChannelKind | None:
        """Return the kind of channel that Slack reported last.

        Slack is asked if nothing was reported and the id looks like that of a direct message.
        """
        known = self._kinds.get((team_id, channel_id))
        known = known or await self._slack_cache.kind(team_id, channel_id)
        if known or not is_direct(channel_id):
            return known
        try:
            return (await self.about(place_in(team_id, channel_id, ""))).kind
        except AgencyClawError:
            return None

    async def placed(self, place: Place) -> Place:
        """Return a place read from an id alone, corrected by what Slack says it is.

        What is placed has to be stored within Slack's three seconds, so a slow answer is not
        waited for.
        """
        try:
            async with asyncio.timeout(_PATIENCE_FOR_KIND_S):
                kind = await self.kind(place.team_id, place.channel_id)
        except TimeoutError:
            return place
        if kind is None:
            return place
        return place.model_copy(update={"is_direct": kind is ChannelKind.DIRECT})

    async def _ask(self, channel_id: str) -> ChannelFacts:
        try:
            async with asyncio.timeout(_PATIENCE_S):
                answer = await self._web.call(Method.CONVERSATION_INFO, channel=channel_id)
            conversation = SlackConversation.model_validate(answer.get("channel"))
        except TimeoutError as late:
            raise Unavailable("Slack doesn't say what a channel is.") from late
        except ValidationError as unreadable:
            raise Unavailable("Slack's word about a channel can't be read.") from unreadable
        except Refused as refusal:
            if refusal.reason == "channel_not_found":
                raise
            raise Unavailable("Slack refuses to say what a channel is.") from refusal
        return facts_of(conversation)


def facts_of(conversation: SlackConversation) -> ChannelFacts:
    """Return the facts of a conversation object; sharing inside one company is none."""
    is_within = conversation.is_org_shared and not conversation.is_ext_shared
    is_pending = conversation.is_pending_ext_shared or bool(conversation.pending_shared)
    return ChannelFacts(
        kind=_kind(conversation),
        name=conversation.name,
        is_shared=conversation.is_ext_shared
        or is_pending
        or (conversation.is_shared and not is_within),
        is_archived=conversation.is_archived,
    )


def _kind(conversation: SlackConversation) -> ChannelKind:
    if conversation.is_im:
        return ChannelKind.DIRECT
    if conversation.is_mpim:
        return ChannelKind.GROUP
    return ChannelKind.PRIVATE if conversation.is_private else ChannelKind.PUBLIC
