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
    """What a prompt tells the model to do: items and what names a case, or else every line."""
    lines = [line for line in prompt.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [line for line in lines if line.startswith("- ") or "<!-- case:" in line] or lines


def case_of(rule: str) -> str:
    found = re.search(r"<!-- case: ([\w-]+) -->$", rule)
    return found[1] if found else ""


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda path: path.stem)
def test_every_rule_names_a_case_that_a_reading_model_has_to_pass(prompt: Path) -> None:
    assert rules(prompt), "a prompt without a rule"
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


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda path: path.stem)
def test_the_record_is_about_the_prompt_as_it_stands(prompt: Path) -> None:
    pairs = re.findall(r"prompt\s`(\w+)`\s\(agencyclaw/agents/prompts/(\w+)\.md\)", RULES)

    assert (load_prompt(prompt.stem).hash, prompt.stem) in pairs, (
        f"{prompt.name} has changed since its rules were looked at. Play the cases that prove"
        " prompts on a model that reads, write down in evals/prompt_rules.md what each changed rule"
        " is good for, with the date and the new hash."
    )
