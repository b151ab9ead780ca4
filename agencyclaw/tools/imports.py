"""People, clients, brands and other records from CSV files, and into them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any
from uuid import UUID

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.deps.board import TaskBoard
from agencyclaw.deps.directory import Directory
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.imports import CHARACTERS_AT_MOST, ImportRecords, TextFile
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor, Tier
from agencyclaw.domain.policy import Shows
from agencyclaw.domain.records import SetRecord, StoredRecord
from agencyclaw.knowledge.csv_files import BRANDS, RESULTS, DeclaredSheet, RecordSheet, read_files
from agencyclaw.knowledge.imports import AgencyRecords, plan_import
from agencyclaw.knowledge.record_sheets import RECORD_SHEETS, RecordKind, record_sheet
from agencyclaw.tools.catalogue import proposes, reads
from agencyclaw.tools.results import Result


class RecordFile(Result):
    """A list of records that follows the answer as a file."""

    file: str
    rows: int
    note: str = "The file comes right below your answer, which need not repeat its rows."


@proposes(ImportRecords, tier=Tier.ADMIN, on_demand=True)
async def import_records(ctx: RunContext[Deps]) -> ImportRecords:
    """Prepare importing people, clients, brands, KPI targets, results or others from attached CSVs.

    The card names every faulty line, which is left out unless a mended file follows.
    """
    deps = ctx.deps
    files = await deps.attached.csv_files() if deps.attached else ()
    if not files:
        raise Refused(message("refused.imports.no_file"), reason="no_file")
    return await plan_files(files, deps.directory, deps.board, deps.actor, deps.today)


@reads(tier=Tier.ADMIN, on_demand=True, needs="sheets", shows=Shows.NOTES, attaches=True)
async def export_records(ctx: RunContext[Deps], what: RecordKind) -> RecordFile:
    """Give people, clients, brands, KPI targets or results as a CSV file, to be imported again.

    Args:
        what: Which records.
    """
    deps = ctx.deps
    assert deps.sheets is not None
    sheet = RECORD_SHEETS[what]
    records = await _stored(deps.directory, deps.board, deps.actor, deps.today, [sheet])
    written = record_sheet(sheet, records)
    deps.sheets.add(written)
    return RecordFile(file=written.file_name, rows=len(written.rows))


async def plan_files(
    files: Sequence[TextFile], directory: Directory, board: TaskBoard, actor: Actor, today: date
) -> ImportRecords:
    """Return what CSV files would change; raises Refused if that is nothing."""
    contents = read_files(files)
    sheets = [line.sheet for line in contents.lines]
    plan = plan_import(contents, await _stored(directory, board, actor, today, sheets))
    if len(plan.preview().body) > CHARACTERS_AT_MOST:
        words = message("refused.imports.too_long", most=CHARACTERS_AT_MOST)
        raise Refused(words, reason="too_long")
    return plan


async def plan_delivery(
    file: TextFile, directory: Directory, actor: Actor, today: date
) -> ImportRecords:
    """Return the results that a machine brings; raises Refused for a faulty line, or for none.

    Nobody is there to decide that the others do without it.
    """
    contents = read_files([file])
    if not (contents.lines or contents.faults):
        raise Refused(message("refused.imports.no_lines", file=file.name), reason="no_lines")
    if any(line.sheet is not RESULTS for line in contents.lines):
        columns = ", ".join(RESULTS.columns.values())
        words = message("refused.imports.only_results", columns=columns)
        raise Refused(words, reason="only_results")
    stored = await _stored(directory, None, actor, today, [RESULTS])
    plan = plan_import(contents, replace(stored, is_delivery=True))
    if plan.faults:
        raise Refused("\n".join(fault.what for fault in plan.faults), reason="faulty")
    return plan


async def _by_entity(
    directory: Directory, kind: type[SetRecord[Any]], client_ids: list[UUID]
) -> dict[str, StoredRecord[SetRecord[Any]]]:
    return {one.key.entity: one for one in await directory.records(kind, client_ids)}


async def _stored(
    directory: Directory,
    board: TaskBoard | None,
    actor: Actor,
    today: date,
    sheets: Sequence[RecordSheet],
) -> AgencyRecords:
    """Return what is recorded of these kinds, and with brands ClickUp's lists to link them with."""
    clients = await directory.clients(actor)
    client_ids = [client.id for client in clients]
    spaces = await directory.spaces()
    usable = [space.id for space in spaces if space.classification.takes_brand_work]
    brands = await directory.brands(client_ids)
    linked = board if BRANDS in sheets else None
    kinds = {sheet.kind for sheet in sheets if isinstance(sheet, DeclaredSheet)}
    return AgencyRecords(
        team=await directory.team(),
        clients=clients,
        former=await directory.former_clients(),
        brands=brands,
        former_brands=await directory.former_brands(client_ids),
        spaces=spaces,
        lists={one: await linked.lists_of(one) for one in usable} if linked else {},
        declared={kind: await _by_entity(directory, kind, client_ids) for kind in kinds},
        timezone=actor.timezone,
        today=today,
    )
