"""The Edit form, and what comes back from it."""

from datetime import date
from typing import Any

import pytest
from fakes.slack_store import INES, FakeRevisions, a_place, an_effect, an_id
from inline_snapshot import snapshot

from agencyclaw.domain.clients import Named
from agencyclaw.domain.edits import EditForm, Input, TaskEdits, form_of
from agencyclaw.domain.task_requests import FACT_LIMIT
from agencyclaw.slack.edit_form import (
    EditSubmission,
    ForgedForm,
    FormOrigin,
    build_form,
    edit_as_stored,
    read_edits,
    read_submission,
    shown_errors,
)
from agencyclaw.slack.ignored import Ignored
from agencyclaw.slack.long_texts import build_notice
from workbench.slack.limits import check_view

ORIGIN = FormOrigin(proposal_id=an_id("one"), place=a_place())


def the_form() -> EditForm:
    form = FakeRevisions().form_or_refusal
    assert isinstance(form, EditForm)
    return form


def submitted(values: dict[str, Any], **changes: Any) -> dict[str, Any]:
    view = {
        "id": "V1",
        "callback_id": "claw_edit_task",
        "private_metadata": ORIGIN.model_dump_json(),
        "state": {"values": {name: {"value": held} for name, held in values.items()}},
    }
    return {"type": "view_submission", "user": {"id": INES}, "view": view | changes}


def read(values: dict[str, Any]) -> EditSubmission:
    submission = read_submission(submitted(values))
    assert isinstance(submission, EditSubmission)
    return submission


