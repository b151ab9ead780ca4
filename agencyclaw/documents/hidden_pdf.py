"""Finds and removes text in PDF files that nobody sees.

Imports nothing of ours, because it runs in the isolated process.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

_TINY_PT = 1.0
_DEEPEST = 10
_FAINT = 0.05
_ALIKE = 0.06
_IDENTITY = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
# Text that is neither filled nor outlined; outlined text has its own colour.
_UNSEEN_MODES = frozenset({3, 7})
_OUTLINED = frozenset({1, 2, 5, 6})
# Operators of content streams.
_SHOW_TEXT = {b"Tj", b"TJ", b"'", b'"'}
_FILL = {b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*"}
_SET_COLOR = {b"g", b"rg", b"k", b"sc", b"scn"}


@dataclass(frozen=True)
class _GraphicsState:
    """The state of a PDF's drawing: colour, size, position, visibility."""

    fill: tuple[float, ...] | None = (0.0, 0.0, 0.0)
    mode: int = 0
    alpha: float = 1.0
    size: float = 12.0
    stretch: float = 100.0
    leading: float = 0.0
    ctm: tuple[float, ...] = _IDENTITY


@dataclass
class _PdfPage:
    """A page while it is read: its edges, and the areas painted on it, the topmost last."""

    edges: tuple[float, ...]
    painted: list[tuple[tuple[float, ...], tuple[float, ...] | None]]

    def ground(self, x: float, y: float) -> tuple[float, ...] | None:
        """Return the colour behind a point; None if it is unknown."""
        for (left, low, right, high), color in reversed(self.painted):
            if left <= x <= right and low <= y <= high:
                return color
        return (1.0, 1.0, 1.0)

    def shows(self, state: _GraphicsState, line: tuple[float, ...]) -> bool:
        """Return whether text that begins here is visible."""
        a, b, c, d, x, y = _multiply(line, state.ctm)
        height = state.size * max(math.hypot(a, b), math.hypot(c, d))
        left, low, right, high = self.edges
        if state.mode in _UNSEEN_MODES or state.alpha < _FAINT or state.stretch == 0:
            return False
        if height < _TINY_PT or not (left <= x <= right and low <= y <= high):
            return False
        ground = self.ground(x, y)
        if state.fill is None or ground is None or state.mode in _OUTLINED:
            return True
        return any(
            abs(fill - behind) > _ALIKE for fill, behind in zip(state.fill, ground, strict=True)
        )


def visible_text(page: Any) -> tuple[str, int]:
    """Return a page's visible text, and how many invisible characters it has."""
    from pypdf.generic import NameObject

    box = page.mediabox
    edges = _floats((box.left, box.bottom, box.right, box.top))
    whole = page.extract_text()
    contents = page.get_contents()
    if contents is None or not whole.strip():
        return whole, 0
    if not _drop_invisible(contents, page, _PdfPage(edges, []), _GraphicsState(), _DEEPEST):
        return whole, 0
    page[NameObject("/Contents")] = contents
    seen = page.extract_text()
    return seen, max(1, len("".join(whole.split())) - len("".join(seen.split())))


def _drop_invisible(
    stream: Any, owner: Any, page: _PdfPage, state: _GraphicsState, depth: int
) -> bool:
    """Remove invisible text from a content stream; returns whether there was any."""
    kept: list[Any] = []
    reader = _Interpreter(owner, page, state, depth)
    for operands, operator in stream.operations:
        if reader.keeps(operands, operator):
            kept.append((operands, operator))
    if len(kept) < len(stream.operations):
        stream.operations = kept
    return reader.has_dropped


