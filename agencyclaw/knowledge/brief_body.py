"""Writes a task brief as Markdown; equal effects give equal text."""

from __future__ import annotations

from collections.abc import Callable

from agencyclaw.domain.days import spoken_day
from agencyclaw.domain.messages import localized, message
from agencyclaw.domain.sops import SopSection
from agencyclaw.domain.task_creation import CreateTask, Rows
from agencyclaw.domain.task_requests import NOT_STATED
from agencyclaw.knowledge.buckets import Bucket, spoken
from agencyclaw.knowledge.escaping import as_data, as_label, as_link, as_row
from agencyclaw.knowledge.open_points import (
    bucket_of_task,
    first_step,
    needs_budget,
    needs_marketplace,
    sop_source,
)
from agencyclaw.knowledge.steps import GOES_ON

# Separates several facts with the same label.
_AND = "; "


def render_body(effect: CreateTask) -> str:
    """Return the brief: header, details, procedure, checklist, set-up, open points."""
    sections = (
        ("Task Brief", _header(effect)),
        ("Details", _details(effect)),
        ("SOP Reference", _reference(effect)),
        *_procedure(effect),
        (_SETUPS[bucket_of_task(effect)][0], _lines(_setup(effect))),
        ("Unresolved", _unresolved(effect)),
    )
    return "\n\n".join(f"## {localized(title)}\n{text}" for title, text in sections if text)


def _line(rows: Rows) -> str:
    """Join short values on one line, because a brief is read on a card first."""
    return "- " + " · ".join(f"**{localized(name)}:** {_shown(value)}" for name, value in rows)


def _shown(value: str) -> str:
    return localized(value) if value == NOT_STATED else value


def _lines(rows: Rows) -> str:
    return "\n".join(_line(rows[at : at + 3]) for at in range(0, len(rows), 3))


def _header(effect: CreateTask) -> str:
    start = (("Start", spoken_day(effect.start)),) if effect.start else ()
    lines: tuple[Rows, ...] = (
        (("Objective", as_label(effect.objective or NOT_STATED)),),
        (
            ("Client", as_label(effect.client.name)),
            ("Brand", as_label(effect.brand.name) if effect.brand else message("effects.no_brand")),
            *_marketplace(effect),
        ),
        (("Task type", localized(bucket_of_task(effect).value)), *_products(effect)),
        (("Owner", _owner(effect)), *start, ("Due", _due(effect))),
        *_origin(effect),
    )
    return "\n".join(_line(line) for line in lines)


def _origin(effect: CreateTask) -> tuple[Rows, ...]:
    """Return a link to the Slack message from which the task was made."""
    if effect.from_message is None:
        return ()
    author, url = effect.from_message.author, as_link(effect.from_message.url)
    origin = message("effects.a_message_of", author=as_label(author), url=url).rstrip()
    return ((("From Slack", origin),),)


def _owner(effect: CreateTask) -> str:
    if effect.assignee is None:
        return effect.none_of("assignee") or NOT_STATED
    name = as_label(effect.assignee.name)
    is_in_clickup = effect.assignee.clickup_user_id
    return name if is_in_clickup else message("effects.owner_without_clickup", name=name)


def _due(effect: CreateTask) -> str:
    return spoken_day(effect.due) if effect.due else effect.none_of("due") or NOT_STATED


def _details(effect: CreateTask) -> str:
    """Return the details; "" if they only repeat the objective."""
    is_repeated = " ".join(effect.details.split()) == effect.objective
    return "" if is_repeated else as_data(effect.details)


def _marketplace(effect: CreateTask) -> Rows:
    """Return the marketplaces; "not stated" only for work that needs one."""
    if effect.marketplace:
        return (("Marketplace", as_label(effect.marketplace)),)
    return (("Marketplace", NOT_STATED),) if needs_marketplace(effect) else ()


def _products(effect: CreateTask) -> Rows:
    """Return the products; nothing for work that is about none."""
    shown = effect.products or (message("effects.pending") if effect.identifiers_pending else "")
    return (("Products", as_label(shown)),) if shown else ()


def _reference(effect: CreateTask) -> str:
    source = sop_source(effect)
    if source is None:
        return ""
    rows = (
        ("SOP", as_label(source.title)),
        ("Version", as_label(source.version or NOT_STATED)),
    )
    link = as_link(source.url)
    address = f"\n- **{localized('Link')}:** {link}" if link else ""
    quoted = as_data(effect.excerpt).splitlines() if effect.excerpt else []
    quote = "\n".join(f"> {line}".rstrip() for line in quoted)
    return f"{_line(rows)}{address}" + (f"\n\n{quote}" if quote else "")


def _procedure(effect: CreateTask) -> Rows:
    """Return the checklist, by the procedure's own headings."""
    sections = effect.sections or _single_section(effect)
    shown: list[tuple[str, str]] = []
    at = 0
    for section in sections:
        lines = [f"- [ ] {as_row(step)}" for step in effect.checklist[at : at + section.size]]
        more = [f"\n{message('effects.more_steps', more=section.more)}"] if section.more else []
        own = f": {as_label(section.title)}" if section.title and len(sections) > 1 else ""
        shown.append((f"{message('effects.from_the_sop')}{own}", "\n".join(lines + more)))
        at += section.size
    if any(step.endswith(GOES_ON) for step in effect.checklist):
        title, text = shown[-1]
        rest = message("effects.steps_go_on", mark=GOES_ON.strip())
        shown[-1] = (title, f"{text}\n\n{rest}")
    return tuple(shown)


def _single_section(effect: CreateTask) -> tuple[SopSection, ...]:
    """Return the checklist of a card from before checklists had sections."""
    size = len(effect.checklist)
    return (SopSection(size=size, more=effect.more_steps),) if size else ()


def _unresolved(effect: CreateTask) -> str:
    without = message("open_points.no_sop_used_steps") if effect.procedure_note else ""
    points = [f"- {as_row(point)}" for point in (*effect.unresolved, without) if point]
    if not points:
        return ""
    first = first_step(effect)
    return "\n".join([*points, *([f"- **First step:** {first}"] if first else [])])


def _setup(effect: CreateTask) -> Rows:
    """Return the facts that its kind of work needs, then the others; each label once."""
    rows = dict(_SETUPS[bucket_of_task(effect)][1](effect))
    for fact in effect.facts:
        known = rows.get(fact.label, NOT_STATED)
        if fact.value not in known.split(_AND):
            rows[fact.label] = fact.value if known == NOT_STATED else f"{known}{_AND}{fact.value}"
    return tuple((name, as_label(value)) for name, value in rows.items())


def _category(effect: CreateTask) -> str:
    source = sop_source(effect)
    return spoken(effect.category, source.title if source else "")


def _ppc(_: CreateTask) -> Rows:
    return (("Look-back", NOT_STATED), ("Targets", NOT_STATED), ("Budget", NOT_STATED))


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
        ("Severity", NOT_STATED),
        ("Evidence", NOT_STATED),
    )


def _generic(effect: CreateTask) -> Rows:
    procedure = (("Procedure", _category(effect)),) if effect.category else ()
    return (*procedure, ("Priority", NOT_STATED), ("Deliverable", NOT_STATED))


Describe = Callable[[CreateTask], Rows]
_SETUPS: dict[Bucket, tuple[str, Describe]] = {
    Bucket.PPC: ("PPC Scope", _ppc),
    Bucket.PROMOTIONS: ("Promotion Setup", _promotion),
    Bucket.CATALOG: ("Issue Context", _catalog),
    Bucket.GENERIC: ("Workstream Context", _generic),
}
