"""Removes text from HTML pages that a browser does not show to their readers.

A reviewer approves what they see. Styles cascade as in a browser, but for specificity: of several
rules the later one wins. The rules of every medium apply. What a picture, a transformation, another
element or a script hides is not recognised.
Imports nothing of ours, because it runs in the isolated process.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from colorsys import hls_to_rgb
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

_TINY_PX = 4 / 3
_FAR_PX = 999.0
_HALF = 50
# As for a browser, what is beyond any screen is finite: none of it is nothing.
_MOST = 1e9
# Of 255, as for PDF files.
_ALIKE = 15
_UNITS_PX = {"": 1.0, "px": 1.0, "pt": 4 / 3, "rem": 16.0, "mm": 3.78, "cm": 37.8, "in": 96.0}
# Units that depend on a font or on what is around; only whether it is next to nothing counts.
_OTHER_UNIT_PX = 16.0
_WITH_ALPHA = 4
_CSS_COMMENT = r"(?P<comment>/\*.*?(?:\*/|\Z)|<!--|-->)"
# Comments, strings, addresses and escaped signs: what is in them means nothing to a style sheet.
_CSS_OPAQUE = re.compile(
    rf"""{_CSS_COMMENT}|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|url\((?!\s*["'])[^)]*\)?|\\.""",
    re.DOTALL | re.IGNORECASE,
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_WORD = re.compile(r"[\w-]")
_BEFORE_BRACKET = re.compile(r"[\[(:]")
_KEY = re.compile(r"[.#]?[^.#*]+")
_MOST_OF_A_SELECTOR = 10_000
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?")
_VALUE = re.compile(r"[\w-]+\([^()]*\)|[^\s/]+")
_FONT_SIZES = frozenset(
    (
        *("xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large"),
        "initial",
    )
)
# The names that stand for white or black, or for what nobody can tell from white.
_NAMED_COLORS = {
    "black": "#000000",
    "white": "#ffffff",
    "red": "#ff0000",
    "blue": "#0000ff",
    "aliceblue": "#f0f8ff",
    "azure": "#f0ffff",
    "floralwhite": "#fffaf0",
    "ghostwhite": "#f8f8ff",
    "honeydew": "#f0fff0",
    "ivory": "#fffff0",
    "lavenderblush": "#fff0f5",
    "mintcream": "#f5fffa",
    "snow": "#fffafa",
    "whitesmoke": "#f5f5f5",
}
_AS_PARENT = ("", "inherit", "unset", "currentcolor")
_NO_GROUND = ("", "none", "transparent", "inherit", "initial", "unset")
_PICTURE = ("url(", "image(", "-gradient(", "image-set(")
# Words of the `background` shorthand that are no colours.
_OF_PICTURES = frozenset(
    (
        *("repeat", "repeat-x", "repeat-y", "no-repeat", "space", "round"),
        *("scroll", "fixed", "local", "left", "right", "top", "bottom", "center"),
        *("cover", "contain", "auto", "border-box", "padding-box", "content-box"),
        *("none", "inherit", "initial", "unset"),
    )
)


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
        if not element.decomposed and _shows_nothing(declared[id(element)]):
            dropped += len(element.get_text().strip())
            element.decompose()
    return dropped


def _declared_styles(soup: Any) -> dict[int, dict[str, str]]:
    """Return the declarations of each element by its `id()`, as they overrule each other.

    Attributes such as `bgcolor` come first, then style sheets, then `style`; each of them is
    overruled by what is `!important`.
    """
    elements = soup.find_all(True)
    declared = {id(element): _of_attributes(element) for element in elements}
    important: dict[int, dict[str, str]] = {id(element): {} for element in elements}
    indexed, selected = _indexed(elements), dict[str, list[int]]()
    for selector, css in chain.from_iterable(_rules(sheet.get_text()) for sheet in soup("style")):
        if selector not in selected:
            selected[selector] = _select(indexed, selector)
        for key in selected[selector]:
            _declare(css, declared[key], important[key])
    for element in elements:
        for css, _ in _pieces(str(element.get("style") or ""), ";"):
            _declare(css, declared[id(element)], important[id(element)])
    return {key: style | important[key] for key, style in declared.items()}


def _of_attributes(element: Any) -> dict[str, str]:
    """Return what an element's own attributes declare."""
    names = {"bgcolor": "background-color"}
    if element.name in ("font", "body"):
        names["color" if element.name == "font" else "text"] = "color"
    style = {name: str(element[key]).lower() for key, name in names.items() if element.get(key)}
    return style | ({"display": "none"} if element.has_attr("hidden") else {})


def _rules(css: str) -> Iterator[tuple[str, str]]:
    """Yield each declaration of a style sheet with its selector, in order."""
    selectors = [""]
    for text, end in _pieces(css, "{};"):
        if end == "{":
            selectors.append(_below(selectors[-1], text.strip()))
            continue
        if selectors[-1] and ":" in text:
            yield selectors[-1], text
        if end == "}" and len(selectors) > 1:
            selectors.pop()


def _pieces(css: str, ends: str) -> Iterator[tuple[str, str]]:
    """Yield what stands between these signs, without comments, and the sign after it.

    Signs within strings, addresses and brackets are none; only its own sign closes a bracket.
    """
    css = _CSS_OPAQUE.sub(_without_comment, css)
    signs = _CSS_OPAQUE.sub(lambda match: "_" * len(match[0]), css)
    start, closing = 0, list[str]()
    for sign in re.finditer(rf"(?P<end>[{ends}])|[][(){{}}]|\Z", signs):
        if closing and sign[0] == closing[-1]:
            closing.pop()
        elif sign[0] in _CLOSING and (closing or not sign["end"]):
            closing.append(_CLOSING[sign[0]])
        elif not sign[0] or (sign["end"] and not closing):
            yield css[start : sign.start()], sign[0]
            start = sign.end()


def _without_comment(match: re.Match[str]) -> str:
    """Return it, or of a comment a space if a word follows, which it keeps apart."""
    follows = match.string[match.end() : match.end() + 1]
    return (" " if _WORD.match(follows) else "") if match["comment"] else match[0]


def _below(outer: str, selector: str) -> str:
    """Return a nested selector as it stands by itself; `@media` and the like change none.

    Raises ValueError if it has become longer than a person writes: each level may double it.
    """
    if selector.startswith("@"):
        return outer
    if (selector.count("&") or 1) * len(outer) > _MOST_OF_A_SELECTOR:
        raise ValueError("selectors that are nested too deep")
    if "&" in selector:
        return selector.replace("&", f":is({outer})")
    return f":is({outer}) {selector}" if outer else selector


def _indexed(elements: Sequence[Any]) -> dict[str, list[Any]]:
    """Return elements by name, `.class` and `#id`, in lower case, and all of them under ""."""
    indexed: dict[str, list[Any]] = {"": list(elements)}
    for element in elements:
        classes = (f".{name}" for name in element.get("class") or ())
        for key in {element.name, f"#{element.get('id')}", *classes}:
            indexed.setdefault(key.casefold(), []).append(element)
    return indexed


def _select(indexed: dict[str, list[Any]], selector: str) -> list[int]:
    """Return the elements that a selector selects, by `id()`.

    A part of a list that is about something else than an element, such as `::before`, selects none.
    """
    selected: list[int] = []
    for one, _ in _pieces(selector, ","):
        with suppress(Exception):  # what no selector is selects nothing
            found = (each for each in _candidates(indexed, one) if each.css.match(one.strip()))
            selected += map(id, found)
    return selected


def _candidates(indexed: dict[str, list[Any]], selector: str) -> Sequence[Any]:
    """Return the elements that a selector may select, by the names that it gives them.

    Asked of each element, the selectors of an ordinary page would take longer than it may. What is
    in brackets may be what an element is not, so it tells nothing.
    """
    candidates = indexed[""]
    for end, _ in _pieces(selector, r"\s>+~"):
        named = "" if "\\" in end or "|" in end else _BEFORE_BRACKET.split(end)[0]
        keys = [key.casefold() for key in _KEY.findall(named)]
        if not all(key in indexed for key in keys):
            return []
        if end:
            candidates = min((indexed[key] for key in keys), key=len, default=indexed[""])
    return candidates


def _declare(css: str, declared: dict[str, str], important: dict[str, str]) -> None:
    """Add a declaration to those it overrules; shorthands set the properties that count."""
    name, _, value = (_ESCAPE.sub(_meant, part).lower().strip() for part in css.partition(":"))
    plain = value.removesuffix("important").rstrip().removesuffix("!").rstrip()
    is_important = value.endswith("important") and plain != value
    values = {name: plain} if plain else {}
    if name == "background" and plain:
        values = {"background-color": _ground(plain), "background-image": plain}
    elif name == "font":
        # One that has no size is none, and overrules nothing.
        values = {"font-size": size} if (size := _size_of_font(plain)) else {}
    (important if is_important else declared).update(values)


def _meant(escaped: re.Match[str]) -> str:
    """Return the sign that an escaped one stands for."""
    return chr(min(int(escaped[1], 16), sys.maxunicode)) if escaped[1] else escaped[2]


def _size_of_font(css: str) -> str:
    """Return the size of a `font`, which a line height may and a family must follow."""
    values = _VALUE.findall(re.sub(r"/\s*\S+", "", css))
    size = next((value for value in values[:-1] if _is_size(value)), "")
    return css if css in ("inherit", "initial", "unset") else size


def _is_size(css: str) -> bool:
    """Return whether it is a font size, not a weight, which has no unit."""
    number = _NUMBER.match(css)
    is_length = number is not None and (number[0] != css or float(css) == 0)
    return is_length or css in _FONT_SIZES


def _ground(css: str) -> str:
    """Return the colour of a `background`, behind its picture if it has one."""
    values: list[str] = [value.strip(",") for value in _VALUE.findall(css)]
    colors = [
        value
        for value in values
        if value not in _OF_PICTURES
        and not _NUMBER.match(value)
        and not any(picture in value for picture in _PICTURE)
    ]
    return next(filter(None, colors), "transparent")


def _shows_nothing(style: dict[str, str]) -> bool:
    """Return whether an element is taken out, see-through, moved away or clipped to nothing."""
    if style.get("display") == "none" or _number(style.get("opacity")) == 0:
        return True
    moving = ["text-indent"]
    # A float's margin of so many percent puts it beside or upon what is before it.
    moving += [name for name in ("margin-left", "margin-top") if "%" not in style.get(name, "")]
    if style.get("position", "static") not in ("static", "sticky"):
        moving += ["left", "top", "right"]
    if any(_length_px(style.get(name), _FAR_PX) <= -_FAR_PX for name in moving):
        return True
    path = style.get("clip-path", "none")
    if path.startswith("inset(") and (_number(path[6:]) or 0) >= _HALF and "%" in path:
        return True
    overflow = " ".join(style.get(f"overflow{axis}", "") for axis in ("", "-x", "-y")).split()
    is_clipped = path != "none" or style.get("clip", "auto") != "auto"
    sizes = [style.get(name) for name in ("width", "height", "max-height", "max-width")]
    clips = is_clipped or not {"hidden", "clip"}.isdisjoint(overflow)
    return clips and any(_length_px(size, _FAR_PX) <= 1 for size in sizes)


def _length_px(css: str | None, otherwise: float) -> float:
    """Return a length in pixels, roughly for units that depend on what is around."""
    number = _number(css)
    if css is None or number is None:
        return otherwise
    return number * _UNITS_PX.get(_NUMBER.sub("", css.strip(), count=1), _OTHER_UNIT_PX)


def _computed(parent: ComputedStyle, style: dict[str, str]) -> ComputedStyle:
    """Return an element's style, which inherits what it does not declare."""
    own = replace(parent, size_px=_size_px(style.get("font-size", ""), parent.size_px))
    color = style.get("color", "")
    if color not in _AS_PARENT:
        own = replace(own, color=_css_color(color))
    ground = style.get("background-color", "")
    # What is not painted shows the ground of the element around it.
    if ground not in _NO_GROUND and _css_color(ground) != "transparent":
        own = replace(own, background=_css_color(ground))
    # A picture is a ground that has no colour.
    if any(picture in style.get("background-image", "") for picture in _PICTURE):
        own = replace(own, background="picture")
    if visibility := style.get("visibility"):
        is_visible = parent.is_visible if visibility in _AS_PARENT else visibility == "visible"
        own = replace(own, is_visible=is_visible)
    return own


def _size_px(css: str, parent_px: float) -> float:
    """Return a font size in pixels; that of the parent for a word that names none."""
    if css in _FONT_SIZES:
        return ComputedStyle.size_px
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
    if not css.startswith(("rgb", "hsl")):
        return css
    parts = css.partition("(")[2].partition(")")[0].replace(",", " ").replace("/", " ").split()
    numbers = [_channel(part) for part in parts if _number(part) is not None]
    if len(numbers) == _WITH_ALPHA and numbers[3] == 0:
        return "transparent"
    if css.startswith("hsl") and len(numbers) >= _WITH_ALPHA - 1:
        hue, saturation, lightness = ((_number(part) or 0.0) for part in parts[:3])
        shades = hls_to_rgb(hue / 360, lightness / 100, saturation / 100)
        numbers = [shade * 255 for shade in shades]
    return "#" + "".join(f"{round(min(255, max(0, number))):02x}" for number in numbers[:3])


def _channel(css: str) -> float:
    """Return a share of red, green or blue, of 255."""
    number = _number(css) or 0.0
    return number * 2.55 if css.endswith("%") else number


def _are_alike(color: str, ground: str) -> bool:
    """Return whether nobody can tell two colours apart."""
    with suppress(ValueError):  # other notations
        parts = [bytes.fromhex(one.removeprefix("#")) for one in (color, ground)]
        return all(abs(one - other) <= _ALIKE for one, other in zip(*parts, strict=True))
    return color == ground


def _number(css: str | None) -> float | None:
    match = _NUMBER.match(css.strip()) if css else None
    return max(-_MOST, min(_MOST, float(match[0]))) if match else None
