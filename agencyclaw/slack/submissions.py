"""Handles submitted forms: stored before they close, or refused with an audit row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agencyclaw.domain.edits import NotEditable, TaskEdits
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.slack.action_ids import EDIT_FORM
from agencyclaw.slack.feedback import read_comment
from agencyclaw.slack.forms import (
    ForgedForm,
    Submission,
    edit,
    read_edits,
    read_submission,
    shown_errors,
)
from agencyclaw.slack.messages import Ignored
from agencyclaw.slack.passing_over import pass_over
from agencyclaw.slack.ports import AuditPort, Feedback, RevisionsPort

_FORGED_FORM = message("submissions.forged_form")
_FORM: dict[str, object] = {"action": EDIT_FORM}


class Submissions:
    """Passes submitted forms to proposals and feedback."""

    def __init__(
        self,
        revisions: RevisionsPort,
        audit: AuditPort,
        now: Callable[[], float],
        feedback: Feedback | None = None,
    ) -> None:
        self._feedback = feedback
        self._revisions = revisions
        self._audit = audit
        self._now = now

    async def answer(self, body: dict[str, Any]) -> dict[str, Any] | None:
        """Store a submitted form before it closes, or show its errors."""
        if self._feedback and (comment := read_comment(body)):
            await self._feedback.comment(comment.run_id, comment.slack_user_id, comment.text)
            return {"response_action": "clear"}
        match read_submission(body):
            case Ignored(reason=reason):
                pass_over(reason)
                return None
            case ForgedForm(slack_user_id=who):
                await self._audit.turned_away("forged_form", slack_user_id=who, payload=_FORM)
                errors = {"": _FORGED_FORM}
            case submission:
                errors = await self._submit(submission)
        if errors:
            return {"response_action": "errors", "errors": shown_errors(errors)}
        return {"response_action": "clear"}

    async def _submit(self, submission: Submission) -> dict[str, str] | None:
        """Return the errors per field; values that our forms can't send are audited as well."""
        edits = read_edits(submission)
        if isinstance(edits, dict):
            await self._note_form(submission, "forged_value")
            return edits
        answer = await self._revise_proposal(submission, edits)
        if isinstance(answer, NotEditable):
            await self._note_form(submission, answer.reason)
            return {"": answer.message}
        return answer

    async def _revise_proposal(
        self, submission: Submission, edits: TaskEdits
    ) -> dict[str, str] | NotEditable | None:
        origin = submission.origin
        if submission.team and submission.team.id != origin.place.team_id:
            return NotEditable(reason="another_workspace", message=_FORGED_FORM)
        try:
            return await self._revisions.submit(
                edit(submission, self._now()), origin.proposal_id, edits
            )
        except Refused as refusal:
            return NotEditable(reason=refusal.reason, message=refusal.message)

    async def _note_form(self, submission: Submission, reason: str) -> None:
        place = submission.origin.place
        where = {"team": place.team_id, "channel": place.channel_id}
        payload = _FORM | where | {"value": str(submission.origin.proposal_id)}
        await self._audit.turned_away(reason, slack_user_id=submission.user.id, payload=payload)
