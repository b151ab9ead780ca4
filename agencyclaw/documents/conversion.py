"""Word, PDF and HTML as Markdown: run as a script, in a process that has nothing.

`reading` starts it with an empty environment, in `/`, with the file as its standard input and no
other descriptor. A file made to do harm ends this process and is refused; nothing else is lost.
It may import nothing of ours but what finds hidden text: it is run by its path.
"""

from __future__ import annotations

import io
import json
import re
import resource
import sys
import zipfile
from contextlib import suppress
from copy import copy
from typing import Any, NamedTuple

from agencyclaw.documents.hidden_word import drop_hidden_word

MOST_BYTES = 20 * 1024 * 1024
MOST_UNPACKED = 100 * 1024 * 1024
MOST_ENTRIES = 2_000
MOST_PAGES = 500
MOST_CHARACTERS = 1_000_000
SECONDS = 30
_MEMORY = 1024 * 1024 * 1024
_DESCRIPTORS = 32


class UnreadableFile(NamedTuple):
    """Why a file can't be read, in words for a person."""

    reason: str


def decoded(data: bytes) -> str | UnreadableFile:
    """Decode bytes in one of the encodings that files come in."""
    has_utf_16_mark = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if has_utf_16_mark else ("utf-8-sig", "cp1252"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if encoding != "cp1252" or "\x00" not in text:
            return text
    return UnreadableFile("its letters are in no encoding that is known here; save it as UTF-8")


def _unpacks_too_far(data: bytes) -> UnreadableFile | None:
    """Return whether a zip file would unpack to too much: a few kilobytes can hold gigabytes."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError):
        return UnreadableFile("it is no Word document, or damaged")
    if len(entries) > MOST_ENTRIES or sum(entry.file_size for entry in entries) > MOST_UNPACKED:
        return UnreadableFile("it unpacks to far more than a document needs")
    return None


class ConvertedText(NamedTuple):
    """The visible text of a file, and how many invisible characters it has."""

    text: str
    hidden: int = 0


def convert(suffix: str, data: bytes) -> ConvertedText | UnreadableFile:
    """Return the visible text of a file of this kind, or why it can't be read."""
    match suffix:
        case ".docx":
            return _unpacks_too_far(data) or _word(data)
        case ".pdf":
            return _pdf(data)
        case _:
            text = decoded(data)
            return text if isinstance(text, UnreadableFile) else _html(text)


def _word(data: bytes) -> ConvertedText:
    import docx
    import mammoth

    library: Any = mammoth
    document = docx.Document(io.BytesIO(data))
    hidden = drop_hidden_word(document)
    visible = io.BytesIO()
    document.save(visible)
    page = library.convert_to_html(visible, convert_image=_no_picture)
    return _html(page.value)._replace(hidden=hidden)


def _no_picture(_: Any) -> list[Any]:
    return []


def _pdf(data: bytes) -> ConvertedText | UnreadableFile:
    from pypdfium2 import PdfDocument, PdfiumError
    from pypdfium2.raw import FPDF_ERR_PASSWORD

    from agencyclaw.documents.visible_pdf import visible_text

    try:
        document = PdfDocument(data)
    except PdfiumError as raised:
        error: Any = raised
        if error.err_code == FPDF_ERR_PASSWORD:
            return UnreadableFile("it is locked with a password")
        raise
    if len(document) > MOST_PAGES:
        return UnreadableFile(f"it has more than {MOST_PAGES} pages; please split it")
    pages = [visible_text(page) for page in document]
    return ConvertedText("\n\n".join(text for text, _ in pages), sum(hidden for _, hidden in pages))


def _html(text: str) -> ConvertedText:
    from bs4 import BeautifulSoup
    from markdownify import MarkdownConverter

    from agencyclaw.documents.hidden_html import drop_hidden_html

    soup = BeautifulSoup(text, "html.parser")
    for unread in soup(["script", "noscript", "template"]):
        unread.decompose()
    hidden = drop_hidden_html(soup)
    for unread in soup(["style", "head"]):
        unread.decompose()
    _repeat_tall_cells(soup)
    converter = MarkdownConverter(
        heading_style="ATX",
        strip=["img"],
        table_infer_header=True,
        escape_asterisks=False,
        escape_underscores=False,
    )
    return ConvertedText(re.sub(r"\n{3,}", "\n\n", converter.convert_soup(soup)), hidden)


def _repeat_tall_cells(soup: Any) -> None:
    """Put a cell that reaches over several rows into each: Markdown has no such cells."""
    for row in soup("tr"):
        column = 0
        for cell in row(["td", "th"], recursive=False):
            below = _span(cell, "rowspan") - 1
            for other in row.find_next_siblings("tr", limit=below) if below else ():
                _insert(copy(cell), other, column)
            column += _span(cell, "colspan")


def _insert(cell: Any, row: Any, column: int) -> None:
    del cell["rowspan"]
    for other in row(["td", "th"], recursive=False):
        if column <= 0:
            other.insert_before(cell)
            return
        column -= _span(other, "colspan")
    row.append(cell)


def _span(cell: Any, name: str) -> int:
    """Return how many rows or columns a cell reaches over, at most 1,000 as in browsers."""
    written = str(cell.get(name, ""))
    return min(max(1, int(written)), 1_000) if re.fullmatch(r"\d{1,9}", written) else 1


def _give_up_rights() -> None:
    """Limit memory and time, and forbid files and processes from here on."""
    limits = {
        resource.RLIMIT_CPU: SECONDS,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NPROC: 0,
        resource.RLIMIT_NOFILE: _DESCRIPTORS,
        resource.RLIMIT_AS: _MEMORY,
    }
    for kind, most in limits.items():
        with suppress(ValueError, OSError):  # macOS can't limit memory
            resource.setrlimit(kind, (most, most))


def _main(suffix: str) -> None:
    """Convert standard input and print the result; any error ends this process silently."""
    _give_up_rights()
    result = convert(suffix, sys.stdin.buffer.read(MOST_BYTES + 1))
    if isinstance(result, UnreadableFile):
        answer: dict[str, str | int] = {"refused": result.reason}
    else:
        # PDFium gives a rare character as two surrogates. JSON can't represent a lone one.
        text = result.text.encode("utf-16", "surrogatepass").decode("utf-16", errors="replace")
        answer = {"text": text, "hidden": result.hidden}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    _main(sys.argv[1])
