"""Carries out `comment_on_task`: posts a comment once, and looks for its trace when in doubt."""

from __future__ import annotations

from typing import Protocol

from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.domain.task_comments import CommentOnTask
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.proposals import notices
from agencyclaw.proposals.handlers import IdempotentHandler
from agencyclaw.proposals.outcomes import Delayed, Done, NotDone, Outcome, Unknown, Unsettled
from agencyclaw.proposals.task_homes import TaskHomes, moved
from agencyclaw.store.intents import marker_of


class CommentWriter(Protocol):
    """Writes comments in ClickUp."""

    async def comment(self, task_id: str, text: str) -> None:
        """Post a comment; raises Refused, Unavailable (nothing sent) or Unclear."""
        ...


class TaskCommenting(IdempotentHandler[CommentOnTask]):
    """Posts comments; each has a trace of its proposal, and is looked for before it is sent."""

    kind = CommentOnTask

    def __init__(
        self, writer: CommentWriter, tasks: ClickUpReader, homes: TaskHomes, first_look_s: float
    ) -> None:
        """Take for `first_look_s` as long as ClickUp may need to list what was posted."""
        self._writer = writer
        self._tasks = tasks
        self._homes = homes
        self.first_look_s = first_look_s

    async def carry_out(self, proposal: Proposal) -> Outcome:
        """Post the comment unless it is there, or the task is its client's no more.

        One that a killed process may have posted a moment ago may not be listed yet.
        """
        effect = self.effect_of(proposal)
        outcome = await self._find(proposal)
        if outcome is not None:
            return outcome
        if proposal.was_begun:
            return self.unknown(proposal)
        state = await self.read(proposal, self._tasks.task_state(effect.task_id))
        if isinstance(state, Unsettled):
            return state
        if refusal := moved(effect, state) or await self._homes.refusal(effect):
            return refusal
        text = f"{redacted(effect.signed_text)}\n\n{marker_of(proposal)}"
        unsettled = await self.send(proposal, self._writer.comment(effect.task_id, text))
        return unsettled or _done(effect)

    async def look(self, proposal: Proposal) -> Outcome:
        """Look for the comment; if it is not there, a person decides, and it is not sent again."""
        return await self._find(proposal) or Unknown(None)

    async def stopped(self, proposal: Proposal, why: NotDone | Delayed) -> Outcome:
        """Look for the comment, and post nothing; a killed process may just have posted it."""
        found = await self._find(proposal)
        if found is None and proposal.was_begun:
            return self.unknown(proposal)
        return self.ended(proposal, found, why)

    async def _find(self, proposal: Proposal) -> Outcome | None:
        """Return the outcome if the comment is there or nobody can tell; None if it is missing."""
        effect = self.effect_of(proposal)
        looking = self._tasks.has_comment(effect.task_id, marker_of(proposal))
        is_there = await self.read(proposal, looking)
        if isinstance(is_there, Unsettled):
            return is_there
        return _done(effect) if is_there else None

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say on which task the comment is."""
        effect = self.effect_of(proposal)
        text = message("task_comments.commented", label=effect.label)
        return Note(text=text, links=notices.link_to(effect.url))


def _done(effect: CommentOnTask) -> Done:
    return Done({"task_id": effect.task_id, "url": effect.url, "after": {"comment": effect.text}})
