"""The oracle's own proof: `every_sabotage` is the oracle with one clause removed, many times."""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

from tests.consent.oracle import Oracle
from tests.consent.sabotages import (
    rule_1_between,
    rule_1_no,
    rule_1_word,
    rule_3,
    rule_5,
    rules_2_4_10,
    rules_6_7_8,
    rules_11_12_13,
)

MODULES: tuple[ModuleType, ...] = (
    *(rule_1_word, rule_1_between, rule_1_no),
    *(rules_2_4_10, rule_3, rule_5, rules_6_7_8, rules_11_12_13),
)
# These change what is said to the person, or which card is posted again, and carry nothing out.
OF_WORDING = {
    rules_2_4_10.NoCardAgain,
    rules_2_4_10.AnyCardAgain,
    rules_2_4_10.AgainForAnyMessage,
    rules_2_4_10.AgainFromElsewhere,
    rules_2_4_10.EndedCardsAnswered,
    rules_2_4_10.ReceiptsAnswered,
}


def every_sabotage() -> list[type[Oracle]]:
    """Return the weakened oracles, in the order of the rules."""
    return [thing for module in MODULES for thing in weakened(module)]


def weakened(module: ModuleType) -> Iterator[type[Oracle]]:
    """Yield the oracles that a module defines."""
    for thing in vars(module).values():
        if isinstance(thing, type) and issubclass(thing, Oracle) and thing is not Oracle:
            yield thing


def clause(sabotage: type[Oracle]) -> str:
    """Return what is gone, such as "5: deletions"."""
    return sabotage.__doc__ or sabotage.__name__
