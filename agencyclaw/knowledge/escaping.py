"""Escapes other people's text for the Markdown documents that we write."""

from __future__ import annotations

from agencyclaw.domain.addresses import parsed
from agencyclaw.knowledge.link_breaking import never_live, separate_brackets
from agencyclaw.knowledge.markdown import Dialect, rewritten, rewritten_line


def as_data(text: str) -> str:
    """Return text that can't open a section, mention a person, load an image or fake a trace.

    Ordinary links stay: the person who confirms sees them on the card.
    """
    return rewritten(text, _DATA).rstrip().lstrip("\n")


def as_row(text: str) -> str:
    """Return the same on one line, so that it can't leave its row of a list."""
    return rewritten_line(text, _DATA)


def as_label(text: str) -> str:
    """Return a name or title on one line, without links."""
    return rewritten_line(text, _LABEL)


def as_link(url: str | None) -> str:
    """Return an address if it is a plain web address, else ""."""
    return url if url and parsed(url) else ""


def _is_plain(url: str) -> bool:
    return parsed(url) is not None


def _words(text: str) -> str:
    """Break mentions and tags visibly, because ClickUp removes invisible characters."""
    text = separate_brackets(text)
    text = "".join(_sign(text, at, char) for at, char in enumerate(text))
    return _no_trace(text) if "agencyclaw" in text.casefold() else text


def _sign(text: str, at: int, char: str) -> str:
    after, before = text[at + 1 : at + 2], text[at - 1 : at]
    if char == "<" and after and not after.isspace() and not after.isdigit():
        return "‹"
    if char == "@" and (after.isalnum() or after in ("_", "<")):
        return char if before.isalnum() or before in tuple("_.+-") else "＠"
    return char


def _no_trace(text: str) -> str:
    """Break our signature, which only code may write."""
    cuts = [at for at in range(len(text) + 1) if _ends_signature(text[:at], text[at:])]
    parts = (text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True))
    return ",".join(parts)


def _ends_signature(before: str, after: str) -> bool:
    is_named = before[-10:].lower() == "agencyclaw"
    return is_named and after[:1].isspace() and after.lstrip()[:3].lower() == "run"


_DATA = Dialect(
    text=_words,
    code=_words,
    is_live=_is_plain,
    headings=False,
    rules=False,
    boxes=False,
    images_as_links=True,
    signs=None,
)
_LABEL = Dialect(text=_words, code=_words, is_live=never_live, headings=False, signs=None)
