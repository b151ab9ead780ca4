"""Files as text for the knowledge base: Markdown, plain text, HTML, Word and PDF, within bounds.

Word, PDF and HTML are read by libraries in a process of their own with little memory and time: a
file made to do harm ends that process and is refused; nothing else is lost.
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import NamedTuple

from agencyclaw.domain.text import one_line, scrub

MOST_BYTES = 20 * 1024 * 1024
MOST_UNPACKED = 100 * 1024 * 1024
MOST_ENTRIES = 2_000
MOST_PAGES = 500
MOST_CHARACTERS = 1_000_000
PART = 6_000
_SECONDS = 30
_MEMORY = 1024 * 1024 * 1024
_PLAIN = {".md", ".markdown", ".txt"}
_CONVERTED = {".html", ".htm", ".docx", ".pdf"}
SUFFIXES = frozenset(_PLAIN | _CONVERTED)
_HEADING = re.compile(r"^#{1,3} +(.+?) *#*$", re.MULTILINE)


class Text(NamedTuple):
    """What a file says, as Markdown."""

    title: str
    body: str


class Refused(NamedTuple):
    """Why a file can't be read, as a person reads it."""

    reason: str


class Part(NamedTuple):
    """A piece of a document that is found on its own."""

    title: str
    body: str


def read_document(path: Path) -> Text | Refused:
    """Return a file's text, or why it can't be used."""
    if path.suffix.lower() not in SUFFIXES:
        return Refused(f"files that end in “{path.suffix or 'nothing'}” can't be read")
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            return Refused(f"it is larger than {MOST_BYTES // 1024 // 1024} MB")
        body = _plain(path) if path.suffix.lower() in _PLAIN else _converted(path)
    except OSError as trouble:
        return Refused(f"it can't be opened ({trouble.strerror or 'unknown reason'})")
    if isinstance(body, Refused):
        return body
    body = scrub(body).strip()
    if not body:
        return Refused("there is no text in it (a scan has pictures only)")
    if len(body) > MOST_CHARACTERS:
        return Refused(f"it holds more than {MOST_CHARACTERS:,} characters; please split it")
    return Text(_title(path, body), body)


def split(text: Text) -> list[Part]:
    """Return a document in pieces of a few pages at most, cut at headings or between paragraphs."""
    if len(text.body) <= PART:
        return [Part(text.title, text.body)]
    pieces: list[Part] = []
    for heading, section in _sections(text.body):
        title = f"{text.title}: {heading}" if heading and heading != text.title else text.title
        pieces.extend(Part(one_line(title, 200), body) for body in _pages(section))
    return pieces


def _title(path: Path, body: str) -> str:
    heading = _HEADING.search(body[:2_000])
    return one_line(heading[1] if heading else path.stem.replace("_", " ").replace("-", " "), 160)


def _sections(body: str) -> list[tuple[str, str]]:
    starts = [(match.start(), match[1]) for match in _HEADING.finditer(body)]
    cuts = [(0, ""), *starts] if not starts or starts[0][0] else starts
    ends = [start for start, _ in cuts[1:]] + [len(body)]
    found = [(name, body[at:end].strip()) for (at, name), end in zip(cuts, ends, strict=True)]
    return [(name, section) for name, section in found if section]


def _pages(section: str) -> list[str]:
    pages, page = list[str](), ""
    for paragraph in section.split("\n\n"):
        if page and len(page) + len(paragraph) > PART:
            pages.append(page)
            page = ""
        while len(paragraph) > PART:
            pages.append(paragraph[:PART])
            paragraph = paragraph[PART:]
        page = f"{page}\n\n{paragraph}".strip()
    return [*pages, page] if page else pages


def _plain(path: Path) -> str | Refused:
    return _decoded(path.read_bytes())


def _decoded(data: bytes) -> str | Refused:
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for encoding in ("utf-16",) if marked else ("utf-8-sig", "cp1252"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if encoding != "cp1252" or "\x00" not in text:
            return text
    return Refused("its letters are in no encoding that is known here; save it as UTF-8")


def _converted(path: Path) -> str | Refused:
    if path.suffix.lower() == ".docx" and (refused := _unpacks_too_far(path)):
        return refused
    try:
        done = subprocess.run(  # noqa: S603
            [sys.executable, "-m", "agencyclaw.documents", str(path.resolve())],
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Refused(f"reading it took longer than {_SECONDS} seconds")
    try:
        answer: dict[str, str] = json.loads(done.stdout)
    except ValueError:
        return Refused("it is damaged, or needs too much memory to be read")
    return answer["text"] if "text" in answer else Refused(answer["refused"])


def _unpacks_too_far(path: Path) -> Refused | None:
    """A few kilobytes of zip can hold gigabytes: look before unpacking."""
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, ValueError):
        return Refused("it is no Word document, or damaged")
    if len(entries) > MOST_ENTRIES or sum(one.file_size for one in entries) > MOST_UNPACKED:
        return Refused("it unpacks to far more than a document needs")
    return None


def _convert(path: Path) -> str | Refused:
    match path.suffix.lower():
        case ".docx":
            return _word(path)
        case ".pdf":
            return _pdf(path)
        case _:
            decoded = _decoded(path.read_bytes())
            return decoded if isinstance(decoded, Refused) else _html(decoded)


def _word(path: Path) -> str:
    import docx
    from docx.table import Table

    lines: list[str] = []
    for block in docx.Document(str(path)).iter_inner_content():
        if isinstance(block, Table):
            rows = (" | ".join(cell.text.strip() for cell in row.cells) for row in block.rows)
            lines.append("\n".join(f"| {row} |" for row in rows))
            continue
        style = (block.style.name or "") if block.style else ""
        level = style.removeprefix("Heading ")
        mark = f"{'#' * min(int(level), 3)} " if level.isdigit() else ""
        lines.append(mark + block.text)
        if sum(map(len, lines[-1:])) > MOST_CHARACTERS:
            break
    return "\n\n".join(line for line in lines if line.strip())


def _pdf(path: Path) -> str | Refused:
    from pypdf import PdfReader

    reader = PdfReader(path)
    if reader.is_encrypted and not reader.decrypt(""):
        return Refused("it is locked with a password")
    if len(reader.pages) > MOST_PAGES:
        return Refused(f"it has more than {MOST_PAGES} pages; please split it")
    return "\n\n".join(page.extract_text() for page in reader.pages)


def _html(text: str) -> str:
    from bs4 import BeautifulSoup
    from markdownify import MarkdownConverter

    soup = BeautifulSoup(text, "html.parser")
    for hidden in soup(["script", "style", "noscript", "template", "head"]):
        hidden.decompose()
    converter = MarkdownConverter(heading_style="ATX", strip=["img"])
    return re.sub(r"\n{3,}", "\n\n", converter.convert_soup(soup))


def _child(path: Path) -> None:
    """Convert one file and print it; what goes wrong ends this process alone, without a word."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    found = _convert(path)
    answer = {"refused": found.reason} if isinstance(found, Refused) else {"text": found}
    sys.stdout.write(json.dumps(answer))


if __name__ == "__main__":
    _child(Path(sys.argv[1]))
