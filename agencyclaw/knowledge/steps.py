"""Reads a procedure's lists as a checklist, each under the procedure's own heading.

Headings and lists are recognised by their Markdown marks, and steps by "Step 1:" as well. Prose
gives no list.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from agencyclaw.domain.people import Value
from agencyclaw.domain.sops import SopSection
from agencyclaw.domain.text import cut, folded, one_line

STEPS_AT_MOST = 12
# Of all sections together.
LINES_AT_MOST = 24
STEP_LIMIT = 200
TITLE_LIMIT = 80
# Ends a step of which the procedure says more.
GOES_ON = " […]"

# "Step 3:", "Step 1-2:" and "Step 2.1:".
_STEP = r"step\s+\d{1,3}(?:[–.-]\d{1,3})?(?:\*\*|__)?\s*(?:[:：)]|[.–—-](?!\d))"
# ClickUp's Docs escape marks with backslashes; a heading is a step if it says so. Right behind a
# number, a letter begins a step unless it is a small one: "1.5" and "2.x" begin none.
_LINE = re.compile(
    r"^(?P<indent>[ \t]*)(?:"
    r"(?:\*\*|__)?(?P<number>\d{1,3})\\?[.)](?:\*\*|__)?(?:[ \t]+|(?=[^\W\d_])(?!(?-i:[a-z])))"
    r"|(?:#{1,6}[ \t]+)?(?:\*\*|__)?(?P<step>" + _STEP + r")(?:\*\*|__)?[ \t]*"
    r"|\\?[-*+•][ \t]+"
    r")(?:\\?\[[ x]?\\?\][ \t]*)?(?P<text>\S.*)$",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t]+(?P<text>\S.*)$")
_BOLD = re.compile(r"^(\*\*|__)(?P<text>(?:(?!\1).)+)\1:?[ \t]*$")
# A line of text that only leads to the list below it.
_LEAD = re.compile(r"^(?P<text>\S.{0,78})[:：][ \t]*$")
# A line that begins and ends code with the same marks is no fence.
_CODE = re.compile(r"^\s*(?P<opening>`{3,}+(?!.*`)|~{3,})")
_LABEL = re.compile(rf"^{_STEP}\s*", re.IGNORECASE)
# Inside a word, "__" is part of a name.
_EMPHASIS = re.compile(r"\*\*|(?<!\w)__|__(?!\w)|`")


class Steps(Value):
    """The lines shown, and the sections they are of."""

    lines: tuple[str, ...] = ()
    sections: tuple[SopSection, ...] = ()


class _Step(Value):
    text: str
    goes_on: bool = False
    # The width before its mark, then what is below what at the same width: "Step 1:" is 0, a
    # number 1, a bullet 2.
    depth: tuple[int, int]

    @property
    def is_top(self) -> bool:
        """Whether it is no sub-step."""
        return self.depth[0] == 0

    @property
    def is_numbered(self) -> bool:
        """Whether it has a number."""
        return self.depth[1] < 2


@dataclass
class _Section:
    title: str
    steps: list[_Step] = field(default_factory=list[_Step])
    more: int = 0
    # Where each step is, by the place of the step above it and its folded text.
    places: dict[tuple[int, str], int] = field(default_factory=dict[tuple[int, str], int])
    # The last step after those above it: their depths and places, and whether they were repeated.
    path: list[tuple[tuple[int, int], int, bool]] = field(
        default_factory=list[tuple[tuple[int, int], int, bool]]
    )

    def add(self, step: _Step) -> int:
        """Add a step unless the same one is below the same step; return where it is.

        What is new below a repeated step belongs to that one, which only goes on.
        """
        while self.path and self.path[-1][0] >= step.depth:
            self.path.pop()
        _, above, is_repeated = self.path[-1] if self.path else (None, -1, False)
        key = (above, folded(step.text))
        is_known = key in self.places
        if is_repeated and not is_known:
            self.mark_continued(above)
            return above
        place = self.places.setdefault(key, len(self.steps))
        if not is_known:
            self.steps.append(step)
        self.path.append((step.depth, place, is_known))
        return place

    def mark_continued(self, place: int) -> None:
        """Note that the procedure says more about a step."""
        self.steps[place] = self.steps[place].model_copy(update={"goes_on": True})


def read_steps(body: str) -> Steps:
    """Return the numbered and bulleted lines of a procedure, by section, without duplicates.

    If they don't fit, sub-steps are left out first, then bullets beside a numbered list. A step
    that lost its sub-steps is marked, and a section counts its further lines. Sections beyond the
    limit are only counted.
    """
    sections = _Reader(body).sections
    for section in sections:
        _shorten(section)
    shown, beyond = sections[:LINES_AT_MOST], sections[LINES_AT_MOST:]
    while sum(len(section.steps) for section in shown) > LINES_AT_MOST:
        longest = max(reversed(shown), key=lambda section: len(section.steps))
        longest.steps.pop()
        longest.more += 1
    rest = sum(len(section.steps) + section.more for section in beyond)
    return Steps(
        lines=tuple(_line(step) for section in shown for step in section.steps),
        sections=(
            *(
                SopSection(title=section.title, size=len(section.steps), more=section.more)
                for section in shown
            ),
            *([SopSection(size=0, more=rest)] if rest else []),
        ),
    )


def _shorten(section: _Section) -> None:
    """Remove the least needed lines of a long section, and count them."""
    if len(section.steps) <= STEPS_AT_MOST:
        return
    tops = _without_sub_steps(section.steps)
    numbered = [step for step in tops if step.is_numbered]
    kept = numbered if len(numbered) >= 3 else tops
    section.steps = kept[:STEPS_AT_MOST]
    section.more = len(tops) - len(section.steps)


def _without_sub_steps(steps: list[_Step]) -> list[_Step]:
    if not steps[0].is_top:
        return steps
    tops: list[_Step] = []
    for step in steps:
        if step.is_top:
            tops.append(step)
        else:
            tops[-1] = tops[-1].model_copy(update={"goes_on": True})
    return tops


def _line(step: _Step) -> str:
    """Return a step as it is listed, with a mark if the procedure says more about it."""
    text = cut(step.text, STEP_LIMIT)
    return text + GOES_ON if step.goes_on else text


class _Reader:
    """Reads the lists of a text, line by line."""

    def __init__(self, body: str) -> None:
        self._sections = [_Section("")]
        self._lead = ""
        # The marks that opened code; "" outside.
        self._code = ""
        self._is_within = False
        # The step that an indented line continues.
        self._current = 0
        for line in body.splitlines():
            self._read(line)

    @property
    def sections(self) -> list[_Section]:
        """The sections that have a list."""
        return [section for section in self._sections if section.steps]

    def _read(self, line: str) -> None:
        if self._code:
            self._code = "" if _closes(line, self._code) else self._code
            return
        item = _LINE.match(line)
        if code := _CODE.match(item["text"] if item else line):
            self._code = code["opening"]
        elif item:
            self._add_step(_step(item))
        elif match := _HEADING.match(line):
            self._begin_section(_unclosed(match["text"]))
        elif match := _BOLD.match(line):
            self._begin_section(match["text"])
        elif self._is_within and line[:1].isspace() and line.strip():
            self._sections[-1].mark_continued(self._current)
        elif line.strip():
            lead = _LEAD.match(line)
            self._lead = lead["text"] if lead else ""
            self._is_within = False

    def _add_step(self, step: _Step) -> None:
        section = self._sections[-1]
        if self._lead and (section.steps or not section.title):
            self._begin_section(self._lead)
        self._lead = ""
        self._is_within = any(char.isalnum() for char in step.text)
        if self._is_within:
            self._current = self._sections[-1].add(step)

    def _begin_section(self, title: str) -> None:
        plain = one_line(_EMPHASIS.sub("", title).strip().rstrip(":"), TITLE_LIMIT)
        self._sections.append(_Section(plain))
        self._lead = ""
        self._is_within = False


def _closes(line: str, opening: str) -> bool:
    """Whether a line ends code: the marks that opened it, or more of them, and nothing else."""
    text = line.strip()
    return text.startswith(opening) and not text.strip(opening[0])


def _unclosed(heading: str) -> str:
    """Return a heading without the marks that close it; the one of "C#" does not."""
    bare = heading.rstrip(" \t").rstrip("#")
    return bare if bare[-1:] in " \t" else heading


def _step(match: re.Match[str]) -> _Step:
    text = _LABEL.sub("", _EMPHASIS.sub("", match["text"]).strip())
    shown = text.rstrip(":")
    kind = 0 if match["step"] else 1 if match["number"] else 2
    return _Step(
        text=one_line(shown, len(shown)),
        goes_on=len(shown) > STEP_LIMIT,
        depth=(len(match["indent"].expandtabs(4)), kind),
    )
