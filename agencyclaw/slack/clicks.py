"""Reads pressed buttons: a decision, a choice, a request to edit, or something unknown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, ValidationError

from agencyclaw.domain.choices import Choice
from agencyclaw.domain.feedback import Rating
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Act, Click, Incoming, ReceiptKind
from agencyclaw.domain.text import clean
from agencyclaw.slack import action_ids
from agencyclaw.slack.ignored import Ignored
from agencyclaw.slack.payloads import IdReference, InputStates, Payload, Ts, place_in

ACTS: dict[str, Act] = {
    action_ids.CONFIRM: "confirm",
    action_ids.CONFIRM_SELECTED: "confirm",
    action_ids.CONFIRM_ALL: "confirm",
    action_ids.AS_SHOWN: "as_shown",
    action_ids.PREPARE_AGAIN: "prepare_again",
    action_ids.PREPARE_FOR_ME: "prepare_for_me",
    action_ids.CANCEL: "cancel",
    action_ids.CANCEL_SELECTED: "cancel",
    action_ids.WITHDRAW: "withdraw",
    action_ids.CREATE_ANYWAY: "create_anyway",
    action_ids.RETRY: "retry",
    action_ids.UNDO: "undo",
}


class PressedMessage(Payload):
    """The message that contains the button."""

    ts: Ts
    thread_ts: Ts | None = None


class Action(Payload):
    """The pressed element."""

    action_id: str
    action_ts: Ts
    value: str | None = None


class Press(Payload):
    """A `block_actions` payload."""

    user: IdReference
    team: IdReference | None = None
    channel: IdReference | None = None
    message: PressedMessage | None = None
    state: InputStates | None = None
    view: IdReference | None = None
    trigger_id: str = ""
    response_url: str = ""
    actions: Annotated[tuple[Action, ...], Field(min_length=1)]

    @property
    def action(self) -> Action:
        """The pressed element; Slack sends one at a time."""
        return self.actions[0]

    def channel_place(self, team_id: str) -> Place:
        """Return the channel of a press on an ephemeral message, whose thread is not sent along."""
        channel_id = self.channel.id if self.channel else ""
        if not channel_id:
            return Place.home_tab(team_id)
        return place_in(team_id, channel_id, "")

    def place(self, team_id: str) -> Place | None:
        """Return the thread of the button; one in the Home tab has none."""
        if self.channel is None or self.message is None:
            return None
        return place_in(team_id, self.channel.id, self.message.thread_ts or self.message.ts)


@dataclass(frozen=True)
class Decided:
    """A decision about proposals."""

    press: Press
    click: Click


@dataclass(frozen=True)
class Chosen:
    """One of an answer's choices; `at` is its zero-based number."""

    press: Press
    at: int


@dataclass(frozen=True)
class EditWanted:
    """A request to change a proposal before confirming it."""

    press: Press
    proposal_id: UUID


@dataclass(frozen=True)
class TextWanted:
    """A request to read a proposal's full text, from a page on."""

    press: Press
    proposal_id: UUID
    version: str
    page: int = 0


@dataclass(frozen=True)
class ForgetWanted:
    """A request to forget what is remembered.

    That is `note:<uuid>`, `reminder:<uuid>` or `preference:<16 hex digits>`.
    """

    press: Press
    mark: str


@dataclass(frozen=True)
class Thumbed:
    """A thumb under the answer of a run."""

    press: Press
    run_id: UUID
    rating: Rating


@dataclass(frozen=True)
class FeedbackSettled:
    """A complaint that an admin marks as done."""

    press: Press
    feedback_id: UUID


@dataclass(frozen=True)
class NothingTicked:
    """A button for the selected proposals, with none selected."""

    press: Press


@dataclass(frozen=True)
class Forged:
    """One of our buttons with a value that we never issued."""

    press: Press
    reason: str


Pressed = (
    Decided
    | Chosen
    | EditWanted
    | TextWanted
    | ForgetWanted
    | Thumbed
    | FeedbackSettled
    | NothingTicked
    | Forged
    | Ignored
)


