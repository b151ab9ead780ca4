"""Text made safe for Slack's `markdown` block: no live link, no mention, no disguise.

What is known to be harmless stays live, bare or as `[text](url)`: the exact addresses in `allowed`,
or, where none are given, addresses at the agency's own services.
What is broken reads as before: a colon that is none, a mark after a dot that no linkifier crosses.
Limits: bare numbers (an IP address, a telephone number) are left alone; words such as "evil dot
com" stay what they are; whoever copies a broken address and mends it has an address again.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, cast

from pydantic import BaseModel

from agencyclaw.domain.text import clean

LIVE_HOSTS = frozenset({"app.clickup.com", "slack.com"})

_OPEN, _CLOSE = "\ue000", "\ue001"
_HELD = re.compile(f"{_OPEN}(\\d+){_CLOSE}")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});", re.IGNORECASE)
_BACKSLASH = re.compile(r"\\(?=[.:/@<>\[\]()!#&|])")
_JOINER = re.compile("(?<=[\x00-\x7f])\u200d+|\u200d+(?=[\x00-\x7f])")

_URL = re.compile(r"https?://[^\s<>|\[\]()\"'`*\\\ue000\ue001]+", re.IGNORECASE)
_HOST = re.compile(r"https://([^/?#]+)", re.IGNORECASE)
_TAIL = ".,;:!?_~…"
_STUCK = re.compile(rf"({_OPEN}\d+{_CLOSE})(?=[{_TAIL}]*[^\s<>|\[\]()\"'`*\\{_TAIL}])")
_NAMED = re.compile(r"(?<!!)\[([^\[\]\n\ue000]{1,300})\]\(<?(https?://[^\s<>()\"\ue000]+)>?\)")
_SLACK_LINK = re.compile(r"<(https?://[^\s<>|\ue000]+)(?:\|([^<>\n\ue000]{1,300}))?>")

_SPECIAL = re.compile(r"<([!@#])([^<>|\n]*)(?:\|([^<>\n]*))?>")
_ANGLE_LINK = re.compile(r"<([^\s<>|]+)\|([^<>\n]*)>")
_ANGLE = re.compile(r"<(?=[!@#/\ue000]|[^\W\d])")
_IMAGE = re.compile(r"!+(?=\[)")
_DEFINITION = re.compile(r"^([ \t>]*)\[([^\[\]\n]+)\]:", re.MULTILINE)
_LINK = re.compile(r"\[([^\[\]\n]*)\]\(([^()\n]*)\)")
_JOINT = re.compile(r"\](?=[\[(:])")
_SCHEME = re.compile(r"(?<=[a-z0-9+.-]):(?=//)", re.IGNORECASE)
_BARE_SCHEME = re.compile(
    r"\b(mailto|tel|sms|javascript|data|file|slack|vbscript|facetime|callto|skype|https?):(?=\S)",
    re.IGNORECASE,
)
_COLON = "∶"
_MARK = "\u2060"
_BROADCAST = re.compile(r"[@＠﹫]+(?=(?:here|channel|everyone|group)(?![^\W_]))", re.IGNORECASE)
_DOT = r"(?:[.．․]|[。｡](?=[a-z]))"
_LABEL = "[^\\s!-,./:-@\\[-^`{-~…“”‘’«»‹›。．｡․∶\ue000\ue001]"
_DOMAIN = re.compile(
    rf"(?<!{_LABEL})(?<!{_LABEL}[.．․]){_LABEL}+(?:{_DOT}{_LABEL}+)*{_DOT}(?:xn--[\w-]+|[^\W\d_]{{2,}}(?![^\W_]))"
    rf"(?:{_DOT}{_LABEL}+)*",
    re.IGNORECASE,
)
_FILE = re.compile(
    r"[\w-]+\.(?:xlsx?|docx?|pptx?|csv|pdf|json|txt|png|jpe?g|gif|js)", re.IGNORECASE
)


def repair(text: str, *, allowed: Iterable[str] | None = None) -> str:
    """Return `text` with nothing live in it but harmless addresses; twice is as once."""
    known = None if allowed is None else frozenset(allowed)
    held: list[str] = []
    text = _plain(text)
    text = _NAMED.sub(lambda m: _hold(m[0], m[2], m[1], known, held), text)
    text = _SLACK_LINK.sub(lambda m: _hold(m[0], m[1], m[2], known, held), text)
    text = _URL.sub(lambda m: _hold_bare(m[0], known, held), text)
    text = _STUCK.sub(r"\1 ", _defused(text))
    return _HELD.sub(lambda m: held[int(m[1])], text).strip()


def is_harmless(url: str, known: frozenset[str] | None = None) -> bool:
    """Return whether an address may be live: one of `known`, else at the agency's services."""
    if known is not None:
        return url in known
    found = _HOST.match(url)
    host = found[1].lower() if found else ""
    return any(host == one or host.endswith(f".{one}") for one in LIVE_HOSTS)


