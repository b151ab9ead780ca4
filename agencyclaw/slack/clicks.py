"""Reads what a pressed button means: a decision, a choice, a request, a rating, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

from pydantic import Field, ValidationError

from agencyclaw.domain.choices import Choice
from agencyclaw.domain.commands import SlashCommand
from agencyclaw.domain.feedback import Rating
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Act, Click, Incoming, ReceiptKind
from agencyclaw.domain.text import clean
from agencyclaw.slack import action_ids
from agencyclaw.slack.action_ids import ShownVersion
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
    action_ids.DROP: "cancel",
    action_ids.WITHDRAW: "withdraw",
    action_ids.CREATE_ANYWAY: "create_anyway",
    action_ids.RETRY: "retry",
    action_ids.UNDO: "undo",
}
_OF_MEMORY = (action_ids.SCHEDULE, action_ids.BACKGROUND)


class PressedMessage(Payload):
    """The message that contains the button."""

    ts: Ts
    thread_ts: Ts | None = None


class Action(Payload):
    """The pressed element."""

    action_id: str
    action_ts: Ts
    value: str | None = None


class PressedView(IdReference):
    """The modal or the Home tab that contains the button."""

    type: str = ""


class Press(Payload):
    """A `block_actions` payload."""

    user: IdReference
    team: IdReference | None = None
    channel: IdReference | None = None
    message: PressedMessage | None = None
    state: InputStates | None = None
    view: PressedView | None = None
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
class Decision:
    """A decision about proposals."""

    press: Press
    click: Click


@dataclass(frozen=True)
class ChoicePress:
    """One of an answer's choices, by its zero-based number."""

    press: Press
    index: int


@dataclass(frozen=True)
class EditRequest:
    """A request to change a proposal before confirming it."""

    press: Press
    proposal_id: UUID


@dataclass(frozen=True)
class TextRequest:
    """A request to read a proposal's full text, from a page on."""

    press: Press
    proposal_id: UUID
    version: str
    page: int = 0


@dataclass(frozen=True)
class MemoryPress:
    """A press that forgets `note:<uuid>`, `reminder:<uuid>` or `preference:<16 hex digits>`.

    `pause:<uuid>`, `resume:<uuid>` and `rarer:<uuid>` adjust a schedule,
    `run:<uuid>` answers it now; `go_on:<uuid>` and `stop:<uuid>` are about work in the background.
    """

    press: Press
    item: str


@dataclass(frozen=True)
class ThumbPress:
    """A thumb under the answer of a run."""

    press: Press
    run_id: UUID
    rating: Rating


@dataclass(frozen=True)
class ComplaintDone:
    """An admin's mark that a complaint is done."""

    press: Press
    feedback_id: UUID


@dataclass(frozen=True)
class CompareAccounts:
    """An admin's wish to see what differs between the accounts and the team."""

    press: Press


@dataclass(frozen=True)
class NothingSelected:
    """A button for the selected proposals, with none selected."""

    press: Press


@dataclass(frozen=True)
class ForgedPress:
    """One of our buttons with a value that we never issued."""

    press: Press
    reason: str


OurPress = (
    Decision
    | ChoicePress
    | EditRequest
    | TextRequest
    | MemoryPress
    | ThumbPress
    | ComplaintDone
    | CompareAccounts
    | NothingSelected
    | ForgedPress
)
PressMeaning = OurPress | Ignored


def read_press(body: dict[str, Any]) -> PressMeaning:
    """Return what a press means.

    A button of ours with a value that we never issued is forged; anything unknown is ignored.
    """
    try:
        press = Press.model_validate(body)
    except ValidationError:
        return Ignored("malformed")
    action_id, value = press.action.action_id, press.action.value or ""
    if action_id.startswith(f"{action_ids.CHOICE}_") and press.message:
        return (
            ChoicePress(press, int(value))
            if value.isdecimal()
            else ForgedPress(press, "forged_value")
        )
    is_of_memory = action_id == action_ids.FORGET or action_id.startswith(_OF_MEMORY)
    if is_of_memory and action_ids.is_of_memory(value):
        return MemoryPress(press, value)
    if action_id == action_ids.COMPARE_ACCOUNTS and press.view:
        return CompareAccounts(press)
    meaning = _read_feedback(press, value) or _read_request(press, value)
    if meaning is not None:
        return meaning
    versions = action_ids.read_versions(value)
    if action_id in ACTS and versions:
        return _read_decision(press, ACTS[action_id], versions)
    if action_id.startswith(action_ids.OURS) and action_id != action_ids.SELECTION:
        return ForgedPress(press, "forged_value")
    return Ignored(f"action {clean(action_id, limit=60)}")


