"""Reads message events: what they say, and whether they are for us."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Literal, cast

from pydantic import Field, ValidationError

from agencyclaw.domain.commands import is_stop
from agencyclaw.domain.consent.words import Word, read_word
from agencyclaw.domain.imports import FILES_AT_MOST
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Incoming, ReceiptKind, message_key, overheard_key
from agencyclaw.domain.sheets import is_csv
from agencyclaw.domain.text import MESSAGE_LIMIT, clean, cut, one_line
from agencyclaw.domain.thread import NAME_LIMIT, READABLE, AttachedFile, Carried
from agencyclaw.slack.ignored import Ignored
from agencyclaw.slack.payloads import Payload, Ts, is_direct, place_in
from agencyclaw.slack.ports import BotIdentity
from agencyclaw.slack.rich_text import elements_of, with_emoji

SPOKEN = {None, "file_share", "message_share", "thread_broadcast"}
_FILES_NAMED = 5
_ENDINGS = {"csv": ".csv", "docx": ".docx", "markdown": ".md", "pdf": ".pdf", "text": ".txt"}
_UNREADABLE = "(attached file, not readable here: {name})"
_LINK = re.compile(r"<((?:https?|mailto|tel):[^<>|\n]+)(?:\|([^<>\n]*))?>")
_HELP = "help"
# Slack's own markup of people, groups of people, and everybody in a channel.
_MENTION_OF_OTHERS = re.compile(r"<(?:@|!subteam\^|!here|!channel|!everyone)")


class File(Payload):
    """A file that came with a message."""

    id: str = ""
    name: str | None = None
    filetype: str = ""

    @property
    def file_name(self) -> str:
        """Its name on one line, cut before its ending; a snippet gets the one that its type has."""
        name = one_line(self.name or "", len(self.name or ""))
        if not name:
            return ""
        ending = PurePath(name).suffix if _ends(name) else _ENDINGS.get(self.filetype, "")
        return f"{cut(name.removesuffix(ending), NAME_LIMIT - len(ending))}{ending}"


class Attachment(Payload):
    """A message that was forwarded, or what an app or a link's preview adds."""

    fallback: str | None = None
    text: str | None = None
    author_name: str = ""
    is_share: bool = False


class Edited(Payload):
    """Who edited a message, and when."""

    user: str = ""