def test_the_form_shows_the_present_values() -> None:
    view = build_form(the_form(), ORIGIN)
    assert check_view(view) == []
    assert view["blocks"] == snapshot(
        [
            {
                "type": "input",
                "block_id": "title",
                "label": {"type": "plain_text", "text": "Title", "emoji": False},
                "element": {
                    "type": "plain_text_input",
                    "action_id": "value",
                    "multiline": False,
                    "max_length": 200,
                    "initial_value": "Set up a 20% coupon",
                },
                "optional": False,
            },
            {
                "type": "input",
                "block_id": "objective",
                "label": {"type": "plain_text", "text": "Objective", "emoji": False},
                "element": {
                    "type": "plain_text_input",
                    "action_id": "value",
                    "multiline": False,
                    "max_length": 300,
                },
                "optional": True,
            },
            {
                "type": "input",
                "block_id": "details",
                "label": {"type": "plain_text", "text": "Details", "emoji": False},
                "element": {
                    "type": "plain_text_input",
                    "action_id": "value",
                    "multiline": True,
                    "max_length": 3000,
                    "initial_value": "20% off",
                },
                "optional": True,
            },
            {
                "type": "input",
                "block_id": "products",
                "label": {"type": "plain_text", "text": "Products (ASINs or SKUs)", "emoji": False},
                "element": {
                    "type": "plain_text_input",
                    "action_id": "value",
                    "multiline": False,
                    "max_length": 1300,
                },
                "optional": True,
            },
            {
                "type": "input",
                "block_id": "marketplace",
                "label": {"type": "plain_text", "text": "Marketplaces", "emoji": False},
                "element": {
                    "type": "plain_text_input",
                    "action_id": "value",
                    "multiline": False,
                    "max_length": 300,
                },
                "optional": True,
            },
            {
                "type": "input",
                "block_id": "start",
                "label": {"type": "plain_text", "text": "Start", "emoji": False},
                "element": {
                    "type": "datepicker",
                    "action_id": "value",
                    "initial_date": "2026-11-23",
                },
                "optional": True,
            },
            {
                "type": "input",
                "block_id": "due",
                "label": {"type": "plain_text", "text": "Due", "emoji": False},
                "element": {"type": "datepicker", "action_id": "value"},
                "optional": True,
            },
            {
                "type": "input",
                "block_id": "assignee",
                "label": {"type": "plain_text", "text": "Assignee", "emoji": False},
                "element": {
                    "type": "static_select",
                    "action_id": "value",
                    "initial_option": {
                        "text": {"type": "plain_text", "text": "Yuki Tan", "emoji": False},
                        "value": "3e04ee82-4acc-5a3b-aae2-803b6ded3314",
                    },
                    "options": [
                        {
                            "text": {"type": "plain_text", "text": "Nobody", "emoji": False},
                            "value": "nobody",
                        },
                        {
                            "text": {"type": "plain_text", "text": "Yuki Tan", "emoji": False},
                            "value": "3e04ee82-4acc-5a3b-aae2-803b6ded3314",
                        },
                        {
                            "text": {"type": "plain_text", "text": "Miguel Duarte", "emoji": False},
                            "value": "2de9b841-0607-5f5b-9273-794c08524f95",
                        },
                    ],
                },
                "optional": True,
            },
            {
                "type": "input",
                "block_id": "procedure",
                "label": {"type": "plain_text", "text": "Procedure", "emoji": False},
                "element": {
                    "type": "static_select",
                    "action_id": "value",
                    "options": [
                        {
                            "text": {"type": "plain_text", "text": "None", "emoji": False},
                            "value": "none",
                        }
                    ],
                },
                "optional": True,
            },
            {
                "type": "input",
                "block_id": "promotion_type",
                "label": {"type": "plain_text", "text": "Promotion", "emoji": False},
                "element": {
                    "type": "static_select",
                    "action_id": "value",
                    "options": [
                        {
                            "text": {"type": "plain_text", "text": "None", "emoji": False},
                            "value": "none",
                        }
                    ],
                    "initial_option": {
                        "text": {"type": "plain_text", "text": "None", "emoji": False},
                        "value": "none",
                    },
                },
                "optional": True,
            },
            {
                "type": "input",
                "block_id": "discount",
                "label": {"type": "plain_text", "text": "Discount", "emoji": False},
                "element": {
                    "type": "plain_text_input",
                    "action_id": "value",
                    "multiline": False,
                    "max_length": 120,
                },
                "optional": True,
            },
            {
                "type": "input",
                "block_id": "price",
                "label": {"type": "plain_text", "text": "Promotion price", "emoji": False},
                "element": {
                    "type": "plain_text_input",
                    "action_id": "value",
                    "multiline": False,
                    "max_length": 120,
                },
                "optional": True,
            },
            {
                "type": "input",
                "block_id": "starts",
                "label": {"type": "plain_text", "text": "Promotion starts", "emoji": False},
                "element": {"type": "datepicker", "action_id": "value"},
                "optional": True,
            },
            {
                "type": "input",
                "block_id": "starts_when",
                "label": {
                    "type": "plain_text",
                    "text": "Promotion starts, if not on a day",
                    "emoji": False,
                },
                "element": {
                    "type": "plain_text_input",
                    "action_id": "value",
                    "multiline": False,
                    "max_length": 200,
                },
                "optional": True,
            },
            {
                "type": "input",
                "block_id": "ends",
                "label": {"type": "plain_text", "text": "Promotion ends", "emoji": False},
                "element": {"type": "datepicker", "action_id": "value"},
                "optional": True,
            },
            {
                "type": "input",
                "block_id": "ends_when",
                "label": {
                    "type": "plain_text",
                    "text": "Promotion ends, if not on a day",
                    "emoji": False,
                },
                "element": {
                    "type": "plain_text_input",
                    "action_id": "value",
                    "multiline": False,
                    "max_length": 200,
                },
                "optional": True,
            },
            {
                "type": "input",
                "block_id": "promotion_budget",
                "label": {"type": "plain_text", "text": "Promotion budget", "emoji": False},
                "element": {
                    "type": "plain_text_input",
                    "action_id": "value",
                    "multiline": False,
                    "max_length": 120,
                },
                "optional": True,
            },
            {
                "type": "input",
                "block_id": "known",
                "label": {"type": "plain_text", "text": "Other facts, one a line", "emoji": False},
                "element": {
                    "type": "plain_text_input",
                    "action_id": "value",
                    "multiline": True,
                    "max_length": 3000,
                },
                "optional": True,
            },
            {
                "type": "context",
                "elements": [
                    {
                        "type": "plain_text",
                        "text": "Saving shows a new card. Nothing is created yet.",
                        "emoji": False,
                    }
                ],
            },
        ]
    )


