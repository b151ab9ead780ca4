"""Checks that a calculation uses only figures that were seen, or plain constants.

A calculation counts as evidence, so a figure must not become evidence by passing through one. Every
figure of a program must have been seen, or be a plain constant such as 100 or 7 next to something
that is not constant. This catches figures that were guessed or copied wrong, but not a program that
deliberately builds a number out of the data.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from decimal import Decimal

PLAIN = frozenset(Decimal(one) for one in (*range(32), 52, 60, 90, 100, 180, 365, 366, 1_000))
SCALES = frozenset(Decimal(one) for one in (1, 7, 12, 24, 60, 100, 365, 1_000))
SUMS_AT_MOST = 200
MODULES = frozenset({"datetime", "math", "json", "collections", "re", "decimal"})

_SIMPLE = (ast.Add, ast.Sub, ast.Mult, ast.Div)
# For what is never plain: joined texts can spell any figure, powers and shifts make large ones.
_OPAQUE = frozenset({Decimal("nan")})
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
# These make figures from nothing, or read a program from text.
_NOT_CALLED = frozenset({"eval", "exec", "compile", "ord", "hash", "id", "bytes", "bytearray"})

_OWN = (
    "has a figure that nothing returned and nobody wrote. Take it from `results` or `earlier`, or"
    " ask the person for it."
)
_MODULE = f"imports what is not there. There are {', '.join(sorted(MODULES))}."
_CALL = "calls what makes figures of nothing, or hides them."


def fault_of(code: str, known: frozenset[Decimal]) -> str:
    """Return what is wrong with a program, for the model; "" if it may run.

    `known` are the figures that were seen. The text never repeats a figure: it becomes a source.
    """
    try:
        tree = ast.parse(code)
        if sum(isinstance(node, ast.BinOp) for node in ast.walk(tree)) > SUMS_AT_MOST:
            return "It is too long: go through the data in a loop."
        return next((f"Line {line} {why}" for line, why in _faults(tree, known)), "")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "It can't be read: it is no Python."


def _faults(tree: ast.Module, known: frozenset[Decimal]) -> Iterable[tuple[int, str]]:
    constants = _constants(tree)
    formats = _formats(tree)
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names) if any(alias.name not in MODULES for alias in names):
                yield node.lineno, _MODULE
            case ast.ImportFrom(module=module) if module not in MODULES:
                yield node.lineno, _MODULE
            case ast.Name(id=name) if name in _NOT_CALLED:
                yield node.lineno, _CALL
            case ast.Constant() if node not in formats and not _is_allowed(node, known | PLAIN):
                yield node.lineno, _OWN
            case ast.BinOp() if not _is_plain(node, constants, known):
                yield node.lineno, _OWN
            case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
                yield from ((node.lineno, _OWN) for figure in _listed(node) if figure not in known)
            case _:
                pass


def _formats(tree: ast.Module) -> set[ast.AST]:
    """Find format specifications such as `.2f` and `>40`, whose digits are no figures."""
    specs = [node.format_spec for node in ast.walk(tree) if isinstance(node, ast.FormattedValue)]
    return {part for spec in specs if spec for part in ast.walk(spec)}


def _constants(tree: ast.Module) -> dict[str, Decimal]:
    """Return names that are bound to one constant throughout."""
    stored = [
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    return {
        target.id: value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and (value := _figure_of(node.value)) is not None
        for target in node.targets
        if isinstance(target, ast.Name) and stored.count(target.id) == 1
    }


def _is_allowed(node: ast.Constant, allowed: frozenset[Decimal]) -> bool:
    match node.value:
        case bool() | None:
            return True
        case int() | float():
            return _figure_of(node) in allowed
        case str():
            return all(Decimal(figure) in allowed for figure in _NUMBER.findall(node.value))
        case _:
            return False  # bytes, complex numbers, ...


def _is_plain(node: ast.BinOp, constants: dict[str, Decimal], known: frozenset[Decimal]) -> bool:
    """Return whether an expression of constants uses only seen figures or scales."""
    leaves = _leaves(node, constants)
    return leaves is None or leaves <= known | SCALES


def _leaves(node: ast.expr, constants: dict[str, Decimal]) -> frozenset[Decimal] | None:
    """Return the figures of an expression that has nothing else in it; None for any other."""
    match node:
        case ast.BinOp(left=left, op=op, right=right):
            left_figures, right_figures = _leaves(left, constants), _leaves(right, constants)
            if left_figures is None or right_figures is None:
                return None
            return left_figures | right_figures if isinstance(op, _SIMPLE) else _OPAQUE
        case ast.UnaryOp(operand=operand):
            return _leaves(operand, constants)
        case ast.Name(id=name) if name in constants:
            return frozenset({constants[name]})
        case ast.Constant():
            value = _figure_of(node)
            return _OPAQUE if value is None else frozenset({value})
        case _:
            return None


def _listed(node: ast.List | ast.Tuple | ast.Set | ast.Dict) -> list[Decimal]:
    """Return the figures of a list or tuple: rows written by hand must all be seen ones."""
    held = [*node.keys, *node.values] if isinstance(node, ast.Dict) else node.elts
    return [
        value
        for element in held
        if element and (value := _figure_of(element)) not in (None, Decimal(0))
    ]


def _figure_of(node: ast.expr) -> Decimal | None:
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            value = _figure_of(operand)
            return None if value is None else -value
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int() | float() as value):
            return Decimal(str(value))
        case _:
            return None
