"""Interactive elements in blocks: finds them, presses them and reads their state."""

import copy
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, cast

from workbench.slack.texts import as_object, as_objects
from workbench.storage import Document


@dataclass(frozen=True)
class Form:
    """Where an element stores its choice, and where its initial choice is."""

    chosen: str
    initial: str
    holds: Literal["plain", "option", "options"]


FORMS = {
    "plain_text_input": Form("value", "initial_value", "plain"),
    "email_text_input": Form("value", "initial_value", "plain"),
    "url_text_input": Form("value", "initial_value", "plain"),
    "number_input": Form("value", "initial_value", "plain"),
    "datepicker": Form("selected_date", "initial_date", "plain"),
    "timepicker": Form("selected_time", "initial_time", "plain"),
    "datetimepicker": Form("selected_date_time", "initial_date_time", "plain"),
    "static_select": Form("selected_option", "initial_option", "option"),
    "external_select": Form("selected_option", "initial_option", "option"),
    "radio_buttons": Form("selected_option", "initial_option", "option"),
    "overflow": Form("selected_option", "", "option"),
    "multi_static_select": Form("selected_options", "initial_options", "options"),
    "checkboxes": Form("selected_options", "initial_options", "options"),
    "users_select": Form("selected_user", "initial_user", "plain"),
    "conversations_select": Form("selected_conversation", "initial_conversation", "plain"),
    "channels_select": Form("selected_channel", "initial_channel", "plain"),
}
_STATELESS = frozenset({"button", "overflow", "feedback_buttons"})
# Of a pair of thumbs each is pressed by itself, and both under the pair's own name.
_THUMBS = ("positive_button", "negative_button")


def name_blocks(blocks: list[Document]) -> list[Document]:
    """Give every block and element without an id one, as Slack does."""
    named = copy.deepcopy(blocks)
    for block in named:
        # Slack keeps no block_id of a markdown block.
        if not block.get("block_id") or block["type"] == "markdown":
            block["block_id"] = secrets.token_hex(3)
    for _, element in _interactive_elements(named):
        element.setdefault("action_id", secrets.token_hex(3))
    return named


def find_elements(blocks: Any) -> Iterator[tuple[Document, Document]]:
    """Yield each interactive element with its block; feedback buttons count one by one."""
    for block, element in _interactive_elements(blocks):
        if element["type"] != "feedback_buttons":
            yield block, element
            continue
        for name in _THUMBS:
            yield block, {**element, **as_object(element.get(name))}


def _interactive_elements(blocks: Any) -> Iterator[tuple[Document, Document]]:
    for block in as_objects(blocks):
        single = [as_object(block.get("accessory")), as_object(block.get("element"))]
        for element in (*single, *as_objects(block.get("elements"))):
            if element.get("type") in _STATELESS or element.get("type") in FORMS:
                yield block, element


def find_element(
    blocks: Any, name_or_label: str, user_id: str, value: str | None = None
) -> tuple[Document, Document] | None:
    """Find an element by action_id or label; `value` decides between several.

    A value that none of them has is no reason to find none: people forge values.
    """
    visible = [match for match in find_elements(blocks) if _is_visible(match[1], user_id)]
    by_id = [match for match in visible if match[1]["action_id"] == name_or_label]
    candidates = by_id or [match for match in visible if read_label(match[1]) == name_or_label]
    exact = [match for match in candidates if value is not None and match[1].get("value") == value]
    return next(iter(exact or candidates), None)


def _is_visible(element: Document, user_id: str) -> bool:
    seen_by = element.get("visible_to_user_ids")
    return not seen_by or user_id in seen_by


def read_label(element: Document) -> str:
    text = as_object(element.get("text") or element.get("placeholder"))
    return str(text.get("text", ""))


def action_for(block: Document, element: Document, value: Any, action_ts: str) -> Document:
    """Return Slack's action object for a person's act on an element."""
    action = {"action_id": element["action_id"], "block_id": block["block_id"]}
    if element["type"] in ("button", "feedback_buttons"):
        action |= {name: element[name] for name in ("text", "value", "style") if name in element}
        action |= {} if value is None else {"value": value}
    else:
        action |= read_choice(element, value)
    return action | {"type": element["type"], "action_ts": action_ts}


def read_choice(element: Document, value: Any) -> Document:
    """Return an element's value after `value` was chosen, or its initial value."""
    form = FORMS[element["type"]]
    if value is None:
        empty: Any = [] if form.holds == "options" else None
        return {form.chosen: element.get(form.initial, empty)}
    match form.holds:
        case "plain":
            return {form.chosen: value}
        case "option":
            return {form.chosen: _find_option(element, value)}
        case "options":
            several = cast("list[Any]", value if isinstance(value, list) else [value])
            return {form.chosen: [_find_option(element, choice) for choice in several]}


def _find_option(element: Document, choice: Any) -> Any:
    groups = as_objects(element.get("option_groups"))
    listed = [*as_objects(element.get("options"))]
    for group in groups:
        listed += as_objects(group.get("options"))
    for option in listed:
        if choice in (option, option.get("value"), as_object(option.get("text")).get("text")):
            return option
    return choice


def read_state(blocks: Any, entered: dict[str, Any]) -> dict[str, Any]:
    """Return the `state.values` of a form: entered values over each input's initial one.

    Entered values are Slack's objects or plain values, under block and action id or either alone.
    """
    entered = as_object(entered.get("values", entered))
    values = {name: dict(inputs) for name in entered if (inputs := _read_inputs(entered, name))}
    for block, element in find_elements(blocks):
        if element["type"] not in _STATELESS:
            block_id, action_id = block["block_id"], element["action_id"]
            inputs = values.setdefault(block_id, {})
            inputs[action_id] = _as_state(element, _find_value(entered, block_id, action_id))
    return values


def _read_inputs(entered: dict[str, Any], name: str) -> dict[str, Any]:
    inputs = as_object(entered[name])
    return {} if "type" in inputs else inputs


def _find_value(entered: dict[str, Any], block_id: str, action_id: str) -> Any:
    in_block = entered.get(block_id)
    if isinstance(in_block, dict) and "type" not in in_block:
        return as_object(in_block).get(action_id)
    return entered.get(block_id, entered.get(action_id))


def _as_state(element: Document, value: Any) -> Document:
    if isinstance(value, dict) and "type" in value:
        return as_object(value)
    return {"type": element["type"], **read_choice(element, value)}
