"""The few blocks we send, as Slack wants them, with Slack's limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from agencyclaw.domain.text import cut
from agencyclaw.knowledge.receipt_sign import without_receipt_sign
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.slack.escaping import escaped, markdown

Block = dict[str, Any]
_HEADINGS = frozenset("#" * depth for depth in range(1, 7))

SECTION_LIMIT = 3_000
FIELDS_LIMIT = 10
LABEL_LIMIT = 75
OPTIONS_LIMIT = 10
BLOCKS_LIMIT = 50
# Slack refuses a message whose blocks hold more than about 13,200 characters of text.
MESSAGE_BUDGET = 12_800
# Of all Markdown blocks of a message together.
MARKDOWN_BUDGET = 12_000
MARKDOWN_BLOCK_LIMIT = 9_000
# An update refuses a longer text beside its blocks, a post recommends no longer one.
TEXT_LIMIT = 3_900


@dataclass(frozen=True)
class Message:
    """A message: its blocks, the text of a notification, and all of it without blocks."""

    text: str
    blocks: list[Block]
    plain: str


def plain_text(text: str) -> Block:
    """A text object without markup."""
    return {"type": "plain_text", "text": without_receipt_sign(text), "emoji": False}


def mrkdwn(text: str) -> Block:
    """A text object with Slack's markup; addresses in it are not turned into links."""
    return {"type": "mrkdwn", "text": text, "verbatim": True}


def section(text: str) -> Block:
    """A paragraph."""
    return {"type": "section", "text": mrkdwn(text)}


def fields(rows: Iterable[tuple[str, str]]) -> list[Block]:
    """Short values in two columns, as many sections as it takes."""
    cells = [mrkdwn(f"*{name}*\n{value}") for name, value in rows]
    starts = range(0, len(cells), FIELDS_LIMIT)
    return [{"type": "section", "fields": cells[at : at + FIELDS_LIMIT]} for at in starts]


def context(text: str) -> Block:
    """A small grey line."""
    return {"type": "context", "elements": [mrkdwn(text)]}


def actions(elements: list[Block]) -> Block:
    """A row of buttons or inputs."""
    return {"type": "actions", "elements": elements}


def button(action_id: str, label: str, value: str, *, primary: bool = False) -> Block:
    """A button; its label says what it does."""
    block: Block = {
        "type": "button",
        "action_id": action_id,
        "text": plain_text(cut(redacted(label), LABEL_LIMIT)),
        "value": value,
    }
    return block | ({"style": "primary"} if primary else {})


def option(label: str, value: str) -> Block:
    """One option of checkboxes or a select."""
    return {"text": plain_text(cut(redacted(label), LABEL_LIMIT)), "value": value}


def paragraphs(text: str) -> list[Block]:
    """A text with Slack's markup, in as many sections as it takes."""
    return [section(part) for part in split(text)]


def prose(text: str, live_hosts: frozenset[str]) -> list[Block]:
    """A Markdown text shown to its last character, escaped; only messages know such blocks."""
    parts = split(markdown(text, live_hosts), MARKDOWN_BLOCK_LIMIT)
    return [{"type": "markdown", "text": part} for part in parts]


def outline(text: str) -> list[Block]:
    """A Markdown text shown to its last character where Slack knows no Markdown, escaped.

    Only headings, rows and bold labels change their signs; the rest stays as it is written.
    """
    lines = [_outlined(line) for line in escaped(text).splitlines()]
    return [section(part) for part in split("\n".join(lines))]


def _outlined(line: str) -> str:
    hashes, _, title = line.partition(" ")
    if title.strip() and hashes in _HEADINGS and "*" not in title:
        return f"*{title.strip()}*"
    for row, mark in (("- [ ] ", "☐ "), ("- ", "• ")):
        if line.startswith(row):
            line = mark + line.removeprefix(row)
            break
    return _with_labels(line)


def _with_labels(line: str) -> str:
    """Bold labels keep being bold: what stands between two pairs of stars and ends in a colon."""
    parts = line.split("**")
    if len(parts) % 2 == 0 or not all(part.endswith(":") for part in parts[1::2]):
        return line
    return "*".join(parts)


def split(text: str, limit: int = SECTION_LIMIT) -> Iterator[str]:
    """Cut text into parts of at most `limit` characters, at line ends where there are some."""
    while len(text) > limit:
        at = text.rfind("\n", 1, limit)
        at = at if at > 0 else limit
        yield text[:at]
        text = text[at:].removeprefix("\n")
    if text.strip():
        yield text


def pack(blocks: list[Block]) -> Iterator[list[Block]]:
    """Deal blocks out into messages that Slack accepts, in their order."""
    packed: list[Block] = []
    for block in blocks:
        if packed and not fits([*packed, block]):
            yield packed
            packed = []
        packed.append(block)
    if packed:
        yield packed


def fits(blocks: list[Block]) -> bool:
    """Return whether Slack accepts these blocks as one message."""
    markdown = sum(len(block["text"]) for block in blocks if block["type"] == "markdown")
    return (
        len(blocks) <= BLOCKS_LIMIT
        and markdown <= MARKDOWN_BUDGET
        and weigh(blocks) <= MESSAGE_BUDGET
    )


def weigh(blocks: list[Block]) -> int:
    """Return how many characters of text Slack counts in blocks."""
    return sum(_count(block) for block in blocks)


def _count(node: Any) -> int:
    if isinstance(node, dict):
        parts = cast("dict[str, Any]", node)
        own = parts.get("text")
        size = len(own) if isinstance(own, str) else 0
        return size + sum(_count(part) for part in parts.values())
    if isinstance(node, list):
        return sum(_count(item) for item in cast("list[Any]", node))
    return 0
