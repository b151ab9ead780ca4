"""Sanitises, cuts, compares and serialises text."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator
from pydantic_core import to_jsonable_python

from agencyclaw.domain.messages import message

MESSAGE_LIMIT = 10_000
# What ends a sentence of any script before a space, and what ends one without any.
SENTENCE_ENDS = ".!?…؟।۔"
WIDE_SENTENCE_ENDS = "。！？"
_CONTROL = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff"
_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff"
)
_CONTROLS = re.compile(f"[{_CONTROL}]")
_INVISIBLE = re.compile(f"[{_UNSEEN}]")
# What `scrub` would change, as it stands in a JSON text; an escape too many costs only time. Two
# expressions take half the time of one with alternatives.
_SUSPECT = (re.compile(r"\\[bfru]"), re.compile(f"[\u2028\u2029{_CONTROL}{_UNSEEN}]"))
# Python and a browser break lines at them, Slack does not.
_LINE_ENDINGS = ("\r\n", "\r", "\u2028", "\u2029")
_SPACES = re.compile(r"\s+")
# Markdown's escapes say nothing.
_ONE_MINUS = str.maketrans({"\N{MINUS SIGN}": "-", "\N{EN DASH}": "-", "\\": None})
_EMPHASIS = "*_~`"
_CURRENCIES = "$€£¥₹"
_UNITS = f"%‰¢{_CURRENCIES}"
_SIGNS = frozenset("+-/×÷<>≤≥=≠")
# Where a line begins these are an item, a quote or the underline of a heading.
_LINE_MARKS = frozenset("+->=")


def scrub(text: str) -> str:
    """Drop characters that can't be stored or seen; everything else stays.

    NUL breaks Postgres, lone surrogates break UTF-8, and control, bidirectional and tag characters
    let a text look different from what it says. The joiner that emoji need (U+200D) stays.
    """
    if text.isascii() and text.isprintable():
        return text
    for ending in _LINE_ENDINGS:
        text = text.replace(ending, "\n")
    return _INVISIBLE.sub("", _CONTROLS.sub("", text))


def clean(text: str, *, limit: int = MESSAGE_LIMIT) -> str:
    """Return `text` scrubbed and stripped, cut without a mark to `limit` characters."""
    return scrub(text)[:limit].strip()


def _cleaned(value: object) -> object:
    return scrub(value).strip() if isinstance(value, str) else value


CleanText = Annotated[str, BeforeValidator(_cleaned)]


def clean_json(value: Any) -> Any:
    """Scrub every string of a JSON-like value, keys included."""
    return _with_strings(value, scrub)


def _with_strings(value: Any, changed: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return changed(value)
    if isinstance(value, list):
        return [_with_strings(item, changed) for item in value]  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, dict):
        each = value.items()  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        return {_with_strings(k, changed): _with_strings(v, changed) for k, v in each}  # pyright: ignore[reportUnknownVariableType]
    return value


def dump_clean(value: Any) -> str:
    """Return a JSON-like value as JSON text, with every string scrubbed."""
    return clean_dumped(json.dumps(value, ensure_ascii=False))


def clean_dumped(text: str) -> str:
    """Return JSON text with every string in it scrubbed."""
    # Looked at as a whole first: next to nothing ever has to be taken apart.
    is_suspect = any(form.search(text) for form in _SUSPECT)
    return json.dumps(clean_json(json.loads(text)), ensure_ascii=False) if is_suspect else text


def cut(text: str, limit: int) -> str:
    """Return at most `limit` characters; a cut is marked with an ellipsis."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: “1 profile”, “2 profiles”; `plural` is an irregular one."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def listed(parts: Sequence[str]) -> str:
    """Return parts as a sentence lists them: “a”, “a and b”, “a, b and c”."""
    if len(parts) < 2:
        return "".join(parts)
    return message("built.listed", others=", ".join(parts[:-1]), last=parts[-1])


def first_few(parts: Sequence[str], most: int, between: str = ", ") -> str:
    """Return the first parts, at most so many, and how many more there are: “a, b and 3 more”."""
    shown, hidden = between.join(parts[:most]), len(parts) - most
    return message("built.and_more", shown=shown, hidden=hidden) if hidden > 0 else shown


def first_lines(lines: Sequence[str], most: int) -> tuple[str, ...]:
    """Return the first lines, at most so many, and as a further one how many more there are."""
    hidden = len(lines) - most
    return (*lines[:most], message("built.more", count=hidden)) if hidden > 0 else tuple(lines)


def one_line(text: str, limit: int) -> str:
    """Return `text` cleaned, on one line and cut to `limit` characters."""
    return cut(" ".join(clean(text, limit=len(text)).split()), limit)


def folded(text: str) -> str:
    """Return the form for comparing names: without case, repeated spaces and outer punctuation."""
    normal = unicodedata.normalize("NFKC", text).casefold()
    return _SPACES.sub(" ", normal).strip(" .,;:!?\"'`“”‘’()[]")


def unmarked(text: str) -> str:
    """Return what is left of a text however its Markdown is written.

    That is letters and digits, units of figures, signs before a figure, and between two digits what
    stands there: a space, or marks such as the point of a decimal.
    """
    kept: list[str] = []
    between = ""
    for char in text.translate(_ONE_MINUS):
        if char.isalnum() or char in _UNITS:
            if char.isdigit() or char in _CURRENCIES:
                is_after_digit = bool(kept) and kept[-1].isdigit()
                begins = not kept or "\n" in between
                kept.append(_before_figure(between, is_after_digit=is_after_digit, begins=begins))
            kept.append(char)
            between = ""
        elif char not in _EMPHASIS:
            between += char
    return "".join(kept)


def _before_figure(between: str, *, is_after_digit: bool, begins: bool) -> str:
    """Return what stands before a figure; `begins`: it is the first of its line."""
    # A list and a table are spaced in many ways.
    is_spaced = any(char.isspace() or char == "|" for char in between)
    if is_after_digit and not is_spaced:
        return between
    line = between.rpartition("\n")[2]
    sign = line[-1:] if line.endswith(("-", "+")) else ""
    signs = _SIGNS - _LINE_MARKS if begins else _SIGNS
    before = "".join(char for char in line.removesuffix(sign) if char in signs)
    return f"{' ' if is_after_digit else ''}{before}{sign}"


def plain(text: str) -> str:
    """Return a text without case and accents."""
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    return "".join(char for char in decomposed if not unicodedata.combining(char))


def canonical_json(value: Any) -> str:
    """Return the one JSON text of a value: sorted keys, NFC strings, no spaces."""
    plain = to_jsonable_python(value)
    text = _dump_canonical(plain)
    is_normal = unicodedata.is_normalized("NFC", text)
    return text if is_normal else _dump_canonical(_with_strings(plain, _normalised))


def _dump_canonical(plain: Any) -> str:
    return json.dumps(
        plain, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
    )


def _normalised(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def digest(value: Any) -> str:
    """Return the sha256 of a value's canonical JSON as 64 hexadecimal characters."""
    return hashlib.sha256(canonical_json(value).encode()).hexdigest()
