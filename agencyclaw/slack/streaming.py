"""Streams an answer to Slack while it is being written.

A stream is opened only for a long answer, or for long work before it. A short answer is posted as a
plain message. The streamed text is recorded with the delivery that will end the stream, which may
happen in another process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import UUID

import logfire

from agencyclaw.deps.status import DraftAnswer
from agencyclaw.domain.errors import AgencyClawError, Refused, Throttled, Unclear
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Place
from agencyclaw.domain.text import cut
from agencyclaw.slack.blocks import MARKDOWN_BUDGET, TEXT_LIMIT
from agencyclaw.slack.escaping import markdown, one_line
from agencyclaw.slack.lost_streams import NOT_STREAMING, LostStreams
from agencyclaw.slack.web import Method, Web
from agencyclaw.store.streams import Streams

T = TypeVar("T")
TAKEN_BACK = message("streaming.taken_back")

_TITLE_LIMIT = 200
# Slack refuses a message with more than fifty task cards; later calls share one.
_CARDS_AT_MOST = 40
_MORE = message("streaming.more")


@dataclass(frozen=True)
class Tempo:
    """When to show what: times in seconds, `least` in characters.

    `words_s` and `work_s` are waited before a stream is opened. No call takes longer than
    `patience_s`, which is less than `lost_streams.LONGEST_S`.
    """

    look_s: float = 0.1
    words_s: float = 0.8
    work_s: float = 3.0
    append_s: float = 1.0
    update_s: float = 2.0
    least: int = 160
    patience_s: float = 5.0


@dataclass(frozen=True)
class StreamContext:
    """What all streams of a process share."""

    web: Web
    streams: Streams
    lost_streams: LostStreams
    live_hosts: frozenset[str]
    tempo: Tempo = field(default_factory=Tempo)


@dataclass(frozen=True)
class StreamTarget:
    """The question being answered: who asked it, and where."""

    place: Place
    receipt_id: int
    run_id: UUID
    slack_user_id: str


@dataclass
class _TaskCard:
    """Equal calls as one task card of the message; `shown` is what Slack has of it."""

    id: str
    title: str
    started: int = 0
    running: int = 0
    failed: int = 0
    shown: tuple[str, str] | None = None

    @property
    def current(self) -> tuple[str, str]:
        """The current title and status."""
        title = f"{self.title} ({self.started})" if self.started > 1 else self.title
        if self.running:
            return title, "in_progress"
        return title, "error" if self.failed == self.started else "complete"


_CardUpdate = tuple[_TaskCard, tuple[str, str]]


class StreamingMessage:
    """One streamed answer: not open, a stream, then updates if it expired or was withdrawn."""

    def __init__(self, context: StreamContext, target: StreamTarget, draft: DraftAnswer) -> None:
        self._context = context
        self._target = target
        self._draft = draft
        self._cards: dict[str, _TaskCard] = {}
        self._card_of_call: dict[str, _TaskCard] = {}
        self._outbox_id: UUID | None = None
        self._ts = ""
        self._shown = ""
        self._attempt = 0
        self._is_stream = True
        self._is_over = False
        self._is_certain = True
        self._created_at = asyncio.get_running_loop().time()
        self._text_since = 0.0
        self._last_update = 0.0
        self._paused_until = 0.0
        self._lock = asyncio.Lock()
        self._loop = asyncio.create_task(self._show_repeatedly(), name="streamed answer")

    def works_on(self, task_id: str, title: str) -> None:
        """Show a call as started; calls of equal titles share a card."""
        title = cut(one_line(title), _TITLE_LIMIT)
        if title not in self._cards and len(self._cards) >= _CARDS_AT_MOST:
            title = _MORE
        card = self._cards.setdefault(title, _TaskCard(task_id, title))
        card.started += 1
        card.running += 1
        self._card_of_call[task_id] = card

    def finished(self, task_id: str, *, well: bool) -> None:
        """Show a call as ended."""
        if card := self._card_of_call.pop(task_id, None):
            card.running -= 1
            card.failed += not well

    async def close(self) -> None:
        """Finish: nothing more is sent from here, and the streamed text is known."""
        self._is_over = True
        try:
            async with asyncio.timeout(self._context.tempo.patience_s), self._lock:
                if self._ts and self._is_stream and self._is_certain:
                    await self._end_cards()
        except (AgencyClawError, TimeoutError) as error:
            logfire.debug("slack.stream_unrested", error=type(error).__name__)
        finally:
            self._loop.cancel()
            await asyncio.wait({self._loop})

    async def _end_cards(self) -> None:
        """End the task cards, so that none spins forever, and record the streamed text."""
        for task_id in list(self._card_of_call):
            self.finished(task_id, well=False)
        if updates := self._card_updates():
            await self._append(updates, "")
        if self._is_stream and self._is_certain and self._outbox_id:
            is_whole = self._attempt == self._draft.attempt
            await self._context.streams.record_text(self._outbox_id, self._shown, is_whole=is_whole)

    async def _show_repeatedly(self) -> None:
        while not self._is_over:
            await asyncio.sleep(self._context.tempo.look_s)
            async with self._lock:
                if not self._is_over:
                    await self._try_to_show()

    async def _try_to_show(self) -> None:
        try:
            await self._show()
        except Throttled as error:
            self._paused_until = asyncio.get_running_loop().time() + error.after
            self._is_over = not self._ts
        except AgencyClawError as error:
            # Without certainty it stops; the outbox delivers the answer in any case.
            self._is_certain, self._is_over = False, True
            logfire.warn("slack.stream_given_up", error=type(error).__name__)
        except Exception as error:  # a failed stream must not cost anybody an answer
            self._is_certain, self._is_over = False, True
            logfire.exception("slack.stream_broke", error=type(error).__name__)

    async def _show(self) -> None:
        now = asyncio.get_running_loop().time()
        if now < self._paused_until:
            return
        if not self._ts:
            if self._is_worth_showing(now):
                await self._open()
            return
        tempo = self._context.tempo
        if now - self._last_update < (tempo.append_s if self._is_stream else tempo.update_s):
            return
        # Without capacity, this is shown with what comes next, or with the answer itself.
        if not self._context.web.pace.has_capacity(
            Method.APPEND_STREAM if self._is_stream else Method.UPDATE
        ):
            return
        text = self._text()
        if self._attempt != self._draft.attempt or not text.startswith(self._shown):
            await self._rewrite(text)
        elif self._is_stream:
            await self._show_text(text)
        elif text != self._shown:
            await self._rewrite(text)

    def _is_worth_showing(self, now: float) -> bool:
        tempo = self._context.tempo
        if self._cards and now - self._created_at >= tempo.work_s:
            return True
        if not self._draft.written:
            self._text_since = 0.0
            return False
        self._text_since = self._text_since or now
        is_long = now - self._text_since >= tempo.words_s and self._draft.written >= tempo.least
        return is_long and bool(self._text())

    def _text(self) -> str:
        return markdown(self._draft.checked(), self._context.live_hosts)[:MARKDOWN_BUDGET]

    async def _open(self) -> None:
        target, streams = self._target, self._context.streams
        if interrupted := await streams.left_by(target.receipt_id):
            await self._take_over(*interrupted)
            if self._ts:
                return
        elif not self._context.web.pace.has_capacity(Method.START_STREAM):
            self._is_over = True
            return
        if self._outbox_id is None:
            self._outbox_id = await streams.begin(target.receipt_id, target.run_id)
        elif not await streams.begin_write(self._outbox_id):
            self._outbox_id = None
        if self._outbox_id is None:
            self._is_over = True
            return
        text, updates, attempt = self._text(), self._card_updates(), self._draft.attempt
        opening = self._context.web.call(
            Method.START_STREAM,
            channel=target.place.channel_id,
            thread_ts=target.place.thread_ts,
            recipient_team_id=target.place.team_id,
            recipient_user_id=target.slack_user_id,
            chunks=_chunks(updates, text),
        )
        answer = await self._record_write(self._outbox_id, opening)
        self._ts = str(answer.get("ts") or "")
        _mark_shown(updates)
        self._set_shown(text, attempt)
        await streams.own(self._outbox_id, self._ts)
        await self._record_text(text)

    async def _take_over(self, outbox_id: UUID, ts: str | None, since: float) -> None:
        """Continue in the message of an interrupted attempt; its text is replaced."""
        self._outbox_id = outbox_id
        place = self._target.place
        self._ts = ts or await self._context.lost_streams.adopt(outbox_id, place, since) or ""
        if self._ts:
            await self._rewrite(self._text())

    async def _show_text(self, text: str) -> None:
        updates, addition = self._card_updates(), text[len(self._shown) :]
        if updates or addition:
            await self._append(updates, addition)
            if self._is_stream:
                self._set_shown(text, self._attempt)
                await self._record_text(text)

    async def _append(self, updates: list[_CardUpdate], text: str) -> None:
        place = self._target.place
        try:
            await self._context.web.call(
                Method.APPEND_STREAM,
                channel=place.channel_id,
                ts=self._ts,
                chunks=_chunks(updates, text),
            )
            _mark_shown(updates)
        except Refused as refusal:
            if refusal.reason != NOT_STREAMING:
                raise
            # Slack gave it up after its five minutes, or a person pressed Stop.
            self._is_stream = False

    async def _rewrite(self, text: str) -> None:
        """Rewrite the message; only a stream that has ended can be rewritten."""
        # The text is of this attempt, also if another one begins while it is written.
        streams, attempt = self._context.streams, self._draft.attempt
        if self._outbox_id is None or not await streams.begin_write(self._outbox_id):
            self._is_over = True
            return
        await self._record_write(self._outbox_id, self._replace_text(text or TAKEN_BACK))
        await streams.end_write(self._outbox_id)
        self._set_shown(text, attempt)
        await self._record_text(text)

    async def _replace_text(self, shown: str) -> None:
        place = self._target.place
        if self._is_stream:
            await self._context.lost_streams.stop(place, self._ts)
            self._is_stream = False
        await self._context.web.call(
            Method.UPDATE,
            channel=place.channel_id,
            ts=self._ts,
            text=cut(shown, TEXT_LIMIT),
            blocks=[{"type": "markdown", "text": shown}],
        )

    async def _record_write(self, outbox_id: UUID, writing: Awaitable[T]) -> T:
        """Write to Slack; the record of a write stays if it may still arrive.

        The delivery waits for recorded writes, so that nothing arrives after the answer.
        """
        try:
            async with asyncio.timeout(self._context.tempo.patience_s):
                return await writing
        except TimeoutError as error:
            raise Unclear("A message was not written in time.") from error
        except Unclear:
            raise
        except AgencyClawError:
            await self._context.streams.end_write(outbox_id)
            raise

    async def _record_text(self, text: str) -> None:
        """Record the streamed text; once the turn has ended the stream is no longer ours."""
        is_ours = self._outbox_id is not None and await self._context.streams.record_text(
            self._outbox_id, text
        )
        self._is_over = self._is_over or not is_ours

    def _set_shown(self, text: str, attempt: int) -> None:
        self._shown, self._attempt = text, attempt
        self._last_update = asyncio.get_running_loop().time()

    def _card_updates(self) -> list[_CardUpdate]:
        """Return the cards whose current title and status were not sent yet."""
        cards = self._cards.values()
        return [(card, card.current) for card in cards if card.shown != card.current]


def _chunks(updates: list[_CardUpdate], text: str) -> list[dict[str, Any]]:
    """Return task cards and text as a stream takes them."""
    chunks = [
        {"type": "task_update", "id": card.id, "title": title, "status": status}
        for card, (title, status) in updates
    ]
    return [*chunks, {"type": "markdown_text", "text": text}] if text else chunks


def _mark_shown(updates: list[_CardUpdate]) -> None:
    """Record what was sent; a card that has changed meanwhile is sent again."""
    for card, sent in updates:
        card.shown = sent
