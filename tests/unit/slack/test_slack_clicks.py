"""What a pressed button means."""

from typing import Any

import pytest
from fakes.slack_store import INES, INES_DM, TEAM, a_place, a_proposal

from agencyclaw.domain.choices import Choice
from agencyclaw.domain.receipts import ReceiptKind
from agencyclaw.slack import action_ids
from agencyclaw.slack.clicks import (
    ChoicePress,
    Decision,
    EditRequest,
    ForgedPress,
    NothingSelected,
    choice_as_stored,
    decision_as_stored,
    read_press,
)
from agencyclaw.slack.ignored import Ignored

CARD_TS = "1700000000.000300"
ONE, TWO = a_proposal("one"), a_proposal("two")
ONE_MARK, TWO_MARK = action_ids.button_value(ONE), action_ids.button_value(TWO)


def a_press(action_id: str, value: str | None = ONE_MARK, **changes: Any) -> dict[str, Any]:
    action = {"action_id": action_id, "block_id": "b", "action_ts": "1700000001.5", "value": value}
    body = {
        "type": "block_actions",
        "user": {"id": INES, "team_id": TEAM},
        "team": {"id": TEAM},
        "channel": {"id": INES_DM, "name": "directmessage"},
        "message": {"ts": CARD_TS, "thread_ts": "1700000000.000100", "text": "card"},
        "trigger_id": "1.2.3",
        "actions": [action],
    }
    return body | changes


def ticked(*values: str) -> dict[str, Any]:
    boxes = {"type": "checkboxes", "selected_options": [{"value": value} for value in values]}
    other = {"type": "datepicker", "selected_date": None}
    return {"values": {"b1": {action_ids.SELECTION: boxes}, "b2": {"other": other}}}


@pytest.mark.parametrize(
    ("action_id", "act"),
    [
        (action_ids.CONFIRM, "confirm"),
        (action_ids.CANCEL, "cancel"),
        (action_ids.CREATE_ANYWAY, "create_anyway"),
        (action_ids.RETRY, "retry"),
    ],
)
def test_a_button_is_an_act_on_the_version_it_shows(action_id: str, act: str) -> None:
    pressed = read_press(a_press(action_id, ONE_MARK))
    assert isinstance(pressed, Decision)
    assert pressed.click.act == act
    assert pressed.click.proposal_ids == (ONE.id,)
    assert pressed.click.fingerprints == (ONE.fingerprint[:16],)
    assert pressed.click.message_ts == CARD_TS


def test_only_the_button_for_all_names_several() -> None:
    both = f"{ONE_MARK},{TWO_MARK}"
    pressed = read_press(a_press(action_ids.CONFIRM_ALL, both))
    assert isinstance(pressed, Decision)
    assert pressed.click.act == "confirm"
    assert pressed.click.proposal_ids == (ONE.id, TWO.id)
    for action_id in (
        action_ids.CONFIRM,
        action_ids.CANCEL,
        action_ids.CREATE_ANYWAY,
        action_ids.RETRY,
        action_ids.UNDO,
    ):
        assert isinstance(read_press(a_press(action_id, both)), ForgedPress)


def test_a_decision_is_stored_for_its_thread_and_once_per_press() -> None:
    pressed = read_press(a_press(action_ids.CONFIRM))
    assert isinstance(pressed, Decision)
    place = pressed.press.place(TEAM)
    assert place == a_place()
    incoming = decision_as_stored(pressed, place)
    assert incoming.kind is ReceiptKind.CLICK
    assert incoming.slack_user_id == INES
    assert incoming.key == (f"click:{TEAM}:{INES_DM}:{CARD_TS}:{INES}:claw_confirm:1700000001.5")


@pytest.mark.parametrize(
    ("action_id", "act"),
    [(action_ids.CONFIRM_SELECTED, "confirm"), (action_ids.CANCEL_SELECTED, "cancel")],
)
def test_only_what_is_ticked_is_acted_on(action_id: str, act: str) -> None:
    body = a_press(action_id, f"{ONE_MARK},{TWO_MARK}", state=ticked(TWO_MARK))
    pressed = read_press(body)
    assert isinstance(pressed, Decision)
    assert pressed.click.act == act
    assert pressed.click.proposal_ids == (TWO.id,)


