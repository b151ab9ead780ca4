"""The Edit form: a modal made from a stored proposal, and what comes back from it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, cast
from uuid import UUID

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agencyclaw.domain.clients import Named
from agencyclaw.domain.edits import EditForm, TaskEdits
from agencyclaw.domain.effects import DETAILS_LIMIT
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Incoming, ReceiptKind
from agencyclaw.domain.text import clean, digest
from agencyclaw.slack.blocks import Block, option, plain_text, section
from agencyclaw.slack.inert import escaped, one_line
from agencyclaw.slack.marks import EDIT_FORM
from agencyclaw.slack.messages import Ignored, Payload

TITLE_LIMIT = 200
_NOBODY = "nobody"
_INPUT = "value"
_GROUP_SIZE = 100
_FIELDS = ("title", "details", "start", "due", "assignee")


class Origin(BaseModel):
    """What a form remembers: the proposal it changes and the thread of its card."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    proposal_id: UUID
    place: Place


class Choice(Payload):
    """A chosen option of a select."""

    value: str


class Filled(Payload):
    """What one input of a form holds."""

    value: str | None = None
    selected_date: str | None = None
    selected_option: Choice | None = None


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
    """Who submitted, or the workspace they did it in."""

    id: str = Field(min_length=2)


class Submission(Payload):
    """A `view_submission` payload."""

    user: Party
    view: View
    team: Party | None = None

    @property
    def origin(self) -> Origin:
        """What the form was opened for."""
        return Origin.model_validate_json(self.view.private_metadata)


@dataclass(frozen=True)
class ForgedForm:
    """One of our forms with contents that we never gave it."""

    slack_user_id: str


def build_form(form: EditForm, origin: Origin) -> dict[str, Any]:
    """Return the modal; saving it is not consent, and it says so."""
    return {
        "type": "modal",
        "callback_id": EDIT_FORM,
        "private_metadata": origin.model_dump_json(),
        "title": plain_text("Edit before creating"),
        "submit": plain_text("Save"),
        "close": plain_text("Back"),
        "blocks": [
            text_input("title", "Title", form.title, limit=TITLE_LIMIT),
            text_input("details", "Details", form.details, limit=DETAILS_LIMIT, is_long=True),
            _day("start", "Start", form.start),
            _day("due", "Due", form.due),
            _people(form),
            {
                "type": "context",
                "elements": [plain_text("Saving shows a new card. Nothing is created yet.")],
            },
        ],
    }


def build_notice(text: str) -> dict[str, Any]:
    """Return a modal that only says something."""
    return {
        "type": "modal",
        "title": plain_text("AgencyClaw"),
        "close": plain_text("Close"),
        "blocks": [section(escaped(text))],
    }


def read_submission(body: dict[str, Any]) -> Submission | ForgedForm | Ignored:
    """Return a submitted Edit form; anything else is not ours."""
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
    """Return the submitted values, or what is wrong with them, per field."""
    errors: dict[str, str] = {}
    start = _read_day(submission, "start", errors)
    due = _read_day(submission, "due", errors)
    assignee = _read_person(submission, errors)
    if errors:
        return errors
    return TaskEdits(
        title=one_line(clean(filled(submission, "title").value or "")),
        details=clean(filled(submission, "details").value or ""),
        start=start,
        due=due,
        assignee=assignee,
    )


def edit(submission: Submission, now: float) -> Incoming:
    """Return a submission as it is stored; the same values of the same form are one."""
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
    """Return errors under fields that the form has; what concerns no field stands at the first."""
    shown: dict[str, str] = {}
    for field, words in errors.items():
        place = field if field in _FIELDS else _FIELDS[0]
        shown[place] = f"{shown[place]} {words}" if place in shown else words
    return shown


def text_input(name: str, label: str, value: str, *, limit: int, is_long: bool = False) -> Block:
    """Return an input for words; a long one may stay empty."""
    element: Block = {
        "type": "plain_text_input",
        "action_id": _INPUT,
        "multiline": is_long,
        "max_length": limit,
    }
    if value:
        element["initial_value"] = value
    return _input(name, label, element, optional=is_long)


def _day(name: str, label: str, value: date | None) -> Block:
    element: Block = {"type": "datepicker", "action_id": _INPUT}
    if value:
        element["initial_date"] = value.isoformat()
    return _input(name, label, element, optional=True)


def _people(form: EditForm) -> Block:
    """A select of people by name; Slack takes at most 100 in one group."""
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
    return _input("assignee", "Assignee", element, optional=True)


def _person(person: Named) -> Block:
    return option(one_line(person.name), str(person.id))


def _group(options: list[Block]) -> Block:
    first, last = options[0]["text"]["text"], options[-1]["text"]["text"]
    return {"label": plain_text(f"{first[:30]} – {last[:30]}"), "options": options}


def _input(name: str, label: str, element: Block, *, optional: bool) -> Block:
    return {
        "type": "input",
        "block_id": name,
        "label": plain_text(label),
        "element": element,
        "optional": optional,
    }


def filled(submission: Submission, name: str) -> Filled:
    """Return what an input of a form holds."""
    return submission.view.state.values.get(name, {}).get(_INPUT, Filled())


def _read_day(submission: Submission, name: str, errors: dict[str, str]) -> date | None:
    chosen = filled(submission, name).selected_date
    if not chosen:
        return None
    try:
        return date.fromisoformat(chosen)
    except ValueError:
        errors[name] = "Please choose a day of the calendar."
        return None


def _read_person(submission: Submission, errors: dict[str, str]) -> UUID | None:
    chosen = filled(submission, "assignee").selected_option
    if chosen is None or chosen.value == _NOBODY:
        return None
    try:
        return UUID(chosen.value)
    except ValueError:
        errors["assignee"] = "Please choose somebody from the list."
        return None
