"""Finds which style declarations an HTML page gives each of its elements.

They cascade as in a browser, but for specificity: of several rules the later one wins. The rules of
every medium apply. Imports nothing of ours, because it runs in the isolated process.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any

from tinycss2 import (
    parse_blocks_contents,
    parse_component_value_list,
    parse_rule_list,
    parse_stylesheet,
    serialize,
)
from tinycss2.color4 import parse_color

# The values of an element's properties by their names, each without spaces.
Style = dict[str, Sequence[Any]]
_MOST_OF_A_SELECTOR = 10_000
_COMBINATORS = (">", "+", "~")
_COLORS = ("color", "background-color")
_WIDE = ("inherit", "initial", "unset", "revert", "revert-layer")
_TRANSPARENT = parse_component_value_list("transparent")
_PICTURES = ("url", "image", "image-set", "cross-fade")
FONT_SIZES = frozenset(
    (
        *("xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large"),
        "initial",
    )
)


def declared_styles(soup: Any) -> dict[int, Style]:
    """Return the declarations of each element by its `id()`, as they overrule each other.

    Attributes such as `bgcolor` come first, then style sheets, then `style`; each of them is
    overruled by what is `!important`.
    """
    elements = soup.find_all(True)
    declared = {id(element): _of_attributes(element) for element in elements}
    important: dict[int, Style] = {id(element): {} for element in elements}
    indexed, selected = _indexed(elements), dict[str, list[int]]()
    sheets = (parse_stylesheet(sheet.get_text(), skip_comments=True) for sheet in soup("style"))
    for selector, declaration in _rules(chain.from_iterable(sheets), ""):
        if selector not in selected:
            selected[selector] = _select(indexed, selector)
        where, values = important if declaration.important else declared, _values(declaration)
        for key in selected[selector]:
            where[key].update(values)
    for element in elements:
        style = str(element.get("style") or "")
        for part in parse_blocks_contents(style, skip_comments=True) if style else ():
            if part.type == "declaration":
                where = important if part.important else declared
                where[id(element)].update(_values(part))
    return {key: style | important[key] for key, style in declared.items()}


def is_picture(value: Any) -> bool:
    """Return whether a value is a picture, or is painted like one."""
    name = value.lower_name if value.type == "function" else value.type
    return name in _PICTURES or name.endswith("-gradient")


def _of_attributes(element: Any) -> Style:
    """Return what an element's own attributes declare."""
    names = {"bgcolor": "background-color"}
    if element.name in ("font", "body"):
        names["color" if element.name == "font" else "text"] = "color"
    style: Style = {
        name: parse_component_value_list(str(element[key]))
        for key, name in names.items()
        if element.get(key)
    }
    if element.has_attr("hidden"):
        style["display"] = parse_component_value_list("none")
    return style


def _rules(parts: Iterable[Any], outer: str) -> Iterator[tuple[str, Any]]:
    """Yield each declaration with its selector, in order; `outer` is the selector around them."""
    for part in parts:
        if part.type == "declaration" and outer:
            yield outer, part
        elif part.type == "qualified-rule":
            inner = parse_blocks_contents(part.content, skip_comments=True)
            yield from _rules(inner, _below(outer, part.prelude))
        elif part.type == "at-rule" and part.content:
            # `@media` and the like stand around rules, or within one around its declarations.
            read = parse_blocks_contents if outer else parse_rule_list
            yield from _rules(read(part.content, skip_comments=True), outer)


