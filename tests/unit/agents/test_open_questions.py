"""Which questions of tools are still open when a run answers."""

from __future__ import annotations

import pytest
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
)

from agencyclaw.agents.open_questions import open_questions
from agencyclaw.domain.choices import fixed
from agencyclaw.tools.clients import ClientList
from agencyclaw.tools.results import Ask, Proposed

QUESTION = Ask(question="Which one?", options=(fixed("Copperleaf"), fixed("Nordvent")))
MARKET = Ask(question="Which marketplace?", options=(fixed("US"), fixed("CA")))
CARD = Proposed(summary="A task.", where="Coupons", note="")
LIST = ClientList(clients=(), total=0)
COUPON = ("create_task", "Coupon", QUESTION)
Step = tuple[str, str, Ask | Proposed | ClientList]


def batches(*batches: list[Step]) -> list[ModelMessage]:
    """One request for each batch of calls: the tool, its title and what it returned."""
    messages: list[ModelMessage] = []
    for number, steps in enumerate(batches):
        ids = [f"call_{number}_{place}" for place in range(len(steps))]
        calls = [
            ToolCallPart(tool, {"title": title}, call_id)
            for call_id, (tool, title, _) in zip(ids, steps, strict=True)
        ]
        returns = [
            ToolReturnPart(tool, content, call_id)
            for call_id, (tool, _, content) in zip(ids, steps, strict=True)
        ]
        messages += [ModelResponse(parts=calls), ModelRequest(parts=returns)]
    return messages


@pytest.mark.parametrize(
    ("then", "is_open"),
    [
        ([], True),
        ([("create_task", "Images", CARD)], True),
        ([("remind", "", CARD), ("create_task", "Images", CARD)], True),
        ([("create_task", "coupon", CARD)], False),
        ([("create_task", "Images", CARD), ("create_task", "Coupon", CARD)], False),
        ([("lookup_client", "", LIST)], False),
        ([("lookup_client", "", LIST), ("create_task", "Images", CARD)], False),
    ],
)
def test_a_question_stays_open_while_other_things_are_prepared(
    then: list[Step], is_open: bool
) -> None:
    messages = batches([COUPON], *([step] for step in then))

    assert open_questions(messages) == ([QUESTION] if is_open else [])


def test_a_question_that_the_answer_puts_is_open_whatever_was_looked_up_since() -> None:
    messages = batches([COUPON], [("lookup_client", "", LIST), ("create_task", "Images", CARD)])

    assert open_questions(messages, "Is it for Copperleaf or Nordvent?") == [QUESTION]
    assert open_questions(messages, "It is for Copperleaf.") == []


def test_the_question_of_a_look_up_ends_with_what_is_prepared_unless_the_answer_puts_it() -> None:
    messages = batches([("catalog_lookup", "", QUESTION)], [("create_task", "Images", CARD)])

    assert open_questions(messages) == []
    assert open_questions(messages, "Is it for Copperleaf or Nordvent?") == [QUESTION]


def test_an_option_whose_name_is_part_of_anothers_has_to_be_named_beside_it() -> None:
    alike = Ask(question="Which one?", options=(fixed("Glintly"), fixed("Glintly Inc")))
    messages = batches([("catalog_lookup", "", alike)], [("create_task", "Images", CARD)])

    assert open_questions(messages, "These are of Glintly Inc; the due date?") == []
    assert open_questions(messages, "Is it Glintly or Glintly Inc?") == [alike]


def test_a_piece_of_a_word_names_no_option() -> None:
    messages = batches([("kpi_targets", "", MARKET)], [("create_task", "Images", CARD)])

    assert open_questions(messages, "The focus is on all cases.") == []
    assert open_questions(messages, "Is it for the US or CA?") == [MARKET]


def test_a_look_up_beside_a_question_does_not_settle_it() -> None:
    assert open_questions(batches([COUPON, ("lookup_client", "", LIST)])) == [QUESTION]


def test_all_questions_at_once_are_open() -> None:
    other = ("create_task", "Images", MARKET)

    assert open_questions(batches([COUPON, other])) == [QUESTION, MARKET]
    assert open_questions(batches([COUPON], [other])) == [QUESTION, MARKET]


def test_of_a_question_that_was_put_again_only_the_last_is_open() -> None:
    assert open_questions(batches([COUPON], [("create_task", "Coupon", MARKET)])) == [MARKET]
