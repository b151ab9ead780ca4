"""The inputs of our modals, and what a submitted modal says of them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from agencyclaw.slack.blocks import Block, plain_text
from agencyclaw.slack.payloads import IdReference, InputState, InputStates, Payload

# Every input has a block of its own, by whose id it is found.
_ACTION_ID = "value"
_GROUP_SIZE = 100
_GROUP_LABEL_HALF = 30


class View(IdReference):
    """A submitted view."""

    callback_id: str
    private_metadata: str
    state: InputStates


class Submission(Payload):
    """A `view_submission` payload."""

    user: IdReference
    view: View
    team: IdReference | None = None

    def entered(self, name: str) -> InputState:
        """Return what was entered in an input."""
        return self.view.state.values.get(name, {}).get(_ACTION_ID, InputState())


def text_input(
    name: str, label: str, value: str, *, limit: int, multiline: bool, optional: bool
) -> Block:
    """Return a field for text."""
    element: Block = {"type": "plain_text_input", "multiline": multiline, "max_length": limit}
    if value:
        element["initial_value"] = value
    return _input(name, label, element, optional=optional)


def date_input(name: str, label: str, value: date | None, *, optional: bool) -> Block:
    """Return a date picker."""
    element: Block = {"type": "datepicker"}
    if value:
        element["initial_date"] = value.isoformat()
    return _input(name, label, element, optional=optional)


def select_input(
    name: str, label: str, value: str, options: Sequence[Block], *, optional: bool
) -> Block:
    """Return a select with this value chosen; Slack allows 100 options, or as many per group."""
    element: Block = {"type": "static_select"}
    chosen = [option for option in options if option["value"] == value]
    if chosen:
        element["initial_option"] = chosen[0]
    if len(options) <= _GROUP_SIZE:
        element["options"] = list(options)
    else:
        starts = range(0, len(options), _GROUP_SIZE)
        element["option_groups"] = [_group(options[at : at + _GROUP_SIZE]) for at in starts]
    return _input(name, label, element, optional=optional)


def _group(options: Sequence[Block]) -> Block:
    """Return a group whose label names its first and its last option."""
    first, last = (options[at]["text"]["text"][:_GROUP_LABEL_HALF] for at in (0, -1))
    return {"label": plain_text(f"{first} – {last}"), "options": list(options)}


def _input(name: str, label: str, element: Block, *, optional: bool) -> Block:
    return {
        "type": "input",
        "block_id": name,
        "label": plain_text(label),
        "element": element | {"action_id": _ACTION_ID},
        "optional": optional,
    }
