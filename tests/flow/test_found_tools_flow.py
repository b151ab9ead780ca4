"""A tool that a search found stays in sight until others that were found need its room."""

from __future__ import annotations

import pytest
from acting import INES, ScriptedModel, calls, minded
from pydantic_ai.messages import ModelResponse

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

# The second leaves no room for the first.
CHART, GATE = "cc_org_chart_ascii", "clickup_task_quality_gate"


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


async def test_what_was_found_stays_while_the_talk_goes_on(bench: Bench, agency: Database) -> None:
    mind = await offered_after(bench, agency, search("org chart"), "Found.", "1", "2")

    found, *later = mind.offered[1:]
    assert CHART in found
    assert all(offered == found for offered in later)


async def test_tools_change_only_where_a_search_finds_others(
    bench: Bench, agency: Database
) -> None:
    searches = search("org chart"), search(GATE)
    mind = await offered_after(bench, agency, *searches, "Found.", "1")

    before, once, found, *later = mind.offered
    assert once - before == {CHART}
    assert found - before == {GATE}
    assert all(offered == found for offered in later)
    assert "These tools are no longer loaded" in mind.heard()


@pytest.mark.parametrize("failing", [("",), ("org chart",) * 4], ids=["rejected", "repeated"])
async def test_a_failed_search_leaves_later_messages_answerable(
    bench: Bench, agency: Database, failing: tuple[str, ...]
) -> None:
    searches = [search(query) for query in failing]
    mind = await offered_after(bench, agency, *searches, "Nothing found.", "Still here.")

    assert "Nothing found." in mind.heard()
    assert len(mind.told) == len(searches) + 3