def read_press(body: dict[str, Any]) -> Pressed:
    """Return what a press means.

    A button of ours with a value that we never issued is Forged; anything unknown is Ignored. Never
    raises.
    """
    try:
        press = Press.model_validate(body)
    except ValidationError:
        return Ignored("malformed")
    action_id, value = press.action.action_id, press.action.value or ""
    if action_id.startswith(f"{action_ids.CHOICE}_") and press.message:
        return Chosen(press, int(value)) if value.isdecimal() else Forged(press, "forged_value")
    if action_id == action_ids.FORGET and action_ids.is_memory(value):
        return ForgetWanted(press, value)
    if opinion := _read_opinion(press, action_id, value):
        return opinion
    named = action_ids.read_ids(value)
    if action_id == action_ids.EDIT and named and len(named) == 1:
        return EditWanted(press, named[0][0])
    if action_id == action_ids.SHOW_TEXT and named and len(named) == 1:
        return TextWanted(press, *named[0])
    if action_id.startswith(action_ids.TURN_PAGE) and (turned := action_ids.read_page(value)):
        return TextWanted(press, *turned)
    if action_id in ACTS and named:
        return _decide(press, ACTS[action_id], named)
    if action_id.startswith(action_ids.OURS) and action_id != action_ids.SELECTION:
        return Forged(press, "forged_value")
    return Ignored(f"action {clean(action_id, limit=60)}")


def _read_opinion(press: Press, action_id: str, value: str) -> Thumbed | FeedbackSettled | None:
    if action_id == action_ids.THUMBS and (thumb := action_ids.read_thumb(value)):
        return Thumbed(press, rating=thumb[0], run_id=thumb[1])
    if action_id == action_ids.FEEDBACK_SETTLED and (feedback_id := action_ids.read_id(value)):
        return FeedbackSettled(press, feedback_id)
    return None


def _decide(press: Press, act: Act, named: list[tuple[UUID, str]]) -> Pressed:
    if press.action.action_id in (action_ids.CONFIRM_SELECTED, action_ids.CANCEL_SELECTED):
        ticked = _read_ticked(press)
        if ticked is None:
            return Forged(press, "forged_value")
        if not ticked:
            return NothingTicked(press)
        if not set(ticked) <= set(named):
            return Forged(press, "selection_not_on_offer")
        named = ticked
    elif len(named) > 1 and press.action.action_id != action_ids.CONFIRM_ALL:
        return Forged(press, "several_named")
    click = Click(
        act=act,
        proposal_ids=tuple(proposal_id for proposal_id, _ in named),
        fingerprints=tuple(version for _, version in named),
        message_ts=press.message.ts if press.message else "",
    )
    return Decided(press, click)


def _read_ticked(press: Press) -> list[tuple[UUID, str]] | None:
    """Return the proposals and versions that were ticked; None if a value is none of ours."""
    inputs = press.state.values.values() if press.state else ()
    boxes = [block[action_ids.SELECTION] for block in inputs if action_ids.SELECTION in block]
    values = [option.value for box in boxes for option in box.selected_options or ()]
    return action_ids.read_ids(",".join(values)) if values else []


def as_decision(decided: Decided, place: Place) -> Incoming:
    """Return a decision as it is stored."""
    action = decided.press.action
    shown = decided.click.message_ts or "home"
    return Incoming(
        key=f"click:{place.team_id}:{place.channel_id}:{shown}:{decided.press.user.id}"
        f":{action.action_id}:{action.action_ts}",
        source="interactions",
        kind=ReceiptKind.CLICK,
        place=place,
        slack_ts=action.action_ts,
        slack_user_id=decided.press.user.id,
        click=decided.click,
    )


def as_forgetting(press: Press, team_id: str, mark: str) -> Incoming:
    """Return a press of Forget in the Home tab as it is stored."""
    action = press.action
    return Incoming(
        key=f"forget:{team_id}:{press.user.id}:{action.action_id}:{action.action_ts}",
        source="interactions",
        kind=ReceiptKind.COMMAND,
        place=Place.home_tab(team_id),
        slack_ts=action.action_ts,
        slack_user_id=press.user.id,
        text=f"forget {mark}",
    )


def as_choice(chosen: Chosen, place: Place, record: Choice) -> Incoming:
    """Return a chosen record as the message it stands for; a person answers a question once."""
    press = chosen.press
    shown = press.message.ts if press.message else ""
    return Incoming(
        key=f"choice:{place.team_id}:{place.channel_id}:{shown}:{press.user.id}",
        source="interactions",
        kind=ReceiptKind.MESSAGE,
        place=place,
        slack_ts=press.action.action_ts,
        slack_user_id=press.user.id,
        text=clean(record.label),
        choice=record,
    )
