"""Following docs/add-an-eval.md to the letter works."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

from evals.engine import judge
from evals.plays import GOLD
from evals.subjects import load_subjects, plays_of, scripted
from evals.world import Ground

PAGE = Path(__file__).parents[2] / "docs" / "add-an-eval.md"


async def test_the_case_of_the_page_passes_and_notices_every_mutant(
    ground: Ground, tmp_path: Path
) -> None:
    [block, *_] = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    file = tmp_path / "targets.yaml"
    file.write_text(dedent(f"   {block}"), encoding="utf-8")

    plays = [play for one in plays_of(load_subjects([file])) for play in scripted(one)]
    verdicts = await judge(ground, plays)

    assert [one.variant for one in verdicts if one.passed] == [GOLD]
    assert len(verdicts) > 5
