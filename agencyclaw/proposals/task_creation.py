"""Carries out `create_task`: intent, request, look-up; at most one task per proposal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, assert_never
from zoneinfo import ZoneInfo

import logfire

from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.clickup.shapes import CreatedTask, NewTask
from agencyclaw.domain.archiving import ArchiveTask, TaskSnapshot
from agencyclaw.domain.clock import day_of, zone_named
from agencyclaw.domain.errors import (
    AgencyClawError,
    Misconfigured,
    NotFound,
    Refused,
    Unavailable,
    Unclear,
)
from agencyclaw.domain.messages import message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.text import cut
from agencyclaw.knowledge.briefs import unassigned
from agencyclaw.knowledge.escaping import as_label
from agencyclaw.knowledge.open_points import still_open
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.proposals import notices
from agencyclaw.proposals.destinations import Destinations
from agencyclaw.proposals.handlers import CANNOT_UNDO, ExternalHandler
from agencyclaw.proposals.outcomes import (
    Delayed,
    Done,
    Duplicate,
    NotDone,
    NotThere,
    Outcome,
    Unknown,
    waits_for_clickup,
)
from agencyclaw.store.engine import Connection
from agencyclaw.store.intents import DuplicateTask, Intent, Intents, settle_intent

# More than one only where the earlier ones were certainly not applied.
ATTEMPTS = 3
_NO_ACCESS = message("task_creation.no_access")


class TaskCreator(Protocol):
    """The only writer to ClickUp, as far as creating needs it."""

    async def create_task(self, list_id: str, task: NewTask, *, attempts: int) -> CreatedTask:
        """Create a task; raises Refused, Unavailable (nothing sent) or Unclear."""
        ...


@dataclass(frozen=True)
class RetrySchedule:
    """When to look for a task of unknown outcome, and how late a list may show it."""

    delays_s: Sequence[float] = (2.0, 10.0, 60.0, 120.0)
    list_lag_s: float = 60.0

    @property
    def after_failure(self) -> float:
        """Return the wait after a failed look, which restarts the count."""
        return self.delays_s[-1]

    def after(self, tries: int, age_s: float = 0.0) -> float | None:
        """Return the wait before the next look; None if enough looks came late enough."""
        if tries < len(self.delays_s):
            return self.delays_s[tries]
        return self.list_lag_s - age_s + 1.0 if age_s <= self.list_lag_s else None


class TaskCreation(ExternalHandler[CreateTask]):
    """Creates the task of a confirmed proposal once."""

    kind = CreateTask

    def __init__(
        self,
        intents: Intents,
        writer: TaskCreator,
        tasks: ClickUpReader,
        retries: RetrySchedule,
        destinations: Destinations,
    ) -> None:
        self._intents = intents
        self._writer = writer
        self._tasks = tasks
        self._retries = retries
        self._destinations = destinations
        self.first_look_s = retries.delays_s[0]

    async def may_exist(self, proposal: Proposal) -> bool:
        """Return whether a request for this proposal may have been sent."""
        intent = await self._intents.of(proposal.id)
        return intent is not None and intent.status != "failed"

    async def changed_since(self, proposal: Proposal) -> NotDone | None:
        """Return why its list or assignee is no longer the card's, with a new one if possible."""
        effect = self.effect_of(proposal)
        if effect.assignee and await self._destinations.is_archived(effect.assignee):
            why = message("task_creation.assignee_left", name=effect.assignee.name)
            return NotDone("changed_since", why, can_retry=False, renewed=unassigned(effect))
        if not await self._destinations.is_changed(effect):
            return None
        renewed = await self._destinations.renewed(effect)
        advice = (
            message("task_creation.goes_now", destination=renewed.destination.label)
            if renewed
            else message("task_creation.ask_again")
        )
        return NotDone(
            "changed_since",
            message("task_creation.clickup_list_work_changed", now=advice),
            can_retry=False,
            renewed=renewed,
        )

    async def carry_out(self, proposal: Proposal) -> Outcome | NotThere:
        """Write the intent, then send; an existing intent is looked up, never sent again.

        Raises Unavailable if the store can't say whether there is a duplicate: nothing is sent.
        """
        begun = await self._intents.begin(proposal, self.effect_of(proposal))
        match begun:
            case None:
                return Delayed(notices.PAUSED)
            case DuplicateTask(title=title, url=url, is_equal=is_equal):
                return Duplicate(title, url, is_equal)
            case Intent(is_new=True):
                return await self._send(proposal, begun)
            case Intent():
                return await self.look(proposal)

    async def look(self, proposal: Proposal) -> Outcome | NotThere:
        """Look for the marker: adopt a task that is found; after the last look there is none."""
        intent = await self._intents.of(proposal.id)
        if intent is None:
            return NotDone("no_intent", message("task_creation.nothing_sent"))
        try:
            tasks = await self._tasks.find_by_marker(
                intent.list_id, intent.marker, intent.dispatched_at
            )
        except (AgencyClawError, OSError) as error:
            logfire.warn("look failed", proposal=str(proposal.id), error=type(error).__name__)
            await self._intents.looked(proposal.id, succeeded=False)
            return Unknown(self._retries.after_failure)
        if len(tasks) == 1:
            effect = self.effect_of(proposal)
            result = _result(tasks[0].id, tasks[0].url, effect, look=tasks[0].look)
            return Done(result, was_adopted=True)
        if tasks:
            return Unknown(None)
        return await self._found_nothing(proposal)

    async def _found_nothing(self, proposal: Proposal) -> Unknown | NotThere:
        tries, age_s = await self._intents.looked(proposal.id, succeeded=True)
        wait = self._retries.after(tries, age_s)
        return NotThere() if wait is None else Unknown(wait)

    async def send_again(self, proposal: Proposal) -> Outcome:
        """Send once more, or leave it to a person if that was done before."""
        intent = await self._intents.send_again(proposal.id)
        return await self._send(proposal, intent, attempts=1) if intent else Unknown(None)

    async def _send(
        self, proposal: Proposal, intent: Intent, *, attempts: int = ATTEMPTS
    ) -> Outcome:
        effect = self.effect_of(proposal)
        try:
            zone = await self._tasks.zone()
            new = _new_task(proposal, effect, intent, zone)
            task = await self._writer.create_task(intent.list_id, new, attempts=attempts)
        except Misconfigured as error:
            logfire.error("clickup not usable", why=str(error))
            return NotDone("misconfigured", _NO_ACCESS)
        except Unavailable as error:
            return waits_for_clickup(error)
        except NotFound as gone:
            return NotDone(gone.reason, gone.message, can_retry=False)
        except Refused as refusal:
            return NotDone(refusal.reason, refusal.message)
        except Unclear as error:
            await self._intents.count_requests(proposal.id, error.attempts)
            return Unknown(self._retries.after(0))
        unassigned = bool(task.assignees_missing)
        return Done(_result(task.id, task.url, effect, unassigned=unassigned, look=task.look))

    async def settled(self, conn: Connection, proposal: Proposal, outcome: Outcome) -> None:
        """Record the outcome on the intent."""
        match outcome:
            case Done(result=result):
                task_id, url = result.get("task_id"), result.get("url")
                await settle_intent(conn, proposal.id, "created", task_id=task_id, url=url)
            case NotDone() | Delayed():
                await settle_intent(conn, proposal.id, "failed")
            case Unknown():
                await settle_intent(conn, proposal.id, "unclear")
            case Duplicate():
                pass
            case _:
                assert_never(outcome)

    def receipt(self, proposal: Proposal, done: Done) -> Note:
        """Say what was created, for whom, and what is still open."""
        effect = self.effect_of(proposal)
        lines = [
            message("built.created", title=effect.title, place=effect.destination.label),
            _who(effect, done),
        ]
        if points := still_open(effect):
            lines.append(notices.still_open(points))
        links = notices.link_to(done.result.get("url"))
        return Note(text="\n".join(filter(None, lines)), links=links)

    def undo(self, proposal: Proposal) -> ArchiveTask | str:
        """Return the archiving of the created task, or why there is none."""
        effect, result = self.effect_of(proposal), proposal.result or {}
        if not result.get("look") or not result.get("task_id"):
            return CANNOT_UNDO
        return ArchiveTask(
            client=effect.client,
            title=cut(effect.title, 200),
            where=cut(effect.destination.label, 200),
            task_id=result["task_id"],
            url=result.get("url") or "",
            look=TaskSnapshot.model_validate(result["look"]),
            created=effect.entity,
            timezone=effect.timezone,
        )

    def duplicate_note(self, outcome: Duplicate) -> Note:
        """Say which task is the same, or probably the same."""
        same = message("task_creation.already_created_list_within")
        if not outcome.is_equal:
            same = message("task_creation.created_after_card_drawn")
        if outcome.url is None:
            same = message("task_creation.may_exist")
        text = message("task_creation.press_create_anyway_or", title=outcome.title, same=same)
        link_text = message("task_creation.open_existing_task")
        return Note(text=text, links=notices.link_to(outcome.url, link_text))


