"""Writes a task brief as Markdown from the effect alone: the same effect gives the same text."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from agencyclaw.domain.days import spoken_day
from agencyclaw.domain.effects import CreateTask
from agencyclaw.domain.task_requests import NOT_STATED, FactKind
from agencyclaw.knowledge.buckets import Bucket, spoken
from agencyclaw.knowledge.escaping import as_data, as_label, as_link, as_row
from agencyclaw.knowledge.open_points import (
    bucket_of_task,
    first_step,
    needs_budget,
    sop_source,
)
from agencyclaw.knowledge.steps import GOES_ON

Rows = tuple[tuple[str, str], ...]


def render_body(effect: CreateTask) -> str:
    """Return the brief: header, details, procedure, checklist, set-up, open points."""
    sections = (
        ("Task Brief", _header(effect)),
        ("Details", _details(effect)),
        ("SOP Reference", _reference(effect)),
        ("Definition of Done", _checklist(effect)),
        (_SETUPS[bucket_of_task(effect)][0], _lines(_setup(effect))),
        ("Unresolved", _unresolved(effect)),
    )
    return "\n\n".join(f"## {title}\n{text}" for title, text in sections if text)


def _line(rows: Rows) -> str:
    """Join short values on one line, because a brief is read on a card first."""
    return "- " + " · ".join(f"**{name}:** {value}" for name, value in rows)


def _lines(rows: Rows) -> str:
    return "\n".join(_line(rows[at : at + 3]) for at in range(0, len(rows), 3))


def _header(effect: CreateTask) -> str:
    start = (("Start", _day(effect.start)),) if effect.start else ()
    lines: tuple[Rows, ...] = (
        (("Objective", as_label(_objective(effect))),),
        (
            ("Client", as_label(effect.client.name)),
            ("Brand", as_label(effect.brand.name) if effect.brand else "None (client level)"),
            ("Marketplace", effect.marketplace or NOT_STATED),
        ),
        (
            ("Task type", bucket_of_task(effect).value),
            ("Product identifiers", _products(effect)),
        ),
        (("Owner", _owner(effect)), *start, ("Due", _day(effect.due))),
        *_origin(effect),
    )
    return "\n".join(_line(line) for line in lines)


def _origin(effect: CreateTask) -> tuple[Rows, ...]:
    """Lead back to the message in Slack from which it was made."""
    if effect.from_message is None:
        return ()
    author, url = effect.from_message.author, as_link(effect.from_message.url)
    return (((("From Slack", f"a message of {as_label(author)} {url}".rstrip())),),)


def _objective(effect: CreateTask) -> str:
    return effect.objective or NOT_STATED


def _owner(effect: CreateTask) -> str:
    if effect.assignee is None:
        return NOT_STATED
    name = as_label(effect.assignee.name)
    return name if effect.assignee.clickup_user_id else f"{name} (no ClickUp id, so unassigned)"


def _day(day: date | None) -> str:
    return spoken_day(day) if day else NOT_STATED


def _details(effect: CreateTask) -> str:
    """Return the details without lines that the objective already has."""
    text = effect.details
    if " ".join(text.split()) == _objective(effect):
        return ""
    return as_data(text)


def _products(effect: CreateTask) -> str:
    if effect.products:
        return as_label(effect.products)
    return "Pending (ASIN or SKU to be supplied)" if effect.identifiers_pending else NOT_STATED


def _reference(effect: CreateTask) -> str:
    source = sop_source(effect)
    if source is None:
        return "- None used." if effect.procedure_note else "- None found."
    rows = (
        ("SOP", as_label(source.title)),
        ("Version", as_label(source.version or NOT_STATED)),
    )
    link = as_link(source.url)
    address = f"\n- **Link:** {link}" if link else ""
    quoted = as_data(effect.excerpt).splitlines() if effect.excerpt else []
    quote = "\n".join(f"> {line}".rstrip() for line in quoted)
    return f"{_line(rows)}{address}" + (f"\n\n{quote}" if quote else "")


def _checklist(effect: CreateTask) -> str:
    lines = [f"- [ ] {as_row(step)}" for step in effect.checklist]
    if any(step.endswith(GOES_ON) for step in effect.checklist):
        lines.append(f"\nSteps that end in “{GOES_ON.strip()}” go on in the SOP: read them there.")
    if effect.more_steps:
        lines.append(f"\nThe SOP has {effect.more_steps} more steps.")
    return "\n".join(lines)


def _unresolved(effect: CreateTask) -> str:
    if not effect.unresolved:
        return ""
    points = [f"- {as_row(point)}" for point in effect.unresolved]
    return "\n".join([*points, f"- **First step:** {first_step(effect)}"])


def _setup(effect: CreateTask) -> Rows:
    rows = _SETUPS[bucket_of_task(effect)][1](effect)
    known = {one.label: one.value for one in effect.facts}
    filled = [(n, known.get(n, value) if value == NOT_STATED else value) for n, value in rows]
    shown = "\n".join(f"{name}: {value}" for name, value in filled)
    facts = ((one.label, one.value) for one in effect.facts)
    others = [(name, value) for name, value in facts if f"{name}: {value}" not in shown]
    return tuple((name, as_label(value)) for name, value in (*filled, *others))


def _category(effect: CreateTask) -> str:
    source = sop_source(effect)
    return spoken(effect.category, source.title if source else "")


def _fact(effect: CreateTask, about: FactKind) -> str:
    return next((one.value for one in effect.facts if one.about == about), NOT_STATED)


def _ppc(effect: CreateTask) -> Rows:
    return (
        ("Look-back", _fact(effect, "look_back")),
        ("Targets", _fact(effect, "target")),
        ("Budget", _fact(effect, "budget")),
    )


def _promotion(effect: CreateTask) -> Rows:
    if effect.promotion:
        return effect.promotion.rows
    unknown = ("Discount", "Starts", "Ends", *(("Budget",) if needs_budget(effect) else ()))
    return (
        ("Promotion type", _category(effect)),
        *((name, NOT_STATED) for name in unknown),
    )


def _catalog(effect: CreateTask) -> Rows:
    return (
        ("Issue", _category(effect)),
        ("Severity", _fact(effect, "severity")),
        ("Evidence", _fact(effect, "evidence")),
    )


def _generic(effect: CreateTask) -> Rows:
    return (
        ("Procedure", _category(effect) if effect.category else "None found"),
        ("Priority", _fact(effect, "priority")),
        ("Deliverable", _fact(effect, "deliverable")),
        *_unclassified(effect),
    )


def _unclassified(effect: CreateTask) -> Rows:
    """Return the note that work without a procedure needs somebody's approval."""
    if any(source.tier in ("sop", "internal") for source in effect.sources):
        return ()
    return (("Approval needed", "Yes: no procedure covers this"),)


Describe = Callable[[CreateTask], Rows]
_SETUPS: dict[Bucket, tuple[str, Describe]] = {
    Bucket.PPC: ("PPC Scope", _ppc),
    Bucket.PROMOTIONS: ("Promotion Setup", _promotion),
    Bucket.CATALOG: ("Issue Context", _catalog),
    Bucket.GENERIC: ("Workstream Context", _generic),
}
