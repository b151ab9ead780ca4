"""Removes text from HTML pages that a browser does not show to their readers.

A reviewer approves what they see. What a picture, a transformation, another element or a script
hides is not recognised. Imports nothing else of ours, because it runs in the isolated process.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from tinycss2 import serialize
from tinycss2.color4 import parse_color

from agencyclaw.documents.style_sheets import FONT_SIZES, Style, declared_styles, is_picture

_TINY_PX = 4 / 3
_FAR_PX = 999.0
_HALF = 50
# As for a browser, what is beyond any screen is finite: none of it is nothing.
_MOST = 1e9
# Of 1, as for PDF files.
_ALIKE = 15 / 255
_UNITS_PX = {"": 1.0, "px": 1.0, "pt": 4 / 3, "rem": 16.0, "mm": 3.78, "cm": 37.8, "in": 96.0}
# Units that depend on a font or on what is around; only whether it is next to nothing counts.
_OTHER_UNIT_PX = 16.0
# Red, green and blue, each of 1; or what has none of these, by its name.
Color = tuple[float, float, float] | str
_AS_PARENT = ("", "inherit", "unset", "currentcolor")
_NO_GROUND = ("", "transparent", "inherit", "initial", "unset")
_BLACK, _WHITE = (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class ComputedStyle:
    """How the text of an element looks; the defaults are a browser's."""

    color: Color = _BLACK
    background: Color = _WHITE
    size_px: float = 16.0
    is_visible: bool = True

    @property
    def hides_text(self) -> bool:
        """Whether nobody sees text that looks like this."""
        is_tiny = self.size_px <= _TINY_PX
        is_colorless = self.color == "transparent" or _are_alike(self.color, self.background)
        return not self.is_visible or is_tiny or is_colorless


def drop_hidden_html(soup: Any) -> int:
    """Remove what a browser does not show; return how many characters it had."""
    declared = declared_styles(soup)
    dropped = _drop_hidden_elements(soup, declared)
    computed = {id(soup): ComputedStyle()}
    for element in soup.find_all(True):
        parent = computed[id(element.parent)]
        computed[id(element)] = _computed(parent, declared[id(element)])
    for text in list(soup.strings):
        if text.strip() and computed[id(text.parent)].hides_text:
            dropped += len(text.strip())
            text.extract()
    return dropped


def _drop_hidden_elements(soup: Any, declared: dict[int, Style]) -> int:
    """Remove the elements that show nothing, whatever is in them."""
    dropped = 0
    for element in soup.find_all(True):
        if not element.decomposed and _shows_nothing(declared[id(element)]):
            dropped += len(element.get_text().strip())
            element.decompose()
    return dropped


def _shows_nothing(style: Style) -> bool:
    """Return whether an element is taken out, see-through, moved away or clipped to nothing."""
    if _text(style, "display") == "none" or _number(style.get("opacity")) == 0:
        return True
    moving = ["text-indent"]
    # A float's margin of so many percent puts it beside or upon what is before it.
    moving += [name for name in ("margin-left", "margin-top") if "%" not in _text(style, name)]
    if _text(style, "position") not in ("", "static", "sticky"):
        moving += ["left", "top", "right"]
    if any(_length_px(style.get(name)) <= -_FAR_PX for name in moving):
        return True
    path, clip = _text(style, "clip-path"), _text(style, "clip")
    if path.startswith("inset(") and _inset_percent(style["clip-path"][0]) >= _HALF:
        return True
    axes = (style.get(f"overflow{axis}", ()) for axis in ("", "-x", "-y"))
    overflow = {getattr(value, "lower_value", "") for values in axes for value in values}
    clips = path not in ("", "none") or clip not in ("", "auto")
    clips = clips or not overflow.isdisjoint({"hidden", "clip"})
    sizes = [style.get(name) for name in ("width", "height", "max-height", "max-width")]
    return clips and any(_length_px(size) <= 1 for size in sizes)


def _inset_percent(inset: Any) -> float:
    """Return by how many percent an `inset()` cuts the first side."""
    first = next((one for one in inset.arguments if one.type != "whitespace"), None)
    return float(first.value) if first is not None and first.type == "percentage" else 0.0


def _computed(parent: ComputedStyle, style: Style) -> ComputedStyle:
    """Return an element's style, which inherits what it does not declare."""
    own = replace(parent, size_px=_size_px(style.get("font-size"), parent.size_px))
    if _text(style, "color") not in _AS_PARENT:
        own = replace(own, color=_color(style["color"][0]))
    # What is not painted shows the ground of the element around it.
    if _text(style, "background-color") not in _NO_GROUND:
        ground = _color(style["background-color"][0])
        own = own if ground == "transparent" else replace(own, background=ground)
    # A picture is a ground that has no colour.
    if any(is_picture(value) for value in style.get("background-image", ())):
        own = replace(own, background="picture")
    if visibility := _text(style, "visibility"):
        is_visible = parent.is_visible if visibility in _AS_PARENT else visibility == "visible"
        own = replace(own, is_visible=is_visible)
    return own


def _text(style: Style, name: str) -> str:
    """Return a property's value as text in lower case; "" if it is not declared."""
    return serialize(style.get(name, ())).lower()


def _number(values: Sequence[Any] | None) -> float | None:
    """Return the number with which a value begins; None if it is none."""
    first = values[0] if values else None
    if first is None or first.type not in ("number", "percentage", "dimension"):
        return None
    return max(-_MOST, min(_MOST, float(first.value)))


def _unit(value: Any) -> str:
    return "%" if value.type == "percentage" else getattr(value, "lower_unit", "")


def _length_px(values: Sequence[Any] | None) -> float:
    """Return a length in pixels, roughly for some units; `_FAR_PX` for a value that is none."""
    number = _number(values)
    if not values or number is None:
        return _FAR_PX
    return number * _UNITS_PX.get(_unit(values[0]), _OTHER_UNIT_PX)


def _size_px(values: Sequence[Any] | None, parent_px: float) -> float:
    """Return a font size in pixels; that of the parent for a word that names none."""
    number = _number(values)
    if not values or number is None:
        is_named = bool(values) and getattr(values[0], "lower_value", "") in FONT_SIZES
        return ComputedStyle.size_px if is_named else parent_px
    if (unit := _unit(values[0])) == "%":
        return number / 100 * parent_px
    # An unknown unit is one of the font's, such as `em`.
    return number * _UNITS_PX.get(unit, parent_px)


def _color(value: Any) -> Color:
    """Return a colour; one that is not of red, green and blue as it is written."""
    with suppress(ValueError, NotImplementedError):
        color: Any = parse_color(value)
        if color and color != "currentcolor":
            red, green, blue = (max(0.0, min(1.0, one)) for one in color.to("srgb").coordinates)
            return "transparent" if color.alpha == 0 else (red, green, blue)
    return value.serialize().lower()


def _are_alike(color: Color, ground: Color) -> bool:
    """Return whether nobody can tell two colours apart."""
    if isinstance(color, str) or isinstance(ground, str):
        return color == ground
    return all(abs(one - other) <= _ALIKE for one, other in zip(color, ground, strict=True))
