"""Works out the calculations that an answer writes down: 5,000 − 1,850.50 − 640."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Container, Iterable, Iterator
from decimal import Decimal, DecimalException
from typing import NamedTuple

from agencyclaw.knowledge.figures import WRITTEN, readings

_MOST = 40
_LONGEST = 60
# Weeks, months and shares are counted without a source.
_COUNTS = frozenset(map(Decimal, range(1, 13)))
_SIGNS = {"−": "-", "–": "-", "×": "*", "·": "*", "x": "*", "÷": "/"}
_TOKEN = re.compile(
    rf"(?P<number>{WRITTEN})(?P<percent>\s?[%٪％])?|(?P<sign>(?<!\*)\*(?!\*)|(?<=[\d\s])x(?=[\s\d])|[-+−–×·÷/])"
    r"|(?P<bracket>[()])|(?P<between>[ \t*_$€£¥]+|\b(?:USD|EUR|GBP|CAD|AUD|MXN|JPY)\b)",
)
_OPERATORS: dict[type[ast.operator], Callable[[Decimal, Decimal], Decimal]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: lambda left, right: left / right,
}


class _Calculation(NamedTuple):
    """A calculation as Python's syntax, where each number is its index in `numbers`."""

    tree: ast.expr
    numbers: tuple[Decimal, ...]
    percents: frozenset[int]


def results_of(text: str, known: Container[Decimal]) -> tuple[Decimal, ...]:
    """Return the results of a text's calculations whose numbers are known or small counts.

    The result of one calculation may be a number of another.
    """
    waiting = list(_calculations(text))[:_MOST]
    results: list[Decimal] = []
    while ready := [one for one in waiting if _rests_on(one.numbers, known, results)]:
        waiting = [one for one in waiting if one not in ready]
        results += (value for one in ready if (value := _value(one)) is not None)
    return tuple(results)


def _rests_on(
    numbers: Iterable[Decimal], known: Container[Decimal], results: Container[Decimal]
) -> bool:
    return all(number in known or number in _COUNTS or number in results for number in numbers)


def _calculations(text: str) -> Iterator[_Calculation]:
    """Yield every run of numbers, signs and brackets that is a calculation."""
    run: list[re.Match[str]] = []
    end = 0
    for match in _TOKEN.finditer(text):
        if match.start() > end or (run and _stand_apart(run[-1], match)):
            yield from _parsed(run)
            run = []
        end = match.end()
        if not match["between"]:
            run.append(match)
    yield from _parsed(run)


def _stand_apart(left: re.Match[str], right: re.Match[str]) -> bool:
    """Return whether no sign stands where one is needed, as in "120 (80 + 40)"."""
    ends = left["number"] or left["bracket"] == ")"
    return bool(ends and (right["number"] or right["bracket"] == "("))


def _parsed(run: list[re.Match[str]]) -> Iterator[_Calculation]:
    """Yield what a run says if it is a calculation."""
    if len(run) > _LONGEST or not any(token["sign"] for token in run):
        return
    numbers: list[Decimal] = []
    percents: set[int] = set()
    code = ""
    for token in run:
        if token["number"]:
            values = readings(token["number"])
            if not values:
                return
            if token["percent"]:
                percents.add(len(numbers))
            code += f" {len(numbers)} "
            numbers.append(values[0])
        else:
            sign = token["sign"] or token["bracket"]
            code += _SIGNS.get(sign, sign)
    try:
        tree = ast.parse(_balanced(code).strip(), mode="eval").body
    except SyntaxError:
        return
    yield _Calculation(tree, tuple(numbers), frozenset(percents))


def _balanced(code: str) -> str:
    """Return code without the brackets at its ends that have no partner."""
    code = code.strip(" +*/")
    missing = code.count("(") - code.count(")")
    ending = code[: len(code) + missing] if missing < 0 and code.endswith(")" * -missing) else code
    return ending.removeprefix("(" * missing)


def _value(calculation: _Calculation) -> Decimal | None:
    """Return what a calculation comes to; None if it divides by zero."""

    def of(node: ast.expr) -> Decimal:
        match node:
            case ast.Constant(value=int(index)):
                number = calculation.numbers[index]
                return number / 100 if index in calculation.percents else number
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -of(operand)
            case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATORS:
                return _OPERATORS[type(sign)](of(left), of(right))
            case _:
                raise DecimalException

    try:
        return of(calculation.tree)
    except DecimalException:
        return None
