"""A client's context as text under a budget: what is in, what is left out, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, date
from typing import Any, Literal, TypeVar

from pydantic import Field

from agencyclaw.domain.clients import Assignment, Brand, mapping_state
from agencyclaw.domain.people import Value
from agencyclaw.domain.runs import PriorTask
from agencyclaw.domain.sops import SopHit
from agencyclaw.domain.tasks import TaskRow
from agencyclaw.domain.text import folded, one_line

BUDGET = 4_000
Name = Literal["assignments", "brands", "active", "completed", "sops"]
CAPS: dict[Name, int] = {
    "assignments": 500,
    "brands": 500,
    "active": 1_500,
    "completed": 500,
    "sops": 1_000,
}
TITLES: dict[Name, str] = {
    "assignments": "Who is assigned",
    "brands": "Brands and their ClickUp mapping",
    "active": "Open tasks",
    "completed": "Tasks prepared here earlier",
    "sops": "Procedures that may apply",
}
DROP_ORDER: tuple[Name, ...] = ("sops", "completed", "active", "brands", "assignments")
FAR = date.max
Reason = Literal["section_cap", "global_budget", "section_cap, global_budget"]


class Material(Value):
    """What is known of a client, unordered and uncut."""

    assignments: tuple[Assignment, ...] = ()
    brands: tuple[Brand, ...] = ()
    active: tuple[TaskRow, ...] = ()
    completed: tuple[PriorTask, ...] = ()
    sops: tuple[SopHit, ...] = ()


class Omission(Value):
    """How many entries of a section were left out, and by which limit."""

    count: int
    reason: Reason


class Pack(Value):
    """The text for the model, with an honest account of its gaps."""

    text: str = ""
    tokens: int = 0
    included: dict[str, int] = Field(default_factory=dict[str, int])
    omitted: dict[str, Omission] = Field(default_factory=dict[str, Omission])


def estimate_tokens(text: str) -> int:
    """Return a rough count of tokens: four characters each."""
    return len(text) // 4


def build_pack(material: Material, *, budget: int = BUDGET) -> Pack:
    """Return as much of the material as fits, most important first; same input, same text."""
    totals = {name: len(getattr(material, name)) for name in CAPS}
    capped: dict[Name, list[str]] = {
        name: _within(lines, CAPS[name]) for name, lines in _lines(material).items()
    }
    kept = _fit(capped, budget)
    text = "\n\n".join(_section(name, lines) for name, lines in kept.items() if lines)
    return Pack(
        text=text,
        tokens=estimate_tokens(text),
        included={name: len(lines) for name, lines in kept.items() if lines},
        omitted={
            name: Omission(
                count=totals[name] - len(kept[name]),
                reason=_reason(totals[name] > len(capped[name]), len(capped[name]) > len(lines)),
            )
            for name, lines in kept.items()
            if totals[name] > len(lines)
        },
    )


def _reason(is_capped: bool, is_squeezed: bool) -> Reason:
    if is_capped and is_squeezed:
        return "section_cap, global_budget"
    return "section_cap" if is_capped else "global_budget"


def _section(name: Name, lines: list[str]) -> str:
    return "\n".join([f"{TITLES[name]}:", *lines])


def _within(lines: Iterable[str], cap: int) -> list[str]:
    """Take lines until the next one would pass the cap; the rest is never even written."""
    kept: list[str] = []
    used = 0
    for line in lines:
        used += len(line) + 1
        if used // 4 > cap:
            break
        kept.append(line)
    return kept


def _fit(sections: dict[Name, list[str]], budget: int) -> dict[Name, list[str]]:
    """Drop the last lines of the least important section first, until all fit together."""
    kept: dict[Name, list[str]] = {name: list(lines) for name, lines in sections.items()}
    sizes = {name: len(_section(name, lines)) + 2 for name, lines in kept.items() if lines}
    total = sum(sizes.values())
    for name in DROP_ORDER:
        while kept[name] and total // 4 > budget:
            total -= len(kept[name].pop()) + 1
            if not kept[name]:
                total -= len(TITLES[name]) + 3
    return kept


T = TypeVar("T")


def _lines(material: Material) -> dict[Name, Iterable[str]]:
    brands = {brand.id: brand.name for brand in material.brands}
    return {
        "assignments": _written(
            material.assignments,
            lambda a: (a.brand_id is not None, a.role_slug, folded(a.person)),
            lambda a: _assignment(a, brands.get(a.brand_id) if a.brand_id else None),
        ),
        "brands": _written(material.brands, lambda b: (folded(b.name), str(b.id)), _brand),
        "active": _written(material.active, _urgency, _task),
        "completed": _written(
            material.completed, lambda p: (-p.created_at.timestamp(), str(p.id)), _prior
        ),
        "sops": _written(material.sops, lambda h: (-h.score, folded(h.sop.title)), _sop),
    }


def _written(
    items: tuple[T, ...], rank: Callable[[T], Any], write: Callable[[T], str]
) -> Iterable[str]:
    return (write(item) for item in sorted(items, key=rank))


def _urgency(task: TaskRow) -> tuple[date, float, str]:
    """Soonest due first, then what changed last."""
    changed = task.updated.timestamp() if task.updated else 0.0
    return (task.due or FAR, -changed, task.id)


def _assignment(assignment: Assignment, brand: str | None) -> str:
    where = f" (brand {brand})" if brand else ""
    return f"- {one_line(assignment.role, 60)}: {one_line(assignment.person, 60)}{where}"


def _brand(brand: Brand) -> str:
    markets = f", {', '.join(brand.marketplaces)}" if brand.marketplaces else ""
    return f"- {one_line(brand.name, 80)}: {mapping_state(brand)}{markets}"


def _task(task: TaskRow) -> str:
    facts = [
        f"[{one_line(task.status, 30)}]",
        f"due {task.due}" if task.due else "no due date",
        one_line(", ".join(task.assignees), 80) or "unassigned",
        task.url or "",
    ]
    return f"- {one_line(task.name, 120)} " + " · ".join(fact for fact in facts if fact)


def _prior(task: PriorTask) -> str:
    made = task.created_at.astimezone(UTC) if task.created_at.tzinfo else task.created_at
    return f"- {one_line(task.title, 120)} · prepared {made:%Y-%m-%d}{_tail(task.url)}"


def _sop(hit: SopHit) -> str:
    return f"- {one_line(hit.sop.title, 100)} (version {hit.sop.version}){_tail(hit.sop.url)}"


def _tail(url: str | None) -> str:
    return f" · {url}" if url else ""