def _below(outer: str, prelude: Sequence[Any]) -> str:
    """Return a nested selector as it stands by itself.

    Raises ValueError if it has become longer than a person writes: each level may double it.
    """
    selector = serialize(prelude).strip()
    if not outer:
        return selector
    if (selector.count("&") or 1) * len(outer) > _MOST_OF_A_SELECTOR:
        raise ValueError("selectors that are nested too deep")
    own = f":is({outer})"
    named = [
        one.serialize().replace("&", own)
        if one.type in ("literal", "function")
        else one.serialize()
        for one in prelude
    ]
    return "".join(named).strip() if "&" in selector else f"{own} {selector}"


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
    for part in _split(parse_component_value_list(selector, skip_comments=True)):
        one = serialize(part).strip()
        with suppress(Exception):  # what no selector is selects nothing
            found = (each for each in _candidates(indexed, part) if each.css.match(one))
            selected += map(id, found)
    return selected


def _split(values: Iterable[Any]) -> list[list[Any]]:
    """Return the parts of a list with commas."""
    parts: list[list[Any]] = [[]]
    for value in values:
        if value == ",":
            parts.append([])
        else:
            parts[-1].append(value)
    return parts


def _candidates(indexed: dict[str, list[Any]], selector: Sequence[Any]) -> Sequence[Any]:
    """Return the elements that a selector may select, by the names that it gives them.

    Asked of each element, the selectors of an ordinary page would take longer than it may.
    """
    compounds = _names_in(selector)
    if any(name not in indexed for names in compounds for name in names):
        return []
    return min((indexed[name] for name in compounds[-1]), key=len, default=indexed[""])


def _names_in(selector: Sequence[Any]) -> list[list[str]]:
    """Return what each compound of a selector asks for: names, classes and ids, in lower case.

    What is in brackets may be what an element is not, so from there on nothing is read.
    """
    compounds: list[list[str]] = [[]]
    prefix, is_read, is_over = "", True, False
    for value in selector:
        sign = value.value if value.type == "literal" else ""
        if value.type == "whitespace" or sign in _COMBINATORS:
            is_over = True
            continue
        if is_over and (compounds[-1] or not is_read):
            compounds.append([])
        if is_over:
            prefix, is_read, is_over = "", True, False
        if sign == "|":  # what is before it is no name
            compounds[-1].clear()
        is_name = value.type in ("ident", "hash")
        is_read = is_read and (is_name or sign in (".", "*"))
        if is_read and is_name:
            mark = "#" if value.type == "hash" else prefix
            compounds[-1].append(f"{mark}{value.value}".casefold())
        prefix = sign
    return compounds


def _values(declaration: Any) -> Style:
    """Return what a declaration sets; nothing if it is none, as then it overrules nothing.

    Shorthands set the properties that count.
    """
    name = declaration.lower_name
    values = [one for one in declaration.value if one.type not in ("whitespace", "comment")]
    if not values or (name in _COLORS and not _may_be_color(values[0])):
        return {}
    if name == "background":
        colors = [one for one in values if not is_picture(one) and _may_be_color(one, ())]
        return {"background-color": colors[:1] or _TRANSPARENT, "background-image": values}
    if name == "font":
        size = _size_of_font(values)
        return {"font-size": [size]} if size else {}
    return {name: values}


def _may_be_color(value: Any, words: Sequence[str] = _WIDE) -> bool:
    """Return whether a value is a colour, or one of these words or a function that stands for one.

    A `color-mix()` or a `var()` is another colour than all that can be read.
    """
    if value.type == "function":
        return True
    return parse_color(value) is not None or getattr(value, "lower_value", "") in words


def _size_of_font(values: Sequence[Any]) -> Any:
    """Return the size of a `font`, which a line height may and a family must follow; else None."""
    if len(values) == 1 and getattr(values[0], "lower_value", "") in _WIDE:
        return values[0]
    height = [at + 1 for at, one in enumerate(values) if one == "/"]
    others = [one for at, one in enumerate(values) if at not in height and one != "/"]
    return next((one for one in others[:-1] if _is_size(one)), None)


def _is_size(value: Any) -> bool:
    """Return whether it is a font size, not a weight, which has no unit."""
    if value.type == "ident":
        return value.lower_value in FONT_SIZES
    return value.type in ("dimension", "percentage") or (value.type == "number" and not value.value)
