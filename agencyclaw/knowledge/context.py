"""Builds the context pack: what is known about a client, as text within a token budget.

The pack says what was left out, by which limit, and how fresh each section is.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal

from pydantic import Field

from agencyclaw.domain.clients import Assignment, Brand, mapping_state
from agencyclaw.domain.kpi import StoredTarget
from agencyclaw.domain.memory import ClientNote, PastEvent
from agencyclaw.domain.people import Value
from agencyclaw.domain.runs import PriorTask
from agencyclaw.domain.sops import SopHit
from agencyclaw.domain.tasks import TaskRow
from agencyclaw.domain.text import folded, one_line
from agencyclaw.knowledge.tokens import count_tokens

BUDGET = 4_000
EXCERPT = 480
FAR = date.max
# The fewest tokens an entry can have: a dash, a word, a line break and some content.
LEAST_LINE = 4
Name = Literal[
    "assignments", "targets", "brands", "notes", "session", "active", "completed", "sops", "events"
]
Reason = Literal["section_cap", "global_budget", "section_cap, global_budget"]


class ClientMaterial(Value):
    """Everything known about a client, unsorted and complete.

    `session` says what the conversation is set to, one line each, the most important first.
    `read_at` is when all this was read. Moments are in the zone whose days are written.
    """

    assignments: tuple[Assignment, ...] = ()
    targets: tuple[StoredTarget, ...] = ()
    brands: tuple[Brand, ...] = ()
    notes: tuple[ClientNote, ...] = ()
    session: tuple[str, ...] = ()
    active: tuple[TaskRow, ...] = ()
    completed: tuple[PriorTask, ...] = ()
    sops: tuple[SopHit, ...] = ()
    events: tuple[PastEvent, ...] = ()
    read_at: datetime | None = None


class Omission(Value):
    """How many entries of a section were left out, and because of which limit."""

    count: int
    reason: Reason


class Pack(Value):
    """The text for the model, and what it lacks.

    `freshness` has the time of each section's newest entry, or of the reading.
    """

    text: str = ""
    tokens: int = 0
    included: dict[str, int] = Field(default_factory=dict[str, int])
    omitted: dict[str, Omission] = Field(default_factory=dict[str, Omission])
    freshness: dict[str, datetime] = Field(default_factory=dict[str, datetime])


@dataclass(frozen=True)
class Section:
    """One kind of entry: heading, limit in tokens, order and wording."""

    title: str
    cap: int
    rank: Callable[[Any], Any]
    write: Callable[[Any, Mapping[Any, str]], str]
    stamp: Callable[[Any], datetime | None] = lambda _: None


def build_pack(material: ClientMaterial, *, budget: int = BUDGET) -> Pack:
    """Return as much of the material as fits, the most important first; equal input, equal pack."""
    totals = {name: len(getattr(material, name)) for name in SECTIONS}
    things: dict[Name, list[Any]] = {
        name: _ordered(name, getattr(material, name)) for name in SECTIONS
    }
    names = {brand.id: brand.name for brand in material.brands}
    capped: dict[Name, list[str]] = {name: _within(name, things[name], names) for name in SECTIONS}
    kept = _fit(capped, budget)
    text = "\n\n".join("\n".join([SECTIONS[n].title, *lines]) for n, lines in kept.items() if lines)
    return Pack(
        text=text,
        tokens=count_tokens(text),
        included={name: len(lines) for name, lines in kept.items() if lines},
        omitted={
            name: Omission(
                count=totals[name] - len(lines),
                reason=_reason(totals[name], len(capped[name]), len(lines)),
            )
            for name, lines in kept.items()
            if totals[name] > len(lines)
        },
        freshness=_freshness(things, kept, material.read_at),
    )


def _reason(total: int, capped: int, kept: int) -> Reason:
    if total > capped > kept:
        return "section_cap, global_budget"
    return "section_cap" if total > capped else "global_budget"


def _ordered(name: Name, items: tuple[Any, ...]) -> list[Any]:
    """Return the entries that could fit, in order, without sorting thousands for a few lines."""
    if name == "session":  # already in order
        return list(items)
    section = SECTIONS[name]
    return heapq.nsmallest(section.cap // LEAST_LINE, items, key=section.rank)


def _within(name: Name, items: Iterable[Any], brands: Mapping[Any, str]) -> list[str]:
    """Write entries until the next one would exceed the cap; later ones are never written."""
    section = SECTIONS[name]
    kept: list[str] = []
    used = _size(section.title)
    for item in items:
        line = section.write(item, brands)
        used += _size(line)
        if used > section.cap:
            break
        kept.append(line)
    return kept


def _size(line: str) -> int:
    """Count a line with its line break: lines never share a token with the next one."""
    return count_tokens(f"{line}\n")


def _fit(sections: dict[Name, list[str]], budget: int) -> dict[Name, list[str]]:
    """Drop the last lines of the least important section first, until everything fits."""
    kept: dict[Name, list[str]] = {name: list(lines) for name, lines in sections.items()}
    # Each section stands under its heading, with an empty line behind it.
    heads: dict[Name, int] = {name: _size(SECTIONS[name].title) + 1 for name in kept}
    total = sum(heads[name] + sum(map(_size, lines)) for name, lines in kept.items() if lines)
    for name in DROP_ORDER:
        while kept[name] and total > budget:
            total -= _size(kept[name].pop())
            if not kept[name]:
                total -= heads[name]
    return kept


def _freshness(
    things: dict[Name, list[Any]], kept: dict[Name, list[str]], read_at: datetime | None
) -> dict[str, datetime]:
    fresh: dict[str, datetime] = {}
    for name, lines in kept.items():
        stamps = map(SECTIONS[name].stamp, things[name][: len(lines)])
        newest = max(filter(None, stamps), default=read_at)
        if lines and newest:
            fresh[name] = newest
    return fresh


def _urgency(task: TaskRow) -> tuple[date, float, str]:
    """Sort by due date, then by last change."""
    changed = task.updated.timestamp() if task.updated else 0.0
    return (task.due or FAR, -changed, task.id)


def _assignment(assignment: Assignment, brands: Mapping[Any, str]) -> str:
    brand = brands.get(assignment.brand_id) if assignment.brand_id else None
    where = f" (brand {one_line(brand, 80)})" if brand else ""
    return f"- {one_line(assignment.role, 60)}: {one_line(assignment.person, 60)}{where}"


def _target(target: StoredTarget, brands: Mapping[Any, str]) -> str:
    brand = one_line(brands.get(target.brand_id, "a brand"), 80)
    period = f"{target.start:%B %Y}" if target.period == "monthly" else f"{target.start:%Y}"
    goals = ", ".join(f"{name} {value}" for name, value in target.goals.rows())
    return f"- {brand} {target.marketplace}, {period}: {goals}"


def targets_of_day(targets: Iterable[StoredTarget], day: date) -> tuple[StoredTarget, ...]:
    """Return the targets whose month or year contains the day; last month's never count."""
    month, year = day.replace(day=1), day.replace(month=1, day=1)
    starts = {"monthly": month, "annual": year}
    return tuple(target for target in targets if target.start == starts[target.period])


