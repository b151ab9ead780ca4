"""What keeps a card from being prepared, gathered into one question or one refusal."""

from __future__ import annotations

from agencyclaw.domain.choices import fixed
from agencyclaw.domain.errors import NotMapped, Refused
from agencyclaw.tools.lacking import Lacking, ask_together
from agencyclaw.tools.results import QUESTION_LIMIT, Ask


def test_what_is_refused_says_the_same_however_often_it_is_asked() -> None:
    lacking = Lacking(remarks=["Nobody has it."])
    lacking.refuse(Refused("No such day.", reason="bad_day"))
    lacking.refuse(NotMapped("It has no list.", reason="not_mapped"))
    words = "No such day.\nIt has no list.\nNobody has it."
    refusals = [lacking.refusal() for _ in range(2)]

    assert [(one.message, str(one)) for one in refusals] == [(words, words)] * 2
    assert all(isinstance(one, NotMapped) and one.reason == "not_mapped" for one in refusals)


def test_however_many_questions_there_are_it_is_said_which_one_the_buttons_answer() -> None:
    options = tuple(fixed(one * 30) for one in "abcde")
    asks = [Ask(question=f"Which is {at}?", options=options) for at in range(40)]
    asked = ask_together(asks)

    assert len(asked.question) <= QUESTION_LIMIT
    assert asked.options == options
    assert asked.question.endswith("…\nThe buttons answer 1; the rest is asked for next.")
