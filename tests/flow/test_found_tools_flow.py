"""A tool that a search found is in sight while it is used, and goes when talk moves on."""

from __future__ import annotations

import pytest
from acting import INES, ScriptedModel, calls, minded
from pydantic_ai.messages import ModelResponse

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

CHART, TARGETS = "cc_org_chart_ascii", "kpi_target_lookup"


def search(*queries: str) -> ModelResponse:
    return calls("search_tools", queries=list(queries))


async def offered_after(
    bench: Bench, agency: Database, *answers: ModelResponse | str
) -> ScriptedModel:
    """Hold a talk in which each words of the model ends a turn."""
    mind = ScriptedModel(*answers, "Bye.")
    async with minded(bench, agency, mind) as stage:
        turns = 1 + sum(isinstance(one, str) for one in answers)
        root = await stage.say(INES, "question 0")
        await stage.reply(INES, root)
        for index in range(1, turns):
            await stage.say(INES, f"question {index}", thread=root)
            await stage.reply(INES, root, index=index)
    return mind


async def test_a_search_loads_what_is_close_and_no_more(bench: Bench, agency: Database) -> None:
    mind = await offered_after(bench, agency, search("org chart"), "Found.")

    assert mind.offered[1] - mind.offered[0] == {CHART}
    assert mind.offered[2] == mind.offered[1]


async def test_what_is_not_used_is_let_go_after_one_more_message(
    bench: Bench, agency: Database
) -> None:
    found = search("org chart"), "Found."
    mind = await offered_after(bench, agency, *found, "1")

    *kept, last = [CHART in offered for offered in mind.offered[1:]]
    assert all(kept)
    assert not last
    assert "These tools are no longer loaded" in mind.heard()


async def test_what_is_used_stays_however_long_and_goes_after_one_more_message(
    bench: Bench, agency: Database
) -> None:
    look = calls(CHART, client="Glintly Inc")
    used = [answer for number in range(4) for answer in (look, f"{number}")]
    found = search("org chart", "target ACOS"), "Found."
    mind = await offered_after(bench, agency, *found, *used, "5")

    assert {CHART, TARGETS} <= mind.offered[1]
    *kept, last = [CHART in offered for offered in mind.offered[1:]]
    assert all(kept)
    assert not last
    assert TARGETS not in mind.offered[-2]


@pytest.mark.parametrize("failing", [("",), ("org chart",) * 4], ids=["rejected", "repeated"])
async def test_a_failed_search_leaves_later_messages_answerable(
    bench: Bench, agency: Database, failing: tuple[str, ...]
) -> None:
    searches = [search(query) for query in failing]
    mind = await offered_after(bench, agency, *searches, "Nothing found.", "Still here.")

    assert "Nothing found." in mind.heard()
    assert len(mind.told) == len(searches) + 3
