"""A schedule that came due: answered with its owner's rights of today, and posted once.

It reads and proposes. It never writes, never asks and never waits: a service that is away is tried
twice more, and then the answer is missed, which the next post says.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from uuid import UUID, uuid4

from agencyclaw.agents.main import Answered, AnsweredElsewhere, Failed, StaysSilent
from agencyclaw.conversation.answer import Acted, Conversation
from agencyclaw.conversation.dead_letters import is_dead
from agencyclaw.conversation.endings import RunEnding, conclude
from agencyclaw.conversation.identity import who_spoke
from agencyclaw.conversation.run_endings import ending_of
from agencyclaw.conversation.schedule_rights import why_not
from agencyclaw.conversation.trials import end_untried, say_of_trial, show_tried
from agencyclaw.conversation.turn_log import log_turn
from agencyclaw.deps import Deps
from agencyclaw.domain.clock import day_and_time
from agencyclaw.domain.errors import Throttled, Unavailable
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Freshness, Place
from agencyclaw.domain.receipts import Note, Receipt
from agencyclaw.domain.runs import RunStatus
from agencyclaw.domain.schedule_changes import setting_of
from agencyclaw.domain.schedules import (
    UNHEARD_AT_MOST,
    Firing,
    QuietHours,
)
from agencyclaw.domain.text import counted
from agencyclaw.proposals.identities import Identify, Identity, Unidentified, Unverified
from agencyclaw.spans import traced
from agencyclaw.store.admin_notices import Recipient, notify
from agencyclaw.store.conclusion import leave_turn
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import AWAY, Connection, Database
from agencyclaw.store.firings import Schedules, answered
from agencyclaw.store.proposals import drop_drafts
from agencyclaw.store.receipts import Receipts, close_receipt
from agencyclaw.store.runs import end_runs, finish_run
from agencyclaw.store.schedule_notices import (
    failed,
    pause,
    tell_unanswered,
    unanswered,
    unanswered_because,
)

# A service that is away is tried again after so many seconds.
_PAUSES_S = (30.0, 60.0)
_TOLD_AT, _PAUSED_AT = 2, 3


@dataclass(frozen=True)
class Firings:
    """Answers the questions of schedules."""

    db: Database
    receipts: Receipts
    identify: Identify
    directory: DirectoryReader
    conversation: Conversation
    quiet: QuietHours

    @property
    def schedules(self) -> Schedules:
        """What fires the schedules that are due."""
        return Schedules(self.db, self.quiet)

    async def ring(self, schedule_id: UUID) -> None:
        """Fire a schedule that is due, after Slack was asked whether its owner is still here."""
        owner = await self.schedules.owner(schedule_id)
        if owner:
            place = Place.home_tab(owner.team_id)
            await self.identify(place, owner.slack_user_id, Freshness.NOW)
        await self.schedules.ring(schedule_id)

    async def handle(self, receipt_id: int) -> None:
        """Handle a stored firing, unless that was done before; a failure of ours is tried again."""
        receipt = await self.receipts.claim(receipt_id)
        if receipt is None:
            return
        began = time.monotonic()
        with traced("firing", receipt=receipt.id, attempt=receipt.attempts):
            try:
                run_id = await self._handle(receipt)
            except (Unavailable, *AWAY):
                raise
            except Exception as error:
                log_turn("firing failed", receipt, began, error=type(error).__name__)
                await self.receipts.count_failure(receipt.id)
                raise
            log_turn("firing ended", receipt, began, run=str(run_id) if run_id else None)

    async def _handle(self, receipt: Receipt) -> UUID | None:
        """Answer a schedule that came due; returns the run that answered it, if there was one."""
        firing = await self.schedules.firing(receipt)
        if firing is None:
            await self._drop(receipt)
            return None
        if receipt.failures > len(_PAUSES_S) or is_dead(receipt):
            await self._fail(receipt, firing)
            return None
        match await who_spoke(self.identify, receipt.incoming, Freshness.NOW):
            case Unidentified(message=why):
                await self._pause(receipt, firing, why)
            case Unverified():
                await self._try_later(receipt, firing)
            case Identity() as identity:
                return await self._answer(receipt, firing, identity)
        return None

    async def _answer(self, receipt: Receipt, firing: Firing, identity: Identity) -> UUID | None:
        schedule, team_id = firing.schedule, identity.surface.team_id
        setting = setting_of(schedule)
        if why := await why_not(self.directory, identity, setting, schedule.watch):
            await self._pause(receipt, firing, why)
            return None
        if why := await self.conversation.limits.stopping(team_id, identity.actor, firing):
            # To watch goes on costing nothing.
            end = self._prepare_nothing if schedule.watch else self._pause
            await end(receipt, firing, why)
            return None
        run_id = uuid4()
        acted = await self.conversation.act(receipt, identity, run_id=run_id, firing=firing)
        await self._conclude(receipt, firing, acted)
        return run_id

    async def _conclude(self, receipt: Receipt, firing: Firing, acted: Acted) -> None:
        gathered, outcome = acted.gathered, acted.outcome
        run_id, has_drafts = gathered.deps.run_id, bool(gathered.drafts.drafts)
        match outcome:
            case StaysSilent():
                await self._end_silently(receipt, firing, gathered.deps, outcome.requests)
            case Failed(waits_s=float()) if not has_drafts:
                await self._try_later(receipt, firing)
            case AnsweredElsewhere():
                await self._fail(receipt, firing)
            case Failed() if not has_drafts:
                await self._fail(receipt, firing)
            case Answered() | Failed():
                ending = _ending_of_firing(ending_of(gathered, outcome), firing)
                await conclude(self.db, receipt, run_id, ending)

    async def _end_silently(
        self, receipt: Receipt, firing: Firing, deps: Deps, requests: int
    ) -> None:
        async with self.db.transaction() as conn:
            if not await close_receipt(conn, receipt.id, "done", "nothing_to_say"):
                await leave_turn(conn, deps.run_id)
                return
            await drop_drafts(conn, receipt.id)
            output = {"silent": True, "requests": requests}
            status, about = RunStatus.COMPLETED, deps.topic.only
            await finish_run(conn, deps.run_id, status, output=output, client_id=about)
            await answered(conn, firing, has_posted=False)
            if firing.trial_of:
                await say_of_trial(conn, receipt, message("schedules.nothing_today"))
                await show_tried(conn, receipt, firing.trial_of)

    async def _try_later(self, receipt: Receipt, firing: Firing) -> None:
        """Raise Throttled for the next try; the third in vain is a failure."""
        if receipt.failures >= len(_PAUSES_S):
            await self._fail(receipt, firing)
            return
        await end_runs(self.db.pool, receipt.id, RunStatus.CANCELLED, "waits")
        await self.receipts.count_failure(receipt.id)
        raise Throttled(message("schedules.waits"), after=_PAUSES_S[receipt.failures])

    async def _fail(self, receipt: Receipt, firing: Firing) -> None:
        """End a firing without an answer: the second in a row is told, the third pauses.

        One that was asked for besides its times is told at once, and counts for nothing.
        """
        if firing.schedule.watch:
            await self._prepare_nothing(receipt, firing, message("schedules.trial_failed"))
            return
        async with self.db.transaction() as conn:
            if not await _give_up(conn, receipt, "done", "failed"):
                return
            if firing.trial_of:
                await end_untried(conn, receipt, firing.trial_of, message("schedules.trial_failed"))
                return
            if firing.is_extra:
                await _tell_owner(
                    conn, receipt, message("schedules.failed_now", words=firing.words)
                )
                return
            in_a_row = await failed(conn, firing)
            if firing.next_at is None:
                await _tell_owner(conn, receipt, unanswered(firing.schedule))
            elif in_a_row == _TOLD_AT:
                text = message(
                    "schedules.failed_twice", words=firing.words, timing=firing.schedule.comes
                )
                await _tell_owner(conn, receipt, text)
            if in_a_row == _PAUSED_AT and firing.schedule_id:
                why = message("schedules.failed_thrice")
                await pause(conn, firing.schedule_id, why, planned=firing.planned)

    async def _prepare_nothing(self, receipt: Receipt, firing: Firing, why: str) -> None:
        """End what was to be prepared of a finding, which itself was told when it was made."""
        async with self.db.transaction() as conn:
            if await _give_up(conn, receipt, "done", "failed"):
                then = firing.schedule.then
                text = message("watches.not_prepared", words=firing.words, then=then, why=why)
                if firing.next_at is None:
                    text = unanswered_because(firing, why)
                await _tell_owner(conn, receipt, text)

    async def _pause(self, receipt: Receipt, firing: Firing, why: str) -> None:
        """Pause a schedule whose owner may not have it any more."""
        async with self.db.transaction() as conn:
            if not await _give_up(conn, receipt, "ignored", "schedule_paused"):
                return
            if firing.trial_of:
                await end_untried(conn, receipt, firing.trial_of, why)
            elif firing.next_at is None:
                # It has come for the last time, so there is nothing to pause.
                key = f"{receipt.incoming.key}:told"
                await tell_unanswered(conn, firing, why, key=key)
            elif firing.schedule_id:
                await pause(conn, firing.schedule_id, why, planned=firing.planned)

    async def _drop(self, receipt: Receipt) -> None:
        async with self.db.transaction() as conn:
            await _give_up(conn, receipt, "ignored", "schedule_ended")


async def _give_up(conn: Connection, receipt: Receipt, status: str, reason: str) -> bool:
    """Close a firing without an answer; False if it was closed already.

    Either way, what its attempts left in progress ends.
    """
    is_closed = await close_receipt(conn, receipt.id, status, reason)
    await drop_drafts(conn, receipt.id)
    await end_runs(conn, receipt.id, RunStatus.FAILED, reason)
    return is_closed


async def _tell_owner(conn: Connection, receipt: Receipt, text: str) -> None:
    incoming = receipt.incoming
    owner = Recipient(incoming.place.team_id, incoming.slack_user_id)
    await notify(conn, f"{incoming.key}:told", owner, Note(text=text))


def _ending_of_firing(ending: RunEnding, firing: Firing) -> RunEnding:
    """Return an ending that asks and forwards nothing, and says what was late or missed."""
    footer = " ".join(filter(None, (ending.note.footer, *_remarks(firing), _origin(firing))))
    note = ending.note.model_copy(
        update={"footer": footer, "choices": (), "schedule": firing.schedule_id}
    )
    return replace(ending, note=note, asks=False, about=None, firing=firing)


def _remarks(firing: Firing) -> list[str]:
    """Return what is said below an answer: that it is late, or what was missed."""
    planned = day_and_time(firing.planned, firing.timing.zone)
    late = [message("reminders.planned_for", planned=planned)] if firing.is_late else []
    if firing.unsaid:
        late.append(message("schedules.unsaid", times=counted(firing.unsaid, "time")))
    if firing.unheard == UNHEARD_AT_MOST:
        late.append(message("schedules.still_wanted"))
    return late


def _origin(firing: Firing) -> str:
    if firing.trial_of:
        return message("schedules.trial", timing=firing.schedule.comes)
    return message("schedules.origin", words=firing.words, timing=firing.schedule.comes)
