"""A figure does not become evidence by passing through a calculation."""

from __future__ import annotations

from decimal import Decimal

import pytest

from agencyclaw.knowledge.claimed_figures import numbers_in
from agencyclaw.knowledge.programs import fault_of

SEEN = numbers_in(
    "Today is 2026-11-22. 240 orders, 62.5 USD each, 15% off, ASIN B0CF7GARL1, 3 late."
)

FINE = [
    "print(sum(row['orders'] for row in results['list_tasks'][-1]['tasks']))",
    "rows = results['x'][0]\nprint(f\"{100 * len(rows[1:3]) / len(rows):>40.1f}%\")",
    "total = 0\nfor row in earlier[0]:\n    total += row['n']\nprint(round(total, 2), -1)",
    "from datetime import date, timedelta\nprint(date(2026, 11, 22) + timedelta(days=7))",
    "from datetime import date\nprint(date.fromisoformat('2026-11-22').weekday())",
    "from collections import Counter\nprint(Counter(row['who'] for row in results['x'][0]))",
    "print(sorted(earlier[0], key=lambda row: (row['due'], 0))[:5])",
    "print(240 * 15 / 100)",
    "print([240, 62.5])",
    "print('B0CF7GARL1', \"it's\", None, True)",
    "share = earlier[0]['n'] / 240\nprint(share * 100)",
    "print(7 * 1)",
]
OWN = [
    "print(4200)",
    "print(sum([12, 17, 9]))",
    "rows = [('Sara', 5), ('Tomas', 7)]\nprint(len(rows))",
    "print({'Sara': 5})",
    "print(7 * 600)",
    "print(3 / 8 * 100)",
    "done = 3\nall_of_it = 8\nprint(100 * done / all_of_it)",
    "print(earlier[0]['n'] + 4137.5)",
    "print(int('4200'))",
    "print(int('42' + '00'))",
    "print('Revenue was 4,217 USD')",
    "print(f'{4217} USD')",
    "print(31 * 31)",
    "print(2 ** 12)",
    "print(1 << 12)",
    "print(-4200)",
    "print(1e999 - 1e999)",
    "print(5 / 0)",
    "print(b'abcd')",
    "print(3j)",
    "print(0x1068)",
    "print(0.873)",
]
BARRED = [
    "import random\nprint(random.random())",
    "import time\nprint(time.time())",
    "import os",
    "from os import environ",
    "from . import x",
    "print(eval(results['x'][0]))",
    "exec(earlier[0])",
    "print(ord('a'))",
    "f = id\nprint(f(results))",
]
UNREADABLE = [
    "print(",
    "x = " + "(" * 3_900,
    "x = " + "-" * 3_900 + "1",
    "x = " + "+".join(["1"] * 1_900),
    "\x00",
    "x = " + "9" * 3_900,
]


@pytest.mark.parametrize("code", FINE)
def test_figures_that_were_seen_and_plain_constants_are_fine(code: str) -> None:
    assert fault_of(code, SEEN) == ""


@pytest.mark.parametrize("code", OWN)
def test_a_figure_of_its_own_is_refused_and_not_repeated(code: str) -> None:
    fault = fault_of(code, SEEN)

    assert "a figure that nothing returned" in fault
    # A refusal is read like a result: what stands in it would count as seen.
    assert numbers_in(fault) <= numbers_in("lines 1 to 3: 1, 2, 3")


@pytest.mark.parametrize("code", BARRED)
def test_what_makes_figures_of_nothing_is_refused(code: str) -> None:
    assert fault_of(code, SEEN).startswith("Line ")


@pytest.mark.parametrize("code", UNREADABLE)
def test_a_program_that_nobody_can_read_is_refused(code: str) -> None:
    assert fault_of(code, SEEN) != ""


@pytest.mark.parametrize("code", ["x = " + "a." * 1_900 + "b", "not " * 900 + "x"])
def test_a_deep_program_does_not_break_the_reader(code: str) -> None:
    assert fault_of(code, SEEN) == ""


def test_what_was_seen_decides() -> None:
    assert fault_of("print(4200)", frozenset({Decimal(4200)})) == ""
    assert fault_of("print(4200)", frozenset()) != ""