@pytest.mark.parametrize(
    ("action_id", "is_rejection"),
    [
        (action_ids.CANCEL, True),
        (action_ids.CANCEL_SELECTED, False),
        (action_ids.DROP, False),
        (action_ids.WITHDRAW, False),
    ],
)
def test_only_the_cards_own_no_rejects(action_id: str, is_rejection: bool) -> None:
    pressed = read_press(a_press(action_id, ONE_MARK, state=ticked(ONE_MARK)))
    assert isinstance(pressed, Decision)
    assert pressed.click.is_rejection is is_rejection


@pytest.mark.parametrize("action_id", [action_ids.CONFIRM_SELECTED, action_ids.CANCEL_SELECTED])
def test_nothing_ticked_does_nothing(action_id: str) -> None:
    assert isinstance(read_press(a_press(action_id, state=ticked())), NothingSelected)
    assert isinstance(read_press(a_press(action_id)), NothingSelected)


def test_a_tick_that_was_not_on_offer_confirms_nothing() -> None:
    body = a_press(action_ids.CONFIRM_SELECTED, ONE_MARK, state=ticked(ONE_MARK, TWO_MARK))
    assert isinstance(read_press(body), ForgedPress)


def test_edit_names_one_proposal() -> None:
    pressed = read_press(a_press(action_ids.EDIT))
    assert isinstance(pressed, EditRequest)
    assert pressed.proposal_id == ONE.id
    assert isinstance(read_press(a_press(action_ids.EDIT, f"{ONE_MARK},{TWO_MARK}")), ForgedPress)


def test_a_choice_is_one_message_per_person_and_question() -> None:
    record = Choice(kind="brand", id="b1", label="Glintly US")
    first = read_press(a_press("claw_choice_1", "1"))
    assert isinstance(first, ChoicePress)
    assert first.index == 1
    incoming = choice_as_stored(first.press, a_place(), record)
    assert incoming.kind is ReceiptKind.MESSAGE
    assert (incoming.text, incoming.choice) == ("Glintly US", record)
    assert incoming.key == f"choice:{TEAM}:{INES_DM}:{CARD_TS}:{INES}"


@pytest.mark.parametrize(
    "body",
    [
        a_press(action_ids.CONFIRM, None),
        a_press(action_ids.CONFIRM, ""),
        a_press(action_ids.CONFIRM, str(ONE.id)),
        a_press(action_ids.CONFIRM, ONE_MARK.upper()),
        a_press(action_ids.CONFIRM, ONE_MARK + ","),
        a_press(action_ids.CONFIRM, ONE_MARK + " "),
        a_press(action_ids.CONFIRM, ONE_MARK[:-1]),
        a_press("claw_delete_everything"),
        a_press("claw_choice_0", ""),
        a_press("claw_choice_0", "Glintly US"),
        a_press("claw_choice_0", "-1"),
    ],
)
def test_a_value_that_our_button_never_had_is_forged(body: dict[str, Any]) -> None:
    assert isinstance(read_press(body), ForgedPress)


@pytest.mark.parametrize(
    "body",
    [
        a_press(action_ids.SELECTION),
        a_press("somebody_elses_button"),
        a_press(action_ids.CONFIRM, actions=[]),
        a_press(action_ids.CONFIRM, user=None),
        a_press(action_ids.CONFIRM, message={"ts": "now"}),
        {"type": "block_actions"},
    ],
)
def test_a_tick_and_what_is_not_ours_mean_nothing(body: dict[str, Any]) -> None:
    assert isinstance(read_press(body), Ignored)


def test_a_button_of_the_home_tab_stands_in_no_thread() -> None:
    pressed = read_press(a_press(action_ids.CONFIRM, channel=None, message=None))
    assert isinstance(pressed, Decision)
    assert pressed.press.place(TEAM) is None


def test_a_tick_with_a_value_that_is_none_of_ours_is_forged() -> None:
    body = a_press(action_ids.CONFIRM_SELECTED, ONE_MARK, state=ticked(ONE_MARK, "rubbish"))
    assert isinstance(read_press(body), ForgedPress)
