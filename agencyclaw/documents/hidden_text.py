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
