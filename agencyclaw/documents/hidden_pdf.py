"""Finds and removes text in PDF files that nobody sees.

What is painted over a text afterwards is not noticed. It may import nothing of ours but the page,
because it runs in the isolated process.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any

from agencyclaw.documents.pdf_pages import (
    IDENTITY,
    UNIT_SQUARE,
    UNKNOWN_PAINT,
    GraphicsState,
    Numbers,
    Paint,
    PdfPage,
    Points,
    Run,
    box_around,
    common_box,
    corners,
    floats,
    multiply,
    placed,
    rgb,
)

_DEEPEST = 10
# Text stays as bytes, which only its font can read.
_AS_WRITTEN = "bytes"
# Operators of content streams; of colours, those in capitals are for outlines.
_SHOW_TEXT = frozenset({b"Tj", b"TJ", b"'", b'"'})
_FILL = frozenset({b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*"})
_CLOSE = frozenset({b"h", b"s", b"b", b"b*"})
_STROKE = frozenset({b"S", b"s", b"B", b"B*", b"b", b"b*"})
_CURVE = frozenset({b"c", b"v", b"y"})
_BUILD_PATH = frozenset({b"re", b"m", b"l"}) | _CURVE
_END_PATH = frozenset({b"n"}) | _STROKE | _FILL
_CLIP = frozenset({b"W", b"W*"})
_MOVE_TEXT = frozenset({b"BT", b"Tm", b"Td", b"TD", b"T*"})
_SET_SPACE = frozenset({b"cs", b"CS"})
_SET_COLOR = frozenset({b"sc", b"scn", b"SC", b"SCN"})
_SET_PAINT = frozenset({b"g", b"rg", b"k", b"G", b"RG", b"K"}) | _SET_SPACE | _SET_COLOR
_STATE = {
    b"Tr": "mode",
    b"Tz": "stretch",
    b"TL": "leading",
    b"Ts": "rise",
    b"Tc": "letter_gap",
    b"Tw": "word_gap",
    b"w": "line_width",
}


def visible_text(page: Any) -> tuple[str, int]:
    """Return a page's visible text, and how many invisible characters it has."""
    from pypdf.generic import NameObject

    whole = page.extract_text()
    contents = page.get_contents()
    if contents is None or not whole.strip():
        return whole, 0
    contents.forced_encoding = _AS_WRITTEN
    # A file may name any two opposite corners of a box.
    sheet, cropped = (box_around([corners(floats(box))]) for box in (page.mediabox, page.cropbox))
    state = GraphicsState(common_box(sheet, cropped))
    if not _drop_invisible(contents, page, PdfPage(), state, frozenset()):
        return whole, 0
    page[NameObject("/Contents")] = contents
    seen = page.extract_text()
    return seen, max(0, len("".join(whole.split())) - len("".join(seen.split())))


def _drop_invisible(
    stream: Any, owner: Any, page: PdfPage, state: GraphicsState, within: frozenset[int]
) -> bool:
    """Remove invisible text from a content stream; returns whether there was any."""
    reader = _Interpreter(owner, page, state, within)
    seen = [reader.seen(operands, operator) for operands, operator in stream.operations]
    if reader.has_dropped:
        stream.operations = [operation for operation in seen if operation]
    return reader.has_dropped


