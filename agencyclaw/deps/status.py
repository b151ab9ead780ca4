"""How a person sees that work is in progress; what is shown never affects the work."""

from __future__ import annotations

from typing import Protocol
from uuid import UUID

from agencyclaw.domain.people import Place


class DraftAnswer(Protocol):
    """An answer while it is being written."""

    @property
    def attempt(self) -> int:
        """How often shown text was withdrawn."""
        ...

    @property
    def written(self) -> int:
        """The number of characters received."""
        ...

    def checked(self) -> str:
        """Return the text that may be shown; it only grows until `attempt` does."""
        ...


class StreamWriter(Protocol):
    """Streams an answer to where it is shown; its failures never affect the answer."""

    def works_on(self, task_id: str, title: str) -> None:
        """Show a step as started."""
        ...

    def finished(self, task_id: str, *, well: bool) -> None:
        """Show a step as ended."""
        ...

    async def close(self) -> None:
        """Stop showing; returns when no write is in progress."""
        ...


class StatusIndicator(Protocol):
    """Shows that work is in progress; returns at once and never fails."""

    def begin(self, place: Place, *, receipt_id: int) -> None:
        """Show a thread as busy with a message."""
        ...

    def acknowledge(self, place: Place, text: str, *, receipt_id: int) -> None:
        """Show a status as soon as a message is stored; `say` does not repeat it."""
        ...

    def say(self, place: Place, text: str) -> None:
        """Show a status in a place until the next message."""
        ...

    def write(
        self, place: Place, draft: DraftAnswer, *, receipt_id: int, run_id: UUID, slack_user_id: str
    ) -> StreamWriter | None:
        """Start to show an answer while it is written; None if nobody watches."""
        ...
