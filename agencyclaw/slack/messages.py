"""What a message event means: something to answer, or nothing to do with us."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agencyclaw.domain.consent import read_word
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Incoming, ReceiptKind, message_key
from agencyclaw.domain.text import MESSAGE_LIMIT, clean
from agencyclaw.slack.ports import Identity

Ts = Annotated[str, Field(pattern=r"^\d{1,12}\.\d{1,6}$")]

_SPOKEN = {None, "file_share", "thread_broadcast"}
_FILES_NAMED = 5
_LINK = re.compile(r"<((?:https?|mailto|tel):[^<>|\n]+)(?:\|([^<>\n]*))?>")
_HELP = "help"


class Payload(BaseModel):
    """A part of what Slack sends: the fields we read, and no opinion on the others."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class File(Payload):
    """A file that came with a message."""

    name: str | None = None


class MessageEvent(Payload):
    """A `message` or `app_mention` event."""

    type: Literal["message", "app_mention"]
    channel: str = Field(min_length=2)
    ts: Ts
    user: str | None = None
    text: str | None = None
    thread_ts: Ts | None = None
    channel_type: str | None = None
    subtype: str | None = None
    bot_id: str | None = None
    files: tuple[File, ...] = ()

    @property
    def is_direct(self) -> bool:
        """True in a conversation of one person with us."""
        return self.channel_type == "im" or self.channel.startswith("D")


class StopEvent(Payload):
    """An `agent_session_stopped` event: somebody pressed Slack's own Stop in a thread."""

    channel: str = Field(min_length=2)
    thread_ts: Ts
    user: str = Field(min_length=2)
    event_ts: Ts


@dataclass(frozen=True)
class Heard:
    """Somebody spoke; in a thread, perhaps not to us."""

    incoming: Incoming
    only_if_taking_part: bool = False


@dataclass(frozen=True)
class Ignored:
    """Nothing for us, and why."""

    reason: str


def read_message(event: dict[str, Any], *, me: Identity, team_id: str) -> Heard | Ignored:
    """Return what a message event asks of us."""
    try:
        message = MessageEvent.model_validate(event)
    except ValidationError:
        return Ignored("malformed")
    if message.subtype not in _SPOKEN:
        return Ignored(f"subtype {message.subtype}")
    if message.bot_id or message.user in (None, "", me.user_id, "USLACKBOT"):
        return Ignored("not a person")
    return _read_spoken(message, me, team_id)


def read_stop(event: dict[str, Any], *, team_id: str) -> Incoming | Ignored:
    """Return a press of Stop as something a person did."""
    try:
        stop = StopEvent.model_validate(event)
    except ValidationError:
        return Ignored("malformed")
    return Incoming(
        key=f"stop:{team_id}:{stop.channel}:{stop.thread_ts}:{stop.event_ts}",
        source="events",
        kind=ReceiptKind.STOP,
        place=Place(
            team_id=team_id,
            channel_id=stop.channel,
            thread_ts=stop.thread_ts,
            is_direct=stop.channel.startswith("D"),
        ),
        slack_ts=stop.event_ts,
        slack_user_id=stop.user,
    )


def _read_spoken(message: MessageEvent, me: Identity, team_id: str) -> Heard | Ignored:
    raw = message.text or ""
    mention = re.compile(rf"[ \t]*<@{re.escape(me.user_id)}(?:\|[^<>\n]*)?>(?:[,:](?=\s))?[ \t]*")
    is_mentioned = message.type == "app_mention" or mention.search(raw) is not None
    text = _spoken_text(message, mention.sub(" ", raw))
    if not text and not is_mentioned:
        return Ignored("blank")
    if not message.is_direct and not is_mentioned and message.thread_ts is None:
        return Ignored("not to us")
    incoming = _incoming(message, text or _HELP, team_id)
    return Heard(incoming, only_if_taking_part=not (message.is_direct or is_mentioned))


def _incoming(message: MessageEvent, text: str, team_id: str) -> Incoming:
    word = read_word(text)
    refuses = word is not None and not word.is_yes
    return Incoming(
        key=message_key(team_id, message.channel, message.ts),
        source="events",
        kind=ReceiptKind.WORD if refuses else ReceiptKind.MESSAGE,
        place=Place(
            team_id=team_id,
            channel_id=message.channel,
            thread_ts=message.thread_ts or message.ts,
            is_direct=message.is_direct,
        ),
        slack_ts=message.ts,
        slack_user_id=message.user or "",
        text=text,
    )


def _spoken_text(message: MessageEvent, raw: str) -> str:
    text = clean(plain(raw), limit=len(raw) + 1)
    names = [one.name for one in message.files if one.name][:_FILES_NAMED]
    notes = [f"(attached file, not readable here: {clean(name, limit=200)})" for name in names]
    return shorten("\n".join([text, *notes]).strip())


def plain(text: str) -> str:
    """Return a message as it was typed: links and escapes undone, mentions of others kept."""
    text = _LINK.sub(_typed_link, text)
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def shorten(text: str) -> str:
    """Keep a message within the limit; a cut says so and how long the message was."""
    if len(text) <= MESSAGE_LIMIT:
        return text
    notice = f"\n[cut here: the message had {len(text):,} characters]"
    return text[: MESSAGE_LIMIT - len(notice)].rstrip() + notice


def _typed_link(found: re.Match[str]) -> str:
    url: str = found[1]
    label: str = found[2] or ""
    bare = url.removeprefix("mailto:").removeprefix("tel:")
    if not label or label in (url, bare) or bare.split("://")[-1].rstrip("/") == label.rstrip("/"):
        return label if label and "://" not in url else bare
    return f"{label} ({bare})"
