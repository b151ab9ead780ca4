"""Finds and removes text in files that nobody sees.

A reviewer approves what they see. Imports nothing of ours, because it runs in the isolated process.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

_TINY_PT = 1.0
_FAR = 999.0
_DEEPEST = 10
_FAINT = 0.05
_ALIKE = 0.06
_WITH_ALPHA = 4
_IDENTITY = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
# Text that is neither filled nor outlined; outlined text has its own colour.
_UNSEEN_MODES = frozenset({3, 7})
_OUTLINED = frozenset({1, 2, 5, 6})
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_NAMED_COLORS = {"white": "#ffffff", "black": "#000000", "red": "#ff0000", "blue": "#0000ff"}


def drop_hidden_word(document: Any) -> int:
    """Remove text that Word does not show: hidden, white on white, or too small to see."""
    from docx.oxml.ns import qn

    styles = {style.style_id: style for style in document.styles}
    dropped = 0
    for run in list(document.element.body.iter(qn("w:r"))):
        text = str(run.text)
        if text.strip() and _is_hidden_run(run, styles, qn):
            dropped += len(text)
            run.getparent().remove(run)
    return dropped


def _is_hidden_run(run: Any, styles: Any, qn: Any) -> bool:
    above = [run, *run.iterancestors()]
    paragraph = next((one for one in above if one.tag == qn("w:p")), None)
    asked = [*_properties(run, "w:rPr", styles, qn), *_properties(paragraph, "w:pPr", styles, qn)]
    vanish = next((one for part in asked if (one := part.find(qn("w:vanish"))) is not None), None)
    if vanish is not None and vanish.get(qn("w:val")) not in ("0", "false", "off"):
        return True
    size = next((one for part in asked if (one := part.find(qn("w:sz"))) is not None), None)
    if size is not None and float(size.get(qn("w:val")) or 24) <= _TINY_PT * 2:
        return True
    color = next((one for part in asked if (one := part.find(qn("w:color"))) is not None), None)
    if color is None or (color.get(qn("w:val")) or "").upper() != "FFFFFF":
        return False
    own = [part for one in above for part in one if part.tag in (qn("w:rPr"), qn("w:pPr"))]
    own += [part for one in above for part in one if part.tag == qn("w:tcPr")]
    shades = [one for part in (*own, *asked) for one in part.iter(qn("w:shd"), qn("w:highlight"))]
    fills = {str(one.get(qn("w:fill")) or one.get(qn("w:val"))).lower() for one in shades}
    return fills <= {"ffffff", "auto", "white", "none", "clear"}


def _properties(node: Any, tag: str, styles: Any, qn: Any) -> Iterator[Any]:
    """Yield the run properties that apply to a node: its own, then those of its styles."""
    own = node.find(qn(tag)) if node is not None else None
    if own is None:
        return
    if tag == "w:rPr":
        yield own
    named = own.find(qn("w:rStyle" if tag == "w:rPr" else "w:pStyle"))
    style = styles.get(named.get(qn("w:val"))) if named is not None else None
    for _ in range(_DEEPEST):
        if style is None:
            return
        inside = style.element.find(qn("w:rPr"))
        if inside is not None:
            yield inside
        style = style.base_style


def drop_hidden_html(soup: Any) -> int:
    """Remove text a browser does not show: hidden, too small, or in the background's colour."""
    styles = _styles_of(soup)
    dropped = 0
    for element in soup.find_all(True):
        if element.decomposed or not (text := element.get_text()).strip():
            continue
        if _is_hidden_html(element, styles):
            dropped += len(text.strip())
            element.decompose()
    return dropped


def _styles_of(soup: Any) -> dict[int, dict[str, str]]:
    """Return the styles of each element, from style sheets and attributes, by `id()`."""
    found: dict[int, dict[str, str]] = {}
    sheets = "".join(sheet.get_text() for sheet in soup("style"))
    for selector, declared in _RULE.findall(_CSS_COMMENT.sub("", sheets)):
        with suppress(Exception):  # what no selector is selects nothing
            for element in soup.select(selector.strip()):
                found.setdefault(id(element), {}).update(_declared(declared))
    for element in soup.find_all(True):
        own = found.setdefault(id(element), {})
        for attribute, name in (("bgcolor", "background-color"), ("color", "color")):
            if element.get(attribute):
                own[name] = str(element[attribute]).lower()
        own.update(_declared(str(element.get("style") or "")))
    return found


def _declared(style: str) -> dict[str, str]:
    pairs = [one.partition(":") for one in style.lower().split(";") if ":" in one]
    return {name.strip(): value.replace("!important", "").strip() for name, _, value in pairs}


def _is_hidden_html(element: Any, styles: dict[int, dict[str, str]]) -> bool:
    own = styles.get(id(element), {})
    if element.has_attr("hidden") or own.get("display") == "none":
        return True
    if own.get("visibility") in ("hidden", "collapse") or _number(own.get("opacity")) == 0:
        return True
    size = own.get("font-size", "")
    if size and size[0].isdigit() and _number(size) <= _TINY_PT and not size.endswith(("em", "%")):
        return True
    if _number(size, 1) == 0 or _is_moved_away(own):
        return True
    color = _css_color(own.get("color", ""))
    return color == "transparent" or (bool(color) and color == _ground_of(element, styles))


