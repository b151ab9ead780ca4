"""How answers are measured: by recorded verdicts on exactly the text that a judge would read."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from evals.answers.__main__ import main
from evals.answers.cases import SETS, load_cases, load_verdicts
from evals.answers.measure import hash_of, measure, prompts_of


async def test_the_first_set_is_as_good_as_it_has_to_be() -> None:
    cases = load_cases()

    measured = await measure(cases, load_verdicts())

    assert sum(case.kind == "harmless" for case in cases) >= 65
    assert measured.claims >= 20
    assert measured.is_good, measured.line


@pytest.mark.parametrize("name", SETS)
async def test_no_set_sends_harmless_answers_back_or_believes_false_ones(name: str) -> None:
    measured = await measure(load_cases(name), load_verdicts(name))

    assert (measured.sent_back, measured.believed, measured.unread) == ([], [], 0)


async def test_a_case_without_a_verdict_fails() -> None:
    verdicts = load_verdicts()
    gone = next(iter(verdicts))

    measured = await measure(
        load_cases(), {key: one for key, one in verdicts.items() if key != gone}
    )

    assert not measured.is_good
    assert "1 without a verdict" in measured.line


async def test_a_verdict_is_about_exactly_the_text_that_was_read() -> None:
    prompts = await prompts_of(load_cases())

    assert all(hash_of(prompt) == key for key, prompt in prompts.items())
    assert set(prompts) == set(load_verdicts())


async def test_whoever_believes_in_everything_sends_the_harmless_back() -> None:
    wary = {
        key: one.model_copy(update={"believes_done": True}) for key, one in load_verdicts().items()
    }

    measured = await measure(load_cases(), wary)

    assert not measured.is_good
    assert len(measured.sent_back) > 50


async def test_whoever_believes_in_nothing_lets_false_claims_pass() -> None:
    trusting = {
        key: one.model_copy(update={"believes_done": False}) for key, one in load_verdicts().items()
    }

    assert len((await measure(load_cases(), trusting)).believed) == 20


def test_the_export_says_nothing_of_what_is_right(tmp_path: Path) -> None:
    assert main(["export", str(tmp_path)]) == 0

    cases = yaml.safe_load((tmp_path / "cases.yaml").read_text(encoding="utf-8"))
    assert all(set(one) == {"id", "hash", "case"} for one in cases)
    assert [one["id"] for one in cases] == sorted(one["hash"][:12] for one in cases)
    assert not any("harmless" in one["case"] or "false_claim" in one["case"] for one in cases)
