"""What is remembered: notes about clients, and people's preferences."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from agencyclaw.domain.clients import Named
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Certainty, Value
from agencyclaw.domain.schedules import StoredSchedule

NOTE_LIMIT = 300
# Notes with less confidence are not stored.
THRESHOLD = 0.7
NoteSource = Literal["chat", "meeting", "manual"]
PreferenceKey = Literal[
    "default_client", "default_assignee", "default_marketplace", "answer_style", "cadence", "other"
]
SPOKEN: dict[PreferenceKey, str] = {
    "default_client": "default client",
    "default_assignee": "default assignee",
    "default_marketplace": "default marketplace",
    "answer_style": message("memory.answer_style"),
    "cadence": message("memory.cadence"),
    "other": "also",
}


def spoken(key: PreferenceKey, value: str) -> str:
    """Return a preference in a line; words of no kind stand for themselves."""
    return value if key == "other" else f"{SPOKEN[key]}: {value}"


class ClientNote(Value):
    """A fact about a client that somebody stated; `confidence` is between 0 and 1."""

    id: UUID
    client_id: UUID
    client: str = ""
    note: str
    author: str
    source: NoteSource = "chat"
    confidence: Certainty = THRESHOLD
    created_at: datetime


class Preference(Value):
    """Something a person wants taken for granted, in their words."""

    key: PreferenceKey
    value: Annotated[str, Field(max_length=NOTE_LIMIT)]
    set_at: datetime


class Preferences(Value):
    """One person's preferences; they never affect answers to others."""

    default_client: Named | None = None
    kept: tuple[Preference, ...] = ()

    @property
    def beside_a_client(self) -> Preferences:
        """Those that may be read in a client's channel: without what is about no one subject."""
        kept = tuple(one for one in self.kept if one.key != "other")
        return self.model_copy(update={"kept": kept})


class MemoryLine(Value):
    """One remembered item in a list, with a button to forget it; `mark` is the button's value.

    Without a mark it is somebody else's, and can't be forgotten from here. What is under way in the
    background is stopped, not forgotten.
    """

    mark: str
    about: str
    text: str
    by: str
    day: str
    key: PreferenceKey | None = None
    note_id: UUID | None = None
    client: Named | None = None
    schedule: StoredSchedule | None = None
    is_under_way: bool = False


class PastEvent(Value):
    """Something that happened with a client, as a sentence."""

    at: datetime
    text: str


class ClientRecord(Value):
    """The notes and events of a client."""

    notes: tuple[ClientNote, ...] = ()
    events: tuple[PastEvent, ...] = ()
