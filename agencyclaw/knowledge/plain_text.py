"""Plain text in which nothing is live: no link, no mention, no disguise. It reads as before."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Callable
from itertools import groupby

from agencyclaw.domain.text import scrub

# It shows nothing, but no reader of links or mentions reads across it; what somebody copies back
# to us loses it when it is cleaned.
JOINER = "\u2060"
Judge = Callable[[str], bool]
# Stands under what code tells of a change, and nowhere else: in other words it is a blank frame.
SEAL = "🧾"
_BLANK = "⬚"
_SHORTCODE = "receipt:"

_DOTS = frozenset(".．․。｡")
_ATS = frozenset("@＠﹫")
_SUSPECT = _DOTS | _ATS | frozenset(":<]!") | {SEAL}
# What no address goes across, and what stands around one.
_ENDS = frozenset("<>|[]()\"'`*\\")
_AROUND = ".,;:!?_~…“”‘’«»‹›"
_SCHEMES = (
    *("mailto", "tel", "sms", "javascript", "data", "file", "slack", "vbscript", "facetime"),
    *("callto", "skype", "http", "https"),
)
_BROADCASTS = ("here", "channel", "everyone", "group")
# Where words would become a link, a definition or an image.
_JOINTS = ("](", "][", "]:", "![")
_FILES = frozenset(
    {"xls", "xlsx", "doc", "docx", "ppt", "pptx", "csv", "pdf", "json", "txt", "png", "jpg", "jpeg"}
)
_WEB = re.compile(r"https?://", re.IGNORECASE)
_ENTITY_LIMIT = 34
_ROUNDS = 20


def nothing(_: str) -> bool:
    """No address may be live."""
    return False


def disarm(text: str, is_live: Judge = nothing) -> str:
    """Return text in which no address is live but those that may be; only joiners are added."""
    if not _SUSPECT & set(text):
        return text
    text = unsealed(text)
    return " ".join(
        _disarmed(part, is_live) if _SUSPECT & set(part) else part for part in text.split(" ")
    )


def unsealed(text: str) -> str:
    """Return text that can't be taken for a receipt."""
    return text.replace(SEAL, _BLANK)


def unjointed(text: str) -> str:
    """Return text whose brackets make neither link nor image, whoever takes joiners away."""
    for joint in _JOINTS:
        text = text.replace(joint, f"{joint[0]} {joint[1]}")
    return text


def addresses_of(text: str) -> tuple[str, ...]:
    """Return the web addresses written in a text, each once."""
    starts = ((run, _WEB.search(run)) for run, is_run in _runs(text) if is_run)
    found = (run[start.start() :].rstrip(_AROUND) for run, start in starts if start)
    return tuple(dict.fromkeys(found))


def undisguised(text: str) -> str:
    """Return text without entities, invisible characters and Slack's own mentions and links."""
    text = _visible(scrub(text))
    for _ in range(_ROUNDS):
        if "&" not in text or (undone := _visible(scrub(_without_entities(text)))) == text:
            break
        text = undone
    return _without_angles(text) if "<" in text else text


def _disarmed(part: str, is_live: Judge) -> str:
    text = "".join(_broken(run, is_live) if is_run else run for run, is_run in _runs(part))
    for joint in _JOINTS:
        text = text.replace(joint, joint[0] + JOINER + joint[1])
    return _open_angles(text) if "<" in text else text


def _runs(text: str) -> list[tuple[str, bool]]:
    """Return a text in pieces, and of each whether an address could be in it."""
    groups = groupby(text, key=lambda char: not (char in _ENDS or char.isspace()))
    return [("".join(chars), is_run) for is_run, chars in groups]


def _broken(run: str, is_live: Judge) -> str:
    if not _SUSPECT & set(run) or ("://" in run and is_live(run.strip(_AROUND))):
        return run
    name, dot, kind = run.strip(_AROUND).partition(".")
    if dot and kind.lower() in _FILES and _is_name(name):
        return run
    return "".join(
        char + JOINER if char in _SUSPECT and _is_joint(run, at) else char
        for at, char in enumerate(run)
    )


def _is_joint(run: str, at: int) -> bool:
    """Return whether a link or a mention would be read across this character."""
    char, after = run[at], run[at + 1 : at + 3]
    if char == ":" and run[at + 1 :].lower().startswith(_SHORTCODE):
        return True
    if char == ":":
        return after[:1] == "/" or (after != "" and run[:at].lower().endswith(_SCHEMES))
    if char in _ATS:
        return run[at + 1 :].lower().startswith(_BROADCASTS)
    if char in _DOTS:
        is_host = at > 0 and (run[at - 1].isalnum() or run[at - 1] in "-_")
        return is_host and after[:1].isalpha() and len(after) > 1 and _is_label(after[1])
    return False


def _is_name(text: str) -> bool:
    return text != "" and all(map(_is_label, text))


def _is_label(char: str) -> bool:
    return char.isalnum() or char in "-_"


def _open_angles(text: str) -> str:
    closed = (JOINER, "")
    return "".join(
        char + JOINER if char == "<" and text[at + 1 : at + 2].strip() not in closed else char
        for at, char in enumerate(text)
    )


def _without_entities(text: str) -> str:
    first, *rest = text.split("&")
    return first + "".join(_entity(one) for one in rest)


def _entity(text: str) -> str:
    end = text.find(";", 0, _ENTITY_LIMIT)
    whole = f"&{text[: end + 1]}"
    meant = html.unescape(whole) if end > 0 else whole
    return f"&{text}" if meant == whole else meant + text[end + 1 :]


def _without_angles(text: str) -> str:
    """A mention keeps the name it showed, a broadcast its word, a link becomes Markdown's."""
    first, *rest = text.split("<")
    kept = [first]
    for one in rest:
        inside, closing, after = one.partition(">")
        words = _unbracketed(inside) if closing and "\n" not in inside else None
        if words is None:
            kept.append(f"<{one}")
        else:
            kept[-1] = kept[-1].removesuffix("\\")
            kept.append(words + after)
    return "".join(kept)


def _unbracketed(inside: str) -> str | None:
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


_NO_BRACKETS = str.maketrans("[]", "()")


def _visible(text: str) -> str:
    if text.isascii():
        return text
    chars = [char for char in text if char == "\u200d" or unicodedata.category(char) != "Cf"]
    if "\u200d" not in chars:
        return "".join(chars)
    # An emoji needs its joiner; between letters of ours it hides something.
    ends = ["a", *chars, "a"]
    return "".join(
        char
        for at, char in enumerate(chars)
        if char != "\u200d" or (_takes_joiner(ends[at]) and _takes_joiner(ends[at + 2]))
    )


def _takes_joiner(char: str) -> bool:
    return not char.isascii() and char != "\u200d"
