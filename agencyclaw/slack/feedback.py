"""Thumbs under an answer, the comment form, and the admins' list of complaints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from pydantic import ValidationError

from agencyclaw.domain.clock import day_and_time
from agencyclaw.domain.feedback import COMMENT_LIMIT, Complaint, FeedbackQueue, Rating
from agencyclaw.domain.messages import localized, message
from agencyclaw.domain.text import counted, cut
from agencyclaw.slack import action_ids
from agencyclaw.slack.blocks import (
    Block,
    Message,
    actions,
    button,
    context,
    divider,
    modal,
    plain_context,
    plain_text,
    prose,
    section,
)
from agencyclaw.slack.escaping import LIVE_HOSTS, escaped, one_line
from agencyclaw.slack.inputs import Submission, text_input

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
                "positive_button": _thumb(message("built.helped"), Rating.UP, run_id),
                "negative_button": _thumb(message("feedback.title"), Rating.DOWN, run_id),
            }
        ],
    }


def _thumb(label: str, rating: Rating, run_id: UUID) -> Block:
    value = f"{rating.value}:{run_id}"
    return {"text": plain_text(label), "accessibility_label": label, "value": value}


def build_comment_form(run_id: UUID, comment: str) -> Block:
    """Return the form after a thumbs down; closing it keeps the rating."""
    label = message("feedback.comment_label")
    field = text_input(_COMMENT, label, comment, limit=COMMENT_LIMIT, multiline=True, optional=True)
    return modal(
        message("feedback.title"),
        [field, plain_context(_SEEN_BY)],
        submit=localized("Send"),
        close=localized("Skip"),
        callback_id=action_ids.COMMENT_FORM,
        private_metadata=str(run_id),
    )


def read_comment(body: dict[str, Any]) -> FeedbackComment | None:
    """Return a submitted comment; None for any other form."""
    try:
        submission = Submission.model_validate(body)
        if submission.view.callback_id != action_ids.COMMENT_FORM:
            return None
        run_id = UUID(submission.view.private_metadata)
    except (ValidationError, ValueError):
        return None
    return FeedbackComment(run_id, submission.user.id, submission.entered(_COMMENT).value or "")


def build_queue(queue: FeedbackQueue) -> Message:
    """Return the open complaints, each with its button."""
    heading = _heading(queue)
    blocks = [section(heading)]
    for complaint in queue.shown:
        blocks += _complaint(complaint, queue.timezone)
    return Message(text=heading, blocks=blocks, plain=heading)


def _heading(queue: FeedbackQueue) -> str:
    helped = message("feedback.helped_last_days", helpful=counted(queue.helpful, "answer"))
    if not queue.waiting:
        return message("feedback.queue_empty", helped=helped)
    waits = "waits" if queue.waiting == 1 else "wait"
    many = counted(queue.waiting, "answer")
    is_part = len(queue.shown) < queue.waiting
    latest = message("feedback.these_are_latest", shown=len(queue.shown)) if is_part else ""
    return message("feedback.be_looked_at", many=many, waits=waits, helped=helped, latest=latest)


def _complaint(complaint: Complaint, timezone: str) -> list[Block]:
    asker = escaped(one_line(complaint.by))
    blocks = [
        divider(),
        section(message("built.asked", asker=asker, question=_beginning(complaint.question))),
        *prose(message("built.answered", answer=cut(complaint.answer, _BEGINNING)), LIVE_HOSTS),
    ]
    if complaint.comment:
        comment = message("feedback.what_wrong", beginning=_beginning(complaint.comment))
        blocks.append(section(comment))
    when, run_id = day_and_time(complaint.rated_at, timezone), str(complaint.run_id)[:8]
    return [
        *blocks,
        context(message("feedback.show_run", when=when, run_id=run_id)),
        actions([button(action_ids.FEEDBACK_SETTLED, localized("Done"), str(complaint.id))]),
    ]


def _beginning(text: str) -> str:
    return escaped(cut(one_line(text), _BEGINNING)) or "(no words)"
