"""The chunks a stream is fed with: words, tasks, a plan's title, blocks."""

from collections.abc import Callable
from typing import Any

from workbench.slack.arguments import Arguments
from workbench.slack.content import accept_blocks
from workbench.slack.limits import MARKDOWN_LIMIT
from workbench.slack.refusals import SlackRefusal
from workbench.slack.texts import as_object, as_objects
from workbench.storage import Document

CHUNK_LIMIT = 256
_TASK_STATES = ("pending", "in_progress", "complete", "error")
_MOST_TASKS = 50


def read_growth(arguments: Arguments) -> list[Document]:
    """The chunks of a call, its markdown_text first; raises what Slack would refuse."""
    chunks: list[Document] = []
    words = arguments.text("markdown_text")
    if words:
        chunks.append({"type": "markdown_text", "text": words})
    sent = arguments.document("chunks", "invalid_chunks")
    if sent is not None and not isinstance(sent, list):
        raise SlackRefusal("invalid_chunks")
    chunks += as_objects(sent)
    for chunk in chunks:
        check = _CHECKS.get(str(chunk.get("type")))
        if check is None or not check(chunk):
            raise SlackRefusal("invalid_chunks", [f"chunk {chunk.get('type')} is not valid"])
    if any(len(one["text"]) > MARKDOWN_LIMIT for one in chunks if one["type"] == "markdown_text"):
        raise SlackRefusal("msg_too_long")
    return chunks


def _is_words(chunk: Document) -> bool:
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
    "markdown_text": _is_words,
    "task_update": _is_task,
    "plan_update": _is_plan,
    "blocks": _are_blocks,
}


def grow(blocks: list[Any], chunk: Document, mode: str) -> list[Any]:
    """The blocks of a message after one more chunk."""
    match chunk["type"]:
        case "markdown_text":
            return _more_words(blocks, chunk["text"])
        case "task_update" if mode == "timeline":
            return _with_task(blocks, chunk)
        case "blocks":
            return [*blocks, *accept_blocks(chunk["blocks"])]
        case _:
            return _with_plan(blocks, chunk)


def _more_words(blocks: list[Any], words: str) -> list[Any]:
    if blocks and blocks[-1]["type"] == "markdown":
        return [*blocks[:-1], {**blocks[-1], "text": blocks[-1]["text"] + words}]
    return [*blocks, {"type": "markdown", "text": words}] if words else blocks


def _with_task(blocks: list[Any], chunk: Document) -> list[Any]:
    cards = [one for one in blocks if one["type"] == "task_card"]
    known = next((card for card in cards if card["task_id"] == chunk["id"]), None)
    if known is None:
        if len(cards) >= _MOST_TASKS:
            raise SlackRefusal("invalid_chunks", ["no more than 50 tasks allowed"])
        return [*blocks, _card(chunk)]
    return [_updated(one, chunk) if one is known else one for one in blocks]


def _with_plan(blocks: list[Any], chunk: Document) -> list[Any]:
    """One plan holds every task; a plan_update names it."""
    plan: Document | None = next((one for one in blocks if one["type"] == "plan"), None)
    if plan is None:
        plan = {"type": "plan", "title": "", "tasks": []}
        blocks = [*blocks, plan]
    changed: Document = (
        {**plan, "title": chunk["title"]}
        if chunk["type"] == "plan_update"
        else {**plan, "tasks": _with_task(plan["tasks"], chunk)}
    )
    return [changed if one is plan else one for one in blocks]


def _card(chunk: Document) -> Document:
    fresh = {"type": "task_card", "task_id": chunk["id"], "details": "", "output": ""}
    return _updated(fresh, chunk)


def _updated(card: Document, chunk: Document) -> Document:
    """What is said again about a task replaces its title and state; details are added on."""
    card_now = {**card, "title": chunk["title"], "status": chunk.get("status", "pending")}
    for name in ("details", "output"):
        card_now[name] = card[name] + str(chunk.get(name) or "")
    sources = as_objects(chunk.get("sources"))
    return card_now | ({"sources": [as_object(one) for one in sources]} if sources else {})