def links_in(text: str) -> tuple[str, ...]:
    """Return the web addresses written in a text, each once."""
    found = (match[0].rstrip(_TAIL) for match in _URL.finditer(_plain(text)))
    return tuple(dict.fromkeys(found))


def urls_of(value: Any) -> frozenset[str]:
    """Return the addresses in the `url` and `urls` fields of a tool's result, and only those.

    An address inside a title or a note was put there by somebody else and is not among them.
    """
    return frozenset(_urls(value))


def _urls(value: Any) -> Iterator[str]:
    if isinstance(value, BaseModel):
        value = value.model_dump()
    if isinstance(value, dict):
        for key, item in cast(dict[Any, Any], value).items():
            if key in ("url", "urls"):
                given = cast(list[Any], item if isinstance(item, (list, tuple)) else [item])
                yield from (one for one in given if isinstance(one, str) and _URL.fullmatch(one))
            else:
                yield from _urls(item)
    elif isinstance(value, (list, tuple)):
        for item in cast(list[Any], value):
            yield from _urls(item)


def _plain(text: str) -> str:
    """Undo the disguises: entities, backslashes, invisible characters, our own brackets."""
    for _ in range(20):
        undone = _BACKSLASH.sub("", _ENTITY.sub(lambda m: html.unescape(m[0]), text))
        undone = _visible(undone)
        if undone == text:
            break
        text = undone
    return text


def _visible(text: str) -> str:
    text = clean(text, limit=len(text))
    if text.isascii():
        return text
    text = _JOINER.sub("", text)
    hidden = {ord(char): None for char in set(text) if not char.isascii() and not _is_visible(char)}
    return text.translate(hidden) if hidden else text


def _is_visible(char: str) -> bool:
    if char in (_OPEN, _CLOSE):
        return False
    return char == "\u200d" or unicodedata.category(char) != "Cf"


def _hold(
    whole: str, url: str, label: str | None, known: frozenset[str] | None, held: list[str]
) -> str:
    if not is_harmless(url, known):
        return whole
    name = _defused(label or "").strip(" ()!\\")
    return _keep(f"[{name}]({url})" if name else url, held)


def _hold_bare(found: str, known: frozenset[str] | None, held: list[str]) -> str:
    url = found.rstrip(_TAIL)
    return _keep(url, held) + found[len(url) :] if is_harmless(url, known) else found


def _keep(text: str, held: list[str]) -> str:
    held.append(text)
    return f"{_OPEN}{len(held) - 1}{_CLOSE}"


def _defused(text: str) -> str:
    """Break every form of mention and link; the order matters, later rules see earlier results."""
    text = _SPECIAL.sub(_unmentioned, text)
    text = _ANGLE_LINK.sub(r"\2 (\1)", text)
    text = _ANGLE.sub("‹", text)
    text = _DEFINITION.sub(r"\1\2:", _IMAGE.sub("", text))
    text = _JOINT.sub("] ", _LINK.sub(r"\1 (\2)", text))
    text = _BROADCAST.sub("", text)
    text = _BARE_SCHEME.sub(rf"\1{_COLON}", _SCHEME.sub(_COLON, text))
    return _DOMAIN.sub(_undotted, text)


def _unmentioned(match: re.Match[str]) -> str:
    """A mention keeps the name it showed, a broadcast its word; neither calls anybody."""
    kind, target, label = match[1], match[2], match[3]
    if label:
        return label
    if kind == "!":
        return target.split("^")[0].lstrip("!@#")
    return "someone" if kind == "@" else "a channel"


def _undotted(match: re.Match[str]) -> str:
    if _FILE.fullmatch(match[0]):
        return match[0]
    return re.sub(_DOT, lambda dot: dot[0] + _MARK, match[0], flags=re.IGNORECASE)
