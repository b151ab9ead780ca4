"""What a person sees while we work: a line under the thread, and how the thread stands.

Both go out behind the backs of those who work, and no failure of theirs is anybody's. The line is a
courtesy. How the thread stands is shown until it stands so: whoever showed something looks at the
rows once more after Slack has answered, and shows what changed meanwhile. So whatever is shown last
is the newest state, whichever process showed it; what failed, or may still be on its way, is shown
again later by a job.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID
from weakref import WeakValueDictionary

import logfire

from agencyclaw.domain.errors import AgencyClawError, Refused, Throttled, Unavailable, Unclear
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import SessionState
from agencyclaw.domain.text import cut
from agencyclaw.slack.growing import Around, Asked, Growing
from agencyclaw.slack.inert import one_line
from agencyclaw.slack.ports import Draft, Sessions
from agencyclaw.slack.web import Method, Web

_STATUS_LIMIT = 100
_TITLE_LIMIT = 80
# How often a thread may change while it is shown, and how often a job tries to show it.
_LOOKS = 5
_TRIES = 20
_PAUSE_S = 1.0
_LONGEST_PAUSE_S = 30.0
# How long after we gave it up a call may still arrive at Slack.
_LATE_S = 10.0


@dataclass
class _News:
    """What is still to be shown of one thread; of several only the latest.

    `begins` has what a session is told when it begins; without it, none has begun just now.
    """

    status: str | None = None
    moves: bool = False
    begins: dict[str, str] | None = None


@dataclass
class Presence:
    """Says what is going on. One per connection to Slack."""

    web: Web
    sessions: Sessions
    around: Around | None = None
    timeout_s: float = 2.0
    _waiting: dict[Place, _News] = field(default_factory=dict[Place, _News])
    _under_way: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    _busy: set[Place] = field(default_factory=set[Place])
    _locks: WeakValueDictionary[Place, asyncio.Lock] = field(
        default_factory=WeakValueDictionary[Place, asyncio.Lock]
    )
    _is_open: bool = False

    async def open(self) -> None:
        """Begin to show what is said, and what a process that died may have left as it was."""
        self._is_open = True
        for place in await self.sessions.lately():
            self._of(place).moves = True
        for place in list(self._waiting):
            self._start(place)

    async def close(self) -> None:
        """Stop showing; what is on its way arrives first."""
        self._is_open = False
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=self.timeout_s)
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    def say(self, place: Place, text: str) -> None:
        """Show a status in a thread until we post there; of several waiting only the latest."""
        self._of(place).status = text
        self._start(place)

    def begin(self, place: Place, title: str, slack_user_id: str) -> None:
        """Show a thread as being worked on, with a Stop button; its first title stays."""
        news = self._of(place)
        words = cut(one_line(title), _TITLE_LIMIT)
        news.moves, news.begins = True, {"title": words, "initiator_user_id": slack_user_id}
        self._start(place)

    def write(
        self, place: Place, draft: Draft, *, receipt_id: int, run_id: UUID, slack_user_id: str
    ) -> Growing | None:
        """Begin to show an answer while it is written; None before Slack is open."""
        if self.around is None or not self._is_open:
            return None
        return Growing(self.around, Asked(place, receipt_id, run_id, slack_user_id), draft)

    async def show_session(self, place: Place) -> None:
        """Show a thread as it stands by now; a thread that is shown late holds up nobody."""
        await self._show(place, _News(moves=True))

    async def show_again(self, place: Place, tries: int, *, is_doubtful: bool) -> None:
        """Show a thread as it stands by now, for a job, after so many tries.

        While it is doubtful an earlier call may still arrive, and there is one more look after it.
        """
        await self._show(place, _News(moves=True), tries, is_doubtful=is_doubtful)

    async def _show(
        self, place: Place, news: _News, tries: int = 0, *, is_doubtful: bool = False
    ) -> None:
        try:
            await self._move(place, news)
        except AgencyClawError as error:
            if tries >= _TRIES:
                logfire.error("slack.session_given_up", error=type(error).__name__)
                return
            wait_s = min(_PAUSE_S * 2**tries, _LONGEST_PAUSE_S)
            after_s = error.after if isinstance(error, Throttled) else wait_s
            is_doubtful = is_doubtful or isinstance(error, Unclear)
            await self.sessions.look_again(place, after_s, tries + 1, is_doubtful=is_doubtful)
        else:
            if is_doubtful:
                await self.sessions.look_again(place, _LATE_S, 0, is_doubtful=False)

    async def _move(self, place: Place, news: _News) -> None:
        """Show a thread, and again until it stands as it is shown.

        A turn that begins needs no look before: it is said at once.
        """
        async with self._locks.setdefault(place, asyncio.Lock()):
            begins = news.begins or {}
            state = SessionState.PROCESSING
            if news.begins is None:
                state = await self.sessions.session_of(place)
            for _ in range(_LOOKS):
                await self._set(place, state, **begins)
                stands = await self.sessions.session_of(place)
                if stands is state:
                    return
                state, begins = stands, {}
        raise Unavailable("A thread changes faster than it can be shown.")

    async def _set(self, place: Place, state: SessionState, **more: str) -> None:
        call = self.web.call(
            Method.SET_SESSION,
            channel_id=place.channel_id,
            thread_ts=place.thread_ts,
            status=state.value,
            **more,
        )
        try:
            async with asyncio.timeout(self.timeout_s):
                await call
        except TimeoutError as error:
            raise Unclear("Slack did not say in time whether it shows a thread.") from error
        except Refused as refusal:
            logfire.debug("slack.session_refused", reason=refusal.reason)

    def _of(self, place: Place) -> _News:
        return self._waiting.setdefault(place, _News())

    def _start(self, place: Place) -> None:
        """One task per thread, so that what is said of it arrives in its order."""
        if self._is_open and place not in self._busy:
            self._busy.add(place)
            task = asyncio.create_task(self._show_all(place), name="slack presence")
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)

    async def _show_all(self, place: Place) -> None:
        try:
            await asyncio.sleep(0)
            while news := self._waiting.pop(place, None):
                status = self._try(self._show_status(place, news.status))
                session = self._try(self._show(place, news) if news.moves else None)
                await asyncio.gather(status, session)
        finally:
            self._busy.discard(place)

    async def _show_status(self, place: Place, text: str | None) -> None:
        if text is not None:
            async with asyncio.timeout(self.timeout_s):
                await self.web.call(
                    Method.SET_STATUS,
                    channel_id=place.channel_id,
                    thread_ts=place.thread_ts,
                    status=cut(one_line(text), _STATUS_LIMIT),
                )

    async def _try(self, showing: Coroutine[Any, Any, None] | None) -> None:
        try:
            if showing is not None:
                await showing
        except Exception as error:  # no kind of failure here may cost anybody an answer
            logfire.debug("slack.status_failed", error=type(error).__name__)
