"""Delivers outbox rows to Slack exactly once.

A delivery that was interrupted while sending is first looked for in its thread, by the id in the
metadata of our messages.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import logfire

from agencyclaw.conversation.inbox import Inbox
from agencyclaw.domain.errors import AgencyClawError, NotGranted, Refused, Unavailable, Unclear
from agencyclaw.domain.messages import message
from agencyclaw.domain.receipts import Delivery, Note, OutboxKind
from agencyclaw.domain.sheets import Sheet
from agencyclaw.slack import charts
from agencyclaw.slack.answers import build_answer
from agencyclaw.slack.blocks import Message
from agencyclaw.slack.card_links import CardLinks
from agencyclaw.slack.cards import build_cards, next_buttons, shown_hash
from agencyclaw.slack.ending_streams import end_stream, rewrite
from agencyclaw.slack.escaping import LIVE_HOSTS
from agencyclaw.slack.feedback import thumbs
from agencyclaw.slack.files import show_file
from agencyclaw.slack.forwarding import (
    NO_DIRECT_MESSAGES,
    build_question,
    direct_place,
    open_direct,
)
from agencyclaw.slack.lost_streams import LostStreams
from agencyclaw.slack.ports import BotIdentity, PublishHome
from agencyclaw.slack.posted_messages import EVENT_TYPE, PostedMessages
from agencyclaw.slack.status import SlackStatusIndicator
from agencyclaw.slack.web import BAD_CONTENT, Method, Web
from agencyclaw.spans import logged, traced
from agencyclaw.store.outbox import CLOSED_CHANNEL, Outbox
from agencyclaw.store.proposals import ProposalStore

# After these, the state that Slack shows of their thread may be another one.
_CHANGING_SESSION = frozenset(
    {OutboxKind.ANSWER, OutboxKind.NOTICE, OutboxKind.EPHEMERAL, OutboxKind.CARD_UPDATE}
)
_TRIES = 20
# A command can be typed in channels that we are not in.
_NO_PRIVATE_NOTE = CLOSED_CHANNEL | {"user_not_in_channel"}


@dataclass
class _Attempt:
    """One attempt at a delivery; `may_be_in_slack` once any part of it may have arrived."""

    row: Delivery
    may_be_in_slack: bool
    shown_hash: str | None = None


class Deliverer:
    """Delivers stored messages to Slack."""

    def __init__(
        self,
        web: Web,
        me: BotIdentity,
        outbox: Outbox,
        proposals: ProposalStore,
        publish_home: PublishHome,
        status: SlackStatusIndicator,
        lost_streams: LostStreams,
        inbox: Inbox,
        *,
        live_hosts: frozenset[str] = LIVE_HOSTS,
        settle_s: float = 2.0,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._web = web
        self._posted = PostedMessages(web, me, settle_s, sleep)
        self._outbox = outbox
        self._proposals = proposals
        self._publish_home = publish_home
        self._status = status
        self._lost_streams = lost_streams
        self._inbox = inbox
        self._links = CardLinks(me, outbox, proposals)
        self._live_hosts = live_hosts

    async def deliver(self, outbox_id: UUID) -> None:
        """Deliver one row of the outbox; one that is sent or given up is left alone.

        Raises Unclear, Unavailable, Throttled or Misconfigured if it must be retried.
        """
        with traced("slack.deliver", outbox_id=str(outbox_id)) as span:
            row = await self._outbox.claim(outbox_id)
            if row is not None:
                span.set_attribute("kind", row.kind.value)
                if row.note and row.note.run_id:
                    span.set_attribute("run", str(row.note.run_id))
                await self._attempt(row)

    async def _attempt(self, row: Delivery) -> None:
        attempt = _Attempt(row, may_be_in_slack=row.was_sending)
        try:
            ts = await self._show_or_move(attempt)
            await self._update_session(attempt)
        except Refused as refusal:
            logfire.error("undeliverable", error=refusal.reason, **_log_attributes(row))
            await self._outbox.dead_letter(row.id, refusal.reason)
        except Unavailable as error:
            if not attempt.may_be_in_slack:
                await self._outbox.postpone(row.id, str(error))
            raise
        except AgencyClawError:
            raise
        except Exception as error:
            # A fault of ours, not of Slack's: it may be cured by a restart, but not for ever.
            logfire.exception("delivery broke", error=type(error).__name__, **_log_attributes(row))
            if await self._outbox.count_failure(row.id) < _TRIES:
                raise
            await self._outbox.dead_letter(row.id, type(error).__name__)
        else:
            if row.may_begin_thread and ts:
                await self._outbox.sent_first(row.id, ts)
            else:
                await self._outbox.sent(row.id, ts, attempt.shown_hash)
            logged("delivered", ts=ts or row.sent_ts or "", **_log_attributes(row))

    async def _update_session(self, attempt: _Attempt) -> None:
        """Have the state of the thread updated; part of the delivery, so that no kill loses it.

        A card comes with its answer, which has updated the thread already.
        """
        row = attempt.row
        if row.kind in _CHANGING_SESSION and row.place.thread_ts:
            attempt.may_be_in_slack = True
            await self._status.show_session(row.place)

    async def _show_or_move(self, attempt: _Attempt) -> str | None:
        """Show it in its thread; in direct messages, outside the thread if that is gone."""
        row = attempt.row
        try:
            return await self._show(attempt)
        except Refused as refusal:
            is_gone = refusal.reason == "thread_not_found" and row.place.thread_ts
            if not is_gone or not row.place.is_direct:
                raise
        place = row.place.model_copy(update={"thread_ts": ""})
        attempt.row = row.model_copy(update={"place": place})
        return await self._show(attempt)

    async def _show(self, attempt: _Attempt) -> str | None:
        row = attempt.row
        match row.kind:
            case OutboxKind.ANSWER | OutboxKind.NOTICE:
                return await self._send_answer(attempt, await self._message(row))
            case OutboxKind.CARD:
                return await self._show_card(attempt)
            case OutboxKind.ANSWER_UPDATE:
                content = await self._message(row)
                await rewrite(self._web, row.place.channel_id, row.sent_ts or "", content)
                return None
            case OutboxKind.CARD_UPDATE:
                return await self._redraw(row)
            case OutboxKind.EPHEMERAL:
                return await self._show_ephemeral(row)
            case OutboxKind.FORWARD:
                return await self._forward(attempt)
            case OutboxKind.FILE:
                return await self._show_file(attempt)
            case OutboxKind.HOME:
                await self._publish_home(row.slack_user_id or "")
                return None

    async def _send_answer(self, attempt: _Attempt, message: Message) -> str:
        """Send an answer: in the stream it began as, if any, else as a message."""
        row = attempt.row
        posted = await self._posted.find(row)
        if row.stream_text is not None and row.place.thread_ts and 0 not in posted:
            metadata = _metadata(row, 0)
            ts = await end_stream(self._web, self._lost_streams, row, message, metadata)
            attempt.may_be_in_slack = True
            if ts is not None:
                return ts
        return await self._post_all(attempt, [message], posted)

    async def _show_card(self, attempt: _Attempt) -> str | None:
        row = attempt.row
        posted = await self._posted.find(row)
        messages = await self._card(row.proposal_ids, row.id, row.place.thread_ts)
        if not messages:
            return None
        attempt.shown_hash = shown_hash(messages)
        ts = await self._post_all(attempt, messages, posted)
        if ts in posted.values():
            # An earlier attempt drew it, and the proposals may have changed since.
            await rewrite(self._web, row.place.channel_id, ts, messages[-1])
        return ts

    async def _card(
        self, proposal_ids: Sequence[UUID], outbox_id: UUID, thread_ts: str
    ) -> list[Message]:
        """Return a delivery's card as its proposals are now; nothing if they are gone."""
        proposals = await self._proposals.to_show(list(proposal_ids))
        if not proposals:
            return []
        moved = await self._links.moved(proposals, outbox_id, thread_ts)
        return build_cards(proposals, self._live_hosts, shown_by=outbox_id, moved_to=moved)

    async def _post_all(
        self, attempt: _Attempt, messages: list[Message], posted: dict[int, str]
    ) -> str:
        """Post the missing parts in order, and return the ts of the last message.

        Parts are numbered backwards: the last one is 0, however many come before it.
        """
        ts = posted.get(0)
        if ts is not None:
            return ts
        for part, page in zip(reversed(range(len(messages))), messages, strict=True):
            ts = posted.get(part) or await self._post(attempt.row, page, part)
            attempt.may_be_in_slack = True
        return ts or ""

    async def _post(self, row: Delivery, message: Message, part: int) -> str:
        try:
            answer = await self._send(row, part, text=message.text, blocks=message.blocks)
        except Refused as refusal:
            if refusal.reason not in BAD_CONTENT:
                raise
            logfire.error("slack.blocks_refused", kind=row.kind.value, reason=refusal.reason)
            answer = await self._send(row, part, text=message.plain)
        ts = answer.get("ts")
        if not isinstance(ts, str):
            raise Unclear("Slack took a message and did not say where it is.")
        return ts

    async def _send(self, row: Delivery, part: int, **content: Any) -> dict[str, Any]:
        return await self._web.call(
            Method.POST,
            channel=row.place.channel_id,
            thread_ts=row.place.thread_ts or None,
            metadata=_metadata(row, part),
            unfurl_links=False,
            unfurl_media=False,
            **content,
        )

    async def _redraw(self, row: Delivery) -> str | None:
        """Redraw every card that shows a proposal, from the present states.

        A card still on its way needs nothing: it is drawn when it is sent. One that can't be
        changed any more stays as it is, and no refusal keeps another card from being redrawn.
        """
        last: str | None = None
        refused: Refused | None = None
        for proposal_id in row.proposal_ids:
            for card in await self._outbox.cards_of(proposal_id):
                messages = await self._card(card.proposal_ids, card.outbox_id, card.thread_ts)
                if not messages:
                    continue
                try:
                    await rewrite(self._web, card.channel_id, card.ts, messages[-1])
                    last = card.ts
                except Refused as refusal:
                    refused = refusal
        if refused:
            raise refused
        return last

    async def _show_ephemeral(self, row: Delivery) -> str | None:
        """Send a private note; sent again in doubt, because Slack does not list such notes.

        In a Home tab or a channel that is closed to us, it becomes a direct message.
        """
        message = await self._message(row)
        if row.place.channel_id:
            try:
                return await self._show_privately(row, message)
            except Refused as refusal:
                if refusal.reason not in _NO_PRIVATE_NOTE:
                    raise
        try:
            channel = await open_direct(self._web, row.slack_user_id or "")
        except NotGranted as error:
            logfire.error("direct messages can't be begun", why=str(error), **_log_attributes(row))
            raise Refused(str(error), reason="direct_messages_not_granted") from error
        row = row.model_copy(update={"place": direct_place(row.place.team_id, channel)})
        posted = await self._posted.find(row)
        return posted.get(0) or await self._post(row, message, 0)

    async def _show_privately(self, row: Delivery, message: Message) -> str | None:
        answer = await self._web.call(
            Method.POST_EPHEMERAL,
            channel=row.place.channel_id,
            thread_ts=row.place.thread_ts or None,
            user=row.slack_user_id,
            text=message.text,
            blocks=message.blocks,
        )
        ts = answer.get("message_ts")
        return ts if isinstance(ts, str) else None

    async def _forward(self, attempt: _Attempt) -> str | None:
        """Post a question in its asker's direct messages, to be answered below.

        If we can't open them, a private note says so where the question was typed.
        """
        row, note = attempt.row, attempt.row.note or Note(text="")
        try:
            channel = await open_direct(self._web, row.slack_user_id or "")
        except NotGranted as error:
            logfire.error("direct messages can't be begun", why=str(error), **_log_attributes(row))
            place = row.place.model_copy(update={"thread_ts": ""})
            content = build_answer(Note(text=NO_DIRECT_MESSAGES), self._live_hosts)
            return await self._show_privately(row.model_copy(update={"place": place}), content)
        row = row.model_copy(update={"place": direct_place(row.place.team_id, channel)})
        posted = await self._posted.find(row)
        ts = posted.get(0) or await self._post(row, build_question(note, self._live_hosts), 0)
        attempt.may_be_in_slack = True
        if row.receipt_id is not None:
            place = row.place.model_copy(update={"thread_ts": ts})
            await self._inbox.forward(f"forward:{row.id}", row.receipt_id, place)
        return ts

    async def _show_file(self, attempt: _Attempt) -> str | None:
        """Send a list as a file; if Slack does not take or show it, a message says so instead."""
        row, sheet = attempt.row, attempt.row.sheet
        if sheet is None:
            return None
        posted = await self._posted.find(row)
        if 0 in posted:
            return posted[0]
        attempt.may_be_in_slack = True
        try:
            return await self._upload_file(row, sheet)
        except NotGranted as error:
            logfire.error("a file can't be sent", why=str(error), **_log_attributes(row))
            text = message("delivery.file_not_granted", title=sheet.title)
        except Refused as refusal:
            logfire.error("a file was refused", reason=refusal.reason, **_log_attributes(row))
            text = message("delivery.file_not_taken", title=sheet.title)
            if refusal.reason == charts.NOT_DRAWN:
                text = str(refusal)
        return await self._post(row, build_answer(Note(text=text), self._live_hosts), 0)

    async def _upload_file(self, row: Delivery, sheet: Sheet) -> str:
        """Return the ts of the message with a file; one that does not appear is tried once more."""
        file_id = await show_file(self._web, self._outbox, row, sheet)
        ts = await self._posted.find_file(row, file_id)
        if ts is None and row.file_id is None:
            raise Unclear("Slack took a file and does not show it.")
        if ts is None:
            raise Refused("Slack does not show a file.", reason="not_shown")
        return ts

    async def _message(self, row: Delivery) -> Message:
        """Return a note as a message, with the buttons of the proposals it names."""
        note = await self._links.note_with_links(row)
        message = _with_thumbs(row, build_answer(note, self._live_hosts))
        if not row.proposal_ids:
            return message
        proposals = await self._proposals.by_ids(list(row.proposal_ids))
        buttons = [next_buttons(proposal) for proposal in proposals]
        return replace(message, blocks=[*message.blocks, *filter(None, buttons)])


def _with_thumbs(row: Delivery, message: Message) -> Message:
    """Add thumbs to the final answer of a run, and to nothing else."""
    if row.rated_run is None:
        return message
    return replace(message, blocks=[*message.blocks, thumbs(row.rated_run)])


def _metadata(row: Delivery, part: int) -> dict[str, Any]:
    """Return the metadata by which our messages are recognised later."""
    return {"event_type": EVENT_TYPE, "event_payload": {"id": str(row.id), "part": part}}


def _log_attributes(row: Delivery) -> dict[str, Any]:
    """Return the log attributes of a delivery: kind, target and run."""
    facts = {"kind": row.kind.value, "delivery": str(row.id), "channel": row.place.channel_id}
    run_id = row.note.run_id if row.note else None
    return facts | ({"run": str(run_id)} if run_id else {})
