"""A task brief as markdown, written from the effect alone: same effect, same bytes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from agencyclaw.domain.effects import CreateTask
from agencyclaw.knowledge.buckets import Bucket, bucket_of, spoken
from agencyclaw.knowledge.inert import as_data, as_label, as_link, as_row
from agencyclaw.knowledge.open_points import first_step, sop_source
from agencyclaw.knowledge.phrases import (
    NOT_STATED,
    budget_of,
    discount_of,
    end_of,
    first_sentence,
    lookback_of,
    severity_of,
    target_of,
    without_command,
)

OBJECTIVE_LIMIT = 200
Rows = tuple[tuple[str, str], ...]


def render_body(effect: CreateTask) -> str:
    """Return the brief: header, details, SOP, checklist, set-up, what is open."""
    sections = (
        ("Task Brief", _header(effect)),
        ("Details", _details(effect)),
        ("SOP Reference", _reference(effect)),
        ("Earlier Tasks Like This", _earlier(effect)),
        ("Definition of Done", _checklist(effect)),
        (_SETUPS[bucket_of(effect.category)][0], _lines(_setup(effect))),
        ("Unresolved", _unresolved(effect)),
    )
    return "\n\n".join(f"## {title}\n{text}" for title, text in sections if text)


def _line(rows: Rows) -> str:
    """Short values stand side by side: a brief is read on a card before it is a task."""
    return "- " + " · ".join(f"**{name}:** {value}" for name, value in rows)


def _lines(rows: Rows) -> str:
    return "\n".join(_line(rows[at : at + 3]) for at in range(0, len(rows), 3))


def _header(effect: CreateTask) -> str:
    has_start = effect.start and bucket_of(effect.category) is not Bucket.PROMOTIONS
    start = (("Start", _day(effect.start)),) if has_start else ()
    lines: tuple[Rows, ...] = (
        (("Objective", as_label(_objective(effect))),),
        (
            ("Client", as_label(effect.client.name)),
            ("Brand", as_label(effect.brand.name) if effect.brand else "None (client level)"),
            ("Marketplace", ", ".join(effect.marketplaces) or NOT_STATED),
        ),
        (
            ("Task type", bucket_of(effect.category).value),
            ("Product identifiers", _products(effect)),
        ),
        (("Owner", _owner(effect)), *start, ("Due", _day(effect.due))),
    )
    return "\n".join(_line(line) for line in lines)


def _objective(effect: CreateTask) -> str:
    wish = without_command(effect.details)
    return first_sentence(wish, OBJECTIVE_LIMIT) or effect.title


def _owner(effect: CreateTask) -> str:
    if effect.assignee is None:
        return NOT_STATED
    name = as_label(effect.assignee.name)
    return name if effect.assignee.clickup_user_id else f"{name} (no ClickUp id, so unassigned)"


def _day(day: date | None) -> str:
    return f"{day:%a} {day.day} {day:%b %Y}" if day else NOT_STATED


def _details(effect: CreateTask) -> str:
    """What the objective already says is not said twice."""
    text = without_command(effect.details)
    if " ".join(text.split()) == _objective(effect):
        return ""
    return as_data(text)


def _products(effect: CreateTask) -> str:
    if effect.identifiers:
        return as_label(effect.products)
    return "Pending (ASIN or SKU to be supplied)" if effect.identifiers_pending else NOT_STATED


def _reference(effect: CreateTask) -> str:
    source = sop_source(effect)
    if source is None:
        return "- None found."
    rows = (
        ("SOP", as_label(source.title)),
        ("Version", as_label(source.version or NOT_STATED)),
        ("Deviations from SOP", "None"),
    )
    link = as_link(source.url)
    address = f"\n- **Link:** {link}" if link else ""
    quoted = as_data(effect.excerpt).splitlines() if effect.excerpt else []
    quote = "\n".join(f"> {line}".rstrip() for line in quoted)
    return f"{_line(rows)}{address}" + (f"\n\n{quote}" if quote else "")


def _earlier(effect: CreateTask) -> str:
    tasks = [source for source in effect.sources if source.tier == "similar_task"]
    return "\n".join(f"- {as_label(task.title)} {as_link(task.url)}".rstrip() for task in tasks)


def _checklist(effect: CreateTask) -> str:
    lines = [f"- [ ] {as_row(step)}" for step in effect.checklist]
    if effect.more_steps:
        lines.append(f"\nThe SOP has {effect.more_steps} more steps.")
    return "\n".join(lines)


def _unresolved(effect: CreateTask) -> str:
    if not effect.unresolved:
        return ""
    points = [f"- {as_row(point)}" for point in effect.unresolved]
    return "\n".join([*points, f"- **First step:** {first_step(effect)}"])


def _setup(effect: CreateTask) -> Rows:
    text = f"{effect.title}\n{effect.details}"
    rows = _SETUPS[bucket_of(effect.category)][1](effect, text)
    return tuple((name, as_label(value)) for name, value in rows)


def _ppc(_: CreateTask, text: str) -> Rows:
    return (
        ("Look-back", lookback_of(text)),
        ("Targets", target_of(text)),
        ("Budget", budget_of(text)),
    )


def _promotion(effect: CreateTask, text: str) -> Rows:
    return (
        ("Promotion type", spoken(effect.category)),
        ("Discount", discount_of(text)),
        ("Starts", _day(effect.start)),
        ("Ends", end_of(text)),
        ("Budget", budget_of(text)),
    )


def _catalog(effect: CreateTask, text: str) -> Rows:
    return (
        ("Issue", spoken(effect.category)),
        ("Severity", severity_of(text)),
        ("Evidence", NOT_STATED),
    )


def _generic(effect: CreateTask, text: str) -> Rows:
    return (
        ("Procedure", spoken(effect.category) if effect.category else "None found"),
        ("Priority", severity_of(text)),
        ("Deliverable", NOT_STATED),
        *_unclassified(effect, text),
    )


def _unclassified(effect: CreateTask, text: str) -> Rows:
    """What nothing is known to rest on says what is known, and that somebody has to approve it."""
    if any(source.tier in ("sop", "internal") for source in effect.sources):
        return ()
    said = (discount_of(text), budget_of(text), target_of(text), lookback_of(text), end_of(text))
    facts = [one for one in dict.fromkeys(said) if one != NOT_STATED]
    return (
        ("Known facts", "; ".join(facts) or "Only what the details say"),
        ("Approval needed", "Yes: no procedure covers this"),
    )


Describe = Callable[[CreateTask, str], Rows]
_SETUPS: dict[Bucket, tuple[str, Describe]] = {
    Bucket.PPC: ("PPC Scope", _ppc),
    Bucket.PROMOTIONS: ("Promotion Setup", _promotion),
    Bucket.CATALOG: ("Issue Context", _catalog),
    Bucket.GENERIC: ("Workstream Context", _generic),
}
