"""`python -m tests.consent [count] [seed]`: how verdicts spread, and what each clause decides."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

from tests.consent.generate import generate
from tests.consent.oracle import Oracle, decide
from tests.consent.sabotage import clause, every_sabotage
from tests.consent.scene import Case
from tests.consent.verdict import Verdict, kind_of, touched

COARSE = 0.1  # a clause that decides more of the cases than this says little about their edges


def main(count: int = 5000, seed: int = 0) -> None:
    """Write the report."""
    cases = list(generate(count, seed))
    verdicts = [decide(case.transcript, case.act) for case in cases]
    for kind, number in Counter(map(kind_of, verdicts)).most_common():
        sys.stdout.write(f"{number / count:6.1%}  {kind}\n")
    hang: set[int] = set()
    for sabotage in every_sabotage():
        changed = changes(sabotage, cases, verdicts)
        hang |= changed if len(changed) < COARSE * count else set()
    sys.stdout.write(f"{len(hang) / count:6.1%}  hang on one of the finer clauses\n")


def changes(sabotage: type[Oracle], cases: Sequence[Case], verdicts: Sequence[Verdict]) -> set[int]:
    """Write how many verdicts, and how many effects, a clause decides; return which verdicts."""
    weaker = [sabotage(case.transcript).decide(case.act) for case in cases]
    pairs = list(zip(verdicts, weaker, strict=True))
    acts = sum(touched(one) != touched(other) for one, other in pairs)
    changed = {number for number, (one, other) in enumerate(pairs) if one != other}
    sys.stdout.write(f"{len(changed):5d} verdicts {acts:5d} effects without {clause(sabotage)}\n")
    return changed


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
