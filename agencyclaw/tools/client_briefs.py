"""A brief on a client: everything somebody should know before a call, in one result."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from uuid import UUID

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Assignment, Brand
from agencyclaw.domain.clock import day_of
from agencyclaw.domain.kpi import METRICS, StoredTarget, in_force
from agencyclaw.domain.kpi_results import Compared, StoredResult, compared
from agencyclaw.domain.memory import ClientRecord
from agencyclaw.domain.people import Tier
from agencyclaw.domain.tasks import PRIORITIES, DateKind, TaskRow, WindowKind, build_window
from agencyclaw.domain.text import counted, one_line
from agencyclaw.tools.arguments import Days, Name
from agencyclaw.tools.assignments import find_brand
from agencyclaw.tools.boards import BoardQuery, BoardRead
from agencyclaw.tools.brands import brand_meant_by
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.client_risks import ClientRisk, find_risks, note_on_tasks, read_tasks
from agencyclaw.tools.clients import find_client
from agencyclaw.tools.context import about_client
from agencyclaw.tools.kpi import OUTCOMES
from agencyclaw.tools.policy_checks import may_show
from agencyclaw.tools.results import Ask, Result
from agencyclaw.tools.tasks import TaskItem, task_item
from agencyclaw.tools.unanswered_questions import list_unanswered_questions

_TASKS_SHOWN = 10
_LINES_SHOWN = 10
_PRESSING = PRIORITIES[:2]
_NO_TARGET = "no active target"
_OWN_WORDS = "Talking points are yours to word, from these lines alone."
_UNLINKED = "{brand} is not linked to ClickUp, so no tasks are known."
_NONE_LINKED = "No brand is linked to ClickUp, so no tasks are known."
_FINISHED_UNREAD = "Finished tasks could not be read just now."
_FINISHED_CUT = (
    "More tasks were finished than the {count} that are read at once: ask for fewer days."
)
_OPEN_UNREAD = "Open tasks, and what is wrong with them, could not be read just now. Say so."


class BriefTasks(Result):
    """How many tasks there are, and the first of them; a task's link is its source."""

    total: int
    tasks: tuple[TaskItem, ...] = ()


class BriefLine(Result):
    """One fact, and where it is from."""

    fact: str
    source: str


class OpenWork(Result):
    """The open tasks of a client; `priorities` are urgent or of high priority."""

    total: int
    priorities: BriefTasks
    late: BriefTasks
    due: BriefTasks


class ClientBrief(Result):
    """What is known of a client at one moment; `open_work` and `finished` only if it is known.

    With a `brand`, its tasks, figures and roles are that brand's and not those of the others, but
    for the tasks of a list that they share, of which `note` tells.
    """

    client: str
    brand: str | None = None
    as_of: datetime
    about: tuple[str, ...] = ()
    open_work: OpenWork | None = None
    finished: BriefTasks | None = None
    targets: tuple[BriefLine, ...] = ()
    results: tuple[BriefLine, ...] = ()
    risks: tuple[ClientRisk, ...] = ()
    team: tuple[BriefLine, ...] = ()
    open_questions: tuple[BriefLine, ...] = ()
    notes: tuple[BriefLine, ...] = ()
    events: tuple[BriefLine, ...] = ()
    note: str


