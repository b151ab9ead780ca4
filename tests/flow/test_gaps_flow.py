"""Which questions the admins read as unanswered: those for which nothing was opened or used."""

from __future__ import annotations

import pytest
from acting import INES, ScriptedModel, calls, minded
from pydantic_ai.messages import ModelResponse

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

# By its words alone no procedure is offered as the answer to this.
BARELY = "How do I set up a coupon promotion?"
SEARCH = calls("search_kb", query=BARELY)
OPEN = calls("read_procedure", title="Coupons Promotion SOP")
SIGNS = calls("search_kb", query="How do we paint signs?")
TASK = {"client": "Glintly Inc", "title": "Paint the signs", "objective": "Paint the shop signs."}


async def unmet_after(bench: Bench, agency: Database, *steps: str | ModelResponse) -> list[str]:
    async with minded(bench, agency, ScriptedModel(*steps)) as stage:
        root = await stage.say(INES, "please find out")
        await stage.reply(INES, root)
        await stage.settled()
    rows = await agency.pool.fetch(
        "select question from knowledge_gaps where chosen_id is null order by question"
    )
    return [row["question"] for row in rows]


async def test_a_question_for_which_nothing_is_opened_is_noted_once(
    bench: Bench, agency: Database
) -> None:
    steps = (SIGNS, SIGNS, SEARCH, "I found no procedure for that.")
    assert await unmet_after(bench, agency, *steps) == ["How do we paint signs?"]


@pytest.mark.parametrize("before", [(SEARCH, OPEN), (OPEN, SEARCH)])
async def test_a_question_is_answered_where_a_procedure_was_opened_for_it(
    bench: Bench, agency: Database, before: tuple[ModelResponse, ...]
) -> None:
    said = "The Coupons Promotion SOP has the steps."
    assert await unmet_after(bench, agency, *before, said) == []


async def test_a_question_is_answered_where_the_reply_states_its_source(
    bench: Bench, agency: Database
) -> None:
    rests = calls("reply", text="That is in it.", sources=["Coupons Promotion SOP"])
    assert await unmet_after(bench, agency, SEARCH, rests) == []


async def test_a_title_that_is_only_mentioned_answers_nothing(
    bench: Bench, agency: Database
) -> None:
    said = "Nothing says it; the Coupons Promotion SOP is only the closest."
    assert await unmet_after(bench, agency, SEARCH, said) == [BARELY]


async def test_a_task_answers_a_question_where_it_rests_on_a_procedure(
    bench: Bench, agency: Database
) -> None:
    rests = calls("create_task", **TASK, procedure={"title": "Coupons Promotion SOP"})
    assert await unmet_after(bench, agency, SIGNS, rests, "It is on the card.") == []


async def test_a_task_that_rests_on_no_procedure_is_noted(bench: Bench, agency: Database) -> None:
    rests = calls("create_task", **TASK, procedure={"none_because": "None is about signs."})
    assert len(await unmet_after(bench, agency, rests, "It is on the card.")) == 1
