"""Asks Slack how people belong to the workspace, and caches the answers."""

from __future__ import annotations

import asyncio
from functools import partial

from pydantic import Field, ValidationError

from agencyclaw.domain.clock import zone_named
from agencyclaw.domain.errors import Refused, Unavailable
from agencyclaw.domain.people import Freshness, Membership
from agencyclaw.domain.reconciling import SlackPerson
from agencyclaw.domain.text import folded
from agencyclaw.slack.payloads import Payload, parsed
from agencyclaw.slack.retrying import retry_within
from agencyclaw.slack.web import Method, Web, pages
from agencyclaw.store.slack_cache import SlackCache

CACHED_S = 600.0
_PATIENCE_S = 2.0
# Slack's errors for people who share no conversation with us.
UNSEEN = frozenset({"user_not_found", "user_not_visible", "users_not_found"})


class EnterpriseUser(Payload):
    """The workspaces of an organisation that a person belongs to."""

    teams: tuple[str, ...] = ()


class SlackProfile(Payload):
    """What people say of themselves; without the scope for it, no e-mail."""

    email: str = ""
    real_name: str = ""


class SlackUser(Payload):
    """A user object: the fields that tell how somebody belongs to the workspace."""

    id: str = Field(min_length=2)
    team_id: str = ""
    deleted: bool = False
    is_bot: bool = False
    is_restricted: bool = False
    is_ultra_restricted: bool = False
    is_stranger: bool = False
    real_name: str = ""
    name: str = ""
    enterprise_user: EnterpriseUser = EnterpriseUser()
    profile: SlackProfile = SlackProfile()
    tz: str = ""


class _UserPage(Payload):
    """A page of users.list."""

    members: tuple[SlackUser, ...]


_PAGE, _PAGES_AT_MOST = 200, 100
_SLACKBOT = "USLACKBOT"


class Members:
    """Asks Slack about people, and caches answers for up to ten minutes."""

    def __init__(self, web: Web, slack_cache: SlackCache) -> None:
        self._web = web
        self._slack_cache = slack_cache

    async def membership(
        self, team_id: str, slack_user_id: str, freshness: Freshness = Freshness.NOW
    ) -> Membership:
        """Return how a person belongs to our workspace.

        Raises Unavailable, Unclear, Throttled or Misconfigured if Slack does not say.
        """
        if freshness is Freshness.RECENT:
            cached = await self._slack_cache.member(team_id, slack_user_id, CACHED_S)
            if cached is not None:
                return cached
        asked_at = await self._slack_cache.ask_about_member(team_id, slack_user_id)
        membership = await self._ask(team_id, slack_user_id)
        await self._slack_cache.keep_member(team_id, slack_user_id, membership, asked_at)
        return membership

    async def person(self, team_id: str, slack_user_id: str) -> SlackPerson | None:
        """Return a full member with name and e-mail; None for others.

        Raises what `membership` raises.
        """
        user = await self._user(slack_user_id)
        is_member = user and membership_of(user, team_id) is Membership.MEMBER
        return person_of(user) if user and is_member else None

    async def _ask(self, team_id: str, slack_user_id: str) -> Membership:
        user = await self._user(slack_user_id)
        return membership_of(user, team_id) if user else Membership.OUTSIDER

    async def _user(self, slack_user_id: str) -> SlackUser | None:
        """Return what Slack says of a person; None if we share no conversation."""
        try:
            async with asyncio.timeout(_PATIENCE_S):
                ask = partial(self._web.call, Method.USERS_INFO, user=slack_user_id)
                answer = await retry_within(ask, _PATIENCE_S)
            return SlackUser.model_validate(answer.get("user"))
        except TimeoutError as late:
            raise Unavailable("Slack doesn't say who somebody is.") from late
        except ValidationError as unreadable:
            raise Unavailable("Slack says who somebody is in a way we can't read.") from unreadable
        except Refused as refusal:
            if refusal.reason in UNSEEN:
                return None
            raise Unavailable("Slack refuses to say who somebody is.") from refusal


async def people_of(web: Web, team_id: str) -> list[SlackPerson]:
    """Return the full members of a workspace who are people, by name.

    Raises what `Web.call` raises, and Unreadable.
    """
    people = [
        person_of(user)
        async for page, _ in pages(web, Method.USERS_LIST, _PAGES_AT_MOST, limit=_PAGE)
        for user in parsed(_UserPage, page).members
        if user.id != _SLACKBOT and membership_of(user, team_id) is Membership.MEMBER
    ]
    return sorted(people, key=lambda person: folded(person.name))


def person_of(user: SlackUser) -> SlackPerson:
    """Return a user with name, e-mail and time zone."""
    name = user.profile.real_name or user.real_name or user.name
    zone = zone_named(user.tz).key
    return SlackPerson(id=user.id, name=name, email=user.profile.email, timezone=zone)


def membership_of(user: SlackUser, team_id: str) -> Membership:
    """Return how a user belongs to a workspace."""
    if user.deleted or user.is_bot:
        return Membership.GONE
    if user.is_stranger or team_id not in (user.team_id, *user.enterprise_user.teams):
        return Membership.OUTSIDER
    if user.is_restricted or user.is_ultra_restricted:
        return Membership.GUEST
    return Membership.MEMBER
