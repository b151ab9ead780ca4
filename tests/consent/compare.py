"""Oracle and product beside each other: what differs, and whether that breaks a rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.consent.facts import Asked
from tests.consent.oracle import Oracle
from tests.consent.product import Product
from tests.consent.scene import Case
from tests.consent.selecting import sends
from tests.consent.transcript import Button, Field, Press, Said, Source
from tests.consent.verdict import (
    Cancels,
    Confirms,
    For,
    Reason,
    Refused,
    Verdict,
    Waits,
    kind_of,
    touched,
)

# Judged when the act is carried out, by the judge that every way in asks.
LATER = {Reason.NOT_ALLOWED, Reason.RELEASED, Reason.PAUSED}
FOREIGN = set(Source) - {
    *(Source.TYPED, Source.APPROVED_PROCEDURE, Source.RECORD, Source.ASSISTANT),
}

SEVERAL = (Button.SELECTED, Button.CREATE_ALL)


class AsDecided(Oracle):
    """The oracle with the readings that the product decided on; each is one method."""

    def rule_5_own(self, field: Field) -> bool:
        """The assistant's wording takes a press where words of others were in sight, only then."""
        if field.source in FOREIGN or len(field.held) > 600:
            return super().rule_5_own(field)
        return True

    def rule_12_repeat(self, asked: Asked) -> bool:
        """A likely repeat stands on its card; an equal one is never made by word."""
        works = [task.work for task in self.transcript.tasks]
        return any(self.rule_12_equal(p.work, work) for p in asked.proposals for work in works)


@dataclass
class Tally:
    """What a comparison came to."""

    transcripts: int = 0
    violations: list[tuple[Case, Verdict, Verdict]] = field(default_factory=list)
    # Plays that came to no end.
    errors: list[str] = field(default_factory=list[str])
    stricter: Counter[str] = field(default_factory=Counter)
    later: Counter[str] = field(default_factory=Counter)

    def join(self, other: Tally) -> None:
        """Count another comparison in."""
        self.transcripts += other.transcripts
        self.violations += other.violations
        self.errors += other.errors
        self.stricter += other.stricter
        self.later += other.later

    def add(self, case: Case, allowed: Verdict, done: Verdict) -> None:
        """Compare one pair: nothing may be touched that the oracle leaves alone."""
        self.transcripts += 1
        if touched(allowed) == touched(done):
            return
        if isinstance(done, Confirms | Cancels):
            if isinstance(done, Confirms) and _is_later(allowed):
                self.later[kind_of(allowed)] += 1
            else:
                self.violations.append((case, allowed, done))
            return
        self.stricter[f"{kind_of(allowed)}: {_why(case)}"] += 1


def _is_later(allowed: Verdict) -> bool:
    match allowed:
        case Refused(reasons):
            return set(reasons) <= LATER
        case Waits(waits_for):
            return waits_for is For.SLACK
        case _:
            return False


def _why(case: Case) -> str:
    return ", ".join(case.about) or "nothing else"


def compare(cases: Iterable[Case], *, until_broken: bool = False) -> Tally:
    """Play words, and presses on cards of several, on both; maybe only to the first violation."""
    tally = Tally()
    for case in cases:
        if isinstance(case.act, Said):
            allowed = AsDecided(case.transcript).decide(case.act)
            tally.add(case, allowed, Product(case.transcript).decide(case))
        elif case.act.button in SEVERAL and len(case.transcript.cards[-1].proposals) > 1:
            _select(tally, case)
        if until_broken and tally.violations:
            return tally
    return tally


def _select(tally: Tally, case: Case) -> None:
    """Hold against the page what a press on ticked boxes, or on all of them, sends."""
    assert isinstance(case.act, Press)
    tally.transcripts += 1
    sent = sends(case)
    wanted = frozenset(case.act.proposals)
    if sent is not None and sent != wanted:
        allowed = AsDecided(case.transcript).decide(case.act)
        tally.violations.append((case, allowed, Confirms(sent)))
