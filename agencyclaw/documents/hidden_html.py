"""Removes text from HTML pages that a browser does not show to their readers.

A reviewer approves what they see. The styles are computed as a browser does it, with two
simplifications: of several rules the later one wins, and the rules of every medium apply.
Imports nothing of ours, because it runs in the isolated process.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

_TINY_PX = 4 / 3
_FAR_PX = 999.0
# Of 255, as for PDF files.
_ALIKE = 15
_UNITS_PX = {"": 1.0, "px": 1.0, "pt": 4 / 3, "rem": 16.0, "mm": 3.78, "cm": 37.8, "in": 96.0}
_WITH_ALPHA = 4
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")
_CSS_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_NAMED_COLORS = {"white": "#ffffff", "black": "#000000", "red": "#ff0000", "blue": "#0000ff"}
_AS_PARENT = ("", "inherit", "unset", "currentcolor")
_NO_GROUND = ("", "none", "transparent", "inherit", "initial", "unset")


@dataclass(frozen=True)
class ComputedStyle:
    """How the text of an element looks; the defaults are a browser's."""

    color: str = "#000000"
    background: str = "#ffffff"
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
    declared = _declared_styles(soup)
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


def _drop_hidden_elements(soup: Any, declared: dict[int, dict[str, str]]) -> int:
    """Remove the elements that show nothing, whatever is in them."""
    dropped = 0
    for element in soup.find_all(True):
        if not element.decomposed and _shows_nothing(element, declared[id(element)]):
            dropped += len(element.get_text().strip())
            element.decompose()
    return dropped


def _declared_styles(soup: Any) -> dict[int, dict[str, str]]:
    """Return the declarations of each element, by its `id()`: style sheets, then attributes."""
    declared: dict[int, dict[str, str]] = {id(element): {} for element in soup.find_all(True)}
    sheets = "".join(sheet.get_text() for sheet in soup("style"))
    for selector, css in _RULE.findall(_CSS_COMMENT.sub("", sheets)):
        with suppress(Exception):  # what no selector is selects nothing
            for element in soup.select(selector.strip()):
                declared[id(element)].update(_declarations(css))
    for element in soup.find_all(True):
        style = declared[id(element)]
        for attribute, name in (("bgcolor", "background-color"), ("color", "color")):
            if element.get(attribute):
                style[name] = str(element[attribute]).lower()
        style.update(_declarations(str(element.get("style") or "")))
    return declared


def _declarations(css: str) -> dict[str, str]:
    """Return the values of CSS declarations by name."""
    pairs = [rule.partition(":") for rule in css.lower().split(";") if ":" in rule]
    return {name.strip(): value.replace("!important", "").strip() for name, _, value in pairs}


def _shows_nothing(element: Any, style: dict[str, str]) -> bool:
    """Return whether an element is taken out, see-through, moved away or clipped to nothing."""
    if element.has_attr("hidden") or style.get("display") == "none":
        return True
    if _number(style.get("opacity")) == 0:
        return True
    offsets = [_number(style.get(name)) for name in ("left", "top", "right", "text-indent")]
    if any(offset is not None and offset <= -_FAR_PX for offset in offsets):
        return True
    sizes = [_number(style.get(name)) for name in ("width", "height", "max-height", "max-width")]
    hides_overflow = style.get("overflow", "") in ("hidden", "clip")
    clips = hides_overflow or "clip" in style or "clip-path" in style
    return clips and any(size is not None and size <= 1 for size in sizes)


def _computed(parent: ComputedStyle, style: dict[str, str]) -> ComputedStyle:
    """Return an element's style, which inherits what it does not declare."""
    own = replace(parent, size_px=_size_px(style.get("font-size", ""), parent.size_px))
    color = style.get("color", "")
    if color not in _AS_PARENT:
        own = replace(own, color=_css_color(color))
    ground = style.get("background-color") or style.get("background") or ""
    # What is not painted shows the ground of the element around it.
    if ground not in _NO_GROUND and _css_color(ground) != "transparent":
        own = replace(own, background=_css_color(ground))
    if visibility := style.get("visibility"):
        is_visible = parent.is_visible if visibility in _AS_PARENT else visibility == "visible"
        own = replace(own, is_visible=is_visible)
    return own


def _size_px(css: str, parent_px: float) -> float:
    """Return a font size in pixels; that of the parent for a keyword."""
    number = _number(css)
    if number is None:
        return parent_px
    unit = _NUMBER.sub("", css.strip(), count=1)
    if unit == "%":
        return number / 100 * parent_px
    # An unknown unit is one of the font's, such as `em`.
    return number * _UNITS_PX.get(unit, parent_px)


def _css_color(css: str) -> str:
    """Return a colour as six hex digits or "transparent"; other notations as they are."""
    css = css.strip()
    if css in _NAMED_COLORS:
        return _NAMED_COLORS[css]
    if css.startswith("#") and len(css) in (4, 5):
        css = "#" + "".join(digit * 2 for digit in css[1:])
    if css.startswith("#") and len(css) in (7, 9):
        return "transparent" if css[7:] == "00" else css[:7]
    if not css.startswith("rgb"):
        return css
    parts = css.partition("(")[2].partition(")")[0].replace(",", " ").replace("/", " ").split()
    numbers = [number for part in parts if (number := _number(part)) is not None]
    if len(numbers) == _WITH_ALPHA and numbers[3] == 0:
        return "transparent"
    return "#" + "".join(f"{min(255, max(0, int(number))):02x}" for number in numbers[:3])


def _are_alike(color: str, ground: str) -> bool:
    """Return whether nobody can tell two colours apart."""
    with suppress(ValueError):  # other notations
        parts = [bytes.fromhex(one.removeprefix("#")) for one in (color, ground)]
        return all(abs(one - other) <= _ALIKE for one, other in zip(*parts, strict=True))
    return color == ground


def _number(css: str | None) -> float | None:
    match = _NUMBER.match(css.strip()) if css else None
    return float(match[0]) if match else None
