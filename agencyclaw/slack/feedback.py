"""Thumbs under an answer, the comment form, and the admins' list of complaints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from agencyclaw.domain.clock import day_and_time
from agencyclaw.domain.feedback import COMMENT_LIMIT, Complaint, FeedbackQueue, Rating
from agencyclaw.domain.messages import message
from agencyclaw.domain.text import counted, cut
from agencyclaw.slack import action_ids
from agencyclaw.slack.blocks import (
    Block,
    Message,
    actions,
    button,
    context,
    plain_text,
    prose,
    section,
)
from agencyclaw.slack.escaping import LIVE_HOSTS, escaped, one_line
from agencyclaw.slack.forms import Submission, filled, text_input

_COMMENT = "comment"
_BEGINNING = 300
_SEEN_BY = message("feedback.seen_by")


@dataclass(frozen=True)
class FeedbackComment:
    """A comment on an answer that was rated down."""

    run_id: UUID
    slack_user_id: str
    text: str


def thumbs(run_id: UUID) -> Block:
    """Return Slack's feedback buttons for the answer of a run."""
    return {
        "type": "context_actions",
        "elements": [
            {
                "type": "feedback_buttons",
                "action_id": action_ids.THUMBS,
                "positive_button": _thumb("This helped", Rating.UP, run_id),
                "negative_button": _thumb(message("feedback.title"), Rating.DOWN, run_id),
            }
        ],
    }


def _thumb(label: str, rating: Rating, run_id: UUID) -> Block:
    value = f"{rating.value}:{run_id}"
    return {"text": plain_text(label), "accessibility_label": label, "value": value}


def build_comment_form(run_id: UUID, comment: str) -> dict[str, Any]:
    """Return the form after a thumbs down; closing it keeps the rating."""
    asked = text_input(
        _COMMENT,
        message("feedback.what_wrong_or_missing"),
        comment,
        limit=COMMENT_LIMIT,
        is_long=True,
    )
    return {
        "type": "modal",
        "callback_id": action_ids.COMMENT_FORM,
        "private_metadata": str(run_id),
        "title": plain_text(message("feedback.title")),
        "submit": plain_text("Send"),
        "close": plain_text("Skip"),
        "blocks": [asked, {"type": "context", "elements": [plain_text(_SEEN_BY)]}],
    }


def read_comment(body: dict[str, Any]) -> FeedbackComment | None:
    """Return a submitted comment; None for any other form."""
    try:
        submission = Submission.model_validate(body)
        if submission.view.callback_id != action_ids.COMMENT_FORM:
            return None
        run_id = UUID(submission.view.private_metadata)
    except (ValidationError, ValueError):
        return None
    return FeedbackComment(run_id, submission.user.id, filled(submission, _COMMENT).value or "")


def build_queue(queue: FeedbackQueue) -> Message:
    """Return the open complaints, each with its button."""
    heading = _heading(queue)
    blocks = [section(heading)]
    for one in queue.shown:
        blocks += _complaint(one, queue.timezone)
    return Message(text=heading, blocks=blocks, plain=heading)


def _heading(queue: FeedbackQueue) -> str:
    helped = message("feedback.helped_last_days", helpful=counted(queue.helpful, "answer"))
    if not queue.waiting:
        return message("feedback.no_answer_waits_be", helped=helped)
    waits = "waits" if queue.waiting == 1 else "wait"
    many = counted(
        queue.waiting, message("feedback.answer_didnt_help"), message("feedback.answers_didnt_help")
    )
    rest = queue.waiting - len(queue.shown)
    latest = message("feedback.these_are_latest", shown=len(queue.shown)) if rest else ""
    return message("feedback.be_looked_at", many=many, waits=waits, helped=helped, latest=latest)


def _complaint(one: Complaint, timezone: str) -> list[Block]:
    when = day_and_time(one.rated_at, timezone)
    comment = (
        section(message("feedback.what_wrong", beginning=_beginning(one.comment)))
        if one.comment
        else None
    )
    return [
        {"type": "divider"},
        section(f"*{escaped(one_line(one.by))}* asked: {_beginning(one.question)}"),
        *prose(f"**I answered:** {cut(one.answer, _BEGINNING)}", LIVE_HOSTS),
        *([comment] if comment else []),
        context(
            message("feedback.whole_agencyclaw_runs_show", when=when, run_id=str(one.run_id)[:8])
        ),
        actions([button(action_ids.FEEDBACK_SETTLED, "Done", str(one.id))]),
    ]


def _beginning(text: str) -> str:
    return escaped(cut(one_line(text), _BEGINNING)) or "(no words)"
