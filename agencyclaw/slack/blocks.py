"""Builds the Block Kit objects that we use, within Slack's limits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from agencyclaw.domain.messages import localized
from agencyclaw.domain.text import cut
from agencyclaw.knowledge.link_breaking import without_receipt_sign
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
# Slack refuses an update, and advises against a post, with a longer text beside its blocks.
TEXT_LIMIT = 3_900


@dataclass(frozen=True)
class Message:
    """A message: its blocks, the text of its notification, and its whole text without blocks."""

    text: str
    blocks: list[Block]
    plain: str


def plain_text(text: str) -> Block:
    """Return a text object without markup."""
    return {"type": "plain_text", "text": without_receipt_sign(text), "emoji": False}


def mrkdwn(text: str) -> Block:
    """Return a text object with Slack's markup; plain addresses in it do not become links."""
    return {"type": "mrkdwn", "text": text, "verbatim": True}


def section(text: str) -> Block:
    """Return a paragraph."""
    return {"type": "section", "text": mrkdwn(text)}


def header(text: str) -> Block:
    """Return a heading."""
    return {"type": "header", "text": plain_text(text)}


def divider() -> Block:
    """Return a line between blocks."""
    return {"type": "divider"}


def fields(rows: Iterable[tuple[str, str]]) -> list[Block]:
    """Return short values in two columns, in as many sections as needed."""
    cells = [mrkdwn(f"*{name}*\n{value}") for name, value in rows]
    starts = range(0, len(cells), FIELDS_LIMIT)
    return [{"type": "section", "fields": cells[at : at + FIELDS_LIMIT]} for at in starts]


def context(text: str) -> Block:
    """Return a small grey line."""
    return {"type": "context", "elements": [mrkdwn(text)]}


def plain_context(text: str) -> Block:
    """Return a small grey line without markup."""
    return {"type": "context", "elements": [plain_text(text)]}


def actions(elements: list[Block]) -> Block:
    """Return a row of buttons or inputs."""
    return {"type": "actions", "elements": elements}


def button(action_id: str, label: str, value: str, *, primary: bool = False) -> Block:
    """Return a button; its label says what it does."""
    block: Block = {
        "type": "button",
        "action_id": action_id,
        "text": plain_text(cut(redacted(label), LABEL_LIMIT)),
        "value": value,
    }
    return block | ({"style": "primary"} if primary else {})


def option(label: str, value: str) -> Block:
    """Return one option of checkboxes or a select."""
    return {"text": plain_text(cut(redacted(label), LABEL_LIMIT)), "value": value}


def modal(
    title: str,
    blocks: list[Block],
    *,
    close: str = "Close",
    submit: str = "",
    callback_id: str = "",
    private_metadata: str = "",
) -> Block:
    """Return a modal; one that can be submitted has a callback id."""
    view: Block = {
        "type": "modal",
        "title": plain_text(title),
        "close": plain_text(localized(close)),
    }
    if submit:
        view |= {"submit": plain_text(submit), "callback_id": callback_id}
    if private_metadata:
        view["private_metadata"] = private_metadata
    return view | {"blocks": blocks}


def paragraphs(text: str) -> list[Block]:
    """Return a text with Slack's markup, in as many sections as needed."""
    return [section(part) for part in split(text)]


def prose(text: str, live_hosts: frozenset[str]) -> list[Block]:
    """Return a Markdown text in full, escaped; only messages support such blocks."""
    parts = split(markdown(text, live_hosts), MARKDOWN_BLOCK_LIMIT)
    return [{"type": "markdown", "text": part} for part in parts]


def outline(text: str) -> list[Block]:
    """Return a Markdown text in full, escaped, for places where Slack has no Markdown.

    Only headings, list items and bold labels are converted; the rest remains as written.
    """
    lines = [_outlined(line) for line in escaped(text).splitlines()]
    return [section(part) for part in split("\n".join(lines))]


def _outlined(line: str) -> str:
    hashes, _, title = line.partition(" ")
    if title.strip() and hashes in _HEADINGS and "*" not in title:
        return f"*{title.strip()}*"
    for item, bullet in (("- [ ] ", "☐ "), ("- ", "• ")):
        if line.startswith(item):
            line = bullet + line.removeprefix(item)
            break
    return _with_labels(line)


def _with_labels(line: str) -> str:
    """Convert bold labels: text between two pairs of asterisks that ends in a colon."""
    parts = line.split("**")
    if len(parts) % 2 == 0 or not all(part.endswith(":") for part in parts[1::2]):
        return line
    return "*".join(parts)


def split(text: str, limit: int = SECTION_LIMIT) -> Iterator[str]:
    """Split text into parts of at most `limit` characters, at line ends or else at spaces.

    A longer word is cut, but no escaped character ("&lt;") in it.
    """
    while len(text) > limit:
        at = max(text.rfind("\n", 1, limit), 0) or max(text.rfind(" ", 1, limit), 0)
        rest = at + 1
        if not at:
            begun = text.rfind("&", limit - 4, limit)
            at = rest = begun if begun > 0 and ";" not in text[begun:limit] else limit
        if text[:at].strip():
            yield text[:at]
        text = text[rest:]
    if text.strip():
        yield text


def pack(blocks: list[Block]) -> Iterator[list[Block]]:
    """Distribute blocks over messages that Slack accepts, in order."""
    packed: list[Block] = []
    for block in blocks:
        if packed and not fits([*packed, block]):
            yield packed
            packed = []
        packed.append(block)
    if packed:
        yield packed


def fits(blocks: list[Block]) -> bool:
    """Return whether Slack accepts these blocks in one message."""
    in_markdown = sum(len(block["text"]) for block in blocks if block["type"] == "markdown")
    return (
        len(blocks) <= BLOCKS_LIMIT
        and in_markdown <= MARKDOWN_BUDGET
        and weigh(blocks) <= MESSAGE_BUDGET
    )


def weigh(blocks: list[Block]) -> int:
    """Return how many characters Slack counts in these blocks."""
    return sum(_count(block) for block in blocks)


def _count(node: Any) -> int:
    if isinstance(node, dict):
        parts = cast("dict[str, Any]", node)
        text = parts.get("text")
        size = len(text) if isinstance(text, str) else 0
        return size + sum(_count(part) for part in parts.values())
    if isinstance(node, list):
        return sum(_count(item) for item in cast("list[Any]", node))
    return 0
