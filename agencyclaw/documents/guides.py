"""Reads the agency's guides from a folder; a faulty file is left out, with a reason."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

import logfire
import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agencyclaw.domain.guides import Guide
from agencyclaw.domain.people import Tier
from agencyclaw.domain.text import clean, one_line
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.knowledge.tokens import count_tokens

FILES_AT_MOST = 20
TOKENS_AT_MOST = 2_000
DESCRIPTION_AT_MOST = 160

_BYTES_AT_MOST = 32_000
_FRONT = re.compile(r"---[ \t]*\n(.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_FENCE = (
    "Begin the file with a line ---, then name: and description: on lines of their own, then a"
    " line ---, then the text."
)
_FIXES = {
    "name": "Give it a name: of small letters, digits and hyphens, at most 40.",
    "description": f"Give it a description: of one line, at most {DESCRIPTION_AT_MOST} characters:"
    " when the assistant should read it.",
    "tier": "tier: is viewer, member, admin or super_admin; leave it out for everybody.",
}


@dataclass(frozen=True)
class LeftOut:
    """A file that was not loaded, with the reason and the fix."""

    file: str
    why: str
    fix: str

    @property
    def line(self) -> str:
        """The reason as one line for the operator."""
        return f"{self.file} was left out: {self.why}. {self.fix}"


@dataclass(frozen=True)
class GuideFolder:
    """A folder's guides, sorted by file name, and the files left out."""

    guides: tuple[Guide, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


class _FrontMatter(BaseModel):
    """The front matter of a guide; unknown keys are refused."""

    model_config = ConfigDict(extra="forbid")

    name: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$", max_length=40)]
    description: Annotated[str, Field(min_length=1, max_length=DESCRIPTION_AT_MOST)]
    tier: Literal["viewer", "member", "admin", "super_admin"] = "viewer"


@cache
def load_guides(folder: Path | None) -> tuple[Guide, ...]:
    """Return the folder's guides, and log a warning for each file left out.

    Read once per process: later changes of the folder need a restart.
    """
    loaded = read_folder(folder)
    for fault in loaded.left_out:
        # Written into the template, not passed as a value: values are searched for secrets.
        logfire.warn(f"guide {fault.line}".replace("{", "{{").replace("}", "}}"))
    return loaded.guides


def read_folder(folder: Path | None) -> GuideFolder:
    """Read every `*.md` file directly in a folder; hidden files are skipped."""
    if folder is None:
        return GuideFolder()
    files = sorted(file for file in folder.glob("*.md") if not file.name.startswith("."))
    return _collect((file.name, _read(file, folder.resolve())) for file in files)


def _collect(read: Iterable[tuple[str, Guide | LeftOut]]) -> GuideFolder:
    """Keep the first guide of each name, and no more than a prompt has room for."""
    kept: dict[str, tuple[str, Guide]] = {}
    left_out: list[LeftOut] = []
    for file, guide in read:
        if isinstance(guide, LeftOut):
            left_out.append(guide)
        elif guide.name in kept:
            why = f"{kept[guide.name][0]} has the name {guide.name} already"
            left_out.append(LeftOut(file, why, "Give one of them another name:."))
        elif len(kept) == FILES_AT_MOST:
            why = f"there are {FILES_AT_MOST} guides already"
            left_out.append(LeftOut(file, why, "Put guides together, or take one away."))
        else:
            kept[guide.name] = (file, guide)
    return GuideFolder(tuple(guide for _, guide in kept.values()), tuple(left_out))


def _read(file: Path, folder: Path) -> Guide | LeftOut:
    """Read one file, which may be anything."""
    try:
        if not file.resolve(strict=True).is_relative_to(folder):
            return LeftOut(file.name, "it leads out of the folder", "Put the file itself there.")
        about = file.stat()
        if not stat.S_ISREG(about.st_mode):
            return LeftOut(file.name, "it is no file", "Only Markdown files belong here.")
        if about.st_size > _BYTES_AT_MOST:
            return _too_long(file.name, f"{about.st_size:,} bytes")
        written = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        return LeftOut(file.name, "it is not UTF-8", "Save it as UTF-8.")
    except (OSError, RuntimeError):  # a circle of links is the latter
        return LeftOut(file.name, "it can't be read", "Check its rights, and where it links to.")
    return _parse(file.name, clean(written, limit=len(written)))


def _too_long(file: str, size: str) -> LeftOut:
    return LeftOut(
        file,
        f"it is too long ({size})",
        f"At most {TOKENS_AT_MOST:,} tokens are read, about 1,500 words: shorten it or split it.",
    )


def _parse(file: str, written: str) -> Guide | LeftOut:
    if redacted(written) != written:
        return LeftOut(file, "something in it looks like a token or a password", "Take that out.")
    match = _FRONT.match(written)
    if match is None:
        return LeftOut(file, "it has no front matter", _FENCE)
    front = _front_matter(file, match[1])
    if isinstance(front, LeftOut):
        return front
    # Remove what is invisible on the rendered page, so that the model does not read it either.
    text = _COMMENT.sub("", written[match.end() :]).strip()
    if not text:
        return LeftOut(
            file, "there is no text below its front matter", "Write down how it is done."
        )
    if (tokens := count_tokens(text)) > TOKENS_AT_MOST:
        return _too_long(file, f"{tokens:,} tokens")
    return Guide(
        name=front.name,
        description=one_line(front.description, DESCRIPTION_AT_MOST),
        text=text,
        tier=Tier[front.tier.upper()],
    )


def _front_matter(file: str, written: str) -> _FrontMatter | LeftOut:
    try:
        # Every scalar is a string: “no” does not become false, and nothing is expanded.
        return _FrontMatter.model_validate(yaml.load(written, Loader=yaml.BaseLoader))  # noqa: S506
    except (yaml.YAMLError, RecursionError):
        fix = 'Put a value with a colon or a bracket in it into quotes: description: "…".'
        return LeftOut(file, "its front matter is not YAML", fix)
    except ValidationError as error:
        place = next(iter(error.errors()[0]["loc"]), "")
        why = f"{place}: is missing or not right" if place else "its front matter has no fields"
        fix = _FIXES.get(str(place), "Only name:, description: and tier: are understood.")
        return LeftOut(file, why, fix if place else _FENCE)
