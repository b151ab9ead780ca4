"""Of an answer a person sees what the judge has read, and no word more."""

from __future__ import annotations

import asyncio

from agencyclaw.agents.policies.writing import BeginningJudge, Draft

SENTENCE = "The garlic press is the best seller of the range, and has been since the spring. "
LONG = SENTENCE * 4


class Judge:
    """Reads when it is let, and gives this verdict."""

    def __init__(self, *, may_be_read: bool = True) -> None:
        self.let = asyncio.Event()
        self.done = asyncio.Event()
        self.read: list[str] = []
        self._may_be_read = may_be_read

    async def judge(self, beginning: str) -> bool:
        """Judge a beginning."""
        self.read.append(beginning)
        await self.let.wait()
        asyncio.get_running_loop().call_soon(self.done.set)
        return self._may_be_read


def begun(judge: Judge) -> tuple[Draft, BeginningJudge]:
    draft = Draft()
    draft.discard(is_reply=True)
    draft.append(f'{{"changes":"prepared","text":"{LONG}')
    return draft, BeginningJudge(draft, judge.judge)


async def test_nothing_is_shown_before_it_was_read_and_then_as_much_as_was() -> None:
    judge = Judge()
    draft, reading = begun(judge)

    reading.judge_next()
    assert draft.checked() == ""
    judge.let.set()
    await judge.done.wait()

    assert draft.checked().strip() == judge.read[0].strip()
    draft.append(SENTENCE)
    reading.judge_next()
    assert draft.checked().strip() == judge.read[0].strip()
    assert len(judge.read) == 1


def test_a_whole_sentence_is_shown_where_no_space_follows_it() -> None:
    draft = Draft()

    draft.append("七件あります。次の")

    assert draft.checked() == "七件あります。"


async def test_what_would_mislead_is_never_shown_nor_what_comes_after() -> None:
    judge = Judge(may_be_read=False)
    draft, reading = begun(judge)
    judge.let.set()

    reading.judge_next()
    await judge.done.wait()
    draft.append(SENTENCE)
    reading.judge_next()

    assert draft.checked() == ""


async def test_a_long_answer_is_read_four_times_at_most() -> None:
    judge = Judge()
    judge.let.set()
    draft, reading = begun(judge)

    for _ in range(8_000 // len(SENTENCE)):
        reading.judge_next()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        draft.append(SENTENCE)

    assert len(judge.read) <= 4


async def test_what_was_read_before_a_typed_reply_clears_no_word_of_the_reply() -> None:
    judge = Judge()
    draft = Draft()
    draft.append(LONG)
    reading = BeginningJudge(draft, judge.judge)
    reading.judge_next()
    await asyncio.sleep(0)

    draft.discard(is_reply=True)
    draft.append(f'{{"changes":"none","text":"{LONG.replace("press", "peeler")}')
    reading.judge_next()
    assert draft.checked() == ""
    judge.let.set()
    await judge.done.wait()

    assert draft.checked() == ""
    reading.judge_next()
    await asyncio.sleep(0)
    assert "peeler" in judge.read[-1]
