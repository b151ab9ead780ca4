"""The rich text that Slack adds to what a person types: the same words, in parts by their kind."""

import re
from html import unescape
from typing import Any

from workbench.slack.markup import EMOJI, QUOTE
from workbench.storage import Document

_INLINE = re.compile(r"(<[^<>]+>|`[^`\n]+`|:[a-z0-9_+-]+:)")
_CHARACTERS = {name: character for character, name in EMOJI.items()}


def rich_text(text: str) -> list[Document]:
    """Return the blocks of a message with this stored text; none if it is empty."""
    parts: list[Document] = []
    # Code stands at odd positions.
    for at, piece in enumerate(text.split("```")):
        if at % 2:
            inside = [{"type": "text", "text": unescape(piece)}]
            parts.append({"type": "rich_text_preformatted", "elements": inside})
        elif piece:
            parts += _sections(piece)
    return [{"type": "rich_text", "block_id": "typed", "elements": parts}] if parts else []


def _sections(text: str) -> list[Document]:
    """Return a part for each run of quoted lines, and of other lines."""
    parts: list[Document] = []
    for line in text.splitlines():
        is_quoted = line.startswith(QUOTE)
        kind = "rich_text_quote" if is_quoted else "rich_text_section"
        elements = _elements(line.removeprefix(QUOTE).lstrip() if is_quoted else line)
        if parts and parts[-1]["type"] == kind:
            parts[-1]["elements"] += [{"type": "text", "text": "\n"}, *elements]
        else:
            parts.append({"type": kind, "elements": elements})
    return parts


def _elements(line: str) -> list[Document]:
    return [_element(piece) for piece in _INLINE.split(line) if piece]


def _element(piece: str) -> Document:
    inner = piece[1:-1]
    if piece[0] == "<" and piece[-1] == ">":
        return _reference(inner)
    if len(piece) > 2 and piece[0] == piece[-1] == "`":
        return {"type": "text", "text": unescape(inner), "style": {"code": True}}
    if piece[0] == piece[-1] == ":" and inner in _CHARACTERS:
        points = "-".join(f"{ord(point):x}" for point in _CHARACTERS[inner])
        return {"type": "emoji", "name": inner, "unicode": points}
    return {"type": "text", "text": unescape(piece)}


def _reference(inner: str) -> Document:
    target, _, label = inner.partition("|")
    named: dict[str, dict[str, Any]] = {
        "@": {"type": "user", "user_id": target[1:]},
        "#": {"type": "channel", "channel_id": target[1:]},
        "!": {"type": "broadcast", "range": target[1:]},
    }
    link: Document = {"type": "link", "url": unescape(target)}
    return named.get(target[0]) or link | ({"text": unescape(label)} if label else {})
