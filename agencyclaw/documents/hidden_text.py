"""Finds and removes text in Word and HTML files that nobody sees.

A reviewer approves what they see. Imports nothing of ours, because it runs in the isolated process.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

_TINY_PT = 1.0
_FAR = 999.0
_DEEPEST = 10
_WITH_ALPHA = 4
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
    ancestors = [run, *run.iterancestors()]
    paragraph = next((node for node in ancestors if node.tag == qn("w:p")), None)
    properties = [
        *_properties(run, "w:rPr", styles, qn),
        *_properties(paragraph, "w:pPr", styles, qn),
    ]
    vanish = _first_child(properties, qn("w:vanish"))
    if vanish is not None and vanish.get(qn("w:val")) not in ("0", "false", "off"):
        return True
    size = _first_child(properties, qn("w:sz"))
    if size is not None and float(size.get(qn("w:val")) or 24) <= _TINY_PT * 2:
        return True
    color = _first_child(properties, qn("w:color"))
    if color is None or (color.get(qn("w:val")) or "").upper() != "FFFFFF":
        return False
    shading_tags = (qn("w:rPr"), qn("w:pPr"), qn("w:tcPr"))
    around = [part for node in ancestors for part in node if part.tag in shading_tags]
    shades: list[Any] = []
    for part in (*around, *properties):
        shades += part.iter(qn("w:shd"), qn("w:highlight"))
    fills = {str(shade.get(qn("w:fill")) or shade.get(qn("w:val"))).lower() for shade in shades}
    return fills <= {"ffffff", "auto", "white", "none", "clear"}


def _first_child(parts: list[Any], tag: str) -> Any:
    """Return the first child with this tag that one of the parts has; None if none has."""
    children = (part.find(tag) for part in parts)
    return next((child for child in children if child is not None), None)


def _properties(node: Any, tag: str, styles: Any, qn: Any) -> Iterator[Any]:
    """Yield the run properties that apply to a node: its direct ones, then those of its styles."""
    direct = node.find(qn(tag)) if node is not None else None
    if direct is None:
        return
    if tag == "w:rPr":
        yield direct
    named = direct.find(qn("w:rStyle" if tag == "w:rPr" else "w:pStyle"))
    style = styles.get(named.get(qn("w:val"))) if named is not None else None
    for _ in range(_DEEPEST):
        if style is None:
            return
        inherited = style.element.find(qn("w:rPr"))
        if inherited is not None:
            yield inherited
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
    styles: dict[int, dict[str, str]] = {}
    sheets = "".join(sheet.get_text() for sheet in soup("style"))
    for selector, declared in _RULE.findall(_CSS_COMMENT.sub("", sheets)):
        with suppress(Exception):  # what no selector is selects nothing
            for element in soup.select(selector.strip()):
                styles.setdefault(id(element), {}).update(_declared(declared))
    for element in soup.find_all(True):
        style = styles.setdefault(id(element), {})
        for attribute, name in (("bgcolor", "background-color"), ("color", "color")):
            if element.get(attribute):
                style[name] = str(element[attribute]).lower()
        style.update(_declared(str(element.get("style") or "")))
    return styles


def _declared(css: str) -> dict[str, str]:
    """Return the values of CSS declarations by name."""
    pairs = [rule.partition(":") for rule in css.lower().split(";") if ":" in rule]
    return {name.strip(): value.replace("!important", "").strip() for name, _, value in pairs}


def _is_hidden_html(element: Any, styles: dict[int, dict[str, str]]) -> bool:
    style = styles.get(id(element), {})
    if element.has_attr("hidden") or style.get("display") == "none":
        return True
    if style.get("visibility") in ("hidden", "collapse") or _number(style.get("opacity")) == 0:
        return True
    size = style.get("font-size", "")
    if size and size[0].isdigit() and _number(size) <= _TINY_PT and not size.endswith(("em", "%")):
        return True
    if _number(size, 1) == 0 or _is_moved_away(style):
        return True
    color = _css_color(style.get("color", ""))
    return color == "transparent" or (bool(color) and color == _ground_of(element, styles))


def _is_moved_away(style: dict[str, str]) -> bool:
    """Return whether an element is outside the window, or clipped to nothing."""
    offsets = [_number(style.get(name)) for name in ("left", "top", "right", "text-indent")]
    is_away = any(offset is not None and offset <= -_FAR for offset in offsets)
    sizes = [_number(style.get(name)) for name in ("width", "height", "max-height", "max-width")]
    is_nothing = any(size is not None and size <= 1 for size in sizes)
    hides_overflow = style.get("overflow", "") in ("hidden", "clip")
    clips = hides_overflow or "clip" in style or "clip-path" in style
    return is_away or (is_nothing and clips)


def _ground_of(element: Any, styles: dict[int, dict[str, str]]) -> str:
    """Return the colour behind an element; white unless stated otherwise."""
    for node in (element, *element.parents):
        style = styles.get(id(node), {})
        color = style.get("background-color") or style.get("background") or ""
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
    match = _NUMBER.match(value.strip()) if value else None
    return float(match[0]) if match else otherwise
