"""How retrieval is measured: what counts as said, as sure, and as read."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from evals.databases import Cluster
from evals.retrieval import reader
from evals.retrieval.__main__ import main
from evals.retrieval.agencies import (
    _FILES,
    DEVELOPMENT,
    ECOMMERCE,
    RENTALS,
    Graded,
    filled,
    has_questions,
    procedures_of,
    questions_of,
)
from evals.retrieval.measures import Answer, measure, sure_and_wrong, threshold_of
from evals.retrieval.reader import NONE, hash_of, judged, sample
from evals.retrieval.systems import systems

REFUND = Graded("q1", "direct", "money back?", {"Refunds": 3})
WEATHER = Graded("q2", "no_answer", "will it rain?", {})
BOTH = [REFUND, WEATHER]
HELD_OUT = {one: one for one in (ECOMMERCE, RENTALS) if has_questions(one)}


def answer(score: float, title: str = "Refunds", sure: str | None = None) -> Answer:
    return Answer(((title, score),), sure)


def test_what_is_not_said_is_neither_found_nor_noise() -> None:
    figures = measure(BOTH, [answer(0.4), answer(0.4)], 0.5)

    assert (figures.recall, figures.ndcg, figures.noise) == (0, 0, 0)


def test_what_is_said_is_found_or_noise() -> None:
    figures = measure(BOTH, [answer(0.5), answer(0.6)], 0.5)

    assert (figures.recall, figures.ndcg, figures.noise) == (1, 1, 1)


def test_what_is_sure_is_said_whatever_its_score_and_counts_where_nothing_answers() -> None:
    answers = [answer(0.1), answer(0.1, sure="Refunds")]

    assert measure(BOTH, answers, 0.5).noise == 1
    assert sure_and_wrong(BOTH, answers) == (1, [WEATHER])


NOISY = ([REFUND, *([WEATHER] * 10)], [answer(0.9), *(answer(n / 10) for n in range(10))])
QUIET = ([REFUND, *([WEATHER] * 90)], [answer(0.95), *([answer(0.1)] * 90)])


def test_the_threshold_is_the_lowest_at_which_nothing_is_said_where_nothing_answers() -> None:
    asked, answers = NOISY
    above = [answer(0.91), *answers[1:]]

    assert threshold_of([(asked, above)]) == 0.91
    assert threshold_of([NOISY], 0.2) == 0.8


def test_a_threshold_for_several_agencies_is_silent_often_enough_at_each() -> None:
    assert threshold_of([QUIET], 0.2) == 0.95
    assert threshold_of([QUIET, NOISY], 0.2) == 0.8
    assert threshold_of([NOISY, QUIET]) == 0.95


def test_nothing_is_ever_said_where_no_threshold_is_silent_often_enough() -> None:
    assert threshold_of([([REFUND, WEATHER], [answer(0.5), answer(0.6)])]) == math.inf


def test_every_gold_title_is_a_title_of_the_agency() -> None:
    for name, agency in {**DEVELOPMENT, **HELD_OUT}.items():
        titles = {one.title for one in procedures_of(agency)}
        assert {title for one in questions_of(name) for title in one.grades} <= titles


def test_no_held_out_question_is_one_to_develop_on() -> None:
    seen = {one.text for name in DEVELOPMENT for one in questions_of(name)}
    for agency in HELD_OUT:
        assert seen.isdisjoint(one.text for one in questions_of(agency))


async def test_no_variant_of_a_system_ranks_as_another_does(cluster: Cluster) -> None:
    procedures, asked = procedures_of(ECOMMERCE), questions_of("dev")[::5]
    async with filled(cluster, procedures) as db:
        for variants in systems(db, procedures).values():
            ranked = [
                [[title for title, _ in (await ask(one.text)).ranked] for one in asked]
                for ask in variants.values()
            ]
            assert all(one not in ranked[:at] for at, one in enumerate(ranked)), list(variants)


def kept(**chosen: tuple[str, str]) -> dict[str, Any]:
    verdicts = {id: {"chosen": one, "hash": seen} for id, (one, seen) in chosen.items()}
    return {"date": "2026-11-23", "verdicts": verdicts}


@pytest.mark.parametrize(
    ("verdicts", "found"),
    [
        (kept(q1=("Refunds", "a"), q2=(NONE, "b")), "chosen@1=1.000 none@none=1.000 n=2 stale=0"),
        (kept(q1=(NONE, "a"), q2=("Refunds", "b")), "chosen@1=0.000 none@none=0.000 n=2 stale=0"),
        (kept(q1=("Refunds", "old"), q2=(NONE, "b")), "chosen@1=0.000 none@none=1.000 n=2 stale=1"),
        (kept(q1=("Refunds", "a")), "chosen@1=1.000 none@none=0.000 n=2 stale=1"),
    ],
)
def test_a_choice_counts_only_for_the_text_it_was_made_on(
    verdicts: dict[str, Any], found: str
) -> None:
    assert found in judged("rentals", BOTH, {"q1": "a", "q2": "b"}, verdicts)


def test_the_hash_is_of_the_titles_too() -> None:
    assert hash_of("- Refunds", "q1") != hash_of("- Refunds (also: money back)", "q1")


def test_at_most_two_hundred_questions_are_read() -> None:
    assert len(sample([REFUND] * 210)) == 105
    assert len(sample([REFUND] * 160)) == 160


def test_the_order_of_what_is_read_does_not_follow_the_procedures() -> None:
    asked = questions_of("dev-3")
    read = sample(asked)

    assert [one.id for one in read] != sorted(one.id for one in read)
    assert sample(asked) == read


async def test_what_a_reader_reads_holds_titles_and_hits_and_no_gold(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked = questions_of("dev-rentals")[:3]
    monkeypatch.setattr(reader, "HERE", tmp_path)
    pieces, head = await reader.pieces(cluster, RENTALS, asked)

    assert set(pieces) == {one.id for one in asked}
    assert all(one.title in head for one in procedures_of(RENTALS))
    for one in asked:
        assert one.text.splitlines()[0] in pieces[one.id]
        assert "answers" not in pieces[one.id]
    again, _ = await reader.pieces(cluster, RENTALS, asked)
    assert again == pieces


def test_answers_are_recorded_with_what_was_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(reader, "HERE", tmp_path)
    folder = tmp_path / RENTALS
    folder.mkdir()
    (folder / "hashes.yaml").write_text("q1: a\nq2: b\n", encoding="utf-8")
    (folder / "answers.yaml").write_text("q1: Refunds\n", encoding="utf-8")
    reader.record(tmp_path, [RENTALS])

    found = yaml.safe_load((tmp_path / "reader_rentals.yaml").read_text(encoding="utf-8"))
    assert found["verdicts"] == {"q1": {"chosen": "Refunds", "hash": "a"}}


@pytest.mark.parametrize("action", ["export", "record"])
def test_the_files_of_a_reader_need_a_folder(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], action: str
) -> None:
    monkeypatch.setattr(sys, "argv", ["retrieval", action])
    with pytest.raises(SystemExit) as ended:
        main()

    assert ended.value.code == 2
    assert f"{action} needs a folder" in capsys.readouterr().err


class FakeReader:
    """Keeps for which agencies it was to export."""

    def __init__(self) -> None:
        self.agencies: list[str] = []

    async def export(self, folder: Path, agencies: list[str]) -> None:
        self.agencies += agencies


def test_an_agency_without_held_out_questions_is_not_exported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake = FakeReader()
    monkeypatch.setattr("evals.retrieval.__main__.reader", fake)
    monkeypatch.setitem(_FILES, RENTALS, tmp_path / "held_out.yaml")
    monkeypatch.setattr(sys, "argv", ["retrieval", "export", str(tmp_path)])
    main()

    assert fake.agencies == [one for one in HELD_OUT if one != RENTALS]