class _Interpreter:
    """Executes a content stream as far as it can hide text; `within` are the forms it is in."""

    def __init__(
        self, owner: Any, page: PdfPage, state: GraphicsState, within: frozenset[int]
    ) -> None:
        resources = owner.get("/Resources")
        self._resources: Any = resources.get_object() if resources else {}
        self._page = page
        self._state = state
        self._within = within
        self._stack: list[GraphicsState] = []
        self._line = IDENTITY
        self._run = Run()
        self._path: list[list[tuple[float, float]]] = []
        self._strokes: list[Points] = []
        self._will_clip = False
        self.has_dropped = False

    def seen(self, operands: Any, operator: bytes) -> tuple[Any, bytes] | None:
        """Execute one operation; returns what is seen of it, None for text that is invisible."""
        with suppress(TypeError, ValueError, IndexError, KeyError):  # damaged steps draw nothing
            if operator in _SHOW_TEXT and not self._writes(operands, operator):
                self.has_dropped = True
                return None
            if operator == b"Do":
                return self._drawn(operands)
            self._execute(operands, operator)
        return operands, operator

    def _writes(self, operands: Any, operator: bytes) -> bool:
        """Write text; returns whether it may be visible."""
        if operator in (b"'", b'"'):
            self._position((), b"T*")
        if operator == b'"':
            self._set(operands, b"Tw")
            self._set(operands[1:], b"Tc")
        run = self._run.then(operands[0] if operator == b"TJ" else operands[-1:], self._state)
        self._run = replace(run, start=None)
        return self._page.write(self._state, self._line, run)

    def _execute(self, operands: Any, operator: bytes) -> None:
        if operator in _CLOSE and any(self._path[-1:]):
            self._close()
        if operator in _SET_PAINT:
            self._set_paint(operands, operator)
        elif operator in _BUILD_PATH:
            self._outline(floats(operands), operator)
        elif operator in _END_PATH:
            self._end_path(operator)
        elif operator in _CLIP:
            self._will_clip = True
        elif operator in (b"q", b"Q"):
            self._save_or_restore(is_new=operator == b"q")
        elif operator in _MOVE_TEXT:
            self._position(floats(operands), operator)
        elif operator == b"INLINE IMAGE":
            self._paint([placed(UNIT_SQUARE, self._state.ctm)], UNKNOWN_PAINT)
        elif operator == b"sh":
            self._paint([corners(self._state.clip)], UNKNOWN_PAINT)
        else:
            self._set(operands, operator)

    def _set(self, operands: Any, operator: bytes) -> None:
        if operator in _STATE:
            self._state = replace(self._state, **{_STATE[operator]: float(operands[0])})
        elif operator == b"Tf":
            self._state = replace(self._state, size=float(operands[1]))
        elif operator == b"cm":
            moved = multiply(floats(operands), self._state.ctm)
            self._state = replace(self._state, ctm=moved)
        elif operator == b"gs":
            self._apply(self._resources["/ExtGState"][operands[0]])

    def _apply(self, settings: Any) -> None:
        """Apply a named set of parameters."""
        state = self._state
        fill = replace(state.fill, alpha=float(settings.get("/ca", state.fill.alpha)))
        stroke = replace(state.stroke, alpha=float(settings.get("/CA", state.stroke.alpha)))
        size = float(settings["/Font"][1]) if "/Font" in settings else state.size
        masked = settings["/SMask"] != "/None" if "/SMask" in settings else state.is_masked
        width = float(settings.get("/LW", state.line_width))
        self._state = replace(
            state, fill=fill, stroke=stroke, size=size, line_width=width, is_masked=masked
        )

    def _set_paint(self, operands: Any, operator: bytes) -> None:
        name = "fill" if operator.islower() else "stroke"
        paint: Paint = getattr(self._state, name)
        if operator in _SET_SPACE:
            paint = replace(paint, space=self._space(operands[0]))
            paint = replace(paint, color=paint.initial)
        elif operator in _SET_COLOR:
            paint = replace(paint, color=paint.mixed(operands))
        else:
            paint = replace(paint, space="/DeviceGray", color=rgb(floats(operands)))
        self._state = replace(self._state, **{name: paint})

    def _space(self, name: Any) -> str:
        """Return the family of a colour space."""
        spaces = self._resources.get("/ColorSpace")
        named: Any = spaces.get_object() if spaces else {}
        space: Any = named.get(name, name).get_object()
        return str(space if isinstance(space, str) else space[0])

    def _save_or_restore(self, *, is_new: bool) -> None:
        if is_new:
            self._stack.append(self._state)
        elif self._stack:
            self._state = self._stack.pop()

    def _position(self, numbers: Numbers, operator: bytes) -> None:
        self._run = Run()
        if operator == b"BT":
            self._line = IDENTITY
        elif operator == b"Tm":
            self._line = numbers
        elif operator == b"T*":
            self._move(0, -self._state.leading)
        else:
            if operator == b"TD":
                self._state = replace(self._state, leading=-numbers[1])
            self._move(*numbers)

    def _move(self, x: float, y: float) -> None:
        self._line = multiply((1.0, 0.0, 0.0, 1.0, x, y), self._line)

    def _outline(self, numbers: Numbers, operator: bytes) -> None:
        """Add to the path; a curve counts as the lines through its control points."""
        points: Points = list(zip(numbers[::2], numbers[1::2], strict=False))
        if operator == b"re":
            x, y, width, height = numbers
            points = [*corners((x, y, x + width, y + height)), (x, y)]
        if operator in (b"re", b"m"):
            self._path.append([])
        path, points = self._path[-1], placed(points, self._state.ctm)
        # A curve is inside the box around its control points.
        piece = [*path[-1:], *points]
        self._strokes += [piece] if operator in _CURVE else pairwise(piece)
        path += points

    def _close(self) -> None:
        """Draw a line back to where the last part of the path begins."""
        path = self._path[-1]
        self._strokes.append([path[-1], path[0]])
        path.append(path[0])

    def _end_path(self, operator: bytes) -> None:
        """Fill and outline the path if that is to be done, and clip by it what comes later."""
        path, self._path = self._path, []
        strokes, self._strokes = self._strokes, []
        clips, self._will_clip = self._will_clip, False
        if path and operator in _FILL:
            self._paint(path, self._state.fill, is_even_odd=operator.endswith(b"*"))
        if operator in _STROKE:
            self._stroke(strokes)
        if path and clips:
            clip = common_box(self._state.clip, box_around(path))
            self._state = replace(self._state, clip=clip)

    def _stroke(self, pieces: Sequence[Points]) -> None:
        """Paint the boxes that lines are in: the colour is unknown, as they may not fill them."""
        a, b, c, d, *_ = self._state.ctm
        half = self._state.line_width / 2 * max(math.hypot(a, b), math.hypot(c, d))
        for piece in pieces:
            left, low, right, high = box_around([piece])
            box = (left - half, low - half, right + half, high + half)
            self._paint([corners(box)], replace(self._state.stroke, color=None))

    def _paint(
        self, polygons: Sequence[Points], paint: Paint, *, is_even_odd: bool = False
    ) -> None:
        self._page.paint(self._state, polygons, paint, is_even_odd=is_even_odd)

    def _drawn(self, operands: Any) -> tuple[Any, bytes] | None:
        """Draw an object: an image has no single colour, a form is drawn like a page."""
        drawn = self._resources["/XObject"][operands[0]]
        if drawn["/Subtype"] == "/Image":
            self._paint([placed(UNIT_SQUARE, self._state.ctm)], UNKNOWN_PAINT)
        elif drawn["/Subtype"] == "/Form":
            if id(drawn) in self._within:
                return None
            if len(self._within) >= _DEEPEST:
                self.has_dropped = True
                return None
            return [self._seen_form(operands[0], drawn)], b"Do"
        return operands, b"Do"

    def _seen_form(self, name: Any, form: Any) -> Any:
        """Return the name of a form, or of a copy without what is invisible in this place."""
        from pypdf.generic import ContentStream, DecodedStreamObject, NameObject

        stream = ContentStream(form, None, _AS_WRITTEN)
        matrix = floats(form["/Matrix"]) if "/Matrix" in form else IDENTITY
        inside = replace(self._state, ctm=multiply(matrix, self._state.ctm))
        if "/Group" in form:
            inside = inside.grouped()
        if "/BBox" in form:
            edges = box_around([placed(corners(floats(form["/BBox"])), inside.ctm)])
            inside = replace(inside, clip=common_box(inside.clip, edges))
        if not _drop_invisible(stream, form, self._page, inside, self._within | {id(form)}):
            return name
        self.has_dropped = True
        copy = DecodedStreamObject()
        copy.update({key: form[key] for key in form if key not in ("/Filter", "/DecodeParms")})
        copy.set_data(stream.get_data())
        forms = self._resources["/XObject"]
        copied = NameObject(f"/Seen{len(forms)}")
        forms[copied] = copy
        return copied
