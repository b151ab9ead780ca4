"""Handles pressed buttons: stores decisions and choices, and opens modals."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any
from uuid import UUID

import logfire

from agencyclaw.domain.choices import Choice
from agencyclaw.domain.commands import CommandReply
from agencyclaw.domain.edits import NotEditable
from agencyclaw.domain.errors import AgencyClawError, Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Place
from agencyclaw.domain.text import clean
from agencyclaw.slack.channels import Channels
from agencyclaw.slack.clicks import (
    ChoicePress,
    CompareAccounts,
    ComplaintDone,
    Decision,
    EditRequest,
    ForgedPress,
    MemoryPress,
    NothingSelected,
    OurPress,
    Press,
    TextRequest,
    ThumbPress,
    choice_as_stored,
    comparison_as_typed,
    decision_as_stored,
    memory_press_as_stored,
    read_press,
)
from agencyclaw.slack.edit_form import FormOrigin, build_form
from agencyclaw.slack.ignored import Ignored, log_ignored
from agencyclaw.slack.long_texts import build_notice, build_text
from agencyclaw.slack.modals import Modals
from agencyclaw.slack.ports import BotIdentity, InboundPorts
from agencyclaw.slack.ratings import Ratings
from agencyclaw.slack.web import Web

# Buttons appear a moment before their answer is recorded as posted, or long before if Slack is
# slow to confirm it: then the press goes on waiting after it is acknowledged.
_CHOICE_TRIES, _LATE_CHOICE_TRIES, _CHOICE_PAUSE_S = 15, 300, 0.1
_SELECT_ONE = message("inbound.tick_one")
_FORGOTTEN = message("inbound.forgotten")
_FORGED = message("proposal.forged")
_ANSWERED = message("inbound.answered")
_NOT_POSTED = message("inbound.not_posted")
_TRY_LATER = message("commands.failed")


class Presses:
    """Handles each press by what it means."""

    def __init__(
        self,
        web: Web,
        me: BotIdentity,
        ports: InboundPorts,
        channels: Channels,
        refresh_home: Callable[[str], Coroutine[Any, Any, None]],
        start_task: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._modals = Modals(web)
        self._me = me
        self._ports = ports
        self._channels = channels
        self._refresh_home = refresh_home
        self._start_task = start_task
        self._ratings = Ratings(web, ports.feedback, self._turn_away, start_task)

    async def handle(self, body: dict[str, Any]) -> None:
        """Store what was pressed, or start what shows it."""
        meaning = read_press(body)
        if isinstance(meaning, Ignored):
            log_ignored(meaning.reason)
            return
        press = meaning.press
        if press.team is not None and press.team.id != self._me.team_id:
            await self._turn_away(press, "another_workspace", _FORGED)
            return
        await self._handle(meaning)

    async def _handle(self, meaning: OurPress) -> None:
        match meaning:
            case Decision():
                await self._store_decision(meaning)
            case ChoicePress():
                await self._store_choice(meaning)
            case EditRequest():
                self._start_task(self._open_form(meaning))
            case TextRequest():
                self._start_task(self._show_text(meaning))
            case MemoryPress():
                await self._change_memory(meaning)
            case ThumbPress() | ComplaintDone():
                place = await self._channels.placed(meaning.press.channel_place(self._me.team_id))
                await self._ratings.handle(meaning, place)
            case CompareAccounts(press=press):
                asked = comparison_as_typed(press, self._me.team_id)
                reply = await self._ports.commands.carry_out(asked)
                await self._notify(press, reply.text if isinstance(reply, CommandReply) else "")
            case ForgedPress(press=press, reason=reason):
                await self._turn_away(press, reason, _FORGED)
            case NothingSelected(press=press):
                await self._notify(press, _SELECT_ONE)

    async def _change_memory(self, pressed: MemoryPress) -> None:
        """Forget or adjust at once, and show it; pressed again, there is nothing to forget."""
        press = pressed.press
        reply = await self._ports.memory.press(memory_press_as_stored(pressed, self._me.team_id))
        if reply or press.view is None:
            await self._notify(press, reply or _FORGOTTEN)
        self._start_task(self._refresh_home(press.user.id))

    async def _store_decision(self, decision: Decision) -> None:
        """Store a decision; pressed in the Home tab, it counts where the proposal was made."""
        place = await self._thread_of(decision.press)
        if place is None:
            stored = await self._place_of_proposals(decision.click.proposal_ids)
            place = stored and stored.model_copy(update={"team_id": self._me.team_id})
        if place is None:
            await self._turn_away(decision.press, "unknown_proposal", _FORGED)
            return
        await self._ports.inbox.accept(decision_as_stored(decision, place))

    async def _thread_of(self, press: Press) -> Place | None:
        place = press.place(self._me.team_id)
        return await self._channels.placed(place) if place else None

    async def _place_of_proposals(self, ids: Sequence[UUID]) -> Place | None:
        proposals = await self._ports.proposals.by_ids(list(ids))
        return proposals[0].place if proposals else None

    async def _store_choice(self, choice_press: ChoicePress) -> None:
        press = choice_press.press
        place = await self._thread_of(press)
        if place is None or press.message is None:
            return
        offered = await self._offered_choices(place, press.message.ts, _CHOICE_TRIES)
        if offered is None:
            self._start_task(self._store_late_choice(choice_press, place, press.message.ts))
        else:
            await self._accept_choice(choice_press, place, press.message.ts, offered)

    async def _store_late_choice(self, choice_press: ChoicePress, place: Place, ts: str) -> None:
        offered = await self._offered_choices(place, ts, _LATE_CHOICE_TRIES)
        if offered is None:
            await self._turn_away(choice_press.press, "choice_not_posted", _NOT_POSTED)
        else:
            await self._accept_choice(choice_press, place, ts, offered)

    async def _accept_choice(
        self, choice_press: ChoicePress, place: Place, ts: str, offered: tuple[Choice, ...]
    ) -> None:
        press = choice_press.press
        if choice_press.index >= len(offered):
            await self._turn_away(press, "choice_not_offered", _ANSWERED)
            return
        choice = offered[choice_press.index]
        receipt_id = await self._ports.inbox.accept(choice_as_stored(press, place, choice))
        # A full lane declines it: then the question is still open.
        if receipt_id is not None:
            await self._ports.choices.pressed(place, ts, choice.label)

    async def _offered_choices(
        self, place: Place, ts: str, tries: int
    ) -> tuple[Choice, ...] | None:
        """Return an answer's choices; None if it was not recorded as posted meanwhile."""
        for _ in range(tries):
            offered = await self._ports.choices.offered(place, ts)
            if offered is not None:
                return offered
            await asyncio.sleep(_CHOICE_PAUSE_S)
        return None

    async def _turn_away(self, press: Press, reason: str, text: str) -> None:
        """Record a press without effect, and tell the person who pressed."""
        await self._record_refusal(press, reason)
        await self._notify(press, text)

    async def _record_refusal(self, press: Press, reason: str) -> None:
        log_ignored(reason)
        payload = {
            "action": clean(press.action.action_id, limit=60),
            "value": clean(press.action.value or "", limit=120),
            "team": press.team.id if press.team else self._me.team_id,
            "channel": press.channel.id if press.channel else "home",
        }
        await self._ports.audit.turned_away(reason, slack_user_id=press.user.id, payload=payload)

    async def _open_form(self, request: EditRequest) -> None:
        """Show the Edit form, or say why there is none."""
        press = request.press
        try:
            form = await self._ports.revisions.form(
                request.proposal_id, team_id=self._me.team_id, slack_user_id=press.user.id
            )
            if isinstance(form, NotEditable):
                await self._record_refusal(press, form.reason)
                await self._notify(press, form.message)
                return
            place = await self._thread_of(press)
            place = place or await self._place_of_proposals([request.proposal_id])
            if place is None:
                raise Refused(message("propose.cant_find_proposal_any"), reason="not_found")
            view = build_form(form, FormOrigin(proposal_id=request.proposal_id, place=place))
            await self._modals.open(press.trigger_id, view)
        except AgencyClawError as error:
            logfire.error("slack.form_failed", error=type(error).__name__)
            await self._notify(press, _TRY_LATER)

    async def _show_text(self, request: TextRequest) -> None:
        """Show all of a proposal's text, page by page; anybody who sees the card may read it."""
        press = request.press
        try:
            proposals = await self._ports.proposals.by_ids([request.proposal_id])
            if not proposals or not proposals[0].fingerprint.startswith(request.version):
                await self._turn_away(press, "unknown_proposal", _FORGED)
                return
            text = await self._ports.full_text(proposals[0])
            await self._modals.show(press, build_text(proposals[0], text, request.page))
        except AgencyClawError as error:
            logfire.error("slack.text_failed", error=type(error).__name__)
            await self._notify(press, _TRY_LATER)

    async def _notify(self, press: Press, text: str) -> None:
        """Tell the person who pressed, and nobody else; in the Home tab, in a modal."""
        place = press.place(self._me.team_id)
        if place is not None:
            await self._ports.inbox.post_ephemeral(place, press.user.id, text)
        else:
            self._start_task(self._show_notice(press, text))

    async def _show_notice(self, press: Press, text: str) -> None:
        try:
            await self._modals.open(press.trigger_id, build_notice(text))
        except AgencyClawError as error:
            logfire.warn("slack.note_failed", error=type(error).__name__)
