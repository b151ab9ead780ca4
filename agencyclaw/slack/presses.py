"""Presses: decisions are stored, choices taken, windows opened while the trigger lives."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import logfire

from agencyclaw.domain.choices import Choice
from agencyclaw.domain.edits import NotEditable
from agencyclaw.domain.errors import AgencyClawError, Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Place
from agencyclaw.domain.text import clean
from agencyclaw.slack.channels import Channels
from agencyclaw.slack.clicks import (
    Chosen,
    Decided,
    EditWanted,
    FeedbackSettled,
    Forged,
    ForgetWanted,
    NothingTicked,
    Press,
    Pressed,
    TextWanted,
    Thumbed,
    as_choice,
    as_decision,
    as_forgetting,
    read_press,
)
from agencyclaw.slack.edit_form import FormOrigin, build_form
from agencyclaw.slack.ignored import Ignored, log_ignored
from agencyclaw.slack.long_texts import build_notice, build_text
from agencyclaw.slack.modals import Modals
from agencyclaw.slack.ports import Identity, InboundPorts
from agencyclaw.slack.ratings import Ratings
from agencyclaw.slack.web import Web

_LOOKS, _LOOK_S = 15, 0.1
_TICK_ONE = message("inbound.tick_one")
_FORGOTTEN = message("inbound.forgotten")
_FORGED = message("proposal.forged")
_ANSWERED = message("inbound.answered")
_TRY_LATER_TEXT = message("inbound.try_later_text")
_TRY_LATER = message("inbound.try_later")


class Presses:
    """Takes pressed buttons to what they are about."""

    def __init__(
        self,
        web: Web,
        me: Identity,
        ports: InboundPorts,
        channels: Channels | None,
        refresh_home: Callable[[str], Coroutine[Any, Any, None]],
        begin: Callable[[Coroutine[Any, Any, None]], None],
    ) -> None:
        self._modals = Modals(web)
        self._me = me
        self._ports = ports
        self._channels = channels
        self._refresh_home = refresh_home
        self._begin = begin
        self._ratings = Ratings(web, ports.feedback, self._turn_away, begin)

    async def take(self, body: dict[str, Any]) -> None:
        """Store what was pressed, or begin what shows it."""
        pressed: Pressed = read_press(body)
        if not isinstance(pressed, Ignored) and self._is_of_others(pressed.press):
            await self._turn_away(pressed.press, "another_workspace", _FORGED)
            return
        match pressed:
            case Ignored(reason=reason):
                log_ignored(reason)
            case Decided():
                await self._decide(pressed)
            case Chosen():
                await self._choose(pressed)
            case EditWanted() | TextWanted():
                self._begin(self._open_window(pressed))
            case ForgetWanted(press=press, mark=mark):
                await self._forget(press, mark)
            case Thumbed(press=press) | FeedbackSettled(press=press):
                await self._ratings.take(pressed, await self._channel_of_press(press))
            case Forged(press=press, reason=reason):
                await self._turn_away(press, reason, _FORGED)
            case NothingTicked(press=press):
                await self._tell(press, _TICK_ONE)

    async def _forget(self, press: Press, mark: str) -> None:
        """Forget at once and show that it is gone; pressed again, there is nothing to forget."""
        if self._ports.memory is not None:
            team_id = self._me.team_id
            if refused := await self._ports.memory.press(as_forgetting(press, team_id, mark)):
                await self._tell(press, refused)
                return
            if press.view is None:
                await self._tell(press, _FORGOTTEN)
            self._begin(self._refresh_home(press.user.id))

    async def _decide(self, decided: Decided) -> None:
        place = await self._place_of_press(decided.press)
        if place is None:
            place = await self._place_of_home_press(decided)
        if place is None:
            await self._turn_away(decided.press, "unknown_proposal", _FORGED)
            return
        await self._ports.inbox.accept(as_decision(decided, place))

    async def _place_of_press(self, press: Press) -> Place | None:
        """Return the thread of a button; a payload does not say what kind of channel it is in."""
        place = press.place(self._me.team_id)
        return await self._channels.placed(place) if place and self._channels else place

    async def _channel_of_press(self, press: Press) -> Place:
        place = press.channel_place(self._me.team_id)
        return await self._channels.placed(place) if self._channels else place

    async def _place_of_home_press(self, decided: Decided) -> Place | None:
        """Pressed in the Home tab, it counts where the proposal was made, if it is ours."""
        found = await self._ports.proposals.by_ids(list(decided.click.proposal_ids))
        team_id = self._me.team_id
        return found[0].place.model_copy(update={"team_id": team_id}) if found else None

    async def _choose(self, chosen: Chosen) -> None:
        place = await self._place_of_press(chosen.press)
        shown = chosen.press.message
        if place is None or shown is None:
            return
        offered = await self._offered(place, shown.ts)
        if chosen.at >= len(offered):
            await self._turn_away(chosen.press, "choice_not_offered", _ANSWERED)
            return
        record = offered[chosen.at]
        # Where a full lane declined it, the question still stands.
        if await self._ports.inbox.accept(as_choice(chosen, place, record)) is not None:
            await self._ports.choices.pressed(place, shown.ts, record.label)

    async def _offered(self, place: Place, ts: str) -> tuple[Choice, ...]:
        """Who is quick presses before we have noted that the question is posted: wait for that."""
        for _ in range(_LOOKS):
            offered = await self._ports.choices.offered(place, ts)
            if offered is not None:
                return offered
            await asyncio.sleep(_LOOK_S)
        return ()

    async def _turn_away(self, press: Press, reason: str, words: str) -> None:
        """Note a press that leads nowhere, and say so to who pressed."""
        await self._note(press, reason)
        await self._tell(press, words)

    async def _note(self, press: Press, reason: str) -> None:
        log_ignored(reason)
        channel = press.channel.id if press.channel else "home"
        payload = {
            "action": clean(press.action.action_id, limit=60),
            "value": clean(press.action.value or "", limit=120),
            "team": press.team.id if press.team else self._me.team_id,
            "channel": channel,
        }
        await self._ports.audit.turned_away(reason, slack_user_id=press.user.id, payload=payload)

    async def _open_window(self, wanted: EditWanted | TextWanted) -> None:
        match wanted:
            case EditWanted():
                await self._open_form(wanted)
            case TextWanted():
                await self._show_text(wanted)

    async def _open_form(self, wanted: EditWanted) -> None:
        """Show the Edit form while the trigger lives; say why when there is none."""
        press = wanted.press
        try:
            form = await self._ports.revisions.form(
                wanted.proposal_id,
                team_id=self._me.team_id,
                slack_user_id=press.user.id,
            )
            if isinstance(form, NotEditable):
                await self._note(press, form.reason)
                await self._tell(press, form.message)
                return
            place = await self._place_of_press(press) or await self._place_of(wanted)
            view = build_form(form, FormOrigin(proposal_id=wanted.proposal_id, place=place))
            await self._modals.open(press.trigger_id, view)
        except AgencyClawError as error:
            logfire.error("slack.form_failed", error=type(error).__name__)
            await self._tell(press, _TRY_LATER)

    async def _show_text(self, wanted: TextWanted) -> None:
        """Show all of a proposal's text, page by page; anybody who sees the card may read it."""
        press = wanted.press
        try:
            found = await self._ports.proposals.by_ids([wanted.proposal_id])
            if not found or not found[0].fingerprint.startswith(wanted.version):
                await self._turn_away(press, "unknown_proposal", _FORGED)
                return
            view = build_text(found[0], await self._ports.texts.of(found[0]), wanted.page)
            await self._modals.show(press, view)
        except AgencyClawError as error:
            logfire.error("slack.text_failed", error=type(error).__name__)
            await self._tell(press, _TRY_LATER_TEXT)

    async def _place_of(self, wanted: EditWanted) -> Place:
        found = await self._ports.proposals.by_ids([wanted.proposal_id])
        if not found:
            raise Refused(message("propose.cant_find_proposal_any"), reason="not_found")
        return found[0].place

    async def _tell(self, press: Press, text: str) -> None:
        """Tell the person who pressed, and nobody else; in the Home tab, in a window."""
        place = press.place(self._me.team_id)
        if place is not None:
            await self._ports.inbox.post_ephemeral(place, press.user.id, text)
        else:
            self._begin(self._show_notice(press, text))

    async def _show_notice(self, press: Press, text: str) -> None:
        try:
            await self._modals.open(press.trigger_id, build_notice(text))
        except AgencyClawError as error:
            logfire.warn("slack.note_failed", error=type(error).__name__)

    def _is_of_others(self, press: Press) -> bool:
        return press.team is not None and press.team.id != self._me.team_id
