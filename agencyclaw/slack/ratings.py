"""Handles presses on thumbs and on the admins' list of complaints."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import logfire

from agencyclaw.conversation.feedback import FeedbackReview
from agencyclaw.domain.commands import CommandReply
from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.feedback import FeedbackQueue, Rating, RatingKept, RatingPress, RatingRefused
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Note
from agencyclaw.slack.answers import build_answer
from agencyclaw.slack.clicks import ComplaintDone, Press, ThumbPress
from agencyclaw.slack.feedback import build_comment_form, build_queue
from agencyclaw.slack.modals import Modals
from agencyclaw.slack.web import Web


class Ratings:
    """Stores ratings, asks for a comment, and closes complaints."""

    def __init__(
        self,
        web: Web,
        feedback: FeedbackReview,
        turn_away: Callable[[Press, str, str], Awaitable[None]],
        start_task: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._web = web
        self._modals = Modals(web)
        self._feedback = feedback
        self._turn_away = turn_away
        self._start_task = start_task

    async def handle(self, meaning: ThumbPress | ComplaintDone, place: Place) -> None:
        """Handle a press, stored before it is acknowledged."""
        match meaning:
            case ThumbPress():
                await self._rate(meaning, place)
            case ComplaintDone(press=press, feedback_id=feedback_id):
                remaining = await self._feedback.settle(place, press.user.id, feedback_id)
                if isinstance(remaining, RatingRefused):
                    await self._turn_away(press, remaining.reason, remaining.message)
                    return
                self._start_task(self._quietly(self._redraw(press, remaining)))

    async def _rate(self, thumb: ThumbPress, place: Place) -> None:
        """Store a rating; a thumbs down opens a form for a comment."""
        press, run_id, rating = thumb.press, thumb.run_id, thumb.rating
        rated = RatingPress(run_id=run_id, place=place, slack_user_id=press.user.id, rating=rating)
        match await self._feedback.rate(rated):
            case RatingRefused(reason=reason, message=message):
                await self._turn_away(press, reason, message)
            case RatingKept(comment=comment):
                if rating is Rating.DOWN:
                    form = build_comment_form(run_id, comment)
                    self._start_task(self._quietly(self._modals.open(press.trigger_id, form)))

    async def _redraw(self, press: Press, remaining: FeedbackQueue | CommandReply) -> None:
        """Replace the list by the complaints that remain, or by why it can't be shown."""
        match remaining:
            case FeedbackQueue():
                content = build_queue(remaining)
            case CommandReply(text=text):
                content = build_answer(Note(text=text))
        await self._web.respond(press.response_url, text=content.text, blocks=content.blocks)

    async def _quietly(self, update: Awaitable[None]) -> None:
        """Run an update of Slack whose failure may be ignored: the press is stored."""
        try:
            await update
        except AgencyClawError as error:
            logfire.warn("slack.feedback_unshown", error=type(error).__name__)
