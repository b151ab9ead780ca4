"""The cases that the tests play, and what the oracle says of them: made once."""

from __future__ import annotations

from functools import cache

from tests.consent.generate import generate
from tests.consent.oracle import decide
from tests.consent.scene import Case
from tests.consent.verdict import Verdict

COUNT = 5000


@cache
def cases() -> tuple[Case, ...]:
    """Return the cases."""
    return tuple(generate(COUNT))


@cache
def verdicts() -> tuple[Verdict, ...]:
    """Return a verdict for each case."""
    return tuple(decide(case.transcript, case.act) for case in cases())
