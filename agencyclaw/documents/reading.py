"""Reads Markdown, text, HTML, Word and PDF files for the knowledge base, within limits."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from itertools import pairwise, zip_longest
from pathlib import Path, PurePath
from tempfile import TemporaryFile
from typing import NamedTuple

from markdown_it import MarkdownIt
from pydantic import BaseModel, ConfigDict, ValidationError

from agencyclaw.documents import conversion
from agencyclaw.documents.conversion import (
    MOST_BYTES,
    MOST_CHARACTERS,
    SECONDS,
    UnreadableFile,
    decoded,
)
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.text import counted, one_line, scrub
from agencyclaw.knowledge.excerpts import parts_of
from agencyclaw.store.documents import Piece

PART = 6_000
# Longer output is refused anyway; a character takes at most twelve bytes of JSON.
_MOST_ANSWERED = MOST_CHARACTERS * 12 + 1_000
_PLAIN = {".md", ".markdown", ".txt"}
_CONVERTED = {".html", ".htm", ".docx", ".pdf"}
SUFFIXES = frozenset(_PLAIN | _CONVERTED)
# Finds blocks only: what a line's words hold makes no difference here.
_BLOCKS = MarkdownIt("commonmark").disable(["reference", "inline"])


class DocumentText(NamedTuple):
    """A file's content as Markdown."""

    title: str
    body: str


class _ConverterOutput(BaseModel):
    """The converter's output; it read an untrusted file, so everything is validated."""

    model_config = ConfigDict(extra="forbid", strict=True)

    text: str = ""
    hidden: int = 0
    refused: str = ""


def read_document(path: Path) -> DocumentText | UnreadableFile:
    """Return a file's text, or why it can't be used. Symbolic links are not followed."""
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        return UnreadableFile(f"files that end in “{path.suffix or 'nothing'}” can't be read")
    if path.is_symlink():
        return UnreadableFile("it is a link; give the file itself")
    try:
        with _opened(path) as file:
            body = _body(file, suffix)
    except OSError as trouble:
        return UnreadableFile(f"it can't be opened ({trouble.strerror or 'unknown reason'})")
    body = _checked(body)
    return body if isinstance(body, UnreadableFile) else DocumentText(_title(path, body), body)


def read_sent(name: str, content: bytes) -> str:
    """Return the text of a file that somebody sent; a spreadsheet's rows as they are in the file.

    Raises Refused, and says why, if it can't be read. Takes up to half a minute.
    """
    suffix = PurePath(name).suffix.lower()
    with TemporaryFile() as file:
        file.write(content)
        file.seek(0)
        body = _checked(_body(file.fileno(), suffix))
    if isinstance(body, UnreadableFile):
        words = message("refused.files.unreadable", file=name, why=body.reason)
        raise Refused(words, reason="unreadable_file")
    return body


def _checked(body: str | UnreadableFile) -> str | UnreadableFile:
    """Return a text without what can't be stored, unless nothing or too much is left of it."""
    if isinstance(body, UnreadableFile):
        return body
    # Of millions of characters scrubbing takes seconds, in which nothing else is done.
    if len(body) > MOST_CHARACTERS:
        return UnreadableFile(f"it holds more than {MOST_CHARACTERS:,} characters; please split it")
    return scrub(body).strip() or UnreadableFile(
        "there is no text in it (a scan has pictures only)"
    )


def split(text: DocumentText) -> list[Piece]:
    """Split a document into parts of a few pages, at headings or between paragraphs."""
    if len(text.body) <= PART:
        return [Piece(text.title, text.body)]
    pieces: list[Piece] = []
    for heading, section in _sections(text.body):
        title = f"{text.title}: {heading}" if heading and heading != text.title else text.title
        pieces.extend(Piece(one_line(title, 200), body) for body in parts_of(section, PART))
    return pieces


def _title(path: Path, body: str) -> str:
    headings = _headings(body[:2_000])
    named = path.stem.replace("_", " ").replace("-", " ")
    return one_line(headings[0].text if headings else named, 160)


class _Heading(NamedTuple):
    """A heading: the number of its line, and its text."""

    line: int
    text: str


def _sections(body: str) -> list[tuple[str, str]]:
    """Return the parts of a text, each with the heading that it begins with, "" for none."""
    lines = body.split("\n")
    headings = _headings(body)
    if not headings or headings[0].line > 0:
        headings.insert(0, _Heading(0, ""))
    sections: list[tuple[str, str]] = []
    for heading, following in zip_longest(headings, headings[1:]):
        end = following.line if following else len(lines)
        section = "\n".join(lines[heading.line : end]).strip()
        if section:
            sections.append((heading.text, section))
    return sections


def _headings(body: str) -> list[_Heading]:
    """Return the headings of the first three levels.

    A comment in a block of code begins with `#` too, and is none.
    """
    return [
        _Heading(opening.map[0], words.content)
        for opening, words in pairwise(_BLOCKS.parse(body))
        if opening.markup in ("#", "##", "###") and opening.map and words.content
    ]


@contextmanager
def _opened(path: Path) -> Generator[int]:
    """Open a regular file once: neither a link nor a pipe."""
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        yield file
    finally:
        os.close(file)


def _body(file: int, suffix: str) -> str | UnreadableFile:
    about = os.fstat(file)
    if not stat.S_ISREG(about.st_mode):
        return UnreadableFile("it is no ordinary file")
    if about.st_size > MOST_BYTES:
        return UnreadableFile(f"it is larger than {MOST_BYTES // 1024 // 1024} MB")
    if suffix in _CONVERTED:
        return _converted(file, suffix)
    with os.fdopen(file, "rb", closefd=False) as content:
        return decoded(content.read(MOST_BYTES))


def _converted(file: int, suffix: str) -> str | UnreadableFile:
    output = _run_conversion(file, suffix)
    if isinstance(output, UnreadableFile):
        return output
    try:
        answer = _ConverterOutput.model_validate_json(output)
    except ValidationError:
        return UnreadableFile("it is damaged, or needs too much memory to be read")
    if answer.refused:
        return UnreadableFile(one_line(answer.refused, 200))
    return f"{answer.text.rstrip()}{_left_out(answer.hidden)}" if answer.text.strip() else ""


def _left_out(hidden: int) -> str:
    """Return a note, to put below the text, on the invisible text that was not read."""
    return f"\n\n[Left out: {counted(hidden, 'hidden character')}.]" if hidden else ""


def _run_conversion(file: int, suffix: str) -> bytes | UnreadableFile:
    """Return the output of the converter, which gets this file and nothing else."""
    with subprocess.Popen(  # noqa: S603
        [sys.executable, "-I", "-B", conversion.__file__, suffix],
        stdin=file,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={},
        cwd="/",
        close_fds=True,
        start_new_session=True,
    ) as process:
        timer = threading.Timer(SECONDS, _end, [process])
        timer.start()
        try:
            assert process.stdout is not None
            output = process.stdout.read(_MOST_ANSWERED)
            is_late = timer.finished.is_set()
        finally:
            timer.cancel()
            _end(process)
    return UnreadableFile(f"reading it took longer than {SECONDS} seconds") if is_late else output


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the process and its children; its pid stays reserved until it is waited for."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
