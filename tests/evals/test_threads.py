"""Twelve threads of people: what is for the assistant is answered, and all else is left alone."""

from __future__ import annotations

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo

from agencyclaw.domain.replies import NOT_FOR_ME
from evals.threads.__main__ import closing_line, lines_of
from evals.threads.cases import ASSISTANT, Gold, Happening, ThreadCase, load_threads
from evals.threads.playing import Outcome, Script, Thread, play
from evals.world import Ground

CASES = load_threads()


class Talkative(Script):
    """Answers whatever it is asked."""

    async def answer(self, _: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        return ModelResponse(parts=[TextPart("How interesting.")])


class Shy(Script):
    """Speaks only to who called first."""

    asked = 0

    async def answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.asked += 1
        if self.asked == 1 or NOT_FOR_ME not in {tool.name for tool in info.output_tools}:
            return await super().answer(messages, info)
        return ModelResponse(parts=[ToolCallPart(NOT_FOR_ME, {})])


def test_there_are_twelve_threads_of_five_people_and_sixty_messages() -> None:
    assert len(CASES) == 12
    assert {len(_said(case.before)) for case in CASES} == {40}
    assert {len(_said(case.after)) for case in CASES} == {20}
    assert {sum(one.is_for_us for one in case.after) for case in CASES} == {3}
    assert {len(case.gold) for case in CASES} == {4}
    assert min(len({one.by for one in case.before}) for case in CASES) == 5


def _said(happenings: tuple[object, ...]) -> list[object]:
    return [one for one in happenings if getattr(one, "kind", "") == "says"]


@pytest.mark.parametrize("case", CASES, ids=lambda one: one.name)
def test_the_script_says_what_is_to_be_said(case: ThreadCase) -> None:
    assert [list(one.complaints(one.answer)) for one in case.gold] == [[]] * 4


@pytest.mark.parametrize("case", CASES, ids=lambda one: one.name)
async def test_the_three_are_answered_and_code_keeps_silent_for_most_of_the_others(
    ground: Ground, case: ThreadCase
) -> None:
    played = await play(ground, case)

    by_code = {"banner": 15, "launch": 15, "mail": 15, "edits": 13, "hiring": 13, "quotes": 13}
    silent = by_code.get(case.name, 14)
    assert closing_line([played]) == (
        f"threads: 1, 3 answered, {silent} silent without a model, {17 - silent} silent by the"
        " model, 0 wrongly answered, 0 wrongly silent, 0 complaints about words"
    )


async def test_a_model_that_answers_everybody_is_noticed(ground: Ground) -> None:
    [case] = load_threads("hiring")

    played = await play(ground, case, Talkative())

    assert played.count(Outcome.WRONGLY_ANSWERED) > 3
    assert any(line.startswith("  wrongly answered: ") for line in lines_of(played))
    assert any("does not say '4 January'" in line for line in lines_of(played))


async def test_an_answer_to_an_edit_is_noticed(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    [case] = load_threads("edits")
    short = case.model_copy(update={"after": case.after[:8]})
    do = Thread.do

    async def answered(self: Thread, one: Happening) -> str:
        ts = await do(self, one)
        if one.kind == "edits" and one in case.after:
            told = {"user": ASSISTANT, "thread_ts": self.root, "text": "As you say now."}
            stamp = f"{float(self.said[-1][1]) + 0.0001:.6f}"
            place = f"slack/messages/{self.channel}"
            self.bench.storage.put(place, stamp, {"type": "message", "ts": stamp, **told})
        return ts

    monkeypatch.setattr(Thread, "do", answered)
    assert any(one.kind == "edits" for one in short.after)

    played = await play(ground, short)

    assert any("answers besides" in one for one in played.complaints)


async def test_a_model_that_keeps_silent_too_often_is_noticed(ground: Ground) -> None:
    [case] = load_threads("banner")

    played = await play(ground, case, Shy())

    assert "  wrongly silent: tomas: and with the box or without?" in lines_of(played)


def test_a_fact_has_wordings_and_some_words_are_wrong() -> None:
    gold = Gold(answer="", says=("4 % | four",), never=("five",))

    assert list(gold.complaints("Four, I think")) == []
    assert list(gold.complaints("five")) == ["does not say '4 % | four'", "says 'five'"]


def test_a_fact_is_whole_words_and_whole_figures() -> None:
    gold = Gold(answer="", says=("you", "7", "10", "4 %", "1,200"), never=("lite",))

    assert [*gold.complaints("You: 7, 10 or 4 %, of 1,200.")] == []
    parts = gold.complaints("Your 17 and 1,7 elite 10,000 of 4 pcs. for 11,200")
    assert [*parts] == [f"does not say {one!r}" for one in gold.says]
