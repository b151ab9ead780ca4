"""Slack's checks of interactive elements: buttons, selects, confirmation dialogs."""

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

_MOST_OPTIONS = {
    "static_select": 100,
    "multi_static_select": 100,
    "overflow": 5,
    "radio_buttons": 10,
    "checkboxes": 10,
}


def check_element(element: dict[str, Any], at: str) -> Problems:
    kind = element.get("type")
    if not isinstance(kind, str):
        yield problem("missing required field: type", at)
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
        return
    yield from check_count(element.get("options"), most, f"{at}/options")
    for index, option in enumerate(as_objects(element.get("options"))):
        yield from check_text(option.get("text"), 75, f"{at}/options/{index}/text")
        yield from check_length(option.get("value"), 150, f"{at}/options/{index}/value")


def _check_confirm(confirm: dict[str, Any], at: str) -> Problems:
    for name, limit in (("title", 100), ("text", 300), ("confirm", 30), ("deny", 30)):
        yield from check_text(confirm.get(name), limit, f"{at}/{name}", required=name == "text")