def test_a_large_team_is_offered_in_groups() -> None:
    people = tuple(Named(id=an_id(f"p{at}"), name=f"Person {at:03d}") for at in range(250))
    view = build_form(the_form().model_copy(update={"people": people}), ORIGIN)
    assert check_view(view) == []
    groups = view["blocks"][7]["element"]["option_groups"]
    assert [len(group["options"]) for group in groups] == [100, 100, 51]


def test_the_longest_values_fit() -> None:
    form = EditForm(title="t" * 200, details="d" * 3_000)
    assert check_view(build_form(form, ORIGIN)) == []
    assert check_view(build_notice("n" * 500)) == []


def test_what_was_typed_arrives_clean_and_typed() -> None:
    submission = read(
        {
            "title": {"value": " New\ntitle\x00 "},
            "details": {"value": "a\nb"},
            "start": {"selected_date": None},
            "due": {"selected_date": "2026-11-30"},
            "assignee": {"selected_option": {"value": str(an_id("Mig"))}},
        }
    )
    assert read_edits(submission) == TaskEdits(
        title="New title", details="a\nb", due=date(2026, 11, 30), assignee=an_id("Mig")
    )


def test_nobody_is_nobody() -> None:
    edits = read_edits(read({"assignee": {"selected_option": {"value": "nobody"}}}))
    assert isinstance(edits, TaskEdits)
    assert edits.assignee is None


def test_forged_values_are_errors_of_their_fields() -> None:
    errors = read_edits(
        read(
            {
                "due": {"selected_date": "2026-02-30"},
                "assignee": {"selected_option": {"value": "U01INES"}},
            }
        )
    )
    assert isinstance(errors, dict)
    assert sorted(errors) == ["assignee", "due"]


def test_the_same_submission_twice_is_one_and_another_is_another() -> None:
    first = edit_as_stored(read({"title": {"value": "a"}}), 1.0)
    again = edit_as_stored(read({"title": {"value": "a"}}), 2.0)
    other = edit_as_stored(read({"title": {"value": "b"}}), 3.0)
    assert first.key == again.key != other.key
    assert first.place == ORIGIN.place


@pytest.mark.parametrize(
    "body",
    [
        submitted({}, callback_id="another"),
        {"type": "view_submission"},
    ],
)
def test_other_views_are_not_ours(body: dict[str, Any]) -> None:
    assert isinstance(read_submission(body), Ignored)


@pytest.mark.parametrize(
    "changes", [{"private_metadata": "{}"}, {"private_metadata": "no json"}, {"state": None}]
)
def test_our_form_with_contents_we_never_gave_it_is_forged(changes: dict[str, Any]) -> None:
    assert read_submission(submitted({}, **changes)) == ForgedForm(INES)


def test_errors_stand_at_fields_the_form_has() -> None:
    assert shown_errors({"": "It expired.", "body": "Too long.", "due": "Too early."}) == {
        "title": "It expired. Too long.",
        "due": "Too early.",
    }


def test_as_many_facts_as_a_form_takes_fit_into_the_next_one() -> None:
    [known] = [one for one in TaskEdits.model_fields["known"].metadata if isinstance(one, Input)]
    length = min((known.limit - 19) // 20, FACT_LIMIT)
    facts = TaskEdits(title="Refresh", known="\n".join(["n" * length] * 20)).facts

    assert len(form_of(an_effect(facts=facts), ()).known) <= known.limit
