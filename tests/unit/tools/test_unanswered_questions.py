"""What an admin reads of questions that nothing answered, and of names that they suggest."""

from __future__ import annotations

import pytest

from agencyclaw.domain.sops import OpenGap
from agencyclaw.tools.unanswered_questions import list_unanswered_questions
from tests.fakes.ports import NOW, an_id, context, demo_agency

TITLE = "Coupons Promotion SOP"


def a_gap(question: str) -> OpenGap:
    return OpenGap(id=an_id(question), question=question, asked=1, last_asked=NOW, chosen=TITLE)


async def test_names_are_suggested_behind_many_questions_that_suggest_none() -> None:
    agency = demo_agency()
    named = [a_gap(f"{TITLE}, point {number}?") for number in range(20)]
    agency.knowledge.read_gaps = [*named, a_gap("clippy stickers")]

    listed = await list_unanswered_questions(context(agency.run()))

    assert [name.question for name in listed.suggested_names] == ["clippy stickers"]
    assert listed.note == "Every question found its answer."


async def test_the_words_of_a_search_are_said_to_be_the_assistants() -> None:
    agency = demo_agency()
    agency.knowledge.unmet_gaps = [a_gap("clippy stickers")]

    listed = await list_unanswered_questions(context(agency.run()))

    assert "worded as you searched" in listed.note


@pytest.mark.parametrize(("count", "shown", "is_all"), [(15, 15, True), (16, 15, False)])
async def test_the_note_says_that_there_are_more_where_names_were_left_out(
    count: int, shown: int, is_all: bool
) -> None:
    agency = demo_agency()
    agency.knowledge.read_gaps = [a_gap(f"clippy {number}") for number in range(count)]

    listed = await list_unanswered_questions(context(agency.run()))

    assert len(listed.suggested_names) == shown
    assert ("there are more" not in listed.note) is is_all