class Content(Payload):
    """What every message has, from events and from the Web API."""

    text: str | None = None
    subtype: str | None = None
    files: tuple[File, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    blocks: tuple[dict[str, Any], ...] = ()

    @property
    def carries(self) -> tuple[Carried, ...]:
        """What it holds besides typed words."""
        text = self.text or ""
        parts = frozenset(_parts_of(self.blocks))
        lines = text.splitlines()
        has_quote = "rich_text_quote" in parts or any(map(_is_quoted, lines))
        has_code = bool(parts & {"rich_text_preformatted", "code"}) or "`" in text
        kinds: dict[Carried, bool] = {
            "file": bool(self.files),
            "forward": bool(self.attachments),
            "quote": has_quote,
            "code": has_code,
            "broadcast": self.subtype == "thread_broadcast",
        }
        return tuple(kind for kind, is_carried in kinds.items() if is_carried)

    @property
    def attached(self) -> tuple[AttachedFile, ...]:
        """Its readable files."""
        names = {file.id: file.file_name for file in self.files if file.id}
        readable = [AttachedFile(id=one, name=name) for one, name in names.items() if _ends(name)]
        return tuple(readable[:FILES_AT_MOST])

    def words(self, raw: str) -> str:
        """Return a raw text as it was typed, with what is forwarded and the names of its files."""
        text = clean(plain(with_emoji(raw, self.blocks)), limit=len(raw) + 1)
        # Slack may list an image twice: uploaded, and shared.
        names = [name for name in dict.fromkeys(file.file_name for file in self.files) if name]
        notes = [_file_note(name) for name in names[:_FILES_NAMED]]
        forwarded = [_forwarded(shared) for shared in self.attachments if shared.is_share]
        return "\n".join([text, *forwarded, *notes]).strip()


def _file_note(name: str) -> str:
    """Return how a message names its file; a tool may read it."""
    if is_csv(name):
        return f"(attached CSV file: {name})"
    return f"(attached file: {name})" if _ends(name) else _UNREADABLE.format(name=name)


def _ends(name: str) -> bool:
    """Whether a file's name ends as those do that can be read."""
    return PurePath(name).suffix.lower() in READABLE


def _forwarded(shared: Attachment) -> str:
    """Return a forwarded message as a quote; who forwards one need not write anything."""
    quote = clean(plain(shared.text or shared.fallback or ""))
    author = " ".join(clean(shared.author_name, limit=60).split()) or message("built.somebody")
    lines = [f"> {line}" for line in quote.splitlines()]
    return "\n".join([message("thread.forwarded", author=author), *lines])


def _is_quoted(line: str) -> bool:
    """Return whether a line is a quote, for messages without blocks."""
    return line.lstrip().startswith(("&gt;", ">"))


class Version(Content):
    """A message before or after a change."""

    ts: Ts
    thread_ts: Ts | None = None
    user: str = ""
    bot_id: str | None = None
    edited: Edited | None = None


class ChangeEvent(Payload):
    """A `message_changed` or `message_deleted` event."""

    channel: str = Field(min_length=2)
    channel_type: str | None = None
    ts: Ts
    subtype: Literal["message_changed", "message_deleted"]
    message: Version | None = None
    previous_message: Version


class MessageEvent(Content):
    """A `message` or `app_mention` event."""

    type: Literal["message", "app_mention"]
    channel: str = Field(min_length=2)
    ts: Ts
    user: str | None = None
    thread_ts: Ts | None = None
    channel_type: str | None = None
    bot_id: str | None = None

    @property
    def is_direct(self) -> bool:
        """Whether it is in a direct message with us."""
        return is_direct(self.channel, self.channel_type)


class StopEvent(Payload):
    """An `agent_session_stopped` event: somebody pressed Slack's Stop in a thread."""

    channel: str = Field(min_length=2)
    channel_type: str | None = None
    thread_ts: Ts
    user: str = Field(min_length=2)
    event_ts: Ts


@dataclass(frozen=True)
class MessageToUs:
    """A message to us."""

    incoming: Incoming


@dataclass(frozen=True)
class MessageInThread:
    """A message in a thread that does not mention us; it may mention somebody else."""

    incoming: Incoming
    mentions_others: bool


@dataclass(frozen=True)
class OverheardMessage:
    """A message of somebody else where a plain yes could count."""

    incoming: Incoming


MessageMeaning = MessageToUs | MessageInThread | OverheardMessage | Ignored


def read_message(event: dict[str, Any], *, me: BotIdentity, team_id: str) -> MessageMeaning:
    """Return what a message event means for us."""
    if event.get("subtype") in ("message_changed", "message_deleted"):
        return _read_change(event, me, team_id)
    try:
        message = MessageEvent.model_validate(event)
    except ValidationError:
        return Ignored("malformed")
    if message.bot_id == me.bot_id or message.user == me.user_id:
        return Ignored("our own")
    is_spoken = message.subtype in SPOKEN and not message.bot_id
    if not is_spoken or message.user in (None, "", "USLACKBOT"):
        return _overheard(message, team_id)
    return _read_spoken(message, me, team_id)


def _read_change(event: dict[str, Any], me: BotIdentity, team_id: str) -> MessageMeaning:
    """Read a change: a yes may be withdrawn by it, and another message may be gone or new."""
    try:
        change = ChangeEvent.model_validate(event)
    except ValidationError:
        return Ignored("malformed")
    before, after = change.previous_message, change.message
    is_gone = after is None or after.subtype == "tombstone"
    is_edited = after is not None and after.edited is not None and after.text != before.text
    if before.bot_id or not (is_gone or is_edited):
        return Ignored("a redraw")
    if read_word(clean(plain(before.text or ""))) is Word.YES:
        return MessageToUs(_withdrawal(change, team_id))
    return _overheard_version(change, me, team_id, is_gone=is_gone)


def _withdrawal(change: ChangeEvent, team_id: str) -> Incoming:
    before = change.previous_message
    return Incoming(
        key=f"unsaid:{team_id}:{change.channel}:{before.ts}",
        source="events",
        kind=ReceiptKind.UNSAID,
        place=_place_of_change(change, team_id),
        slack_ts=change.ts,
        slack_user_id=before.user,
        about_ts=before.ts,
    )


def _overheard_version(
    change: ChangeEvent, me: BotIdentity, team_id: str, *, is_gone: bool
) -> OverheardMessage:
    """Return a deleted message at its own time, or an edited one at the time of the edit.

    Its text is the edited one without our name; empty if the message was deleted.
    """
    before = change.previous_message
    edited = None if is_gone else change.message
    ts = change.ts if edited else before.ts
    return OverheardMessage(
        Incoming(
            key=overheard_key(team_id, change.channel, ts),
            source="events",
            kind=ReceiptKind.OVERHEARD,
            place=_place_of_change(change, team_id),
            slack_ts=ts,
            slack_user_id=before.user,
            text=_without_mention(edited, me) if edited else "",
            carries=edited.carries if edited else (),
            files=edited.attached if edited else (),
            about_ts=before.ts,
        )
    )


def _overheard(message: MessageEvent, team_id: str) -> OverheardMessage:
    return OverheardMessage(
        Incoming(
            key=overheard_key(team_id, message.channel, message.ts),
            source="events",
            kind=ReceiptKind.OVERHEARD,
            place=_place_of(message, team_id),
            slack_ts=message.ts,
            slack_user_id=message.user or "",
        )
    )


def _place_of_change(change: ChangeEvent, team_id: str) -> Place:
    before = change.previous_message
    thread_ts = before.thread_ts or before.ts
    return place_in(team_id, change.channel, thread_ts, change.channel_type)


def _parts_of(node: Any) -> Iterator[str]:
    """Yield the element types of a rich text, and "code" for text styled as such."""
    for parts in elements_of(node):
        yield str(parts.get("type"))
        style: Any = parts.get("style")
        if isinstance(style, dict) and cast("dict[str, Any]", style).get("code"):
            yield "code"


def read_stop(event: dict[str, Any], *, team_id: str) -> Incoming | Ignored:
    """Return a press of Stop as a person's act."""
    try:
        stop = StopEvent.model_validate(event)
    except ValidationError:
        return Ignored("malformed")
    return Incoming(
        key=f"stop:{team_id}:{stop.channel}:{stop.thread_ts}:{stop.event_ts}",
        source="events",
        kind=ReceiptKind.STOP,
        place=place_in(team_id, stop.channel, stop.thread_ts, stop.channel_type),
        slack_ts=stop.event_ts,
        slack_user_id=stop.user,
    )


def _read_spoken(message: MessageEvent, me: BotIdentity, team_id: str) -> MessageMeaning:
    raw, mention = message.text or "", _mention_of(me)
    is_mentioned = message.type == "app_mention" or mention.search(raw) is not None
    text = _without_mention(message, me)
    if not text and not is_mentioned:
        return Ignored("blank")
    if not message.is_direct and not is_mentioned and message.thread_ts is None:
        return Ignored("not to us")
    incoming = _incoming(message, text, team_id)
    if message.is_direct or is_mentioned:
        return MessageToUs(incoming)
    rest = mention.sub(" ", raw)
    return MessageInThread(incoming, mentions_others=_MENTION_OF_OTHERS.search(rest) is not None)


def _without_mention(message: Content, me: BotIdentity) -> str:
    """Return what a message says, without our name."""
    return shorten(message.words(_mention_of(me).sub(" ", message.text or "")))


def _mention_of(me: BotIdentity) -> re.Pattern[str]:
    return re.compile(rf"[ \t]*<@{re.escape(me.user_id)}(?:\|[^<>\n]*)?>(?:[,:](?=\s))?[ \t]*")


def _incoming(message: MessageEvent, words: str, team_id: str) -> Incoming:
    text = words or _HELP
    is_urgent = read_word(text) is Word.NO or is_stop(text)
    return Incoming(
        key=message_key(team_id, message.channel, message.ts),
        source="events",
        kind=ReceiptKind.WORD if is_urgent else ReceiptKind.MESSAGE,
        place=_place_of(message, team_id),
        slack_ts=message.ts,
        slack_user_id=message.user or "",
        text=text,
        carries=message.carries,
        is_bare=not words,
        files=message.attached,
    )


def _place_of(message: MessageEvent, team_id: str) -> Place:
    thread_ts = message.thread_ts or message.ts
    return place_in(team_id, message.channel, thread_ts, message.channel_type)


def plain(text: str) -> str:
    """Return a message as it was typed: links and escapes undone, mentions kept."""
    text = _LINK.sub(_typed_link, text)
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def shorten(text: str) -> str:
    """Cut a message to the limit; the cut says how long the message was."""
    if len(text) <= MESSAGE_LIMIT:
        return text
    notice = f"\n[cut here: the message had {len(text):,} characters]"
    return text[: MESSAGE_LIMIT - len(notice)].rstrip() + notice


def _typed_link(match: re.Match[str]) -> str:
    url: str = match[1]
    label: str = match[2] or ""
    bare = url.removeprefix("mailto:").removeprefix("tel:")
    if not label:
        return bare
    without_scheme = bare.split("://")[-1]
    is_same = label in (url, bare) or label.rstrip("/") == without_scheme.rstrip("/")
    if not is_same:
        return f"{label} ({bare})"
    # Slack links "amazon.de" too, to an address that nobody typed.
    return bare if "://" in url and url != f"http://{label}" else label
