"""What a run remembers."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from pydantic_ai.messages import (
    ModelMessage,
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from agencyclaw.agents.history import (
    PASTED_TURNS,
    Exchange,
    apply_age,
    user_texts,
)
from agencyclaw.agents.replay import ReplayCache, ReplayedRun, fit_window
from agencyclaw.agents.thread import window_of

START = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


def stored(*messages: ModelMessage) -> list[dict[str, Any]]:
    return json.loads(ModelMessagesTypeAdapter.dump_json(list(messages)))


def exchange(
    said: str, answered: str, *, minute: int = 0, same_thread: bool = True, result: Any = ""
) -> Exchange:
    messages: list[ModelMessage] = [ModelRequest(parts=[UserPromptPart(["[Situation] …", said])])]
    if result:
        messages += [
            ModelResponse(parts=[ToolCallPart("list_tasks", {"client": "Glintly"}, "call_1")]),
            ModelRequest(parts=[ToolReturnPart("list_tasks", result, "call_1")]),
        ]
    messages.append(ModelResponse(parts=[TextPart(answered)]))
    return Exchange(
        UUID(int=minute + 1), same_thread, START + timedelta(minutes=minute), stored(*messages)
    )


def replay(exchanges: list[Exchange]) -> list[ReplayedRun]:
    return ReplayCache().get_all(exchanges)


def load_window(exchanges: list[Exchange], *, budget_tokens: int = 8_000) -> list[ModelMessage]:
    return window_of(fit_window(replay(exchanges), None, budget_tokens=budget_tokens), None, {})


def texts(messages: list[ModelMessage]) -> list[str]:
    return [
        str(part.content)
        for message in messages
        for part in message.parts
        if isinstance(part, UserPromptPart | TextPart)
    ]


def test_what_a_person_said_stays_whole_without_the_situation() -> None:
    window = load_window([exchange("what is due?", "Three tasks.")])

    assert texts(window) == ["what is due?", "Three tasks."]


def test_the_newest_exchanges_that_fit_in_order() -> None:
    exchanges = [exchange(f"question {n}", "word " * 200, minute=n) for n in range(10)]

    window = load_window(exchanges, budget_tokens=1_000)

    kept = [text for text in texts(window) if text.startswith("question")]
    assert kept == ["question 6", "question 7", "question 8", "question 9"]
    assert len(window) == 2 * len(kept)


def test_of_a_thread_of_forty_messages_the_newest_part_goes_in() -> None:
    window = load_window([exchange(f"about {n}", "x " * 90, minute=n) for n in range(20)])

    assert [text for text in texts(window) if text.startswith("about")] == [
        f"about {n}" for n in range(20)
    ]
    short = load_window(
        [exchange(f"about {n}", "x " * 90, minute=n) for n in range(20)], budget_tokens=500
    )
    assert texts(short)[0] == "about 15"


def test_the_thread_goes_before_the_rest_of_the_conversation() -> None:
    here = exchange("in this thread", "yes", minute=0)
    elsewhere = exchange("in another thread", "no", minute=5, same_thread=False)

    window = load_window([here, elsewhere])

    assert texts(window) == [
        "(earlier, in another thread) in another thread",
        "no",
        "in this thread",
        "yes",
    ]


def test_a_long_result_is_cut_and_names_the_key_that_brings_it_back() -> None:
    [_, _, returned, _] = load_window([exchange("q", "a", result="task " * 200)])

    part = returned.parts[0]
    assert isinstance(part, ToolReturnPart)
    assert len(str(part.content)) < 420
    assert f"ev:{UUID(int=1).hex[:8]}/" in str(part.content)


def test_a_cut_result_keeps_its_names_and_says_how_much_is_missing() -> None:
    rows = [
        {"title": f"Task {n}", "url": f"https://app.clickup.com/t/{n}", "about": "long " * 40}
        for n in range(7)
    ]
    [_, _, returned, _] = load_window([exchange("q", "a", result={"tasks": rows, "total": 7})])

    said = str(returned.parts[0].content)
    assert "Task 0" in said
    assert said.startswith('{"total":7} {"tasks":["the first of 7:"')


@pytest.mark.parametrize("chars", [20, 60, 200])
def test_the_rows_of_a_cut_result_are_whole(chars: int) -> None:
    rows = [{"about": "x" * chars, "brand": "Glintly", "title": f"Task {n}"} for n in range(30)]
    found = {"note": "By due date, tasks without one are not in it. " * 3, "tasks": rows}
    [_, _, returned, _] = load_window([exchange("q", "a", result={**found, "brands": ["A", "B"]})])

    said = str(returned.parts[0].content)
    _, _, written = said.partition('{"brands":["A","B"],"tasks":["the first of 30:",')
    listed, _, _ = written.partition("]} [whole result: ev:")
    shown = json.loads(f"[{listed}]")
    assert [row["title"] for row in shown] == [f"Task {n}" for n in range(len(shown))]
    assert shown


def test_a_call_and_its_result_stay_together() -> None:
    exchanges = [exchange("q", "a", minute=n, result="row " * 600) for n in range(20)]

    window = load_window(exchanges, budget_tokens=900)

    calls = [p.tool_call_id for m in window for p in m.parts if isinstance(p, ToolCallPart)]
    returns = [p.tool_call_id for m in window for p in m.parts if isinstance(p, ToolReturnPart)]
    assert calls == returns
    assert window[0].parts[0].part_kind == "user-prompt"


def test_nothing_stored_is_nothing_remembered() -> None:
    assert load_window([]) == []


def test_an_answer_that_was_rejected_is_forgotten_with_its_feedback() -> None:
    told = "Your previous response failed.\n<retry_feedback>\nIt is empty.\n</retry_feedback>"
    contents = stored(
        ModelRequest(parts=[UserPromptPart(["[Situation] …", "how many?"])]),
        ModelResponse(parts=[TextPart("Let me check.")]),
        ModelRequest(parts=[UserPromptPart(told)]),
        ModelResponse(parts=[TextPart("Seven.")]),
    )

    window = load_window([Exchange(UUID(int=1), True, START, contents)])

    assert texts(window) == ["how many?", "Seven."]


def test_an_exchange_that_cannot_be_read_is_left_out() -> None:
    broken = Exchange(UUID(int=1), True, START, [{"kind": "poem"}])

    window = load_window([broken, exchange("what is due?", "Three tasks.", minute=5)])

    assert texts(window) == ["what is due?", "Three tasks."]


def test_a_run_is_read_once_and_told_apart_by_who_may_see_it() -> None:
    run = exchange("what is due?", "Three tasks.")
    replays = ReplayCache(max_size=2)

    [first] = replays.get_all([run])
    [again] = replays.get_all([run])
    [overheard] = replays.get_all([replace(run, is_own=False)])

    assert again is first
    assert overheard is not first
    assert first.messages == load_window([run])
    # The oldest makes room.
    replays.get_all([exchange("and next week?", "None.", minute=1)])
    assert replays.get_all([run])[0] is not first


def test_what_tools_returned_goes_with_age_and_block_by_block() -> None:
    exchanges = [exchange(f"q{n}", f"a{n}", minute=n, result="three") for n in range(17)]

    def with_results(count: int) -> list[int]:
        window = replay(apply_age(exchanges[:count]))
        return [at for at, one in enumerate(window) if len(one.messages) == 4]

    assert with_results(2) == [0, 1]
    assert with_results(3) == [2]
    assert with_results(4) == [2, 3]
    assert with_results(17) == [16]
    assert texts(load_window(apply_age(exchanges)))[:4] == ["q0", "a0", "q1", "a1"]


def test_of_a_long_answer_the_beginning_outlasts_the_results() -> None:
    long = "Three of them are late. " * 40
    told = exchange("what is late?", long)
    later = [exchange(f"q{n}", f"a{n}", minute=n) for n in range(1, 4)]

    assert long in texts(load_window(apply_age([told, *later[:1]])))
    old = texts(load_window(apply_age([told, *later])))
    assert long not in old
    assert old[1].startswith("Three of them are late. " * 16)
    assert old[1].endswith("… [the rest of this answer is out of sight by now]")


ITEM = "- **Due today:** [{title}](https://app.clickup.com/t/86b{n}) – Brightkettle, high"
ITEMS = [
    ITEM.format(title=f"Fix the suppressed listing of the Nordvent Tower Fan, number {n}", n=n)
    for n in range(6)
]
PLATE = "\n".join(["You have 6 open tasks, 1 overdue:", "", *ITEMS])


@pytest.mark.parametrize("count", range(2, 12))
def test_the_last_two_answers_stay_whole_up_to_a_length(count: int) -> None:
    told = [exchange(f"q{n}", f"{PLATE}\n- {n}", minute=n) for n in range(count)]

    answers = texts(load_window(apply_age(told)))[1::2]
    assert answers[-2:] == [f"{PLATE}\n- {n}" for n in range(count - 2, count)]

    endless = [exchange(f"q{n}", "One more line of it.\n" * 400, minute=n) for n in range(3)]
    assert len(texts(load_window(apply_age(endless)))[3]) < 1_800


def test_an_old_answer_is_cut_between_its_items_and_says_what_brings_them_back() -> None:
    told = exchange("my plate", PLATE, result={"tasks": [], "note": "All of them."})
    later = [exchange(f"q{n}", f"a{n}", minute=n) for n in range(1, 5)]

    old = texts(load_window(apply_age([told, *later])))[1]
    kept, _, rest = old.partition("… [")
    lines = kept.splitlines()
    assert 3 < len(lines) < 8
    assert lines == PLATE.splitlines()[: len(lines)]
    assert rest.startswith("the rest of this answer is out of sight by now; looked up for it: ev:")


def test_an_answer_whose_first_item_keeps_it_whole_is_not_said_to_have_a_rest() -> None:
    whole = f"{'Of all of them one is late. ' * 9}\n- {'The claim for the bread bin. ' * 8}"
    ended = f"{whole}\n\nShall I?"
    later = [exchange(f"q{n}", f"a{n}", minute=n) for n in range(1, 5)]

    for told in (whole, ended):
        assert len(told) > 400
        old = texts(load_window(apply_age([exchange("what is late?", told), *later])))
        assert old[1].rstrip() == told.rstrip()


def test_a_result_whose_first_item_keeps_it_whole_is_not_said_to_go_on() -> None:
    text = f"{'One is late. ' * 12}\n- {'The claim for the bread bin. ' * 8}".rstrip()
    told = exchange("q", "a", result={"text": text, "note": "All of them. " * 40})
    later = [exchange(f"q{n}", f"a{n}", minute=n, result="three") for n in range(1, 2)]
    window = load_window([told, *later])

    [result, *_] = [p.content for m in window for p in m.parts if isinstance(p, ToolReturnPart)]
    assert text in str(result)
    assert f"{text}…" not in str(result)


def test_no_link_of_an_old_answer_is_cut() -> None:
    link = "[the claim for the bread bin](https://app.clickup.com/t/86b10063z)"
    later = [exchange(f"q{n}", f"a{n}", minute=n) for n in range(1, 5)]

    for before in range(330, 405):
        text = f"{'word ' * (before // 5)}{link} and more. " + "Rest. " * 90
        told = exchange("what is it?", text)
        old = texts(load_window(apply_age([told, *later])))[1].partition("… [")[0]
        assert old.count(link) == old.count("[") == old.count("86b")


def test_of_a_long_answer_the_question_below_it_stays_in_sight() -> None:
    told = exchange("what is late?", f"{'Three of them are late. ' * 40}\n\nWhich one first?")
    later = [exchange(f"q{n}", f"a{n}", minute=n) for n in range(1, 4)]

    old = texts(load_window(apply_age([told, *later])))
    assert len(old[1]) < 500
    assert old[1].endswith("… [more of this answer is out of sight by now]\n\nWhich one first?")


def test_a_threads_own_results_are_kept_before_those_of_other_threads() -> None:
    own = [exchange(f"q{n}", f"a{n}", minute=n, result="three") for n in range(4)]
    others = [
        exchange(f"o{n}", f"b{n}", minute=10 + n, same_thread=False, result="four")
        for n in range(8)
    ]

    window = load_window(apply_age([*own, *others]))

    results = [p.content for m in window for p in m.parts if isinstance(p, ToolReturnPart)]
    assert results == ["three"] * 2


def test_a_pasted_text_ages_out_of_what_may_be_rested_on() -> None:
    notes = "Notes of the call. " * 60
    pasted = replace(exchange(notes, "I read them."), is_pasted=True)
    later = [exchange(f"q{n}", f"a{n}", minute=n) for n in range(1, PASTED_TURNS + 1)]

    fresh, old = apply_age([pasted, *later[:-1]]), apply_age([pasted, *later])

    assert notes in user_texts(fresh)
    assert notes in texts(load_window(fresh))
    assert notes not in user_texts(old)
    assert texts(load_window(old))[0].startswith("Notes of the call.")
    key = f"whole text: ev:{str(pasted.run_id)[:8]}/00000000]"
    assert texts(load_window(old))[0].endswith(f"out of sight by now; {key}")
    theirs = replace(pasted, is_own=False)
    assert "to be pasted again]" in texts(load_window(apply_age([theirs, *later])))[0]
    assert texts(load_window(apply_age([exchange(notes, "typed"), *later])))[0] == notes


def test_a_result_is_named_by_the_beginnings_of_its_ids() -> None:
    seen = exchange("q", "a", result="task " * 200)
    [_, _, returned, _] = load_window([seen])

    run = str(UUID(int=1))[:8]
    assert re.search(rf"\[whole result: ev:{run}/[0-9a-f]{{8}}\]$", str(returned.parts[0].content))


def test_what_was_prepared_is_told_once() -> None:
    proposed = {
        "kind": "proposed",
        "summary": "Create the task “Banner” for Glintly",
        "where": "Glintly / Tasks",
        "fields": {"Client": "Glintly Inc", "Brand": "Glintly"},
        "missing": ["Due date: not stated."],
        "note": "Nothing has been created yet.",
    }

    [_, _, returned, _] = load_window([exchange("q", "a", result=proposed)])

    part = returned.parts[0]
    assert isinstance(part, ToolReturnPart)
    assert part.content == "prepared, on a card"


def test_of_an_opened_procedure_the_text_outlasts_the_cut() -> None:
    opened = {"category": "Promotions", "parts": 1, "text": "Settle the products. " * 60}
    [_, _, returned, _] = load_window([exchange("q", "a", result={**opened, "title": "Coupons"})])

    said = str(returned.parts[0].content)
    assert said.startswith("Settle the products. " * 10)
    assert '"title":"Coupons"' in said
    assert "whole result: ev:" in said


def test_of_a_search_every_title_outlasts_the_cut_and_the_texts_go() -> None:
    titles = [f"{name} SOP of the agency, in its third version" for name in "ABCDEFG"]
    hits = [{"title": one, "category": "ads", "excerpt": "Do this first. " * 40} for one in titles]
    found = {"found": True, "confidence": 0.7, "procedures": hits[:4], "documents": hits[4:]}
    [_, _, returned, _] = load_window([exchange("q", "a", result=found)])

    said = str(returned.parts[0].content)
    assert [one for one in titles if one not in said] == []
    assert "whole result: ev:" in said
    assert len(said) < 700
