"""Other people's words inside a document we write: data, never structure."""

from __future__ import annotations

import re

from agencyclaw.domain.text import clean

_HEADING = re.compile(r"^[ \t>]*#{1,6}[ \t]+", re.MULTILINE)
_RULER = re.compile(r"^[ \t]*(?:=+|-{2,}|_{3,}|\*{3,})[ \t]*$", re.MULTILINE)
_IMAGE = re.compile(r"!\[([^\]\n]{0,200})\]\(")
_MENTION_LINK = re.compile(r"\]\(\s*#")
_MENTION = re.compile(r"(?<![\w.+-])@(?=[\w<])")
_TRACE = re.compile(r"agencyclaw(?=\s+run\s*=)", re.IGNORECASE)
_URL = re.compile(r"https?://[^\s<>\[\]()]+")
_CHECKBOX = re.compile(r"^(\s*)[-*+] \[([ xX]?)\]", re.MULTILINE)


def as_data(text: str) -> str:
    """Return text that cannot open a section, mention a person, load an image or pose as a trace.

    Ordinary links stay: the person who confirms sees them on the card.
    """
    text = clean(text, limit=len(text))
    text = _IMAGE.sub(r"[\1](", text)
    text = _MENTION_LINK.sub("] (", text)
    text = _MENTION.sub("＠", text)
    text = _TRACE.sub("agencyclaw,", text)
    text = _CHECKBOX.sub(r"\1- (\2)", text)
    return _RULER.sub("—", _HEADING.sub("", text))


def as_label(text: str) -> str:
    """Return a name or title on one line, without a link of its own."""
    return re.sub(r"\](?=[\[(])", "] ", " ".join(as_data(text).split()))


def as_link(url: str | None) -> str:
    """Return an address if it is a plain web address, else nothing."""
    return url if url and _URL.fullmatch(url) else ""
