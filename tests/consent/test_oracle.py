"""The rules of consent, stated a second time: what that says of single cases, and of all."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from random import Random

import pytest

from tests.consent.oracle import decide
from tests.consent.played import cases, verdicts
from tests.consent.scene import COLLEAGUE, HERE, MAIN, OTHER_APP, OWNER, Case, Scene, Usual
from tests.consent.transcript import (
    OUR_APP,
    Button,
    Carried,
    Change,
    Kind,
    Message,
    Press,
    Said,
    State,
    instant,
)
from tests.consent.twists.proposals import suspend
from tests.consent.verdict import Cancels, Confirms, NotConsent, Reason, Refused, Verdict, touched
from tests.consent.words import ACKNOWLEDGEMENTS, NO, YES, Reading, asks, reading_of

FOLDER = Path(__file__).parent
BESIDE_THE_PRODUCT = {"heard", "moves", "product", "selecting", "test_oracle", "wire", "without"}


def scene(usual: Usual | None = None, seed: int = 1) -> Scene:
    return Scene(Random(seed), usual or Usual())


def verdict_of(scene: Scene) -> Verdict:
    case = scene.case(())
    return decide(case.transcript, case.act)


def confirmed_by_word() -> Iterator[tuple[Case, Message]]:
    for case, verdict in zip(cases(), verdicts(), strict=True):
        if isinstance(case.act, Said) and isinstance(verdict, Confirms):
            yield case, word_of(case, case.act)


def word_of(case: Case, act: Said) -> Message:
    return next(m for m in case.transcript.messages if (m.channel, m.ts) == (act.channel, act.ts))


def with_line(case: Case, line: Message) -> Case:
    messages = sorted((*case.transcript.messages, line), key=lambda m: (m.channel, m.ts))
    return replace(case, transcript=replace(case.transcript, messages=tuple(messages)))


def with_word(case: Case, word: Message) -> Case:
    assert isinstance(case.act, Said)
    old = word_of(case, case.act)
    messages = tuple(word if message is old else message for message in case.transcript.messages)
    return replace(case, transcript=replace(case.transcript, messages=messages))


def moved(ts: str, micros: int) -> str:
    seconds, fraction = ts.split(".")
    moment = int(seconds) * 10**6 + int(fraction) + micros
    return f"{moment // 10**6}.{moment % 10**6:06d}"


def decided(case: Case) -> Verdict:
    return decide(case.transcript, case.act)


# The statement itself.


def test_the_statement_knows_nothing_of_the_product() -> None:
    for path in FOLDER.rglob("*.py"):
        if path.stem in BESIDE_THE_PRODUCT:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if name.startswith("agencyclaw")], path


def test_a_plain_yes_and_a_press_confirm_and_a_no_cancels() -> None:
    assert verdict_of(scene()) == Confirms(frozenset({MAIN}))
    assert verdict_of(scene(Usual(where="top"))) == Confirms(frozenset({MAIN}))
    assert verdict_of(scene(Usual(act=Button.CONFIRM))) == Confirms(frozenset({MAIN}))
    assert verdict_of(scene(Usual(act=Reading.NO))) == Cancels(frozenset({MAIN}))


def thanks_to_a_colleague() -> Scene:
    play = scene(Usual(place="words"))
    said = play.line(10, COLLEAGUE, text="The images are there", thread=play.thread)
    assert play.word
    assert said.ts < play.word.ts
    play.word = replace(play.word, text="ok, great, thanks")
    return play


def sure_to_another_question() -> Scene:
    play = scene()
    play.line(5, OUR_APP, Kind.ANSWER, "Shall I list next week's too?", thread=play.thread)
    assert play.word
    play.word = replace(play.word, text="sure")
    return play


def yes_to_another_question() -> Scene:
    play = scene()
    play.line(5, OUR_APP, Kind.ANSWER, "Shall I list next week's too?", thread=play.thread)
    return play


def yes_in_another_thread() -> Scene:
    play = scene()
    assert play.word
    play.word = replace(play.word, thread=play.line(-60, OWNER).ts)
    return play


def thanks_after_an_unrelated_answer() -> Scene:
    play = scene()
    play.line(5, OUR_APP, Kind.ANSWER, "Three tasks are late.", thread=play.thread)
    assert play.word
    play.word = replace(play.word, text="ok thanks")
    return play


def a_button_labelled_yes() -> Scene:
    play = scene()
    assert play.word
    play.word = replace(play.word, kind=Kind.CHOICE, text="Yes")
    return play


def yes_while_a_replacement_is_asked_about() -> Scene:
    play = scene()
    suspend(play, 2, None, None)
    return play


def yes_to_the_cards_own_turns_question() -> Scene:
    play = scene()
    play.line(-2, OUR_APP, Kind.ANSWER, "And next week's？", thread=play.thread, turn="turn-1")
    return play


@pytest.mark.parametrize(
    "play",
    [
        thanks_to_a_colleague,
        sure_to_another_question,
        yes_to_another_question,
        yes_in_another_thread,
        thanks_after_an_unrelated_answer,
        a_button_labelled_yes,
        yes_while_a_replacement_is_asked_about,
        yes_to_the_cards_own_turns_question,
    ],
)
def test_what_once_broke_the_promise_touches_nothing(play: Callable[[], Scene]) -> None:
    assert touched(verdict_of(play())) == ("nothing", frozenset())


def test_an_ended_card_is_named_only_while_nothing_else_is_open() -> None:
    ended = scene()
    ended.main = replace(ended.main, state=State.DONE)
    assert verdict_of(ended) == Refused((Reason.ENDED,))

    other = scene()
    other.main = replace(other.main, state=State.DONE)
    other.another("p7", -300, other.line(-310, OWNER).ts)
    assert verdict_of(other) == NotConsent(again="p7")


def test_create_as_shown_is_for_a_proposal_under_revision() -> None:
    shown = scene(Usual(act=Button.CREATE_AS_SHOWN))
    assert verdict_of(shown) == Refused((Reason.STALE,))
    suspend(shown, 2, None, None)
    assert verdict_of(shown) == Confirms(frozenset({MAIN}))

    pressed = scene(Usual(act=Button.CONFIRM))
    suspend(pressed, 2, None, None)
    assert verdict_of(pressed) == Refused((Reason.SUSPENDED,))


# Words.


def test_acknowledgements_are_neither_yes_nor_no() -> None:
    assert not [text for text in ACKNOWLEDGEMENTS if reading_of(text)]


@pytest.mark.parametrize(
    "text", ["Yes", " YES! ", "yes, please", "Sí.", "Si\u0301", "oui !", "sim"]
)
def test_case_spacing_and_a_closing_stop_do_not_matter(text: str) -> None:
    assert reading_of(text) is Reading.YES


@pytest.mark.parametrize("text", ["yes?", "yes but later", "yes...", "ok yes", "yes yes", "", "!"])
def test_only_a_whole_message_is_read(text: str) -> None:
    assert reading_of(text) is None


def test_the_languages_agree_on_what_is_yes() -> None:
    assert not set().union(*YES.values()) & set().union(*NO.values())
    assert YES.keys() == NO.keys()


@pytest.mark.parametrize("mark", "?？؟\u037e՞፧⁇⁈‽❓¿﹖")
def test_a_question_mark_of_any_script_asks(mark: str) -> None:
    assert asks(f"And next week's{mark}")
    assert not asks("And next week's; all of them!")


# What holds of every case.


def test_lines_that_do_not_count_change_no_verdict() -> None:
    rng = Random(2)
    for case, verdict in zip(cases()[:1500], verdicts(), strict=False):
        ts = moved(case.transcript.messages[-1].ts, rng.randrange(-30 * 10**6, 0))
        kind = rng.choice((Kind.STATUS, Kind.REACTION, Kind.REDRAW, Kind.EPHEMERAL))
        seen_by = "U_NOBODY" if kind is Kind.EPHEMERAL else None
        thread = rng.choice(case.transcript.messages).thread
        line = Message(HERE, ts, OUR_APP, kind, "Yes", thread, seen_by=seen_by)

        assert decided(with_line(case, line)) == verdict


def test_when_a_line_arrives_changes_no_verdict() -> None:
    rng = Random(3)
    for case, verdict in zip(cases()[:1500], verdicts(), strict=False):
        act = case.act.ts if isinstance(case.act, Said) else None
        times: list[datetime | None] = [message.received for message in case.transcript.messages]
        messages = tuple(
            message if message.ts == act else replace(message, received=rng.choice(times))
            for message in case.transcript.messages
        )
        shuffled = replace(case.transcript, messages=messages)

        assert decide(shuffled, case.act) == verdict


@pytest.mark.parametrize("author", [OWNER, COLLEAGUE, OTHER_APP, OUR_APP])
def test_any_message_just_before_a_word_makes_it_conversation(author: str) -> None:
    for case, word in confirmed_by_word():
        kind = Kind.NOTICE if author == OUR_APP else Kind.ORDINARY
        line = Message(HERE, moved(word.ts, -1), author, kind, "Look", word.thread)

        assert isinstance(decided(with_line(case, line)), NotConsent)


def test_a_word_of_another_person_sort_or_thread_touches_nothing() -> None:
    for case, word in confirmed_by_word():
        for other in (
            replace(word, author=COLLEAGUE),
            replace(word, carries=frozenset({Carried.FILE})),
            replace(word, kind=Kind.CHOICE),
            replace(word, thread="1700000000.000100"),
            replace(word, text=f"{word.text} and another one"),
        ):
            assert touched(decided(with_word(case, other))) == ("nothing", frozenset())


@pytest.mark.parametrize("text", [None, "yes", "no"])
def test_a_changed_word_touches_nothing(text: str | None) -> None:
    for case, word in confirmed_by_word():
        change = Change(word.channel, word.ts, moved(word.ts, 1), text)
        changes = (*case.transcript.changes, change)
        changed = replace(case, transcript=replace(case.transcript, changes=changes))

        assert isinstance(decided(changed), NotConsent)


def test_a_no_right_after_a_yes_takes_it_back() -> None:
    for case, word in confirmed_by_word():
        later = replace(word, ts=moved(word.ts, 1), text="no")

        assert touched(decided(with_line(case, later))) == ("nothing", frozenset())


def test_what_is_carried_out_is_theirs_and_open() -> None:
    for case, verdict in zip(cases(), verdicts(), strict=True):
        if isinstance(verdict, Confirms):
            act = case.act
            person = act.person if isinstance(act, Press) else word_of(case, act).author
            asked = [p for p in case.transcript.proposals if p.id in verdict.proposals]
            assert {proposal.owner for proposal in asked} == {person}
            assert {proposal.state for proposal in asked} == {State.OPEN}
            assert all(instant(act.ts) < proposal.expires_at for proposal in asked)
