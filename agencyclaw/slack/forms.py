"""The Edit form: a modal built from a stored proposal, and its submission."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, assert_never, cast
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agencyclaw.domain.clients import Named
from agencyclaw.domain.edits import NONE, EditForm, Input, InputKind, TaskEdits
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Incoming, ReceiptKind
from agencyclaw.domain.text import clean, digest
from agencyclaw.slack.action_ids import EDIT_FORM
from agencyclaw.slack.blocks import Block, option, plain_text, section
from agencyclaw.slack.escaping import escaped, one_line
from agencyclaw.slack.messages import Ignored, Payload

_NOBODY = "nobody"
_INPUT = "value"
_GROUP_SIZE = 100
INPUTS: dict[str, Input] = {
    name: part
    for name, info in TaskEdits.model_fields.items()
    for part in info.metadata
    if isinstance(part, Input)
}


class FormOrigin(BaseModel):
    """The form's private metadata: the proposal it edits, and the thread of its card."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    proposal_id: UUID
    place: Place


class SelectedOption(Payload):
    """A chosen option of a select."""

    value: str


class Filled(Payload):
    """The state of one input of a form."""

    value: str | None = None
    selected_date: str | None = None
    selected_option: SelectedOption | None = None


class Values(Payload):
    """All inputs, by block and action."""

    values: dict[str, dict[str, Filled]]


class View(Payload):
    """A submitted view."""

    id: str = Field(min_length=2)
    callback_id: str
    private_metadata: str
    state: Values


class Party(Payload):
    """The person who submitted, or their workspace."""

    id: str = Field(min_length=2)


class Submission(Payload):
    """A `view_submission` payload."""

    user: Party
    view: View
    team: Party | None = None

    @property
    def origin(self) -> FormOrigin:
        """What the form was opened for."""
        return FormOrigin.model_validate_json(self.view.private_metadata)


@dataclass(frozen=True)
class ForgedForm:
    """One of our forms with contents that we never issued."""

    slack_user_id: str


def build_form(form: EditForm, origin: FormOrigin) -> dict[str, Any]:
    """Return the modal; it says that saving is no consent."""
    return {
        "type": "modal",
        "callback_id": EDIT_FORM,
        "private_metadata": origin.model_dump_json(),
        "title": plain_text(message("forms.title")),
        "submit": plain_text("Save"),
        "close": plain_text("Back"),
        "blocks": [
            *(_field(name, asked, form) for name, asked in INPUTS.items()),
            {
                "type": "context",
                "elements": [plain_text(message("forms.elements"))],
            },
        ],
    }


def _field(name: str, asked: Input, form: EditForm) -> Block:
    value = getattr(form, name)
    match asked.kind:
        case "line" | "text":
            return _text(name, asked, value)
        case "day":
            return _day(name, asked, value)
        case "person":
            return _people(name, asked, form)
        case "choice":
            return _choice(name, asked, value, form.options.get(name, ()))
    assert_never(asked.kind)


def build_notice(text: str) -> dict[str, Any]:
    """Return a modal that only shows a text."""
    return {
        "type": "modal",
        "title": plain_text("AgencyClaw"),
        "close": plain_text("Close"),
        "blocks": [section(escaped(text))],
    }


def read_submission(body: dict[str, Any]) -> Submission | ForgedForm | Ignored:
    """Return a submitted Edit form; None for any other."""
    try:
        submission = Submission.model_validate(body)
        _ = submission.origin
    except ValidationError:
        return _unreadable(body)
    if submission.view.callback_id != EDIT_FORM:
        return Ignored("view of another form")
    return submission


def _unreadable(body: dict[str, Any]) -> ForgedForm | Ignored:
    view, user = (_as_object(body.get(part)) for part in ("view", "user"))
    is_ours = view.get("callback_id") == EDIT_FORM and user.get("id")
    return ForgedForm(str(user["id"])) if is_ours else Ignored("malformed")


