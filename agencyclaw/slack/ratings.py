"""Handles presses on thumbs and on the admins' list, stored before they are acknowledged."""

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
from agencyclaw.slack.clicks import FeedbackSettled, Press, Thumbed
from agencyclaw.slack.feedback import build_comment_form, build_queue
from agencyclaw.slack.modals import Modals
from agencyclaw.slack.web import Web


class Ratings:
    """Stores ratings, asks for a comment, and closes complaints."""

    def __init__(
        self,
        web: Web,
        feedback: FeedbackReview | None,
        turn_away: Callable[[Press, str, str], Awaitable[None]],
        begin: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._web = web
        self._modals = Modals(web)
        self._feedback = feedback
        self._turn_away = turn_away
        self._begin = begin

    async def take(self, pressed: Thumbed | FeedbackSettled, place: Place) -> None:
        """Handle a press; does nothing if nobody stores ratings."""
        if self._feedback is None:
            return
        match pressed:
            case Thumbed():
                await self._rate(self._feedback, pressed, place)
            case FeedbackSettled():
                left = await self._feedback.settle(
                    place, pressed.press.user.id, pressed.feedback_id
                )
                self._begin(self._quietly(self._redraw(pressed.press, left)))

    async def _rate(self, feedback: FeedbackReview, thumbed: Thumbed, place: Place) -> None:
        """Store a rating; a thumbs down opens a form for a comment."""
        press, run_id, rating = thumbed.press, thumbed.run_id, thumbed.rating
        rated = RatingPress(run_id=run_id, place=place, slack_user_id=press.user.id, rating=rating)
        match await feedback.rate(rated):
            case RatingRefused(reason=reason, message=message):
                await self._turn_away(press, reason, message)
            case RatingKept(comment=comment):
                if rating is Rating.DOWN:
                    form = build_comment_form(run_id, comment)
                    self._begin(self._quietly(self._modals.open(press.trigger_id, form)))

    async def _redraw(self, press: Press, left: FeedbackQueue | CommandReply) -> None:
        """Replace the list by what is left of it."""
        shown = (
            build_answer(Note(text=left.text))
            if isinstance(left, CommandReply)
            else build_queue(left)
        )
        await self._web.respond(press.response_url, text=shown.text, blocks=shown.blocks)

    async def _quietly(self, showing: Awaitable[None]) -> None:
        """Run an update of Slack whose failure may be ignored: the press is stored."""
        try:
            await showing
        except AgencyClawError as error:
            logfire.warn("slack.feedback_unshown", error=type(error).__name__)