class _Interpreter:
    """Executes a content stream as far as it can hide text."""

    def __init__(self, owner: Any, page: _PdfPage, state: _GraphicsState, depth: int) -> None:
        self._resources: Any = owner.get("/Resources") or {}
        self._page = page
        self._state = state
        self._depth = depth
        self._stack: list[_GraphicsState] = []
        self._line = _IDENTITY
        self._path: list[tuple[float, float]] = []
        self.has_dropped = False

    def keeps(self, operands: Any, operator: bytes) -> bool:
        """Execute one operation; returns False for text that is invisible."""
        if operator in _SHOW_TEXT:
            if operator in (b"'", b'"'):
                self._move(0, -self._state.leading)
            is_seen = self._page.shows(self._state, self._line)
            self.has_dropped |= not is_seen
            return is_seen
        with suppress(TypeError, ValueError, IndexError, KeyError):  # damaged steps draw nothing
            self._execute(operands, operator)
        return True

    def _execute(self, operands: Any, operator: bytes) -> None:
        if operator in _SET_COLOR:
            self._state = replace(self._state, fill=_rgb(operands))
        elif operator in _FILL:
            self._paint(self._state.fill)
        elif operator == b"Do":
            self._draw(str(operands[0]))
        elif operator in (b"q", b"Q"):
            self._save_or_restore(is_new=operator == b"q")
        elif operator in (b"BT", b"Tm", b"Td", b"TD", b"T*"):
            self._position(operands, operator)
        elif operator in (b"re", b"m", b"l", b"c", b"v", b"y", b"n", b"S", b"s"):
            self._outline(list(_floats(operands)), operator)
        else:
            self._set(operands, operator)

    def _set(self, operands: Any, operator: bytes) -> None:
        names = {b"Tr": "mode", b"Tz": "stretch", b"TL": "leading"}
        if operator in names:
            self._state = replace(self._state, **{names[operator]: float(operands[0])})
        elif operator == b"Tf":
            self._state = replace(self._state, size=abs(float(operands[1])))
        elif operator == b"cm":
            moved = _multiply(_floats(operands), self._state.ctm)
            self._state = replace(self._state, ctm=moved)
        elif operator == b"cs":
            self._state = replace(self._state, fill=(0.0, 0.0, 0.0))
        elif operator == b"gs":
            state = self._resources["/ExtGState"][operands[0]].get_object()
            self._state = replace(self._state, alpha=float(state.get("/ca", self._state.alpha)))

    def _save_or_restore(self, *, is_new: bool) -> None:
        if is_new:
            self._stack.append(self._state)
        elif self._stack:
            self._state = self._stack.pop()

    def _position(self, operands: Any, operator: bytes) -> None:
        numbers = _floats(operands)
        if operator == b"BT":
            self._line = _IDENTITY
        elif operator == b"Tm":
            self._line = numbers
        elif operator == b"T*":
            self._move(0, -self._state.leading)
        else:
            if operator == b"TD":
                self._state = replace(self._state, leading=-numbers[1])
            self._move(*numbers)

    def _move(self, x: float, y: float) -> None:
        self._line = _multiply((1.0, 0.0, 0.0, 1.0, x, y), self._line)

    def _outline(self, numbers: list[float], operator: bytes) -> None:
        if operator == b"re":
            x, y, width, height = numbers
            self._path += [(x, y), (x + width, y + height)]
        elif operator in (b"n", b"S", b"s"):
            self._path.clear()
        else:
            self._path += zip(numbers[::2], numbers[1::2], strict=False)

    def _paint(self, color: tuple[float, ...] | None) -> None:
        """Record the painted path as an area."""
        a, b, c, d, e, f = self._state.ctm
        if self._path and self._state.alpha >= _FAINT:
            xs = [a * x + c * y + e for x, y in self._path]
            ys = [b * x + d * y + f for x, y in self._path]
            self._page.painted.append(((min(xs), min(ys), max(xs), max(ys)), color))
        self._path.clear()

    def _draw(self, name: str) -> None:
        """Draw an object: an image has no single colour, a form is drawn like a page."""
        drawn = self._resources["/XObject"][name].get_object()
        if drawn.get("/Subtype") == "/Image":
            self._path[:] = [(0.0, 0.0), (1.0, 1.0)]
            self._paint(None)
        elif drawn.get("/Subtype") == "/Form" and self._depth:
            self._draw_form(drawn)

    def _draw_form(self, form: Any) -> None:
        from pypdf.generic import ContentStream

        stream = ContentStream(form, None)
        matrix = _floats(form.get("/Matrix", _IDENTITY))
        inside = replace(self._state, ctm=_multiply(matrix, self._state.ctm))
        if _drop_invisible(stream, form, self._page, inside, self._depth - 1):
            form.set_data(stream.get_data())
            self.has_dropped = True


def _rgb(operands: Any) -> tuple[float, ...] | None:
    """Return a colour as red, green and blue; None for a pattern."""
    if not operands or str(operands[-1]).startswith("/"):
        return None
    numbers = _floats(operands)
    match len(numbers):
        case 1:
            return (numbers[0],) * 3
        case 3:
            return numbers
        case 4:
            cyan, magenta, yellow, black = numbers
            return tuple((1 - ink) * (1 - black) for ink in (cyan, magenta, yellow))
        case _:
            return None


def _floats(numbers: Iterable[Any]) -> tuple[float, ...]:
    return tuple(float(number) for number in numbers)


def _multiply(first: tuple[float, ...], second: tuple[float, ...]) -> tuple[float, ...]:
    """Return the product of two transformations, in the order in which they are applied."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = second
    return (
        a * p + b * r,
        a * q + b * s,
        c * p + d * r,
        c * q + d * s,
        e * p + f * r + t,
        e * q + f * s + u,
    )
