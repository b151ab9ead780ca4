"""Reads a procedure's steps as a checklist; prose has none."""

from __future__ import annotations

import re

from agencyclaw.domain.people import Value
from agencyclaw.domain.text import folded, one_line

STEPS_AT_MOST = 12
STEP_LIMIT = 200
# Ends a step of which the procedure says more.
GOES_ON = " […]"

# ClickUp's Docs escape marks with backslashes; a heading is a step if it says so.
_LINE = re.compile(
    r"^(?P<indent>[ \t]*)(?:"
    r"(?:\*\*|__)?(?P<number>\d{1,3})\\?[.)](?:\*\*|__)?(?:[ \t]+|(?=(?-i:[A-Z])))"
    r"|(?:#{1,6}[ \t]+)?(?:\*\*|__)?(?P<step>step[ \t]+\d{1,3})[ \t]*[:.)–-](?:\*\*|__)?[ \t]*"
    r"|\\?[-*+•][ \t]+"
    r")(?:\\?\[[ x]?\\?\][ \t]*)?(?P<text>\S.*)$",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_LABEL = re.compile(r"^step\s+\d{1,3}\s*[:.)–-]\s*", re.IGNORECASE)
_EMPHASIS = re.compile(r"\*\*|__|`")


class Steps(Value):
    """The steps shown, and how many more the procedure has."""

    lines: tuple[str, ...] = ()
    more: int = 0


class _Step(Value):
    text: str
    goes_on: bool = False
    is_top: bool
    is_numbered: bool


def read_steps(body: str) -> Steps:
    """Return the numbered and bulleted lines of a procedure, without duplicates.

    If they don't fit, sub-steps are left out first, then bullets beside a numbered list.
    """
    found = _distinct(_all_lines(body))
    if len(found) <= STEPS_AT_MOST:
        return Steps(lines=tuple(_line(step) for step in found))
    numbered = [step for step in found if step.is_top and step.is_numbered]
    kept = numbered if len(numbered) >= 3 else [step for step in found if step.is_top] or found
    shown = tuple(_line(step) for step in kept[:STEPS_AT_MOST])
    return Steps(lines=shown, more=max(0, len(kept) - STEPS_AT_MOST))


def _line(step: _Step) -> str:
    """Return a step as it is listed: what it restricts further down must not seem left out."""
    return step.text + GOES_ON if step.goes_on else step.text


def _all_lines(body: str) -> list[_Step]:
    steps: list[_Step] = []
    is_code = False
    is_within = False
    for line in body.splitlines():
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code and (match := _LINE.match(line)):
            steps.append(_step(match))
            is_within = True
        elif is_within and not is_code and line[:1].isspace() and line.strip():
            steps[-1] = steps[-1].model_copy(update={"goes_on": True})
        else:
            is_within = is_within and not line.strip()
    return [step for step in steps if any(char.isalnum() for char in step.text)]


def _step(match: re.Match[str]) -> _Step:
    text = _LABEL.sub("", _EMPHASIS.sub("", match["text"]).strip())
    shown = text.rstrip(":")
    return _Step(
        text=one_line(shown, STEP_LIMIT),
        goes_on=len(shown) > STEP_LIMIT,
        is_top=not match["indent"],
        is_numbered=bool(match["number"] or match["step"]),
    )


def _distinct(steps: list[_Step]) -> list[_Step]:
    seen: dict[str, _Step] = {}
    for step in steps:
        seen.setdefault(folded(step.text), step)
    return list(seen.values())
