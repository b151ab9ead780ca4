"""Breaks links, mentions and receipt signs in other people's text before Slack shows it.

A word joiner is put into every address and broadcast. It is invisible, but no client reads an
address or a mention across it; text that comes back to us loses it when it is sanitised.
"""

from __future__ import annotations

import re
from collections.abc import Callable

WORD_JOINER = "\u2060"
# Only code that reports a recorded change may write it; Slack turns `:receipt:` into it too.
RECEIPT_SIGN = "🧾"
_SHORTCODE_END = "receipt:"
_BLANK_FRAME = "⬚"
# Tells whether a link to this address may stay clickable.
IsLive = Callable[[str], bool]

_DOTS = frozenset(".．․。｡")
_ATS = frozenset("@＠﹫")
# A text without any of these has nothing to break.
_SUSPECT = _DOTS | _ATS | frozenset(":<]!") | {RECEIPT_SIGN}
# Pieces in which an address could be, and what may stand around one without being a part of it.
_RUN = re.compile(r"""([^\s<>|\[\]()"'`*\\]+)""")
_AROUND = ".,;:!?_~…“”‘’«»‹›" + WORD_JOINER
_SCHEMES = (
    *("mailto", "tel", "sms", "javascript", "data", "file", "slack", "vbscript", "facetime"),
    *("callto", "skype", "http", "https"),
)
_BROADCASTS = ("here", "channel", "everyone", "group")
# Markdown's links, reference links, definitions and images need these pairs.
_BRACKET_PAIRS = ("](", "][", "]:", "![")
# `prices.csv` looks like a host and is none: none of these is a top-level domain.
_FILE_ENDINGS = frozenset(
    {"xls", "xlsx", "doc", "docx", "ppt", "pptx", "csv", "pdf", "json", "txt", "png", "jpg", "jpeg"}
)
_WEB = re.compile(r"https?://", re.IGNORECASE)


def never_live(_: str) -> bool:
    """Allow no link."""
    return False


def break_links(text: str, is_live: IsLive = never_live) -> str:
    """Return text in which only addresses that `is_live` allows can be clicked.

    Word joiners are added, and a receipt sign becomes a blank frame; all else stays.
    """
    if not _SUSPECT & set(text):
        return text
    # Word by word, so that a long text costs no more than its suspicious words.
    return " ".join(
        _break_word(word, is_live) if _SUSPECT & set(word) else word
        for word in without_receipt_sign(text).split(" ")
    )


def without_receipt_sign(text: str) -> str:
    """Return text with every receipt sign replaced by a blank frame."""
    return text.replace(RECEIPT_SIGN, _BLANK_FRAME)


def separate_brackets(text: str) -> str:
    """Return text whose brackets make no link or image, even if word joiners are removed."""
    for pair in _BRACKET_PAIRS:
        text = text.replace(pair, f"{pair[0]} {pair[1]}")
    return text


def web_addresses(text: str) -> tuple[str, ...]:
    """Return the http and https addresses in a text, in order and without duplicates."""
    if "://" not in text:
        return ()
    starts = ((run, _WEB.search(run)) for run in _RUN.findall(text))
    addresses = (run[start.start() :].rstrip(_AROUND) for run, start in starts if start)
    return tuple(dict.fromkeys(addresses))


def _break_word(word: str, is_live: IsLive) -> str:
    text = "".join(_break_run(run, is_live) if is_run else run for run, is_run in _runs(word))
    for pair in _BRACKET_PAIRS:
        text = text.replace(pair, pair[0] + WORD_JOINER + pair[1])
    return _break_angles(text) if "<" in text else text


def _runs(text: str) -> list[tuple[str, bool]]:
    """Split a text into pieces; the flag tells whether an address could be in the piece."""
    return [(piece, at % 2 == 1) for at, piece in enumerate(_RUN.split(text)) if piece]


def _break_run(run: str, is_live: IsLive) -> str:
    if not _SUSPECT & set(run) or ("://" in run and is_live(run.strip(_AROUND))):
        return run
    if _is_file_name(run.strip(_AROUND)):
        return run
    return "".join(
        char + WORD_JOINER if _is_breaking_point(run, at) else char for at, char in enumerate(run)
    )


def _is_file_name(text: str) -> bool:
    """Return whether this is a file name like `prices.csv`."""
    name, dot, ending = text.partition(".")
    is_name = name != "" and all(map(_is_label, name))
    return dot != "" and ending.lower() in _FILE_ENDINGS and is_name


def _is_breaking_point(run: str, at: int) -> bool:
    """Return whether a link or a mention would be read across the character at this index."""
    char = run[at]
    if char == ":":
        return _opens_shortcode(run, at) or _ends_scheme(run, at)
    if char in _ATS:
        return _opens_broadcast(run, at)
    return char in _DOTS and _joins_host(run, at)


def _opens_shortcode(run: str, at: int) -> bool:
    """Return whether this is the first colon of `:receipt:`."""
    return run[at + 1 :].lower().startswith(_SHORTCODE_END)


def _ends_scheme(run: str, at: int) -> bool:
    """Return whether this is the colon of a scheme: `https://…`, `mailto:a@b.example`."""
    after = run[at + 1 : at + 2]
    return after == "/" or (after != "" and run[:at].lower().endswith(_SCHEMES))


def _opens_broadcast(run: str, at: int) -> bool:
    """Return whether this is the at sign of `@channel`."""
    return run[at + 1 :].lower().startswith(_BROADCASTS)


def _joins_host(run: str, at: int) -> bool:
    """Return whether this is a dot within `evil.example`, before at least two characters."""
    after = run[at + 1 : at + 3]
    is_after_label = at > 0 and _is_label(run[at - 1])
    return is_after_label and after[:1].isalpha() and len(after) > 1 and _is_label(after[1])


def _is_label(char: str) -> bool:
    return char.isalnum() or char in "-_"


def _break_angles(text: str) -> str:
    """Put a joiner after every `<` that could open one of Slack's own links or mentions."""
    harmless = (WORD_JOINER, "")
    return "".join(
        char + WORD_JOINER
        if char == "<" and text[at + 1 : at + 2].strip() not in harmless
        else char
        for at, char in enumerate(text)
    )
