"""The chunks a stream is fed with: text, tasks, a plan's title, blocks."""

from collections.abc import Callable
from typing import Any

from workbench.slack.arguments import Arguments
from workbench.slack.content import accept_blocks
from workbench.slack.limits import MARKDOWN_LIMIT
from workbench.slack.refusals import SlackRefusal
from workbench.slack.texts import as_objects
from workbench.storage import Document

CHUNK_LIMIT = 256
_TASK_STATES = ("pending", "in_progress", "complete", "error")
_MOST_TASKS = 50


def read_growth(arguments: Arguments) -> list[Document]:
    """Return the chunks of a call, its markdown_text first; raises what Slack would refuse."""
    chunks: list[Document] = []
    text = arguments.text("markdown_text")
    if text:
        chunks.append({"type": "markdown_text", "text": text})
    chunks += as_objects(arguments.items("chunks", "invalid_chunks"))
    for chunk in chunks:
        check = _CHECKS.get(str(chunk.get("type")))
        if check is None or not check(chunk):
            raise SlackRefusal("invalid_chunks", [f"chunk {chunk.get('type')} is not valid"])
    texts = (chunk["text"] for chunk in chunks if chunk["type"] == "markdown_text")
    if any(len(text) > MARKDOWN_LIMIT for text in texts):
        raise SlackRefusal("msg_too_long")
    return chunks


def _is_text(chunk: Document) -> bool:
    return isinstance(chunk.get("text"), str)


def _is_task(chunk: Document) -> bool:
    named = all(isinstance(chunk.get(name), str) and chunk[name] for name in ("id", "title"))
    length = sum(len(str(chunk.get(name) or "")) for name in ("title", "details", "output"))
    return named and chunk.get("status", "pending") in _TASK_STATES and length <= CHUNK_LIMIT


def _is_plan(chunk: Document) -> bool:
    title = chunk.get("title")
    return isinstance(title, str) and 0 < len(title) <= CHUNK_LIMIT


def _are_blocks(chunk: Document) -> bool:
    return isinstance(chunk.get("blocks"), list)


_CHECKS: dict[str, Callable[[Document], bool]] = {
    "markdown_text": _is_text,
    "task_update": _is_task,
    "plan_update": _is_plan,
    "blocks": _are_blocks,
}


def grow(blocks: list[Any], chunk: Document, mode: str) -> list[Any]:
    """Return the blocks of a message after one more chunk."""
    match chunk["type"]:
        case "markdown_text":
            return _with_text(blocks, chunk["text"])
        case "task_update" if mode == "timeline":
            return _with_task(blocks, chunk)
        case "blocks":
            return [*blocks, *accept_blocks(chunk["blocks"])]
        case _:
            return _with_plan(blocks, chunk)


def _with_text(blocks: list[Any], text: str) -> list[Any]:
    if blocks and blocks[-1]["type"] == "markdown":
        return [*blocks[:-1], {**blocks[-1], "text": blocks[-1]["text"] + text}]
    return [*blocks, {"type": "markdown", "text": text}] if text else blocks


def _with_task(blocks: list[Any], chunk: Document) -> list[Any]:
    cards = [block for block in blocks if block["type"] == "task_card"]
    known = next((card for card in cards if card["task_id"] == chunk["id"]), None)
    if known is None:
        if len(cards) >= _MOST_TASKS:
            raise SlackRefusal("invalid_chunks", ["no more than 50 tasks allowed"])
        return [*blocks, _card(chunk)]
    return [_updated_card(block, chunk) if block is known else block for block in blocks]


def _with_plan(blocks: list[Any], chunk: Document) -> list[Any]:
    """One plan holds every task; a plan_update names it."""
    plan: Document | None = next((block for block in blocks if block["type"] == "plan"), None)
    if plan is None:
        plan = {"type": "plan", "title": "", "tasks": []}
        blocks = [*blocks, plan]
    changed: Document = (
        {**plan, "title": chunk["title"]}
        if chunk["type"] == "plan_update"
        else {**plan, "tasks": _with_task(plan["tasks"], chunk)}
    )
    return [changed if block is plan else block for block in blocks]


def _card(chunk: Document) -> Document:
    fresh = {"type": "task_card", "task_id": chunk["id"], "details": "", "output": ""}
    return _updated_card(fresh, chunk)


def _updated_card(card: Document, chunk: Document) -> Document:
    """Return a card with a task's new title and state, and with more details."""
    updated = {**card, "title": chunk["title"], "status": chunk.get("status", "pending")}
    for name in ("details", "output"):
        updated[name] = card[name] + str(chunk.get(name) or "")
    sources = as_objects(chunk.get("sources"))
    return updated | ({"sources": sources} if sources else {})