@reads(tier=Tier.MEMBER, on_demand=True)
async def client_brief(
    ctx: RunContext[Deps], client: Name, brand: Name | None = None, days: Days = 7
) -> ClientBrief | Ask:
    """Brief on a client before a call or a status meeting: all that is known, in one look.

    Priorities, late, due and finished tasks, targets, results, risks, open questions and notes,
    each with its source.

    Args:
        client: What the person called the client or brand.
        brand: Only this brand.
        days: How far ahead for what is due, and back for what was finished.
    """
    deps = ctx.deps
    found = await find_client(deps, client)
    if isinstance(found, Ask):
        return found
    chosen = find_brand(deps, found, brand_meant_by(deps, found, brand))
    if isinstance(chosen, Ask):
        return chosen
    every = found.brands
    if chosen:
        found = replace(found, brands=[chosen])
    client_id, brand_ids = found.client.id, [brand.id for brand in found.brands]
    is_linked = any(brand.is_mapped for brand in found.brands)
    window = build_window(WindowKind.LAST_N_DAYS, deps.today, days=days).in_zone(deps.actor.zone)
    lately = BoardQuery(window, "done", fresh=False)
    read, finished, (targets, results), slots, record, questions = await asyncio.gather(
        read_tasks(deps, [found.client], found.brands, every),
        read_tasks(deps, [found.client], found.brands, every, lately),
        _read_figures(deps, brand_ids),
        deps.directory.assignments([client_id]),
        deps.memory.client_record(client_id),
        _open_questions(deps, client_id),
    )
    return ClientBrief(
        client=one_line(found.client.name, 120),
        brand=one_line(chosen.name, 80) if chosen else None,
        as_of=deps.now,
        about=about_client(found),
        open_work=_open_work(deps, read.tasks, days) if read and is_linked else None,
        finished=_shown(deps, finished.tasks, "done") if finished and is_linked else None,
        targets=_target_lines(found.brands, targets, deps.today),
        results=_result_lines(
            found.brands, compared(targets, results, deps.today, deps.actor.zone)
        ),
        risks=find_risks(found.client, found.brands, targets, results, read, deps),
        team=tuple(_team(found.brands, slots)),
        open_questions=questions[:_LINES_SHOWN],
        notes=tuple(_notes(deps, record)),
        events=tuple(_events(deps, record)),
        note=" ".join((*_left_out(record, questions), _note(deps, found.brands, read, finished))),
    )


def _open_work(deps: Deps, tasks: Sequence[TaskRow], days: int) -> OpenWork:
    """Sort open tasks by what is pressing, and by the person's calendar."""
    today, last = deps.today, deps.today + timedelta(days=days)
    dated = [task for task in tasks if task.due]
    return OpenWork(
        total=len(tasks),
        priorities=_shown(deps, [task for task in tasks if task.priority in _PRESSING], "due"),
        late=_shown(deps, [task for task in dated if task.due and task.due < today], "due"),
        due=_shown(deps, [task for task in dated if task.due and today <= task.due <= last], "due"),
    )


def _shown(deps: Deps, tasks: Sequence[TaskRow], date_kind: DateKind) -> BriefTasks:
    shown = (task_item(task, date_kind, deps.actor.zone) for task in tasks[:_TASKS_SHOWN])
    return BriefTasks(total=len(tasks), tasks=tuple(shown))


async def _read_figures(
    deps: Deps, brand_ids: list[UUID]
) -> tuple[Sequence[StoredTarget], Sequence[StoredResult]]:
    return await deps.directory.targets(brand_ids), await deps.directory.results(brand_ids)


async def _open_questions(deps: Deps, client_id: UUID) -> tuple[BriefLine, ...]:
    """Return what nothing answered, for those who may list it here: one more than is shown."""
    if not may_show(deps, list_unanswered_questions.__name__):
        return ()
    gaps = await deps.knowledge.open_gaps(limit=_LINES_SHOWN + 1, client_id=client_id)
    return tuple(
        BriefLine(
            fact=one_line(gap.question, 300),
            source=f"asked {counted(gap.asked, 'time')}, last on {day}",
        )
        for gap in gaps
        for day in [day_of(gap.last_asked, deps.actor.zone)]
    )


def _target_lines(
    brands: Sequence[Brand], targets: Sequence[StoredTarget], day: date
) -> tuple[BriefLine, ...]:
    """Return the targets in force of every brand in each of its marketplaces."""
    lines: list[BriefLine] = []
    for brand in brands:
        stored = [target for target in targets if target.brand_id == brand.id]
        targeted = (target.marketplace for target in stored)
        for marketplace in dict.fromkeys((*brand.marketplaces, *targeted)) or ("",):
            where = one_line(f"{brand.name} {marketplace}", 80)
            lines += _targets_of_market(where, stored, marketplace, day)
    return tuple(lines)


