"""Escapes other people's text for the Markdown documents that we write."""

from __future__ import annotations

import re

from agencyclaw.domain.addresses import parsed
from agencyclaw.knowledge.link_breaking import never_live, separate_brackets
from agencyclaw.knowledge.markdown import Dialect, rewritten, rewritten_line

# Only code writes our signature.
_SIGNATURE = re.compile(r"(agencyclaw)(?=\s+run)", re.IGNORECASE)


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
    """Break mentions, tags and our signature visibly: ClickUp removes invisible characters."""
    text = separate_brackets(text)
    text = "".join(_escaped(text, index) for index in range(len(text)))
    return _SIGNATURE.sub(r"\1,", text)


def _escaped(text: str, index: int) -> str:
    """Return the character at an index, or another that opens no tag and no mention."""
    char, after, before = text[index], text[index + 1 : index + 2], text[index - 1 : index]
    if char == "<" and after and not after.isspace() and not after.isdigit():
        return "‹"
    if char == "@" and (after.isalnum() or after in ("_", "<")):
        is_mail = before.isascii() and before.isalnum()
        return char if is_mail or before in tuple("_.+-") else "＠"
    return char


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
