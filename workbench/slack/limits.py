"""Slack's limits for blocks and views: counts, lengths and shapes."""

from typing import Any, Literal, cast

from workbench.slack.elements_check import check_element
from workbench.slack.texts import (
    Problems,
    as_object,
    as_objects,
    check_count,
    check_length,
    check_text,
    check_unique,
    problem,
)

Surface = Literal["message", "modal", "home"]

TEXT_LIMIT = 40_000
UPDATE_TEXT_LIMIT = 4_000
MARKDOWN_LIMIT = 12_000
PAYLOAD_LIMIT = 13_200

_MOST_BLOCKS: dict[Surface, int] = {"message": 50, "modal": 100, "home": 100}
_UNCHECKED_BLOCKS = frozenset(
    {"divider", "image", "rich_text", "video", "file", "call", "table", "data_table", "plan"}
    | {"task_card", "card", "carousel", "container", "alert"}
)


def check_blocks(blocks: Any, surface: Surface, at: str = "") -> list[str]:
    """Return every error Slack would report, in its own words."""
    if not isinstance(blocks, list):
        return [problem("must be a valid array", at or "/")]
    listed = as_objects(cast("list[Any]", blocks))
    problems = list(check_count(listed, _MOST_BLOCKS[surface], at or "/", required=False))
    for index, block in enumerate(listed):
        problems += _check_block(block, surface, f"{at}/{index}")
    return problems or list(check_unique(listed, "block_id", at))


def count_text(node: Any) -> int:
    """Count the characters a reader sees in blocks, however deeply nested."""
    if isinstance(node, list):
        return sum(count_text(item) for item in cast("list[Any]", node))
    parts = as_object(node)
    text = parts.get("text")
    own = len(text) if isinstance(text, str) else 0
    return own + sum(count_text(part) for part in parts.values())


def count_markdown(blocks: list[dict[str, Any]]) -> int:
    return sum(len(block["text"]) for block in blocks if block["type"] == "markdown")


def _check_block(block: dict[str, Any], surface: Surface, at: str) -> Problems:
    kind = str(block.get("type"))
    yield from check_length(block.get("block_id"), 255, f"{at}/block_id")
    if kind in _CHECKS:
        yield from _CHECKS[kind](block, at)
    if (kind in _MESSAGE_ONLY and surface != "message") or kind not in _KNOWN_BLOCKS:
        yield problem(f"unsupported type: {kind}", f"{at}/type")


def _check_section(block: dict[str, Any], at: str) -> Problems:
    fields = block.get("fields")
    yield from check_text(block.get("text"), 3000, f"{at}/text", required=not fields)
    yield from check_count(fields, 10, f"{at}/fields", required=False)
    for index, field in enumerate(as_objects(fields)):
        yield from check_text(field, 2000, f"{at}/fields/{index}")
    if block.get("accessory") is not None:
        yield from check_element(as_object(block["accessory"]), f"{at}/accessory", "section")


def _check_header(block: dict[str, Any], at: str) -> Problems:
    yield from check_text(block.get("text"), 150, f"{at}/text", plain=True)


def _check_markdown(block: dict[str, Any], at: str) -> Problems:
    text = block.get("text")
    if not isinstance(text, str) or not text:
        yield problem("missing required field: text", at)


def _check_actions(block: dict[str, Any], at: str) -> Problems:
    elements = as_objects(block.get("elements"))
    yield from check_count(elements, 25, f"{at}/elements")
    for index, element in enumerate(elements):
        yield from check_element(element, f"{at}/elements/{index}", "actions")
    yield from check_unique(elements, "action_id", f"{at}/elements")


def _check_context_actions(block: dict[str, Any], at: str) -> Problems:
    elements = as_objects(block.get("elements"))
    yield from check_count(elements, 5, f"{at}/elements")
    for index, element in enumerate(elements):
        yield from check_element(element, f"{at}/elements/{index}", "context_actions")


def _check_context(block: dict[str, Any], at: str) -> Problems:
    elements = as_objects(block.get("elements"))
    yield from check_count(elements, 10, f"{at}/elements")
    for index, element in enumerate(elements):
        if element.get("type") != "image":
            yield from check_text(element, 3000, f"{at}/elements/{index}")


def _check_input(block: dict[str, Any], at: str) -> Problems:
    yield from check_text(block.get("label"), 2000, f"{at}/label", plain=True)
    yield from check_text(block.get("hint"), 2000, f"{at}/hint", plain=True, required=False)
    yield from check_element(as_object(block.get("element")), f"{at}/element", "input")


_CHECKS = {
    "section": _check_section,
    "header": _check_header,
    "markdown": _check_markdown,
    "actions": _check_actions,
    "context": _check_context,
    "context_actions": _check_context_actions,
    "input": _check_input,
}
_MESSAGE_ONLY = ("markdown", "context_actions")
_KNOWN_BLOCKS = _UNCHECKED_BLOCKS | _CHECKS.keys()


def check_view(view: dict[str, Any]) -> list[str]:
    """Return every error Slack would report for a modal or a Home tab."""
    surface: Surface = "home" if view.get("type") == "home" else "modal"
    problems = check_blocks(view.get("blocks"), surface, "/view/blocks")
    problems += check_length(view.get("private_metadata"), 3000, "/view/private_metadata")
    problems += check_length(view.get("callback_id"), 255, "/view/callback_id")
    if surface == "modal":
        problems += _check_modal(view)
    return problems


def _check_modal(view: dict[str, Any]) -> Problems:
    yield from check_text(view.get("title"), 24, "/view/title", plain=True)
    for name in ("submit", "close"):
        yield from check_text(view.get(name), 24, f"/view/{name}", plain=True, required=False)
    kinds = {block.get("type") for block in as_objects(view.get("blocks"))}
    if "input" in kinds and view.get("submit") is None:
        yield problem("missing required field: submit", "/view/submit")
