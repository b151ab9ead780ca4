"""Removes text from Word documents that Word does not show to their readers.

A reviewer approves what they see. Imports nothing of ours, because it runs in the isolated process.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

_TINY_HALF_POINTS = 2
_NOTES = ("footnotes+xml", "endnotes+xml")
_OFF = ("0", "false", "off")
# Each part of the colour, of 255.
_WHITE = 240
_WHITE_GROUNDS = {"ffffff", "auto", "white", "none", "clear"}
_STYLE_OF_RUN = "./w:rPr/w:rStyle/@w:val"
_STYLE_OF_PARAGRAPH = "./ancestor::w:p[1]/w:pPr/w:pStyle/@w:val"
_GROUNDS_AROUND = "ancestor-or-self::*/*[self::w:rPr or self::w:pPr or self::w:tcPr]"


def drop_hidden_word(document: Any) -> int:
    """Remove the runs that nobody sees, in notes, too; return how many characters they had."""
    from docx.opc import oxml
    from docx.oxml import parse_xml

    parts: Any = oxml
    styles = {style.style_id: style for style in document.styles}
    dropped = _drop_hidden(document.element.body, styles)
    for part in document.part.package.iter_parts():
        if part.content_type.endswith(_NOTES):
            notes = parse_xml(part.blob)
            dropped += _drop_hidden(notes, styles)
            part._blob = parts.serialize_part_xml(notes)  # no other way to write notes
    return dropped


def _drop_hidden(root: Any, styles: dict[str, Any]) -> int:
    from docx.oxml.ns import qn

    dropped = 0
    for run in list(root.iter(qn("w:r"))):
        text = str(run.text)
        if text.strip() and _is_hidden(run, _formats_of(run, styles)):
            dropped += len(text)
            run.getparent().remove(run)
    return dropped


def _formats_of(run: Any, styles: dict[str, Any]) -> list[Any]:
    """Return the run properties that apply to a run: its own, then those of its styles."""
    formats = run.xpath("./w:rPr")
    for style_id in (*run.xpath(_STYLE_OF_RUN), *run.xpath(_STYLE_OF_PARAGRAPH)):
        style, seen = styles.get(style_id), set[str]()
        while style is not None and style.style_id not in seen:
            seen.add(style.style_id)
            formats += style.element.xpath("./w:rPr")
            style = style.base_style
    return formats


def _is_hidden(run: Any, formats: list[Any]) -> bool:
    vanish = _value(formats, "w:vanish")
    if vanish is not None and vanish not in _OFF:
        return True
    size = _value(formats, "w:sz") or ""
    if size.isdigit() and int(size) <= _TINY_HALF_POINTS:
        return True
    return _is_white(_value(formats, "w:color") or "") and _is_on_white(run, formats)


def _is_white(color: str) -> bool:
    """Return whether a colour is white to a reader; "auto" is not."""
    with suppress(ValueError):
        return min(bytes.fromhex(color), default=0) >= _WHITE
    return False


def _value(formats: list[Any], tag: str) -> str | None:
    """Return the first value that a property has; "" for a bare one, None if it is not set."""
    for properties in formats:
        for element in properties.xpath(f"./{tag}"):
            return _attribute(element, "w:val")
    return None


def _attribute(element: Any, name: str) -> str:
    return str(next(iter(element.xpath(f"./@{name}")), ""))


def _is_on_white(run: Any, formats: list[Any]) -> bool:
    """Return whether nothing behind a run is shaded or highlighted in a colour."""
    shades: list[Any] = []
    for properties in (*run.xpath(_GROUNDS_AROUND), *formats):
        shades += properties.xpath(".//w:shd | .//w:highlight")
    fills = [_attribute(shade, "w:fill") or _attribute(shade, "w:val") for shade in shades]
    return all(fill.lower() in _WHITE_GROUNDS for fill in fills)