def _as_object(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def read_edits(submission: Submission) -> TaskEdits | dict[str, str]:
    """Return the submitted values, or the errors per field."""
    errors: dict[str, str] = {}
    values = {name: _read(submission, name, asked, errors) for name, asked in INPUTS.items()}
    return errors or TaskEdits.model_validate(values)


def _read(submission: Submission, name: str, asked: Input, errors: dict[str, str]) -> Any:
    entered = filled(submission, name)
    match asked.kind:
        case "line":
            return one_line(clean(entered.value or ""))
        case "text":
            return clean(entered.value or "")
        case "day":
            return _read_day(submission, name, errors)
        case "person":
            return _read_person(submission, name, errors)
        case "choice":
            chosen = entered.selected_option
            return chosen.value if chosen else TaskEdits.model_fields[name].default
    assert_never(asked.kind)


def edit(submission: Submission, now: float) -> Incoming:
    """Return a submission as it is stored; equal values of the same form are one."""
    origin, view = submission.origin, submission.view
    version = digest(view.state.model_dump(mode="json"))[:16]
    return Incoming(
        key=f"edit:{origin.place.team_id}:{view.id}:{submission.user.id}:{version}",
        source="interactions",
        kind=ReceiptKind.EDIT,
        place=origin.place,
        slack_ts=f"{now:.6f}",
        slack_user_id=submission.user.id,
    )


def shown_errors(errors: dict[str, str]) -> dict[str, str]:
    """Return errors for fields of the form; general errors are shown at the first field."""
    shown: dict[str, str] = {}
    for field, words in errors.items():
        place = field if field in INPUTS else next(iter(INPUTS))
        shown[place] = f"{shown[place]} {words}" if place in shown else words
    return shown


def text_input(
    name: str,
    label: str,
    value: str,
    *,
    limit: int,
    is_long: bool = False,
    is_needed: bool | None = None,
) -> Block:
    """Return a text input; a long one may stay empty, unless it is needed."""
    kind: InputKind = "text" if is_long else "line"
    needed = not is_long if is_needed is None else is_needed
    return _text(name, Input(label, kind, limit, is_needed=needed), value)


def _text(name: str, asked: Input, value: str) -> Block:
    element: Block = {
        "type": "plain_text_input",
        "action_id": _INPUT,
        "multiline": asked.kind == "text",
        "max_length": asked.limit,
    }
    if value:
        element["initial_value"] = value
    return _input(name, asked, element)


def _day(name: str, asked: Input, value: date | None) -> Block:
    element: Block = {"type": "datepicker", "action_id": _INPUT}
    if value:
        element["initial_date"] = value.isoformat()
    return _input(name, asked, element)


def _choice(name: str, asked: Input, value: str, offered: Sequence[tuple[str, str]]) -> Block:
    options = [option(one_line(label), key) for key, label in offered or ((NONE, "None"),)]
    chosen = [one for one in options if one["value"] == value]
    element: Block = {"type": "static_select", "action_id": _INPUT, "options": options}
    if chosen:
        element["initial_option"] = chosen[0]
    return _input(name, asked, element)


def _people(name: str, asked: Input, form: EditForm) -> Block:
    """Return a select of people by name; Slack allows 100 per group."""
    options = [option("Nobody", _NOBODY), *(_person(one) for one in form.people)]
    chosen = [one for one in options if one["value"] == str(form.assignee or _NOBODY)]
    element: Block = {"type": "static_select", "action_id": _INPUT}
    if chosen:
        element["initial_option"] = chosen[0]
    if len(options) <= _GROUP_SIZE:
        element["options"] = options
    else:
        element["option_groups"] = [
            _group(options[at : at + _GROUP_SIZE]) for at in range(0, len(options), _GROUP_SIZE)
        ]
    return _input(name, asked, element)


def _person(person: Named) -> Block:
    return option(one_line(person.name), str(person.id))


def _group(options: list[Block]) -> Block:
    first, last = options[0]["text"]["text"], options[-1]["text"]["text"]
    return {"label": plain_text(f"{first[:30]} – {last[:30]}"), "options": options}


def _input(name: str, asked: Input, element: Block) -> Block:
    return {
        "type": "input",
        "block_id": name,
        "label": plain_text(asked.label),
        "element": element,
        "optional": not asked.is_needed,
    }


def filled(submission: Submission, name: str) -> Filled:
    """Return the state of an input of a form."""
    return submission.view.state.values.get(name, {}).get(_INPUT, Filled())


def _read_day(submission: Submission, name: str, errors: dict[str, str]) -> date | None:
    chosen = filled(submission, name).selected_date
    if not chosen:
        return None
    try:
        return date.fromisoformat(chosen)
    except ValueError:
        errors[name] = message("forms.please_choose_day_calendar")
        return None


def _read_person(submission: Submission, name: str, errors: dict[str, str]) -> UUID | None:
    chosen = filled(submission, name).selected_option
    if chosen is None or chosen.value == _NOBODY:
        return None
    try:
        return UUID(chosen.value)
    except ValueError:
        errors[name] = message("forms.please_choose_somebody_from")
        return None