def _is_moved_away(own: dict[str, str]) -> bool:
    away = [_number(own.get(name)) for name in ("left", "top", "right", "text-indent")]
    is_away = any(place is not None and place <= -_FAR for place in away)
    sizes = [_number(own.get(name)) for name in ("width", "height", "max-height", "max-width")]
    is_nothing = any(size is not None and size <= 1 for size in sizes)
    clips = own.get("overflow", "") in ("hidden", "clip") or "clip" in own or "clip-path" in own
    return is_away or (is_nothing and clips)


def _ground_of(element: Any, styles: dict[int, dict[str, str]]) -> str:
    """Return the colour behind an element; white unless stated otherwise."""
    for one in (element, *element.parents):
        own = styles.get(id(one), {})
        color = own.get("background-color") or own.get("background") or ""
        if color and color not in ("none", "transparent", "inherit", "initial"):
            return _css_color(color) or "unknown"
    return "#ffffff"


def _css_color(css: str) -> str:
    """Return a colour as six hex digits; "" for other notations."""
    css = css.strip()
    if css in _NAMED_COLORS or css == "transparent":
        return _NAMED_COLORS.get(css, css)
    if css.startswith("#") and len(css) in (4, 5):
        css = "#" + "".join(digit * 2 for digit in css[1:])
    if css.startswith("#") and len(css) in (7, 9):
        return "transparent" if css[7:] == "00" else css[:7]
    if not css.startswith("rgb"):
        return ""
    parts = css.partition("(")[2].partition(")")[0].replace(",", " ").replace("/", " ").split()
    numbers = [value for part in parts if (value := _number(part)) is not None]
    if len(numbers) == _WITH_ALPHA and numbers[3] == 0:
        return "transparent"
    return "#" + "".join(f"{min(255, max(0, int(value))):02x}" for value in numbers[:3])


def _number(value: str | None, otherwise: float | None = None) -> Any:
    found = _NUMBER.match(value.strip()) if value else None
    return float(found[0]) if found else otherwise


@dataclass(frozen=True)
class _Ink:
    """The state of a PDF's drawing: colour, size, position, visibility."""

    fill: tuple[float, ...] | None = (0.0, 0.0, 0.0)
    mode: int = 0
    alpha: float = 1.0
    size: float = 12.0
    stretch: float = 100.0
    leading: float = 0.0
    ctm: tuple[float, ...] = _IDENTITY


@dataclass
class _Sheet:
    """A page while it is read: its edges, and the areas painted on it, the topmost last."""

    edges: tuple[float, ...]
    painted: list[tuple[tuple[float, ...], tuple[float, ...] | None]]

    def ground(self, x: float, y: float) -> tuple[float, ...] | None:
        """Return the colour behind a point; None if it is unknown."""
        for (left, low, right, high), color in reversed(self.painted):
            if left <= x <= right and low <= y <= high:
                return color
        return (1.0, 1.0, 1.0)

    def shows(self, ink: _Ink, line: tuple[float, ...]) -> bool:
        """Return whether text that begins here is visible."""
        a, b, c, d, x, y = _times(line, ink.ctm)
        height = ink.size * max(math.hypot(a, b), math.hypot(c, d))
        left, low, right, high = self.edges
        if ink.mode in _UNSEEN_MODES or ink.alpha < _FAINT or ink.stretch == 0:
            return False
        if height < _TINY_PT or not (left <= x <= right and low <= y <= high):
            return False
        ground = self.ground(x, y)
        if ink.fill is None or ground is None or ink.mode in _OUTLINED:
            return True
        return any(abs(one - other) > _ALIKE for one, other in zip(ink.fill, ground, strict=True))


def visible_pdf(page: Any) -> tuple[str, int]:
    """Return a page's visible text, and how many invisible characters it has."""
    box = page.mediabox
    edges = tuple(float(one) for one in (box.left, box.bottom, box.right, box.top))
    whole = page.extract_text()
    contents = page.get_contents()
    if contents is None or not whole.strip():
        return whole, 0
    if not _drop_unseen(contents, page, _Sheet(edges, []), _Ink(), _DEEPEST):
        return whole, 0
    page[_name("/Contents")] = contents
    seen = page.extract_text()
    return seen, max(1, len("".join(whole.split())) - len("".join(seen.split())))


def _name(text: str) -> Any:
    from pypdf.generic import NameObject

    return NameObject(text)


def _drop_unseen(stream: Any, owner: Any, sheet: _Sheet, ink: _Ink, depth: int) -> bool:
    """Remove invisible text from a content stream; returns whether there was any."""
    kept: list[Any] = []
    reader = _Reader(owner, sheet, ink, depth)
    for operands, operator in stream.operations:
        if reader.keeps(operands, operator):
            kept.append((operands, operator))
    if len(kept) < len(stream.operations):
        stream.operations = kept
    return reader.has_dropped