def _targets_of_market(
    where: str, stored: Sequence[StoredTarget], marketplace: str, day: date
) -> list[BriefLine]:
    current = in_force(stored, marketplace, day)
    lines = [
        BriefLine(
            fact=f"{where}: {metric} {target.value}",
            source=f"{target.source} target since {target.start}",
        )
        for metric, target in current.items()
        if target.value
    ]
    return lines or [BriefLine(fact=f"{where}: {_NO_TARGET}", source="the agency's targets")]


def _result_lines(brands: Sequence[Brand], results: Sequence[Compared]) -> tuple[BriefLine, ...]:
    """Return the latest results, whether each met its target, and who says so."""
    names = {brand.id: brand.name for brand in brands}
    return tuple(
        BriefLine(
            fact=(
                f"{one_line(names[one.brand_id], 80)} {one.marketplace}, {one.when}:"
                f" {METRICS[one.metric]} {one.result}, {OUTCOMES[one.is_met]}"
                + (f" (target {one.target})" if one.target else "")
            ),
            source=one_line(one.origin, 240),
        )
        for one in results
    )


def _team(brands: Sequence[Brand], slots: Sequence[Assignment]) -> Iterable[BriefLine]:
    names = {brand.id: one_line(brand.name, 80) for brand in brands}
    for slot in slots:
        if slot.brand_id and slot.brand_id not in names:
            continue
        source = f"role of brand {names[slot.brand_id]}" if slot.brand_id else "role of the client"
        yield BriefLine(fact=f"{slot.role}: {one_line(slot.person, 60)}", source=source)


def _notes(deps: Deps, record: ClientRecord) -> Iterable[BriefLine]:
    for note in record.notes[:_LINES_SHOWN]:
        day = day_of(note.created_at, deps.actor.zone)
        source = f"note of {one_line(note.author, 60)}, {day}"
        yield BriefLine(fact=one_line(note.note, 300), source=source)


def _left_out(record: ClientRecord, questions: Sequence[BriefLine]) -> Iterable[str]:
    """Say of what there is more than is listed; only notes are read to the last."""
    more = len(record.notes) - _LINES_SHOWN
    kinds = (
        counted(more, "older note") if more > 0 else "",
        "older changes" if len(record.events) > _LINES_SHOWN else "",
        "questions asked less often" if len(questions) > _LINES_SHOWN else "",
    )
    if listed := ", ".join(filter(None, kinds)):
        yield f"Left out: {listed}."


def _events(deps: Deps, record: ClientRecord) -> Iterable[BriefLine]:
    for event in record.events[:_LINES_SHOWN]:
        day = day_of(event.at, deps.actor.zone)
        yield BriefLine(fact=one_line(event.text, 160), source=f"change of {day}")


def _note(
    deps: Deps, brands: Sequence[Brand], read: BoardRead | None, finished: BoardRead | None
) -> str:
    """Say what is missing of the brief."""
    if not any(brand.is_mapped for brand in brands):
        return f"{_unlinked(brands)} {_OWN_WORDS}"
    unread = _OPEN_UNREAD if finished and not read else note_on_tasks(deps, brands, read)
    return " ".join(filter(None, (unread, _on_finished(read, finished), _OWN_WORDS)))


def _unlinked(brands: Sequence[Brand]) -> str:
    """Say that there are no tasks; the client of a single brand may have others that are linked."""
    if len(brands) != 1:
        return _NONE_LINKED
    return _UNLINKED.format(brand=one_line(brands[0].name, 80))


def _on_finished(read: BoardRead | None, finished: BoardRead | None) -> str:
    """Say what is missing of the finished tasks, unless all tasks are."""
    if finished is None:
        return _FINISHED_UNREAD if read else ""
    return _FINISHED_CUT.format(count=len(finished.tasks)) if finished.is_cut else ""
