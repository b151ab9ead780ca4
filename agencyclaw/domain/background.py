"""Work in the background: a message whose turn reached its time, and which goes on beside it."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from agencyclaw.domain.clock import clock_time, time_span
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Place, Value
from agencyclaw.domain.receipts import Note, ShownTask, TaskStatus
from agencyclaw.domain.text import counted, one_line

# Of a workspace at once.
BACKGROUND_AT_MOST = 5
_TITLE_LIMIT = 150


class BackgroundWork(Value):
    """A message that goes on in the background, and how far it is.

    - `run`: the run that it goes on from
    - `words`: the message as it stands; empty once it is deleted
    - `ended_at`: None while it is under way
    - `ending`: the reason with which its message ended; `has_failed`: it has no result
    - `now`: the database's time
    """

    receipt_id: int
    run: UUID
    place: Place
    slack_user_id: str
    words: str
    zone: str
    began_at: datetime
    now: datetime
    ended_at: datetime | None = None
    ending: str = ""
    has_failed: bool = False

    @property
    def elapsed(self) -> timedelta:
        """How long it has taken so far, or took."""
        return (self.ended_at or self.now) - self.began_at

    def note(self, steps: int, doing: str) -> Note:
        """Return its card: since when it goes on and what it is at, or how it ended."""
        took = time_span(self.elapsed)
        if self.ended_at is None:
            text = self.since
            text += message("background.steps", steps=counted(steps, "step")) if steps else ""
            text += message("background.doing", doing=doing) if doing else ""
        elif self.ending == "stopped":
            text = message("background.stopped", took=took)
        elif self.has_failed:
            text = message("background.failed", took=took)
        else:
            text = message("background.finished", took=took)
        return Note(
            text=message("background.card", title=self._title, how=text),
            task=ShownTask(title=self._title, details=text, status=self._status, run=self.run),
        )

    @property
    def since(self) -> str:
        """Since when it goes on, on its person's clock, and for how long."""
        at = clock_time(self.began_at, self.zone)
        return message("background.began", at=at, took=time_span(self.elapsed))

    @property
    def listed(self) -> str:
        """How it is named in a list: what was asked, since when, and how it is stopped."""
        return message("background.listed", title=self._title, since=self.since)

    @property
    def _title(self) -> str:
        return one_line(self.words, _TITLE_LIMIT) or message("background.deleted")

    @property
    def _status(self) -> TaskStatus:
        if self.ended_at is None:
            return "in_progress"
        return "error" if self.has_failed or self.ending == "stopped" else "complete"
