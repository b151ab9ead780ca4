"""What is painted on a page of a PDF file, and whether text on it is seen.

Text counts as seen where that can't be told: on a picture, on a gradient, or in a colour of unknown
look. Imports nothing of ours, because it runs in the isolated process.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

Numbers = tuple[float, ...]
Points = Sequence[tuple[float, float]]

IDENTITY: Numbers = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
UNIT_SQUARE: Points = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
_WHITE, _BLACK = (1.0, 1.0, 1.0), (0.0, 0.0, 0.0)
_TINY_PT = 1.0
_BAND_PT = 20.0
_FAINT = 0.05
_ALIKE = 0.06
# By the font's size: a point in a letter, right of where it begins and above its line; and how far
# letters reach below and above their line.
_INTO_LETTER, _ABOVE_LINE = 0.1, 0.25
_DEPTH, _HEIGHT = -0.25, 0.75
# A run is looked at in so many places; text is on the line of another if it is as near to it.
_MOST_PLACES = 500
_SAME_LINE_PT = 0.01
# Text that is neither filled nor outlined, and text that is outlined alone, or as well.
_UNSEEN_MODES = frozenset({3, 7})
_OUTLINED_ALONE = frozenset({1, 5})
_OUTLINED = frozenset({1, 2, 5, 6})
# Families of colour spaces: of grey, of red, green and blue or of the four inks; and of other inks.
_PLAIN_SPACES = frozenset(
    {"/DeviceGray", "/DeviceRGB", "/DeviceCMYK", "/CalGray", "/CalRGB", "/ICCBased"}
)
_INK_SPACES = frozenset({"/Separation", "/DeviceN"})


@dataclass(frozen=True)
class Paint:
    """A colour, None for an unknown one; the family of its colour space, and how opaque it is."""

    color: Numbers | None = _BLACK
    space: str = "/DeviceGray"
    alpha: float = 1.0

    @property
    def initial(self) -> Numbers | None:
        """The colour that its space begins with."""
        return _BLACK if self.space in _PLAIN_SPACES else None

    def mixed(self, operands: Any) -> Numbers | None:
        """Return the colour of these numbers in its space."""
        if not operands or str(operands[-1]).startswith("/"):
            return None
        numbers = floats(operands)
        if self.space in _INK_SPACES:
            return None if any(numbers) else _WHITE
        return rgb(numbers) if self.space in _PLAIN_SPACES else None

    def over(self, ground: Numbers) -> Numbers:
        """Return its colour where the ground shows through."""
        parts = zip(self.color or ground, ground, strict=True)
        return tuple(part * self.alpha + behind * (1 - self.alpha) for part, behind in parts)

    def is_seen_on(self, ground: Numbers | None) -> bool:
        """Return whether it differs from the colour behind it."""
        if self.alpha < _FAINT:
            return False
        if self.color is None or ground is None:
            return True
        parts = zip(self.over(ground), ground, strict=True)
        return any(abs(part - behind) > _ALIKE for part, behind in parts)


UNKNOWN_PAINT = Paint(None)
_INK = Paint()


@dataclass(frozen=True)
class GraphicsState:
    """The state of a PDF's drawing; `clip` is the box outside of which nothing is drawn.

    `opacity` is that of the group which is drawn; with a mask it is unknown how opaque areas are.
    """

    clip: Numbers
    fill: Paint = _INK
    stroke: Paint = _INK
    mode: int = 0
    size: float = 12.0
    stretch: float = 100.0
    rise: float = 0.0
    leading: float = 0.0
    letter_gap: float = 0.0
    word_gap: float = 0.0
    line_width: float = 1.0
    ctm: Numbers = IDENTITY
    opacity: float = 1.0
    is_masked: bool = False

    @property
    def paints(self) -> tuple[Paint, ...]:
        """What text is painted with."""
        if self.mode in _UNSEEN_MODES:
            return ()
        fill, stroke = self.of_group(self.fill), self.of_group(self.stroke)
        if self.mode in _OUTLINED_ALONE:
            return (stroke,)
        return (fill, stroke) if self.mode in _OUTLINED else (fill,)

    def of_group(self, paint: Paint) -> Paint:
        """Return a paint as opaque as it is in its group."""
        return replace(paint, alpha=paint.alpha * self.opacity)

    def grouped(self) -> GraphicsState:
        """Return the state in which a group begins, which is drawn as one thing."""
        return replace(
            self,
            fill=replace(self.fill, alpha=1.0),
            stroke=replace(self.stroke, alpha=1.0),
            opacity=self.opacity * self.fill.alpha,
            is_masked=False,
        )


@dataclass(frozen=True)
class Run:
    """How far along its line a text may reach: no letter is wider than the size of its font.

    `start` is where it begins, None after another text of the line, the width of which is unknown.
    """

    start: float | None = 0.0
    low: float = 0.0
    high: float = 0.0

    def then(self, parts: Iterable[Any], state: GraphicsState) -> Run:
        """Return the run of texts that come next; numbers between them move them to the left."""
        low, high, start, is_begun = self.low, self.high, self.start, False
        scale = state.stretch / 100
        for part in parts:
            if isinstance(part, str | bytes):
                is_begun = True
                gaps = (state.size, state.letter_gap, state.word_gap)
                steps = [len(part) * gap * scale for gap in gaps]
            else:
                steps = [-float(part) / 1_000 * state.size * scale]
            if is_begun:
                low += sum(min(0.0, step) for step in steps)
                high += sum(max(0.0, step) for step in steps)
            else:
                low, high = low + steps[0], high + steps[0]
                start = None if start is None else start + steps[0]
        return Run(start, low, high)

    def box(self, state: GraphicsState) -> Numbers:
        """Return the box that its letters are in, in the units of its line."""
        ends = (state.rise + _DEPTH * state.size, state.rise + _HEIGHT * state.size)
        return (self.low, min(ends), self.high, max(ends))

    def places(self, state: GraphicsState) -> Points:
        """Return points one em apart from its start on, or from where it starts at the earliest."""
        em = state.size * state.stretch / 100
        first, last = (self.low, self.high) if em > 0 else (self.high, self.low)
        first = first if self.start is None else self.start
        step = math.copysign(max(abs(em), abs(last - first) / _MOST_PLACES), em)
        above = state.rise + _ABOVE_LINE * state.size
        count = int((last - first) / step) + 1
        return [(first + _INTO_LETTER * em + at * step, above) for at in range(count)]


@dataclass(frozen=True)
class PaintedArea:
    """What polygons enclose inside a box."""

    polygons: Sequence[Points]
    box: Numbers
    paint: Paint
    is_even_odd: bool = False

    def covers(self, x: float, y: float) -> bool:
        """Return whether a point is inside."""
        if not _holds(self.box, x, y):
            return False
        turns = sum(_turns(polygon, x, y) for polygon in self.polygons)
        return turns % 2 == 1 if self.is_even_odd else turns != 0


class PdfPage:
    """A page while it is read: the areas painted on it, the topmost last, by the bands they are in.

    A drawing may have tens of thousands of areas, and a page thousands of words.
    """

    def __init__(self) -> None:
        self._bands: defaultdict[int, list[PaintedArea]] = defaultdict(list)
        self._line: list[tuple[GraphicsState, Numbers, Points]] = []

    def paint(
        self, state: GraphicsState, polygons: Sequence[Points], paint: Paint, *, is_even_odd: bool
    ) -> None:
        """Record an area, as far as it is drawn at all."""
        paint = UNKNOWN_PAINT if state.is_masked else state.of_group(paint)
        box = common_box(state.clip, box_around(polygons))
        if _has_area(box) and paint.alpha >= _FAINT:
            area = PaintedArea(polygons, box, paint, is_even_odd)
            for band in range(_band(box[1]), _band(box[3]) + 1):
                self._bands[band].append(area)

    def ground(self, x: float, y: float) -> Numbers | None:
        """Return the colour behind a point; None if it is unknown."""
        seen_through: list[Paint] = []
        color: Numbers | None = _WHITE
        for area in reversed(self._bands[_band(y)]):
            if area.covers(x, y):
                color = area.paint.color
                if color is None or area.paint.alpha >= 1:
                    break
                seen_through.append(area.paint)
                color = _WHITE
        for paint in reversed(seen_through):
            color = color and paint.over(color)
        return color

    def write(self, state: GraphicsState, line: Numbers, run: Run) -> bool:
        """Write text; returns whether it may be visible, and then it may be behind other text."""
        matrix = multiply(line, state.ctm)
        size = abs(state.size)
        height = size * math.hypot(*matrix[2:4])
        width = size * math.hypot(*matrix[:2]) * abs(state.stretch) / 100
        if min(width, height) < _TINY_PT:
            return False
        if run.low == run.high:  # nothing is written
            return True
        letters = placed(corners(run.box(state)), matrix)
        if not _has_area(common_box(state.clip, box_around([letters]))):
            return False
        if run.start is not None and not self._goes_on(state.size, matrix):
            self._end_line()
        places = [at for at in placed(run.places(state), matrix) if _holds(state.clip, *at)]
        # Text that follows another may be anywhere on its line.
        looked_at = places if run.start is None else places[:1]
        grounds = (self.ground(*at) for at in looked_at) if places else (None,)
        paints = state.paints
        if not any(paint.is_seen_on(ground) for ground in grounds for paint in paints):
            return False
        self._line.append((state, matrix, letters))
        return True

    def _goes_on(self, size: float, matrix: Numbers) -> bool:
        """Return whether text stands beside the last one: further on, as large, on its line."""
        if not self._line:
            return True
        state, (*last, left, low), _ = self._line[-1]
        a, b, *_, e, f = matrix
        along, across = a * (e - left) + b * (f - low), a * (f - low) - b * (e - left)
        is_near = abs(across) <= _SAME_LINE_PT * math.hypot(a, b)
        return is_near and along > 0 and (size, *matrix[:4]) == (state.size, *last)

    def _end_line(self) -> None:
        """Record the letters of a line as painted: of what shape they are is unknown."""
        line, self._line = self._line, []
        for state, _, letters in line:
            self.paint(state, [letters], UNKNOWN_PAINT, is_even_odd=False)


def rgb(numbers: Numbers) -> Numbers | None:
    """Return grey, four inks or red, green and blue as the latter; None for other numbers."""
    numbers = tuple(min(1.0, max(0.0, number)) for number in numbers)
    match len(numbers):
        case 1:
            return numbers * 3
        case 3:
            return numbers
        case 4:
            cyan, magenta, yellow, black = numbers
            return tuple((1 - ink) * (1 - black) for ink in (cyan, magenta, yellow))
        case _:
            return None


def floats(numbers: Iterable[Any]) -> Numbers:
    """Return numbers of a file as ours."""
    return tuple(float(number) for number in numbers)


def box_around(polygons: Iterable[Points]) -> Numbers:
    """Return the smallest box around polygons: left, low, right, high."""
    xs, ys = zip(*(point for polygon in polygons for point in polygon), strict=True)
    return (min(xs), min(ys), max(xs), max(ys))


def corners(box: Numbers) -> Points:
    """Return the corners of a box, one after the other."""
    left, low, right, high = box
    return ((left, low), (right, low), (right, high), (left, high))


def common_box(first: Numbers, second: Numbers) -> Numbers:
    """Return what two boxes share; it has no area if they share nothing."""
    lows, highs = zip(first[:2], second[:2], strict=True), zip(first[2:], second[2:], strict=True)
    return (*map(max, lows), *map(min, highs))


def placed(points: Iterable[tuple[float, float]], matrix: Numbers) -> list[tuple[float, float]]:
    """Return where a transformation moves points."""
    a, b, c, d, e, f = matrix
    return [(a * x + c * y + e, b * x + d * y + f) for x, y in points]


def multiply(first: Numbers, second: Numbers) -> Numbers:
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


def _band(y: float) -> int:
    return int(y // _BAND_PT)


def _has_area(box: Numbers) -> bool:
    left, low, right, high = box
    return right > left and high > low


def _holds(box: Numbers, x: float, y: float) -> bool:
    left, low, right, high = box
    return left <= x <= right and low <= y <= high


def _turns(polygon: Points, x: float, y: float) -> int:
    """Return how often a polygon turns around a point, counterclockwise."""
    turns = 0
    for (x1, y1), (x2, y2) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (y1 <= y) != (y2 <= y) and x1 + (y - y1) / (y2 - y1) * (x2 - x1) > x:
            turns += 1 if y2 > y1 else -1
    return turns
