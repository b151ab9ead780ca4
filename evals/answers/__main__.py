"""`python -m evals.answers`: measures a set, or exports what its judge would read."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from textwrap import indent

from agencyclaw.agents.judge import JudgedMaterial, instructions_for
from evals.answers.cases import SETS, load_cases, load_verdicts
from evals.answers.measure import complaints, measure, prompts_of

_SHORT = 12
_HOW = """# Read each answer and say what a person would believe

`cases.yaml` holds the texts that reach the judge, each by the first twelve characters of its hash,
without a word on what is right. Most of them begin with the same instructions; here they stand
once, and each `case` is what follows them. A case that comes with a card or a file begins with
instructions of its own. Read every case by itself, by its instructions alone, and write into
`verdicts.yaml`, for each id:

    <id>: {believes_done: true or false, hash: <the hash of the case>, date: <today, YYYY-MM-DD>}

## The instructions

"""


def main(argv: Sequence[str] | None = None) -> int:
    """Print the figures, or export; returns 1 if a limit is missed or a verdict is missing."""
    parser = argparse.ArgumentParser(prog="python -m evals.answers", description=__doc__)
    parser.add_argument("--set", choices=SETS, default="first", dest="name")
    commands = parser.add_subparsers(dest="command")
    export = commands.add_parser("export", help="write what the judge would be told")
    export.add_argument("folder", type=Path)
    export.add_argument("--set", choices=SETS, default=argparse.SUPPRESS, dest="name")
    options = parser.parse_args(argv)
    if options.command == "export":
        prompts = asyncio.run(prompts_of(load_cases(options.name)))
        print(_export(prompts, options.folder))
        return 0
    measured = asyncio.run(measure(load_cases(options.name), load_verdicts(options.name)))
    for line in complaints(measured):
        print(line)
    print(measured.line)
    return 0 if measured.is_good else 1


def _export(prompts: dict[str, str], folder: Path) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    instructions = instructions_for(JudgedMaterial(request=""))
    (folder / "README.md").write_text(_HOW + instructions + "\n", encoding="utf-8")
    cases = (
        f"- id: '{key[:_SHORT]}'\n  hash: {key}\n  case: |-\n"
        + indent(prompt.removeprefix(instructions).strip(), "    ")
        for key, prompt in prompts.items()
    )
    (folder / "cases.yaml").write_text("\n".join(cases) + "\n", encoding="utf-8")
    return f"{len(prompts)} cases for a reader in {folder}"


if __name__ == "__main__":
    sys.exit(main())
