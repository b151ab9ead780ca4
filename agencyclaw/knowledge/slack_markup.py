"""Strips disguises from incoming text: HTML entities, invisible characters, Slack's own markup."""

from __future__ import annotations

import html
import unicodedata

from agencyclaw.domain.text import scrub

_ZERO_WIDTH_JOINER = "\u200d"
# The longest named entity of HTML has 32 characters after its ampersand.
_ENTITY_LIMIT = 34
# An entity can hide another (`&amp;lt;`). What is nested deeper stays visible as text.
_ROUNDS = 20
_NO_BRACKETS = str.maketrans("[]", "()")


def strip_markup(text: str) -> str:
    """Return text without entities, invisible characters and Slack's own mentions and links."""
    text = _without_invisible(scrub(text))
    for _ in range(_ROUNDS):
        if "&" not in text:
            break
        decoded = _without_invisible(scrub(_without_entities(text)))
        if decoded == text:
            break
        text = decoded
    return _without_angles(text) if "<" in text else text


def _without_entities(text: str) -> str:
    first, *rest = text.split("&")
    return first + "".join(_decode_entity(part) for part in rest)


def _decode_entity(text: str) -> str:
    """Return the text after an ampersand with its entity decoded: `lt;b` becomes `<b`."""
    end = text.find(";", 0, _ENTITY_LIMIT)
    entity = f"&{text[: end + 1]}"
    decoded = html.unescape(entity) if end > 0 else entity
    return f"&{text}" if decoded == entity else decoded + text[end + 1 :]


def _without_angles(text: str) -> str:
    """A mention keeps the name it showed, a broadcast its word, a link becomes Markdown's."""
    first, *rest = text.split("<")
    kept = [first]
    for part in rest:
        inside, closing, after = part.partition(">")
        words = _read_token(inside) if closing and "\n" not in inside else None
        if words is None:
            kept.append(f"<{part}")
        else:
            kept[-1] = kept[-1].removesuffix("\\")
            kept.append(words + after)
    return "".join(kept)


def _read_token(inside: str) -> str | None:
    """Return what `<…>` says: `!here`, `@U1|Ines`, `https://a.example|b`; None if it is none."""
    target, bar, label = inside.partition("|")
    label = label.translate(_NO_BRACKETS)
    match target[:1]:
        case "!" if target[1:2].isalnum():
            return label or target[1:].split("^")[0].lstrip("!@#")
        case "@" | "#" if target[1:2].isalnum() or label:
            return label or ("someone" if target[0] == "@" else "a channel")
        case _ if bar and target and not any(char.isspace() for char in target):
            return f"[{label}]({target})" if label else target
        case _:
            return None


def _without_invisible(text: str) -> str:
    """Return text without format characters; a joiner stays where an emoji needs it."""
    if text.isascii():
        return text
    chars = [
        char for char in text if char == _ZERO_WIDTH_JOINER or unicodedata.category(char) != "Cf"
    ]
    if _ZERO_WIDTH_JOINER not in chars:
        return "".join(chars)
    # Between ASCII characters a joiner joins nothing; it only hides a word from a search.
    ends = ["a", *chars, "a"]
    return "".join(
        char
        for at, char in enumerate(chars)
        if char != _ZERO_WIDTH_JOINER or (_takes_joiner(ends[at]) and _takes_joiner(ends[at + 2]))
    )


def _takes_joiner(char: str) -> bool:
    return not char.isascii() and char != _ZERO_WIDTH_JOINER
