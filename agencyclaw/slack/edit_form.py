"""The Edit form: a modal built from a stored proposal, and its submission."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any, assert_never, cast
from uuid import UUID

from pydantic import BaseModel, ConfigDict, ValidationError

from agencyclaw.domain.edits import NONE, EditForm, Input, TaskEdits
from agencyclaw.domain.messages import localized, message
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Incoming, ReceiptKind
from agencyclaw.domain.text import clean, digest
from agencyclaw.slack.action_ids import EDIT_FORM
from agencyclaw.slack.blocks import Block, modal, option, plain_context
from agencyclaw.slack.escaping import one_line
from agencyclaw.slack.ignored import Ignored
from agencyclaw.slack.inputs import Submission, date_input, select_input, text_input
from agencyclaw.slack.payloads import InputState

_NOBODY = "nobody"
_INPUTS: dict[str, Input] = {
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


@dataclass(frozen=True)
class EditSubmission:
    """A submitted Edit form."""

    submission: Submission
    origin: FormOrigin


@dataclass(frozen=True)
class ForgedForm:
    """One of our forms with contents that we never issued."""

    slack_user_id: str


def build_form(form: EditForm, origin: FormOrigin) -> Block:
    """Return the modal; it says that saving is no consent."""
    inputs = [_input(name, spec, form) for name, spec in _INPUTS.items()]
    return modal(
        message("forms.title"),
        [*inputs, plain_context(message("forms.elements"))],
        submit=localized("Save"),
        close=localized("Back"),
        callback_id=EDIT_FORM,
        private_metadata=origin.model_dump_json(),
    )


def _input(name: str, spec: Input, form: EditForm) -> Block:
    value, optional = getattr(form, name), not spec.is_needed
    match spec.kind:
        case "line" | "text":
            multiline = spec.kind == "text"
            return text_input(
                name,
                localized(spec.label),
                value,
                limit=spec.limit,
                multiline=multiline,
                optional=optional,
            )
        case "day":
            return date_input(name, localized(spec.label), value, optional=optional)
        case "person":
            people = [option(one_line(person.name), str(person.id)) for person in form.people]
            options, value = [option(localized("Nobody"), _NOBODY), *people], str(value or _NOBODY)
        case "choice":
            choices = form.options.get(name) or ((NONE, localized("None")),)
            options = [option(one_line(shown), key) for key, shown in choices]
        case _:
            assert_never(spec.kind)
    return select_input(name, localized(spec.label), value, options, optional=optional)


def read_submission(body: dict[str, Any]) -> EditSubmission | ForgedForm | Ignored:
    """Return a submitted Edit form; any other form is ignored."""
    try:
        submission = Submission.model_validate(body)
        origin = FormOrigin.model_validate_json(submission.view.private_metadata)
    except ValidationError:
        return _unreadable(body)
    if submission.view.callback_id != EDIT_FORM:
        return Ignored("view of another form")
    return EditSubmission(submission, origin)


def _unreadable(body: dict[str, Any]) -> ForgedForm | Ignored:
    view, user = _as_object(body.get("view")), _as_object(body.get("user"))
    is_ours = view.get("callback_id") == EDIT_FORM and user.get("id")
    return ForgedForm(str(user["id"])) if is_ours else Ignored("malformed")


def _as_object(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def read_edits(edit: EditSubmission) -> TaskEdits | dict[str, str]:
    """Return the submitted values, or the errors per field."""
    errors: dict[str, str] = {}
    values: dict[str, Any] = {}
    for name, spec in _INPUTS.items():
        values[name] = _read(edit.submission.entered(name), name, spec, errors)
    return errors or TaskEdits.model_validate(values)


def _read(entered: InputState, name: str, spec: Input, errors: dict[str, str]) -> Any:
    chosen = entered.selected_option.value if entered.selected_option else None
    match spec.kind:
        case "line":
            return one_line(clean(entered.value or ""))
        case "text":
            return clean(entered.value or "")
        case "day":
            return _read_day(entered.selected_date, name, errors)
        case "person":
            return _read_person(chosen, name, errors)
        case "choice":
            return TaskEdits.model_fields[name].default if chosen is None else chosen
    assert_never(spec.kind)


def _read_day(entered: str | None, name: str, errors: dict[str, str]) -> date | None:
    try:
        return date.fromisoformat(entered) if entered else None
    except ValueError:
        errors[name] = message("forms.choose_day")
        return None


def _read_person(chosen: str | None, name: str, errors: dict[str, str]) -> UUID | None:
    try:
        return UUID(chosen) if chosen is not None and chosen != _NOBODY else None
    except ValueError:
        errors[name] = message("forms.choose_person")
        return None


def edit_as_stored(edit: EditSubmission, now: float) -> Incoming:
    """Return a submission as it is stored; equal values of the same form are one."""
    submission, view, place = edit.submission, edit.submission.view, edit.origin.place
    version = digest(view.state.model_dump(mode="json"))[:16]
    return Incoming(
        key=f"edit:{place.team_id}:{view.id}:{submission.user.id}:{version}",
        source="interactions",
        kind=ReceiptKind.EDIT,
        place=place,
        slack_ts=f"{now:.6f}",
        slack_user_id=submission.user.id,
    )


def shown_errors(errors: dict[str, str]) -> dict[str, str]:
    """Return errors for fields of the form; general errors are shown at the first field."""
    first, *_ = _INPUTS
    shown: dict[str, str] = {}
    for field, text in errors.items():
        shown_at = field if field in _INPUTS else first
        shown[shown_at] = f"{shown[shown_at]} {text}" if shown_at in shown else text
    return shown