def _read_feedback(press: Press, value: str) -> ThumbPress | ComplaintDone | None:
    match press.action.action_id:
        case action_ids.THUMBS if thumb := action_ids.read_thumb(value):
            return ThumbPress(press, thumb.run_id, thumb.rating)
        case action_ids.FEEDBACK_SETTLED if feedback_id := action_ids.read_id(value):
            return ComplaintDone(press, feedback_id)
        case _:
            return None


def _read_request(press: Press, value: str) -> EditRequest | TextRequest | None:
    action_id = press.action.action_id
    if action_id.startswith(action_ids.TURN_PAGE):
        value, _, page = value.rpartition(":")
        shown = action_ids.read_version(value)
        if shown is None or not page.isdecimal():
            return None
        return TextRequest(press, shown.proposal_id, shown.version, int(page))
    shown = action_ids.read_version(value)
    if shown is None:
        return None
    match action_id:
        case action_ids.EDIT:
            return EditRequest(press, shown.proposal_id)
        case action_ids.SHOW_TEXT:
            return TextRequest(press, shown.proposal_id, shown.version)
        case _:
            return None


def _read_decision(press: Press, act: Act, versions: list[ShownVersion]) -> OurPress:
    """Return a decision about the proposals of a button, or about the selected ones of them."""
    if press.action.action_id in (action_ids.CONFIRM_SELECTED, action_ids.CANCEL_SELECTED):
        selected = _read_selection(press)
        if selected is None:
            return ForgedPress(press, "forged_value")
        if not selected:
            return NothingSelected(press)
        if not set(selected) <= set(versions):
            return ForgedPress(press, "selection_not_on_offer")
        versions = selected
    elif len(versions) > 1 and press.action.action_id != action_ids.CONFIRM_ALL:
        return ForgedPress(press, "several_named")
    click = Click(
        act=act,
        proposal_ids=tuple(shown.proposal_id for shown in versions),
        fingerprints=tuple(shown.version for shown in versions),
        message_ts=press.message.ts if press.message else "",
        is_rejection=press.action.action_id == action_ids.CANCEL,
    )
    return Decision(press, click)


def _read_selection(press: Press) -> list[ShownVersion] | None:
    """Return the selected proposals and versions; None if a value is none of ours."""
    inputs = press.state.values.values() if press.state else ()
    boxes = [block[action_ids.SELECTION] for block in inputs if action_ids.SELECTION in block]
    values = [option.value for box in boxes for option in box.selected_options or ()]
    return action_ids.read_versions(",".join(values)) if values else []


def decision_as_stored(decision: Decision, place: Place) -> Incoming:
    """Return a decision as it is stored."""
    action, user = decision.press.action, decision.press.user
    shown = decision.click.message_ts or "home"
    return Incoming(
        key=f"click:{place.team_id}:{place.channel_id}:{shown}:{user.id}"
        f":{action.action_id}:{action.action_ts}",
        source="interactions",
        kind=ReceiptKind.CLICK,
        place=place,
        slack_ts=action.action_ts,
        slack_user_id=user.id,
        click=decision.click,
    )


def memory_press_as_stored(pressed: MemoryPress, team_id: str) -> Incoming:
    """Return a press on an item of memory as it is stored: as the command of the same meaning."""
    press, action = pressed.press, pressed.press.action
    return Incoming(
        key=f"forget:{team_id}:{press.user.id}:{action.action_id}:{action.action_ts}",
        source="interactions",
        kind=ReceiptKind.COMMAND,
        place=Place.home_tab(team_id),
        slack_ts=action.action_ts,
        slack_user_id=press.user.id,
        text=f"forget {pressed.item}",
    )


def comparison_as_typed(press: Press, team_id: str) -> SlashCommand:
    """Return a press of Compare accounts as the command to ask, typed by who pressed."""
    ts = press.action.action_ts
    return SlashCommand(
        key=f"compare:{team_id}:{press.user.id}:{ts}",
        place=Place.home_tab(team_id),
        slack_ts=ts,
        slack_user_id=press.user.id,
        name="ask",
        rest=message("home.compare_question"),
    )


def choice_as_stored(press: Press, place: Place, choice: Choice) -> Incoming:
    """Return a pressed choice as the message it replaces; a person answers a question once."""
    shown = press.message.ts if press.message else ""
    return Incoming(
        key=f"choice:{place.team_id}:{place.channel_id}:{shown}:{press.user.id}",
        source="interactions",
        kind=ReceiptKind.MESSAGE,
        place=place,
        slack_ts=press.action.action_ts,
        slack_user_id=press.user.id,
        text=clean(choice.label),
        choice=choice,
        about_ts=shown,
    )
