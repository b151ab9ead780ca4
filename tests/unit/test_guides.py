"""Guides are read from a folder in which anything may lie; a bad file costs itself and no more."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

import logfire
import pytest

from agencyclaw.documents.guides import (
    DESCRIPTION_AT_MOST,
    FILES_AT_MOST,
    TOKENS_AT_MOST,
    GuideFolder,
    load_guides,
    read_folder,
)
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.domain.guides import Guide, guides_hash
from agencyclaw.domain.people import Tier
from agencyclaw.settings import load_settings

GOOD = """---
name: weekly-check-in
description: When somebody prepares a check-in.
tier: member
---
# The check-in

Say first what is late. <!-- Ines thinks so, too -->
"""


def written(front: str, text: str = "Say what is late.") -> bytes:
    return f"---\n{front}\n---\n{text}\n".encode()


def named(name: str, **more: str) -> bytes:
    fields = {"name": name, "description": "When it fits.", **more}
    return written("\n".join(f"{field}: {value}" for field, value in fields.items()))


def link_out(path: Path) -> None:
    outside = path.parent.parent / "outside.md"
    outside.write_text(GOOD, encoding="utf-8")
    path.symlink_to(outside)


BROKEN: dict[str, tuple[bytes | Callable[[Path], object], str]] = {
    "no front matter": (b"# Coupons\n\nCheck the margin.\n", "it has no front matter"),
    "an open fence": (b"---\nname: coupons\ndescription: x\n\nCheck.\n", "it has no front matter"),
    "empty": (b"", "it has no front matter"),
    "an empty fence": (written(""), "its front matter has no fields"),
    "a list": (written("- name"), "its front matter has no fields"),
    "bad YAML": (written("name: coupons\ndescription: [a: b"), "its front matter is not YAML"),
    "a colon": (written("name: a\ndescription: When: now: then"), "quotes"),
    "deep brackets": (written("name: " + "[" * 5_000), "its front matter is not YAML"),
    "no name": (written("description: When it fits."), "name: is missing"),
    "a name with spaces": (named("weekly check-in"), "small letters, digits and hyphens"),
    "no description": (written("name: coupons"), "description: is missing"),
    "a long description": (named("a", description="x" * 200), f"at most {DESCRIPTION_AT_MOST}"),
    "an unknown tier": (named("a", tier="owner"), "viewer, member, admin or super_admin"),
    "a tool": (named("a", tools="create_task"), "Only name:, description: and tier:"),
    "no text": (written("name: a\ndescription: b", "<!-- later -->"), "no text below"),
    "too many tokens": (written("name: a\ndescription: b", "coupon " * 2_500), "tokens are read"),
    "too many bytes": (written("name: a\ndescription: b", "x" * 200_000), "bytes"),
    "not UTF-8": (named("a", description="Für Kunden").decode().encode("latin-1"), "not UTF-8"),
    "a password": (
        written("name: a\ndescription: b", "Use postgresql://claw:hunter2@db/claw."),
        "looks like a token or a password",
    ),
    "a folder": (Path.mkdir, "it is no file"),
    "a pipe": (os.mkfifo, "it is no file"),
    "a link out of the folder": (link_out, "it leads out of the folder"),
    "a link to nothing": (lambda path: path.symlink_to("gone.md"), "it can't be read"),
    "a link to itself": (lambda path: path.symlink_to(path), "it can't be read"),
}


@pytest.mark.parametrize("label", BROKEN)
def test_a_broken_file_is_left_out_with_its_name_and_what_mends_it(
    tmp_path: Path, label: str
) -> None:
    content, says = BROKEN[label]
    folder = tmp_path / "guides"
    folder.mkdir()
    (folder / "a-good.md").write_text(GOOD, encoding="utf-8")
    (folder / "z-good.md").write_bytes(named("last"))
    if isinstance(content, bytes):
        (folder / "broken.md").write_bytes(content)
    else:
        content(folder / "broken.md")

    folder_read = read_folder(folder)

    assert [one.name for one in folder_read.guides] == ["weekly-check-in", "last"]
    [fault] = folder_read.left_out
    assert fault.line.startswith("broken.md was left out: ")
    assert says in fault.line


def test_a_guide_is_what_its_file_says_without_what_nobody_would_see(tmp_path: Path) -> None:
    (tmp_path / "one.md").write_text(f"\ufeff{GOOD}\u200b".replace("\n", "\r\n"), encoding="utf-8")

    assert read_folder(tmp_path).guides == (
        Guide(
            name="weekly-check-in",
            description="When somebody prepares a check-in.",
            text="# The check-in\n\nSay first what is late.",
            tier=Tier.MEMBER,
        ),
    )


def test_a_file_nobody_may_read_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "one.md"
    path.write_text(GOOD, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        # Root reads everything, so the refusal is made here.
        patch.setattr(Path, "read_bytes", refuse)
        [fault] = read_folder(tmp_path).left_out

    assert "it can't be read" in fault.line


def refuse(path: Path) -> bytes:
    raise PermissionError(path)


def test_the_second_of_a_name_is_left_out_and_names_the_first(tmp_path: Path) -> None:
    for name in ("a.md", "b.md"):
        (tmp_path / name).write_bytes(named("check-in"))

    folder_read = read_folder(tmp_path)

    assert len(folder_read.guides) == 1
    assert [one.line for one in folder_read.left_out] == [
        "b.md was left out: a.md has the name check-in already. Give one of them another name:."
    ]


def test_there_are_no_more_than_fit_into_a_prompt(tmp_path: Path) -> None:
    for number in range(FILES_AT_MOST + 2):
        (tmp_path / f"{number:02}.md").write_bytes(named(f"guide-{number}"))

    folder_read = read_folder(tmp_path)

    assert len(folder_read.guides) == FILES_AT_MOST
    assert [one.file for one in folder_read.left_out] == ["20.md", "21.md"]


def test_a_text_of_as_many_tokens_as_allowed_is_read(tmp_path: Path) -> None:
    (tmp_path / "one.md").write_bytes(written("name: a\ndescription: b", "a " * TOKENS_AT_MOST))

    assert len(read_folder(tmp_path).guides) == 1


def test_what_is_not_meant_is_not_looked_at(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "one.md").write_bytes(named("one"))
    (tmp_path / ".draft.md").write_text("nothing yet", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("nothing", encoding="utf-8")

    assert read_folder(tmp_path) == GuideFolder()


def test_no_folder_is_no_guides() -> None:
    assert load_guides(None) == ()


def test_links_within_the_folder_are_followed(tmp_path: Path) -> None:
    # This is how a cluster mounts files that it may replace.
    (tmp_path / "..data").mkdir()
    (tmp_path / "..data" / "one.md").write_bytes(named("one"))
    (tmp_path / "one.md").symlink_to(Path("..data") / "one.md")

    assert [one.name for one in read_folder(tmp_path).guides] == ["one"]


def test_the_start_warns_once_of_a_broken_file_and_loads_the_others(tmp_path: Path) -> None:
    # A name that telemetry would take for a secret, and braces, which it would take for a field.
    (tmp_path / "password-{reset}.md").write_text("nothing", encoding="utf-8")
    (tmp_path / "good.md").write_text(GOOD, encoding="utf-8")
    console = io.StringIO()
    warned = logfire.ConsoleOptions(min_log_level="warn", output=console, colors="never")
    logfire.configure(send_to_logfire=False, console=warned)
    try:
        first, second = load_guides(tmp_path), load_guides(tmp_path)
    finally:
        logfire.configure(send_to_logfire=False, console=False)

    assert [one.name for one in first] == ["weekly-check-in"]
    assert first == second
    said = console.getvalue()
    assert said.count("was left out") == 1
    assert "password-{reset}.md was left out: it has no front matter. Begin the file" in said


def test_the_hash_names_the_wording(tmp_path: Path) -> None:
    (tmp_path / "one.md").write_text(GOOD, encoding="utf-8")
    before = guides_hash(read_folder(tmp_path).guides)
    (tmp_path / "one.md").write_text(GOOD.replace("late", "early"), encoding="utf-8")

    assert len(before) == 12
    assert guides_hash(read_folder(tmp_path).guides) != before


def test_a_folder_that_is_not_there_stops_the_start_by_name(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="AGENCYCLAW_GUIDES: this is no folder"):
        load_settings({"agencyclaw_guides": str(tmp_path / "gone")})
