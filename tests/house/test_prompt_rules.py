"""Every rule of a prompt names the eval case that proves it, and was looked at as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agencyclaw.agents.prompts import load_prompt
from evals.subjects import load_subjects

ROOT = Path(__file__).parents[2]
PROMPTS = sorted((ROOT / "agencyclaw" / "agents" / "prompts").glob("*.md"))
RULES = (ROOT / "evals" / "prompt_rules.md").read_text(encoding="utf-8")
CASES = {case.name: case for subject in load_subjects() for case in subject.cases}


def rules(prompt: Path) -> list[str]:
    """The lines of a prompt that tell the model what to do."""
    text = prompt.read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line.startswith("- ")]


def case_of(rule: str) -> str:
    found = re.search(r"<!-- case: ([\w-]+) -->$", rule)
    return found[1] if found else ""


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda path: path.stem)
def test_every_rule_names_a_case_that_a_reading_model_has_to_pass(prompt: Path) -> None:
    for rule in rules(prompt):
        case = CASES.get(case_of(rule))
        assert case is not None, f"no such case: {rule}"
        assert case.metadata is not None
        assert "prompt" in case.metadata.proves, f"{case.name} does not prove a prompt"
        assert not case.metadata.script_only


def test_every_rule_is_found_in_the_record_of_what_it_is_good_for() -> None:
    looked_at = set(re.findall(r"^\| ([\w-]+) \|", RULES, re.MULTILINE)) - {"rule"}
    named = {case_of(rule) for prompt in PROMPTS for rule in rules(prompt)}

    assert named <= looked_at
    gone = {line.split("|")[1].strip() for line in RULES.splitlines() if "| removed:" in line}
    assert looked_at - named <= gone


def test_the_record_is_about_the_prompt_as_it_stands() -> None:
    [checked] = re.findall(r"^Checked on \d{4}-\d{2}-\d{2} against prompt `(\w+)`", RULES, re.M)

    assert checked == load_prompt("main").hash, (
        "main.md has changed since its rules were looked at. Play the cases that prove prompts on a"
        " model that reads, write down in evals/prompt_rules.md what each changed rule is good for,"
        " with the date and the new hash."
    )
