"""Messages of people, with how each author is affiliated."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from agencyclaw.domain.people import Value

# What a message holds beside a person's own typed words.
Carried = Literal["file", "forward", "quote", "code", "broadcast"]


# What the text of attached files can be read from, by how their names end.
READABLE = frozenset({".csv", ".docx", ".markdown", ".md", ".pdf", ".txt"})
# Of a file's name, in characters.
NAME_LIMIT = 200


class AttachedFile(Value):
    """A readable file of a message, by Slack's id."""

    id: str
    name: str


class Affiliation(StrEnum):
    """How an author of a thread belongs to the workspace."""

    COLLEAGUE = "colleague"
    GUEST = "guest"
    OUTSIDER = "outsider"
    GONE = "gone"
    APP = "app"
    UNKNOWN = "unknown"


class ThreadPost(Value):
    """One message of a thread; `name` is its author's name in Slack.

    `slack_user_id` is empty for an app. `attached` are its readable files, which are not stored.
    """

    ts: str
    slack_user_id: str = ""
    name: str
    affiliation: Affiliation
    text: str
    carries: tuple[Carried, ...] = ()
    attached: Annotated[tuple[AttachedFile, ...], Field(exclude=True)] = ()


class Digest(Value):
    """A summary of a thread's messages up to the timestamp `until`.

    `fingerprint` is a hash of these messages: once one is edited or deleted, the summary is no
    longer valid. `left_out` counts the oldest ones, which are not even in the summary.
    """

    text: str
    until: str
    fingerprint: str
    left_out: int = 0


class QuotedMessage(ThreadPost):
    """The message on which somebody used a shortcut, as it was then.

    `permalink` opens it in Slack, `files` are the names of its files. `is_ours`: we wrote it.
    `is_outside`: we are not in its conversation.
    """

    channel_id: str
    permalink: Annotated[str, Field(max_length=300)] = ""
    files: tuple[str, ...] = ()
    is_ours: bool = False
    is_outside: bool = False


class SharedFile(NamedTuple):
    """A readable file of a conversation, and who sent it; `namesakes` others have its name."""

    file: AttachedFile
    whose: str
    namesakes: int = 0


class MessageLink(Value):
    """The address of a message, and who wrote it."""

    author: Annotated[str, Field(max_length=120)]
    url: Annotated[str, Field(max_length=300)]