_SHOWN = {b"Tj", b"TJ", b"'", b'"'}
_FILLED = {b"f", b"F", b"f*", b"B", b"B*", b"b", b"b*"}
_COLORED = {b"g", b"rg", b"k", b"sc", b"scn"}


class _Reader:
    """Executes a content stream as far as it can hide text."""

    def __init__(self, owner: Any, sheet: _Sheet, ink: _Ink, depth: int) -> None:
        self._resources: Any = owner.get("/Resources") or {}
        self._sheet = sheet
        self._ink = ink
        self._depth = depth
        self._stack: list[_Ink] = []
        self._line = _IDENTITY
        self._path: list[tuple[float, float]] = []
        self.has_dropped = False

    def keeps(self, operands: Any, operator: bytes) -> bool:
        """Execute one operation; returns False for text that is invisible."""
        if operator in _SHOWN:
            if operator in (b"'", b'"'):
                self._move(0, -self._ink.leading)
            is_seen = self._sheet.shows(self._ink, self._line)
            self.has_dropped |= not is_seen
            return is_seen
        with suppress(TypeError, ValueError, IndexError, KeyError):  # damaged steps draw nothing
            self._follow(operands, operator)
        return True

    def _follow(self, operands: Any, operator: bytes) -> None:
        if operator in _COLORED:
            self._ink = replace(self._ink, fill=_rgb(operands))
        elif operator in _FILLED:
            self._paint(self._ink.fill)
        elif operator == b"Do":
            self._draw(str(operands[0]))
        elif operator in (b"q", b"Q"):
            self._keep(is_new=operator == b"q")
        elif operator in (b"BT", b"Tm", b"Td", b"TD", b"T*"):
            self._place(operands, operator)
        elif operator in (b"re", b"m", b"l", b"c", b"v", b"y", b"n", b"S", b"s"):
            self._outline([float(one) for one in operands], operator)
        else:
            self._set(operands, operator)

    def _set(self, operands: Any, operator: bytes) -> None:
        names = {b"Tr": "mode", b"Tz": "stretch", b"TL": "leading"}
        if operator in names:
            self._ink = replace(self._ink, **{names[operator]: float(operands[0])})
        elif operator == b"Tf":
            self._ink = replace(self._ink, size=abs(float(operands[1])))
        elif operator == b"cm":
            moved = _times(tuple(float(one) for one in operands), self._ink.ctm)
            self._ink = replace(self._ink, ctm=moved)
        elif operator == b"cs":
            self._ink = replace(self._ink, fill=(0.0, 0.0, 0.0))
        elif operator == b"gs":
            state = self._resources["/ExtGState"][operands[0]].get_object()
            self._ink = replace(self._ink, alpha=float(state.get("/ca", self._ink.alpha)))

    def _keep(self, *, is_new: bool) -> None:
        if is_new:
            self._stack.append(self._ink)
        elif self._stack:
            self._ink = self._stack.pop()

    def _place(self, operands: Any, operator: bytes) -> None:
        numbers = [float(one) for one in operands]
        if operator == b"BT":
            self._line = _IDENTITY
        elif operator == b"Tm":
            self._line = tuple(numbers)
        elif operator == b"T*":
            self._move(0, -self._ink.leading)
        else:
            if operator == b"TD":
                self._ink = replace(self._ink, leading=-numbers[1])
            self._move(*numbers)

    def _move(self, x: float, y: float) -> None:
        self._line = _times((1.0, 0.0, 0.0, 1.0, x, y), self._line)

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
        a, b, c, d, e, f = self._ink.ctm
        if self._path and self._ink.alpha >= _FAINT:
            xs = [a * x + c * y + e for x, y in self._path]
            ys = [b * x + d * y + f for x, y in self._path]
            self._sheet.painted.append(((min(xs), min(ys), max(xs), max(ys)), color))
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
        matrix = tuple(float(one) for one in form.get("/Matrix", _IDENTITY))
        inside = replace(self._ink, ctm=_times(matrix, self._ink.ctm))
        if _drop_unseen(stream, form, self._sheet, inside, self._depth - 1):
            form.set_data(stream.get_data())
            self.has_dropped = True


def _rgb(operands: Any) -> tuple[float, ...] | None:
    """Return a colour as red, green and blue; None for a pattern."""
    if not operands or str(operands[-1]).startswith("/"):
        return None
    numbers = [float(one) for one in operands]
    match len(numbers):
        case 1:
            return (numbers[0],) * 3
        case 3:
            return tuple(numbers)
        case 4:
            cyan, magenta, yellow, black = numbers
            return tuple((1 - one) * (1 - black) for one in (cyan, magenta, yellow))
        case _:
            return None


def _times(one: tuple[float, ...], other: tuple[float, ...]) -> tuple[float, ...]:
    """Return the product of two transformations, the first one applied first."""
    a, b, c, d, e, f = one
    p, q, r, s, t, u = other
    return (
        a * p + b * r,
        a * q + b * s,
        c * p + d * r,
        c * q + d * s,
        e * p + f * r + t,
        e * q + f * s + u,
    )
