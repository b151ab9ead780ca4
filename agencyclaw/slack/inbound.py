"""Everything Slack tells us passes here, and is stored before Slack hears that it arrived.

This is one global middleware. It answers every payload itself: what it returns is the
acknowledgement, and when it fails there is none, so Slack sends the payload again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any, cast

import logfire
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse

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
    Forged,
    ForgetWanted,
    LookedAt,
    NothingTicked,
    Press,
    Pressed,
    TextWanted,
    Thumbed,
    choice,
    decision,
    forgetting,
    read_press,
)
from agencyclaw.slack.commands import CommandLine
from agencyclaw.slack.forms import (
    FormOrigin,
    build_form,
    build_notice,
)
from agencyclaw.slack.long_texts import build_text
from agencyclaw.slack.member_lifecycle import MemberLifecycle, team_of
from agencyclaw.slack.messages import (
    Heard,
    HeardInThread,
    Ignored,
    MessageMeaning,
    Overheard,
    read_message,
    read_stop,
)
from agencyclaw.slack.ports import (
    AuditPort,
    ChoicesPort,
    Feedback,
    Identity,
    InboxPort,
    OpenProposals,
    PublishHome,
    RememberedLines,
    RevisionsPort,
    SlashCommandsPort,
    SuggestedPromptsPort,
    Texts,
)
from agencyclaw.slack.ratings import Ratings
from agencyclaw.slack.submissions import Submissions
from agencyclaw.slack.suggested_prompts import offer_prompts
from agencyclaw.slack.web import Web
from agencyclaw.slack.windows import Windows

# Slack waits three seconds for an acknowledgement; later it would come for nothing.
_BUDGET_S = 2.5
_LOOKS, _LOOK_S = 15, 0.1
_TICK_ONE = message("inbound.tick_one")
_FORGOTTEN = message("inbound.forgotten")
_FORGED = message("proposal.forged")
_ELSEWHERE = message("inbound.elsewhere")
_ANSWERED = message("inbound.answered")
_TRY_LATER_TEXT = message("inbound.try_later_text")
_TRY_LATER = message("inbound.try_later")


class Inbound:
    """Turns payloads into stored receipts, and serves what can't wait for a queue."""

    def __init__(
        self,
        web: Web,
        me: Identity,
        inbox: InboxPort,
        choices: ChoicesPort,
        proposals: OpenProposals,
        revisions: RevisionsPort,
        publish_home: PublishHome,
        commands: SlashCommandsPort,
        audit: AuditPort,
        texts: Texts,
        memory: RememberedLines | None = None,
        prompts: SuggestedPromptsPort | None = None,
        channels: Channels | None = None,
        life: MemberLifecycle | None = None,
        feedback: Feedback | None = None,
        *,
        now: Callable[[], float] = time.time,
        budget_s: float = _BUDGET_S,
    ) -> None:
        self._web = web
        self._windows = Windows(web)
        self._me = me
        self._inbox = inbox
        self._choices = choices
        self._proposals = proposals
        self._revisions = revisions
        self._publish_home = publish_home
        self._commands = CommandLine(commands, now, channels)
        self._audit = audit
        self._texts = texts
        self._memory = memory
        self._prompts = prompts
        self._channels = channels
        self._life = life
        self._submitted = Submissions(revisions, audit, now, feedback)
        self._ratings = Ratings(web, feedback, self._turn_away, self._begin)
        self._now = now
        self._budget_s = budget_s
        self._later: set[asyncio.Task[None]] = set()

    async def receive(self, request: AsyncBoltRequest) -> BoltResponse:
        """Take one payload; the status decides whether Slack hears that it arrived."""
        body: dict[str, Any] = request.body
        kind = str(body.get("type") or ("command" if "command" in body else "unknown"))
        with logfire.span("slack.inbound", kind=kind, retry=_retry_of(request)) as span:
            try:
                async with asyncio.timeout(self._budget_s):
                    answer = await self._take(kind, body)
            except Exception as error:  # whatever it was, Slack must send this again
                span.record_exception(error)
                logfire.error("slack.not_stored", kind=kind, error=type(error).__name__)
                return BoltResponse(status=503, body="")
        return BoltResponse(status=200, body=answer or "")

    async def settle(self, timeout_s: float) -> None:
        """Wait for what was begun beside the acknowledgements; what is late is given up."""
        if self._later:
            _, late = await asyncio.wait(self._later, timeout=timeout_s)
            for task in late:
                task.cancel()

    async def _take(self, kind: str, body: dict[str, Any]) -> dict[str, Any] | None:
        match kind:
            case "event_callback" if (team := team_of(body)) and team != self._me.team_id:
                # Nobody would take it from the queue of a workspace that we don't serve.
                logfire.warn("slack.another_workspace", team_id=team)
            case "event_callback":
                await self._hear(body)
            case "block_actions":
                await self._feel(body)
            case "view_submission":
                return await self._submitted.answer(body)
            case "command" if str(body.get("team_id") or self._me.team_id) != self._me.team_id:
                return {"response_type": "ephemeral", "text": _ELSEWHERE}
            case "command":
                return await self._commands.answer(body)
            case "url_verification":
                return {"challenge": str(body.get("challenge") or "")}
            case _:
                _pass_over(f"payload {kind}")
        return None

    async def _hear(self, body: dict[str, Any]) -> None:
        event: dict[str, Any] = body.get("event") or {}
        match event.get("type"):
            case "message" | "app_mention":
                await self._hear_kind(event, team_of(body))
                await self._hear_message(read_message(event, me=self._me, team_id=team_of(body)))
            case "agent_session_stopped":
                await self._hear_stop(event, team_of(body))
            case "app_home_opened" if event.get("tab") == "home":
                self._begin(self._refresh_home(str(event.get("user") or "")))
            case "app_home_opened" if event.get("tab") == "messages":
                self._begin(offer_prompts(self._web, self._prompts, event, team_of(body)))
            case other:
                if not (self._life and await self._life.hear(event, team_of(body))):
                    _pass_over(f"event {other}")

    async def _hear_kind(self, event: dict[str, Any], team_id: str) -> None:
        """Note what kind of channel an event says that it is from; else say what it is known as."""
        if self._channels and (channel := str(event.get("channel") or "")):
            known = await self._channels.hear(team_id, channel, event.get("channel_type"))
            event["channel_type"] = known.value if known else None

    async def _hear_message(self, heard: MessageMeaning) -> None:
        match heard:
            case Ignored(reason=reason):
                _pass_over(reason)
            case Overheard(incoming=incoming):
                await self._inbox.overhear(incoming)
            case HeardInThread(incoming=incoming, calls_others=calls_others):
                if not await self._inbox.accept_in_thread(incoming, calls_others=calls_others):
                    _pass_over("a thread of others")
            case Heard(incoming=incoming):
                await self._inbox.accept(incoming)

    async def _hear_stop(self, event: dict[str, Any], team_id: str) -> None:
        await self._hear_kind(event, team_id)
        stop = read_stop(event, team_id=team_id)
        if isinstance(stop, Ignored):
            _pass_over(stop.reason)
            return
        await self._inbox.accept(stop)

    async def _feel(self, body: dict[str, Any]) -> None:
        pressed: Pressed = read_press(body)
        if not isinstance(pressed, Ignored) and self._is_of_others(pressed.press):
            await self._turn_away(pressed.press, "another_workspace", _FORGED)
            return
        match pressed:
            case Ignored(reason=reason):
                _pass_over(reason)
            case Decided():
                await self._decide(pressed)
            case Chosen():
                await self._choose(pressed)
            case EditWanted() | TextWanted():
                self._begin(self._open_window(pressed))
            case ForgetWanted(press=press, mark=mark):
                await self._forget(press, mark)
            case Thumbed(press=press) | LookedAt(press=press):
                await self._ratings.take(pressed, await self._channel_of_press(press))
            case Forged(press=press, reason=reason):
                await self._turn_away(press, reason, _FORGED)
            case NothingTicked(press=press):
                await self._tell(press, _TICK_ONE)

    async def _forget(self, press: Press, mark: str) -> None:
        """Forget at once and show that it is gone; pressed again, there is nothing to forget."""
        if self._memory is not None:
            team_id = self._me.team_id
            if refused := await self._memory.press(forgetting(press, team_id, mark)):
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
        await self._inbox.accept(decision(decided, place))

    async def _place_of_press(self, press: Press) -> Place | None:
        """Return the thread of a button; a payload does not say what kind of channel it is in."""
        place = press.place(self._me.team_id)
        return await self._channels.placed(place) if place and self._channels else place

    async def _channel_of_press(self, press: Press) -> Place:
        place = press.channel_place(self._me.team_id)
        return await self._channels.placed(place) if self._channels else place

    async def _place_of_home_press(self, decided: Decided) -> Place | None:
        """Pressed in the Home tab, it counts where the proposal was made, if it is ours."""
        found = await self._proposals.by_ids(list(decided.click.proposal_ids))
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
        if await self._inbox.accept(choice(chosen, place, record)) is not None:
            await self._choices.pressed(place, shown.ts, record.label)

    async def _offered(self, place: Place, ts: str) -> tuple[Choice, ...]:
        """Who is quick presses before we have noted that the question is posted: wait for that."""
        for _ in range(_LOOKS):
            offered = await self._choices.offered(place, ts)
            if offered is not None:
                return offered
            await asyncio.sleep(_LOOK_S)
        return ()

    async def _turn_away(self, press: Press, reason: str, words: str) -> None:
        """Note a press that leads nowhere, and say so to who pressed."""
        await self._note(press, reason)
        await self._tell(press, words)

    async def _note(self, press: Press, reason: str) -> None:
        _pass_over(reason)
        channel = press.channel.id if press.channel else "home"
        payload = {
            "action": clean(press.action.action_id, limit=60),
            "value": clean(press.action.value or "", limit=120),
            "team": press.team.id if press.team else self._me.team_id,
            "channel": channel,
        }
        await self._audit.turned_away(reason, slack_user_id=press.user.id, payload=payload)

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
            form = await self._revisions.form(
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
            await self._windows.open(press, view)
        except AgencyClawError as error:
            logfire.error("slack.form_failed", error=type(error).__name__)
            await self._tell(press, _TRY_LATER)

    async def _show_text(self, wanted: TextWanted) -> None:
        """Show all of a proposal's text, page by page; anybody who sees the card may read it."""
        press = wanted.press
        try:
            found = await self._proposals.by_ids([wanted.proposal_id])
            if not found or not found[0].fingerprint.startswith(wanted.version):
                await self._turn_away(press, "unknown_proposal", _FORGED)
                return
            view = build_text(found[0], await self._texts.of(found[0]), wanted.page)
            await self._windows.show(press, view)
        except AgencyClawError as error:
            logfire.error("slack.text_failed", error=type(error).__name__)
            await self._tell(press, _TRY_LATER_TEXT)

    async def _place_of(self, wanted: EditWanted) -> Place:
        found = await self._proposals.by_ids([wanted.proposal_id])
        if not found:
            raise Refused(message("propose.cant_find_proposal_any"), reason="not_found")
        return found[0].place

    async def _refresh_home(self, slack_user_id: str) -> None:
        try:
            await self._publish_home(slack_user_id)
        except AgencyClawError as error:
            logfire.warn("slack.home_failed", error=type(error).__name__)

    async def _tell(self, press: Press, text: str) -> None:
        """Tell the person who pressed, and nobody else; in the Home tab, in a window."""
        place = press.place(self._me.team_id)
        if place is not None:
            await self._inbox.post_ephemeral(place, press.user.id, text)
        else:
            self._begin(self._show_notice(press, text))

    async def _show_notice(self, press: Press, text: str) -> None:
        try:
            await self._windows.open(press, build_notice(text))
        except AgencyClawError as error:
            logfire.warn("slack.note_failed", error=type(error).__name__)

    def _is_of_others(self, press: Press) -> bool:
        return press.team is not None and press.team.id != self._me.team_id

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Start what must not delay the acknowledgement; the set keeps the task alive."""
        task = asyncio.create_task(work)
        self._later.add(task)
        task.add_done_callback(self._later.discard)


def _retry_of(request: AsyncBoltRequest) -> str:
    headers = cast("dict[str, list[str]]", request.headers)
    return (headers.get("x-slack-retry-num") or [""])[0]


def _pass_over(reason: str) -> None:
    logfire.debug("slack.passed_over", reason=reason)
