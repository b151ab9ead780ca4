"""Slack's checks of interactive elements: buttons, selects, inputs, confirmation dialogs."""

import re
from typing import Any

from workbench.slack.texts import (
    Problems,
    as_object,
    as_objects,
    check_count,
    check_length,
    check_text,
    problem,
)

_MOST_GROUPS = 100
_MOST_TYPED = 3000
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MOST_OPTIONS = {
    "static_select": 100,
    "multi_static_select": 100,
    "overflow": 5,
    "radio_buttons": 10,
    "checkboxes": 10,
}


# Which elements each kind of block takes.
_PRESSED = frozenset({"button", "overflow"})
_CHOSEN = frozenset(
    {"static_select", "external_select", "users_select", "conversations_select", "channels_select"}
    | {"checkboxes", "radio_buttons", "datepicker", "timepicker", "datetimepicker"}
)
_SEVERAL = frozenset({"multi_static_select"})
_TYPED = frozenset(
    {"plain_text_input", "email_text_input", "url_text_input", "number_input", "rich_text_input"}
)
TAKEN = {
    "actions": _PRESSED | _CHOSEN,
    "section": _PRESSED | _CHOSEN | _SEVERAL | {"image"},
    "input": _CHOSEN | _SEVERAL | _TYPED,
    "context_actions": frozenset({"feedback_buttons", "icon_button"}),
}


def check_element(element: dict[str, Any], at: str, block: str) -> Problems:
    """Check an element of a kind of block."""
    kind = element.get("type")
    if not isinstance(kind, str):
        yield problem("missing required field: type", at)
        return
    if kind not in TAKEN[block]:
        yield problem(f"unsupported type: {kind}", f"{at}/type")
        return
    yield from check_length(element.get("action_id"), 255, f"{at}/action_id")
    hint = element.get("placeholder")
    yield from check_text(hint, 150, f"{at}/placeholder", plain=True, required=False)
    if kind == "button":
        yield from _check_button(element, at)
    elif kind == "feedback_buttons":
        yield from _check_thumbs(element, at)
    elif kind in _MOST_OPTIONS:
        yield from _check_options(element, _MOST_OPTIONS[kind], at)
    elif kind == "plain_text_input":
        yield from check_length(element.get("initial_value"), _MOST_TYPED, f"{at}/initial_value")
        if not 0 < int(element.get("max_length") or _MOST_TYPED) <= _MOST_TYPED:
            yield problem("must be between 1 and 3000", f"{at}/max_length")
    elif kind == "datepicker" and not _DAY.fullmatch(element.get("initial_date", "2026-01-01")):
        yield problem("must be a date", f"{at}/initial_date")
    if element.get("confirm") is not None:
        yield from _check_confirm(as_object(element["confirm"]), f"{at}/confirm")


def _check_button(button: dict[str, Any], at: str) -> Problems:
    yield from check_text(button.get("text"), 75, f"{at}/text", plain=True)
    yield from check_length(button.get("value"), 2000, f"{at}/value")
    yield from check_length(button.get("url"), 3000, f"{at}/url")
    if button.get("style") not in (None, "primary", "danger"):
        yield problem("must be a valid enum value", f"{at}/style")


def _check_thumbs(pair: dict[str, Any], at: str) -> Problems:
    for name in ("positive_button", "negative_button"):
        thumb = as_object(pair.get(name))
        yield from check_text(thumb.get("text"), 75, f"{at}/{name}/text", plain=True)
        yield from check_length(thumb.get("accessibility_label"), 75, f"{at}/{name}")
        yield from check_length(thumb.get("value"), 2000, f"{at}/{name}/value")
        if not thumb.get("value"):
            yield problem("missing required field: value", f"{at}/{name}")


def _check_options(element: dict[str, Any], most: int, at: str) -> Problems:
    if element.get("option_groups"):
        yield from check_count(element["option_groups"], _MOST_GROUPS, f"{at}/option_groups")
        for index, group in enumerate(as_objects(element["option_groups"])):
            there = f"{at}/option_groups/{index}"
            yield from check_text(group.get("label"), 75, f"{there}/label", plain=True)
            yield from _check_list(group, element, most, there)
    else:
        yield from _check_list(element, element, most, at)
    yield from _check_initial(element, at)


def _check_list(holder: dict[str, Any], element: dict[str, Any], most: int, at: str) -> Problems:
    # Only boxes and radio buttons show markup in their options.
    plain = element["type"] not in ("checkboxes", "radio_buttons")
    yield from check_count(holder.get("options"), most, f"{at}/options")
    for index, option in enumerate(as_objects(holder.get("options"))):
        there = f"{at}/options/{index}"
        yield from check_text(option.get("text"), 75, f"{there}/text", plain=plain)
        yield from check_text(option.get("description"), 75, f"{there}/description", required=False)
        yield from check_length(option.get("value"), 150, f"{there}/value")
        if not option.get("value"):
            yield problem("missing required field: value", f"{there}/value")


def _check_initial(element: dict[str, Any], at: str) -> Problems:
    """What is chosen at first must be one of the options, in every part."""
    options = as_objects(element.get("options"))
    for group in as_objects(element.get("option_groups")):
        options += as_objects(group.get("options"))
    chosen = as_objects(element.get("initial_options"))
    if element.get("initial_option") is not None:
        chosen.append(as_object(element["initial_option"]))
    if any(one not in options for one in chosen):
        yield problem("failed to match an option", f"{at}/initial_option")


def _check_confirm(confirm: dict[str, Any], at: str) -> Problems:
    for name, limit in (("title", 100), ("text", 300), ("confirm", 30), ("deny", 30)):
        yield from check_text(confirm.get(name), limit, f"{at}/{name}", plain=name != "text")
