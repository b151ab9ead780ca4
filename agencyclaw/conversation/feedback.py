"""Ratings of answers, and the admins' review of them.

A rating is no consent: it is stored beside the run and touches no proposal.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from agencyclaw.domain.clients import admins_among
from agencyclaw.domain.commands import CommandReply, SlashCommand
from agencyclaw.domain.feedback import (
    COMMENT_LIMIT,
    FeedbackQueue,
    RatingKept,
    RatingPress,
    RatingRefused,
)
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor, Freshness, Place, ScopeKind, Surface, Tier
from agencyclaw.domain.policy import help_with
from agencyclaw.domain.text import clean
from agencyclaw.proposals.identities import Identify, Identity, Unidentified, Unverified
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import as_records_away
from agencyclaw.store.feedback import FeedbackStore, FeedbackView

_SHOWN = 5
_UNKNOWN = message("feedback.unknown")
_UNVERIFIED = message("feedback.unverified")
_ADMINS = message("feedback.admins")
_ELSEWHERE = message("feedback.elsewhere")


@dataclass(frozen=True)
class FeedbackReview:
    """Stores ratings, and shows complaints to admins."""

    store: FeedbackStore
    directory: DirectoryReader
    identify: Identify

    async def rate(self, rated: RatingPress) -> RatingKept | RatingRefused:
        """Store a rating; a person has one per answer, and may change it.

        It shows and changes nothing but itself, so it counts while Slack can't say who it is.
        """
        match await self.identify(rated.place, rated.slack_user_id, Freshness.RECENT):
            case Unidentified(message=message):
                return RatingRefused("stranger", message)
            case Unverified(presumed=Identity(actor=actor)) | Identity(actor=actor):
                comment = await self.store.rate(rated, actor)
                if comment is None:
                    return RatingRefused("unknown_answer", _UNKNOWN)
                return RatingKept(comment)

    async def comment(self, run_id: UUID, slack_user_id: str, text: str) -> None:
        """Store a comment on an answer that the person rated down."""
        await self.store.comment(run_id, slack_user_id, clean(text, limit=COMMENT_LIMIT).strip())

    async def queue(self, _: SlashCommand, identity: Identity) -> FeedbackQueue | str:
        """Return the open complaints that this person may see here, or why they may see none."""
        view = await self._view(identity.actor, identity.surface)
        return view if isinstance(view, str) else await self._queue(view, identity.actor)

    async def settle(
        self, place: Place, slack_user_id: str, feedback_id: UUID
    ) -> FeedbackQueue | CommandReply | RatingRefused:
        """Close a complaint, and return the remaining queue.

        While Slack can't say who it is, the list stays as it is.
        """
        identity = await self.identify(place, slack_user_id, Freshness.RECENT)
        if isinstance(identity, Unverified):
            return RatingRefused("unverified", _UNVERIFIED)
        if isinstance(identity, Unidentified):
            return CommandReply(text=identity.message)
        view = await self._view(identity.actor, identity.surface)
        if isinstance(view, str):
            return CommandReply(text=view)
        with as_records_away():
            await self.store.settle(view, feedback_id, identity.actor)
        return await self._queue(view, identity.actor)

    async def _view(self, actor: Actor, surface: Surface) -> FeedbackView | str:
        if actor.tier < Tier.ADMIN:
            admins = admins_among(await self.directory.people())
            helped = help_with("admin_skill_denied", actor, surface, admins)
            return f"{_ADMINS} {helped}"
        if surface.is_open:
            return _ELSEWHERE
        only = surface.client_id if surface.scope is ScopeKind.CLIENT_SCOPED else None
        clients = frozenset(client.id for client in await self.directory.clients(actor))
        return FeedbackView(surface.team_id, actor.tier, clients, only)

    async def _queue(self, view: FeedbackView, actor: Actor) -> FeedbackQueue:
        shown, waiting, helpful = await self.store.waiting(view, _SHOWN)
        return FeedbackQueue(shown=shown, waiting=waiting, helpful=helpful, timezone=actor.timezone)
