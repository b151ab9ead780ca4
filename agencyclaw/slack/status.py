"""Shows progress in Slack: a status line under the thread, and the thread's state.

Both run in the background, and their failures affect nothing else. A status line is optional: it is
dropped if there is no capacity. Only the first line after a message waits for capacity, and goes
before all other lines. A thread's state is marked as changed in the database, and some process
shows the state that the thread has by then: several changes make one update, and none is made if
the state is already shown.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TypeVar
from uuid import UUID

import logfire

from agencyclaw.deps.status import DraftAnswer
from agencyclaw.domain.errors import (
    AgencyClawError,
    Misconfigured,
    Refused,
    Throttled,
    Unclear,
)
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import SessionUpdate
from agencyclaw.domain.text import cut
from agencyclaw.slack.background_tasks import BackgroundTasks
from agencyclaw.slack.escaping import one_line
from agencyclaw.slack.streaming import StreamContext, StreamingMessage, StreamTarget
from agencyclaw.slack.web import Method, Web
from agencyclaw.store.sessions import Sessions

T = TypeVar("T")

_STATUS_LIMIT = 100
_TITLE_LIMIT = 80
# Of so many threads, what is to be shown first is kept.
_THREADS = 1_000
# How often a process looks for threads that another process marked.
_LOOK_S = 2.0
_PAUSE_S = 5.0
_LONGEST_PAUSE_S = 60.0
# For how long a call that we gave up may still arrive at Slack.
_LATE_S = 10.0
# A thread that Slack could not show for so long is left as it is.
_LONGEST_S = 600.0


@dataclass
class SlackStatusIndicator:
    """Shows status lines and thread states; one per connection to Slack.

    A first line that waited longer than `fresh_s` is shown only if its message is still unhandled.
    """

    web: Web
    sessions: Sessions
    context: StreamContext | None = None
    timeout_s: float = 2.0
    fresh_s: float = 0.5
    # Status lines: the next one of each thread, the first ones, and the threads whose lines a task
    # shows now. First lines wait one after another for capacity.
    _lines: dict[Place, str] = field(default_factory=dict[Place, str])
    _acknowledged: dict[Place, tuple[int, str]] = field(
        default_factory=dict[Place, tuple[int, str]]
    )
    _first_lines: dict[Place, None] = field(default_factory=dict[Place, None])
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _shown_by_task: set[Place] = field(default_factory=set[Place])
    # Thread states: the starts that are to be marked, and the signal that there are any.
    _started: set[Place] = field(default_factory=set[Place])
    _changed: asyncio.Event = field(default_factory=asyncio.Event)
    _tasks: BackgroundTasks = field(default_factory=BackgroundTasks)
    _team_id: str | None = None

    async def open(self, team_id: str) -> None:
        """Start showing, including what processes that died left outdated."""
        self._team_id = team_id
        for place in list(self._lines):
            self._start(place)
        self._tasks.start(self._show_threads(team_id), "slack sessions")

    async def close(self) -> None:
        """Stop showing; a line that is being sent arrives first."""
        self._team_id = None
        self._changed.set()
        await self._tasks.settle(self.timeout_s)

    def acknowledge(self, place: Place, text: str, *, receipt_id: int) -> None:
        """Show a status as soon as a message is stored, and skip its repetition.

        It waits for capacity until the message has been handled.
        """
        self._acknowledged.pop(place, None)
        _keep(self._first_lines, place, None)
        self.say(place, text)
        _keep(self._acknowledged, place, (receipt_id, text))

    def say(self, place: Place, text: str) -> None:
        """Show a status in a thread until we post there; only the latest one counts."""
        _, acknowledged = self._acknowledged.pop(place, (0, None))
        if acknowledged == text:
            return
        if not text:
            self._first_lines.pop(place, None)
        self._lines[place] = text
        self._start(place)

    def begin(self, place: Place, *, receipt_id: int) -> None:
        """Show a thread as busy, with a Stop button."""
        # Another process may have handled the message that was acknowledged here.
        if self._acknowledged.get(place, (receipt_id, ""))[0] != receipt_id:
            del self._acknowledged[place]
        self._started.add(place)
        self._changed.set()

    def write(
        self, place: Place, draft: DraftAnswer, *, receipt_id: int, run_id: UUID, slack_user_id: str
    ) -> StreamingMessage | None:
        """Start showing an answer while it is written; None before Slack is open."""
        if self.context is None or self._team_id is None:
            return None
        return StreamingMessage(
            self.context, StreamTarget(place, receipt_id, run_id, slack_user_id), draft
        )

    async def show_session(self, place: Place) -> None:
        """Have a thread's state updated soon, by any process."""
        await self.sessions.mark([place])
        self._changed.set()

    async def _show_threads(self, team_id: str) -> None:
        """Update one thread after another, as fast as Slack allows."""
        while self._team_id:
            try:
                await self._mark_started()
                await self.web.pace.wait_for_capacity(Method.SET_SESSION)
                showing = await self.sessions.next(team_id, _LATE_S)
                if showing is None:
                    await self._wait_for_change()
                else:
                    await self._show_thread(showing)
            except Exception as error:  # the database may be away; the next look tries again
                logfire.debug("slack.sessions_failed", error=type(error).__name__)
                await asyncio.sleep(_LOOK_S)

    async def _mark_started(self) -> None:
        started, self._started = self._started, set()
        try:
            if started:
                await self.sessions.mark(list(started))
        except BaseException:
            self._started |= started
            raise

    async def _wait_for_change(self) -> None:
        try:
            async with asyncio.timeout(_LOOK_S):
                await self._changed.wait()
        except TimeoutError:
            pass
        self._changed.clear()

    async def _show_thread(self, showing: SessionUpdate) -> None:
        try:
            await self._set(showing)
        except Refused as refusal:
            logfire.debug("slack.session_refused", reason=refusal.reason)
            await self.sessions.shown(showing, as_it_is=False)
        except AgencyClawError as error:
            await self._not_shown(showing, error)
        else:
            await self.sessions.shown(showing)

    async def _not_shown(self, showing: SessionUpdate, error: AgencyClawError) -> None:
        # A refused token or a lacking scope stays so until somebody installs the app again.
        if isinstance(error, Misconfigured) or showing.waited_s > _LONGEST_S:
            logfire.error("slack.session_given_up", error=type(error).__name__, why=str(error))
            await self.sessions.shown(showing, as_it_is=False)
            return
        is_certain = not isinstance(error, Unclear)
        pause_s = error.after if isinstance(error, Throttled) else _pause_s(showing)
        await self.sessions.not_shown(
            showing, pause_s if is_certain else max(pause_s, _LATE_S), is_certain=is_certain
        )

    async def _set(self, showing: SessionUpdate) -> None:
        # Slack takes title and initiator only with a thread's first state, whichever that is.
        may_be_first = showing.before in (None, "unclear")
        title = cut(one_line(showing.title), _TITLE_LIMIT) if may_be_first else ""
        initiator = showing.initiator if may_be_first else ""
        try:
            async with asyncio.timeout(self.timeout_s):
                await self.web.call(
                    Method.SET_SESSION,
                    channel_id=showing.place.channel_id,
                    thread_ts=showing.place.thread_ts,
                    status=showing.state.value,
                    title=title or None,
                    initiator_user_id=initiator or None,
                )
        except TimeoutError as error:
            raise Unclear("Slack did not say in time whether it shows a thread.") from error

    def _start(self, place: Place) -> None:
        """Start one task per thread, so that its lines arrive in order."""
        if self._team_id and place not in self._shown_by_task:
            self._shown_by_task.add(place)
            self._tasks.start(self._show_lines(place), "slack status")

    async def _show_lines(self, place: Place) -> None:
        try:
            await asyncio.sleep(0)
            while place in self._lines:
                is_first = place in self._first_lines
                is_due = await self._is_due_in_turn(place) if is_first else self._has_capacity()
                text = self._lines.pop(place)
                if is_due:
                    await self._show_line(place, text, has_turn=is_first)
        finally:
            self._shown_by_task.discard(place)

    def _has_capacity(self) -> bool:
        """Return whether a later line may be shown: first lines go before it."""
        return not self._first_lines and self.web.pace.has_capacity(Method.SET_STATUS)

    async def _is_due_in_turn(self, place: Place) -> bool:
        """Wait for the turn of a message's first line; False if it is no longer due."""
        clock = asyncio.get_running_loop().time
        began = clock()
        async with self._turn:
            await self.web.pace.wait_for_capacity(Method.SET_STATUS)
            is_due = place in self._first_lines and (
                clock() - began < self.fresh_s or await self._is_awaited(place)
            )
            # Acquired before the next one in line can count on the same capacity.
            has_turn = is_due and await self._acquired()
        # Nothing is awaited from here to where the line is taken, so both disappear together.
        is_due = has_turn and place in self._first_lines
        self._first_lines.pop(place, None)
        return is_due

    async def _acquired(self) -> bool:
        try:
            await self.web.pace.acquire(Method.SET_STATUS)
        except Throttled:
            return False
        return True

    async def _is_awaited(self, place: Place) -> bool:
        try:
            return await self.sessions.is_awaited(place)
        except Exception as error:  # the database may be away; then nothing is shown
            logfire.debug("slack.status_unclear", error=type(error).__name__)
            return False

    async def _show_line(self, place: Place, text: str, *, has_turn: bool) -> None:
        call = self.web.call_in_turn if has_turn else self.web.call
        try:
            async with asyncio.timeout(self.timeout_s):
                await call(
                    Method.SET_STATUS,
                    channel_id=place.channel_id,
                    thread_ts=place.thread_ts,
                    status=cut(one_line(text), _STATUS_LIMIT),
                )
        except Exception as error:  # no kind of failure here may cost anybody an answer
            logfire.debug("slack.status_failed", error=type(error).__name__)


def _pause_s(showing: SessionUpdate) -> float:
    """Wait as long again as the thread has waited, so that every pause is longer."""
    return min(max(showing.waited_s, _PAUSE_S), _LONGEST_PAUSE_S)


def _keep(by_place: dict[Place, T], place: Place, value: T) -> None:
    """Keep a thread's value, and only those of the latest threads."""
    by_place[place] = value
    if len(by_place) > _THREADS:
        del by_place[next(iter(by_place))]
