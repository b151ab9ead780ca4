"""Handles submitted forms: stored before they close, or refused with an audit row."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agencyclaw.conversation.feedback import FeedbackReview
from agencyclaw.domain.edits import NotEditable, TaskEdits
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.proposals.revisions import Revisions
from agencyclaw.slack.action_ids import EDIT_FORM
from agencyclaw.slack.edit_form import (
    EditSubmission,
    ForgedForm,
    edit_as_stored,
    read_edits,
    read_submission,
    shown_errors,
)
from agencyclaw.slack.feedback import read_comment
from agencyclaw.slack.ignored import Ignored, log_ignored
from agencyclaw.store.events import Audit

_FORGED_FORM = message("proposal.forged")
_FORM: dict[str, object] = {"action": EDIT_FORM}


class Submissions:
    """Passes submitted forms to proposals and feedback."""

    def __init__(
        self,
        revisions: Revisions,
        audit: Audit,
        now: Callable[[], float],
        feedback: FeedbackReview,
    ) -> None:
        self._feedback = feedback
        self._revisions = revisions
        self._audit = audit
        self._now = now

    async def answer(self, body: dict[str, Any]) -> dict[str, Any] | None:
        """Store a submitted form before it closes, or show its errors."""
        if comment := read_comment(body):
            await self._feedback.comment(comment.run_id, comment.slack_user_id, comment.text)
            return {"response_action": "clear"}
        match read_submission(body):
            case Ignored(reason=reason):
                log_ignored(reason)
                return None
            case ForgedForm(slack_user_id=slack_user_id):
                await self._audit.turned_away(
                    "forged_form", slack_user_id=slack_user_id, payload=_FORM
                )
                errors = {"": _FORGED_FORM}
            case EditSubmission() as edit:
                errors = await self._submit(edit)
        if errors:
            return {"response_action": "errors", "errors": shown_errors(errors)}
        return {"response_action": "clear"}

    async def _submit(self, edit: EditSubmission) -> dict[str, str] | None:
        """Return the errors per field; values that our forms can't send are audited as well."""
        edits = read_edits(edit)
        if isinstance(edits, dict):
            await self._audit_refusal(edit, "forged_value")
            return edits
        outcome = await self._revise_proposal(edit, edits)
        if isinstance(outcome, NotEditable):
            await self._audit_refusal(edit, outcome.reason)
            return {"": outcome.message}
        return outcome

    async def _revise_proposal(
        self, edit: EditSubmission, edits: TaskEdits
    ) -> dict[str, str] | NotEditable | None:
        team, origin = edit.submission.team, edit.origin
        if team and team.id != origin.place.team_id:
            return NotEditable(reason="another_workspace", message=_FORGED_FORM)
        try:
            incoming = edit_as_stored(edit, self._now())
            return await self._revisions.submit(incoming, origin.proposal_id, edits)
        except Refused as refusal:
            return NotEditable(reason=refusal.reason, message=refusal.message)

    async def _audit_refusal(self, edit: EditSubmission, reason: str) -> None:
        place, user = edit.origin.place, edit.submission.user
        payload = _FORM | {
            "team": place.team_id,
            "channel": place.channel_id,
            "value": str(edit.origin.proposal_id),
        }
        await self._audit.turned_away(reason, slack_user_id=user.id, payload=payload)
