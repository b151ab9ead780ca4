"""Reads the text of a PDF file that somebody sees: each page is drawn with its text and without it.

Imported in the isolated process alone, because PDFium is native code that reads untrusted files.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from ctypes import addressof
from operator import sub
from typing import Any

from pypdfium2 import raw

# Pixels for each point, and for a page, which may be as large as a poster; bytes for a pixel.
_SCALE = 2.0
_MOST_PIXELS = 4_000_000
_PIXEL = 4
# As far as this, of 255, a part of a colour has to differ from what is behind it.
_ALIKE = 15
_TINY_PT = 1.0
# Text without letters has a box with one side alone, but for rounding.
_FLATTEST = 1_000
# How PDFium says that a line ends, and that it ends with a hyphen.
_LINE_END = {"\r": "", "\x02": "-\n"}


def visible_text(page: Any) -> tuple[str, int]:
    """Return a page's visible text, and how many invisible characters it has."""
    texts = list(page.get_objects([raw.FPDF_PAGEOBJ_TEXT]))
    has_area = page.get_width() * page.get_height() > 0
    if not (texts and has_area):  # a picture takes long to draw
        return "", 0
    with_text = _Drawing(page)
    for text in texts:
        _forget_marks(text)
    written = page.get_textpage()
    letters = [_letter(written.raw, at) for at in range(written.count_chars())]
    for text in texts:
        raw.FPDFPageObj_SetIsActive(text, False)
    without = _Drawing(page)
    seen = {addressof(text.raw.contents) for text in texts if _is_seen(text, with_text, without)}
    # A blank may be a text of its own.
    unseen = {text for letter, text in letters if text and not letter.isspace()} - seen
    hidden = "".join(letter for letter, text in letters if text in unseen)
    visible = "".join(letter for letter, text in letters if text not in unseen)
    return visible, len("".join(hidden.split()))


def _forget_marks(text: Any) -> None:
    """Remove what a file says that a text reads as, which need not be what is drawn."""
    for at in reversed(range(raw.FPDFPageObj_CountMarks(text))):
        raw.FPDFPageObj_RemoveMark(text, raw.FPDFPageObj_GetMark(text, at))


def _letter(written: Any, at: int) -> tuple[str, int]:
    """Return a letter, and the address of its text; 0 for a blank between two texts."""
    letter = chr(raw.FPDFText_GetUnicode(written, at))
    text = raw.FPDFText_GetTextObject(written, at)
    return _LINE_END.get(letter, letter), addressof(text.contents) if text else 0


class _Drawing:
    """A page as pixels."""

    def __init__(self, page: Any) -> None:
        scale = min(_SCALE, math.sqrt(_MOST_PIXELS / (page.get_width() * page.get_height())))
        bitmap = page.render(scale=scale, prefer_bgrx=True)
        self._stride, self._size = bitmap.stride, (bitmap.width, bitmap.height)
        self._place = bitmap.get_posconv(page).to_bitmap
        self._pixels = memoryview(bitmap.buffer).cast("B")

    def rows(self, left: float, low: float, right: float, high: float) -> Iterator[bytes]:
        """Yield the pixels of a box, row by row."""
        ends = zip(self._place(left, low), self._place(right, high), self._size, strict=True)
        (first, last), rows = [(max(0, min(at)), min(size, max(at) + 1)) for *at, size in ends]
        if first < last:  # beside the page, `last` would be counted from the other end
            for at in (row * self._stride for row in range(*rows)):
                yield bytes(self._pixels[at + first * _PIXEL : at + last * _PIXEL])


def _is_seen(text: Any, with_text: _Drawing, without: _Drawing) -> bool:
    """Return whether a text, which is drawn as one, may be visible."""
    left, low, right, high = text.get_bounds()
    size, matrix, form = abs(text.get_font_size()), text.get_matrix(), text.container
    while form is not None:
        matrix = matrix.multiply(form.get_matrix())
        left, low, right, high = form.get_matrix().on_rect(left, low, right, high)
        form = form.container
    sides, font = (right - left, high - low), text.get_font()
    # A font without a name is drawn by the file itself, in letters of any unit.
    scale = min(math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d))
    is_tiny = size * scale < _TINY_PT and font.get_base_name()
    if is_tiny or raw.FPDFTextObj_GetTextRenderMode(text) == raw.FPDF_TEXTRENDERMODE_INVISIBLE:
        return False
    if min(sides) * _FLATTEST <= max(sides) and not font.is_embedded:
        return True  # the font is neither in the file nor on this machine
    box = (left, low, right, high)
    rows = zip(with_text.rows(*box), without.rows(*box), strict=True)
    return any(_are_unlike(*row) for row in rows)


def _are_unlike(some: bytes, others: bytes) -> bool:
    return some != others and max(map(abs, map(sub, some, others))) > _ALIKE