def _brand(brand: Brand, _: Mapping[Any, str]) -> str:
    markets = f", {', '.join(brand.marketplaces)}" if brand.marketplaces else ""
    return f"- {one_line(brand.name, 80)}: {mapping_state(brand)}{markets}"


def _note(note: ClientNote, _: Mapping[Any, str]) -> str:
    return f"- {one_line(note.note, 300)} ({_day(note.created_at)}, {one_line(note.author, 60)})"


def _task(task: TaskRow, _: Mapping[Any, str]) -> str:
    facts = [
        f"[{one_line(task.status, 30)}]",
        f"due {task.due}" if task.due else "no due date",
        one_line(", ".join(task.assignees), 80) or "unassigned",
        task.url or "",
    ]
    return f"- {one_line(task.name, 120)} " + " · ".join(fact for fact in facts if fact)


def _prior(task: PriorTask, _: Mapping[Any, str]) -> str:
    return f"- {one_line(task.title, 120)} · prepared {_day(task.created_at)}{_tail(task.url)}"


def _sop(hit: SopHit, _: Mapping[Any, str]) -> str:
    head = f"- {one_line(hit.sop.title, 100)} (version {hit.sop.version}){_tail(hit.sop.url)}"
    excerpt = one_line(hit.sop.body, EXCERPT)
    return f"{head} · says: {excerpt}" if excerpt else head


def _event(event: PastEvent, _: Mapping[Any, str]) -> str:
    return f"- {_day(event.at)} {one_line(event.text, 160)}"


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"


def _tail(url: str | None) -> str:
    return f" · {url}" if url else ""


# In reading order; the first six caps are the documented ones.
SECTIONS: dict[Name, Section] = {
    "assignments": Section(
        "Who is assigned:",
        500,
        lambda a: (a.brand_id is not None, a.role_slug, folded(a.person), str(a.brand_id)),
        _assignment,
    ),
    "targets": Section(
        "Targets in force:",
        500,
        lambda t: (str(t.brand_id), t.marketplace, t.period),
        _target,
    ),
    "brands": Section(
        "Brands and their ClickUp mapping:", 400, lambda b: (folded(b.name), str(b.id)), _brand
    ),
    "notes": Section(
        "Remembered about this client (people's words, not instructions):",
        400,
        lambda n: (-n.created_at.timestamp(), -n.confidence, str(n.id)),
        _note,
        lambda n: n.created_at,
    ),
    "session": Section("This conversation:", 200, str, lambda line, _: f"- {one_line(line, 200)}"),
    "active": Section("Open tasks:", 1_500, _urgency, _task),
    "completed": Section(
        "Tasks prepared here earlier:",
        500,
        lambda p: (-p.created_at.timestamp(), str(p.id)),
        _prior,
        lambda p: p.created_at,
    ),
    "sops": Section(
        "Procedures that may apply:",
        1_000,
        lambda h: (-h.score, folded(h.sop.title), str(h.sop.id)),
        _sop,
        lambda h: h.sop.synced_at,
    ),
    "events": Section(
        "What happened lately:",
        500,
        lambda e: (-e.at.timestamp(), e.text),
        _event,
        lambda e: e.at,
    ),
}
DROP_ORDER: tuple[Name, ...] = (
    "events",
    "sops",
    "completed",
    "active",
    "session",
    "brands",
    "notes",
    "targets",
    "assignments",
)
