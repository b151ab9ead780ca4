"""A turn that reaches its time offers to go on; pressed, its message goes on in the background.

It is the same message with the rights of now, and it begins where its run left off. It reads and
proposes like any turn, and its result is posted once, in the thread.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any
from uuid import UUID

import logfire
from pydantic import ValidationError
from pydantic_ai.messages import ModelMessagesTypeAdapter, ModelResponse
from pydantic_ai.usage import RequestUsage

from agencyclaw.agents.failures import Failed
from agencyclaw.agents.main import Outcome
from agencyclaw.conversation import fixed_texts
from agencyclaw.conversation.endings import RunEnding
from agencyclaw.conversation.interrupted_run import steps_of, with_last_steps
from agencyclaw.conversation.running import RunningTurns
from agencyclaw.domain.background import BACKGROUND_AT_MOST
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor, Tier
from agencyclaw.domain.receipts import Addressed, Incoming, Receipt
from agencyclaw.domain.replies import ENDINGS
from agencyclaw.proposals.consent import Consent
from agencyclaw.proposals.identities import Identity
from agencyclaw.store.engine import Database
from agencyclaw.store.events import record_event
from agencyclaw.store.firings import Schedules
from agencyclaw.store.going_on import (
    going_on_from,
    left_by,
    look_again,
    read_work,
    redraw,
    settle_offer,
    store_going_on,
    stored_responses,
)
from agencyclaw.store.homes import wake_home
from agencyclaw.store.jobs import is_local
from agencyclaw.store.receipts import keep_settled
from agencyclaw.store.stopping import say_stopped, stop_background
from agencyclaw.store.suspensions import end_suspensions


@dataclass(frozen=True)
class BackgroundTurns:
    """Begins by a press what runs beside the conversation, shows how it is going, and stops it."""

    db: Database
    running: RunningTurns
    consent: Consent

    async def go_on(self, act: Incoming, run_id: UUID, actor: Actor) -> str:
        """Let the message of a run go on, for who wrote it; returns what to say."""
        async with self.db.transaction() as conn:
            left = await left_by(conn, act.place.team_id, run_id)
            if left is None or left["team_id"] != act.place.team_id:
                return message("background.unknown")
            if left["slack_user_id"] != act.slack_user_id:
                return message("background.not_yours")
            if left["is_begun"] or await keep_settled(conn, act) is None:
                return message("background.begun_already")
            if not left["can_go_on"]:
                return message("background.overtaken")
            work = await store_going_on(conn, left["id"], run_id)
            if work is None:
                return message("background.too_many", most=BACKGROUND_AT_MOST)
            payload = {"run": str(run_id), "receipt": work.receipt_id}
            await record_event(conn, "went_on", actor=actor.profile_id, payload=payload)
        return message("background.begun")

    async def run_now(self, act: Incoming, schedule_id: UUID) -> str:
        """Have a question of a schedule answered besides its times; returns what to say."""
        return await Schedules(self.db).run_now(act, schedule_id)

    async def stop(self, act: Incoming, run_id: UUID, who: Identity) -> str:
        """Stop what goes on from a run, for who asked for it or an admin.

        What it was about to change is cancelled for its own person, and stays as it was otherwise.
        """
        actor = who.actor
        async with self.db.transaction() as conn:
            receipt_id = await going_on_from(conn, run_id)
            work = await read_work(conn, receipt_id) if receipt_id else None
            if work is None or work.place.team_id != act.place.team_id:
                return message("background.unknown")
            if work.slack_user_id != act.slack_user_id and actor.tier < Tier.ADMIN:
                return message("background.not_yours")
            await keep_settled(conn, act)
            stopped = await stop_background(conn, work.receipt_id)
            if stopped is None:
                return message("background.over")
            revised = await end_suspensions(conn, stopped.id)
            own = [one for one in revised if one.actor_profile_id == actor.profile_id]
            # The press may come from elsewhere: the cards are where the message is.
            await self.consent.drop(conn, stopped, who, own)
            text = await with_last_steps(conn, stopped.id, fixed_texts.STOPPED)
            await say_stopped(conn, stopped, text)
            payload = {"receipt": stopped.id, "by": act.key}
            await record_event(conn, "turn_stopped", actor=actor.profile_id, payload=payload)
        await self.running.stop(work.receipt_id)
        await self.show(work.receipt_id)
        return message("background.stops")

    async def show(self, receipt_id: int) -> None:
        """Redraw the card of what goes on, and look again later until it has ended."""
        async with self.db.transaction() as conn:
            work = await read_work(conn, receipt_id)
            if work is None:
                return
            await settle_offer(conn, work)
            steps, doing = await steps_of(conn, receipt_id)
            is_drawn = await redraw(conn, work, work.note(steps, doing))
            if work.ended_at is None or not is_drawn:
                await look_again(conn, work)
            else:
                # It is listed there while it is under way.
                await wake_home(conn, work.place.team_id, work.slack_user_id)


def offering(receipt: Receipt, outcome: Outcome, ending: RunEnding) -> RunEnding:
    """Return the ending of a turn that reached its time with the offer to go on."""
    is_late = isinstance(outcome, Failed) and outcome.is_out_of_time
    is_ours = receipt.incoming.addressed is Addressed.US
    is_first = receipt.goes_on_from is None and not is_local(receipt.incoming.place.team_id)
    if not (is_late and is_ours and is_first) or ending.drafts:
        return ending
    text = f"{ending.note.text}\n{message('background.offer')}"
    note = ending.note.model_copy(update={"text": text, "goes_on": ending.note.run_id})
    return replace(ending, note=note)


async def earlier_responses(db: Database, receipt: Receipt) -> list[ModelResponse]:
    """Return the calls that a model made before a message went on, as responses that cost nothing.

    They are made again, so that the answer rests on what is so now, and changes are prepared anew.
    An answer among them was not taken.
    """
    if receipt.goes_on_from is None:
        return []
    responses = _read(await stored_responses(db, receipt))
    return [replace(one, usage=RequestUsage()) for one in takewhile(_only_calls, responses)]


def _read(contents: list[Any]) -> list[ModelResponse]:
    try:
        messages = ModelMessagesTypeAdapter.validate_python(contents)
    except ValidationError:
        logfire.warn("journal unreadable")
        return []
    return [one for one in messages if isinstance(one, ModelResponse)]


def _only_calls(response: ModelResponse) -> bool:
    names = {call.tool_name for call in response.tool_calls}
    return bool(names) and not names & ENDINGS