def _who(effect: CreateTask, outcome: Done) -> str:
    """Say whose task it is according to ClickUp's answer, not to the request."""
    assignee = effect.assignee
    if assignee is None:
        return message("task_creation.unassigned")
    if assignee.clickup_user_id is None:
        return message("task_creation.unassigned_has_no_clickup", name=assignee.name)
    if outcome.result.get("assignee") is None and not outcome.was_adopted:
        return message("task_creation.unassigned_clickup_did_not", name=assignee.name)
    return message("built.assigned", name=assignee.name)


def _new_task(proposal: Proposal, effect: CreateTask, intent: Intent, zone: ZoneInfo) -> NewTask:
    """Build the confirmed task, with a last line that serves as trace and marker."""
    who = as_label(proposal.actor_name)
    day = day_of(proposal.created_at, zone_named(effect.timezone))
    signature = f"{intent.marker} · for {who} · {day}"
    assignee = effect.assignee
    ids = (int(assignee.clickup_user_id),) if assignee and assignee.clickup_user_id else ()
    return NewTask(
        name=redacted(effect.title),
        markdown_content=f"{redacted(effect.body)}\n\n{signature}",
        assignees=ids,
        start_date=effect.start,
        due_date=effect.due,
        timezone=zone.key,
    )


def _result(
    task_id: str,
    url: str | None,
    effect: CreateTask,
    *,
    unassigned: bool = False,
    look: TaskSnapshot | None = None,
) -> dict[str, object]:
    assignee = effect.assignee
    has_owner = assignee is not None and assignee.clickup_user_id is not None and not unassigned
    return {
        "task_id": task_id,
        "url": url,
        "assignee": assignee.name if assignee and has_owner else None,
        "look": look.model_dump() if look else None,
    }
