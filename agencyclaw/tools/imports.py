"""People, clients and brands from CSV files, and into them."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.deps.ports import Directory, TaskBoard
from agencyclaw.domain.errors import Broken, Refused
from agencyclaw.domain.imports import ImportRecords, TextFile
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor, Tier
from agencyclaw.domain.policy import Shows
from agencyclaw.knowledge.csv_files import BRANDS, read_files
from agencyclaw.knowledge.imports import AgencyRecords, plan_import
from agencyclaw.knowledge.record_sheets import RecordKind, record_sheet
from agencyclaw.tools.catalogue import proposes, reads
from agencyclaw.tools.results import Result


class RecordFile(Result):
    """A list of records that follows the answer as a file."""

    file: str
    rows: int
    note: str = "The file comes right below your answer, which need not repeat its rows."


@proposes(ImportRecords, tier=Tier.ADMIN, on_demand=True)
async def import_records(ctx: RunContext[Deps]) -> ImportRecords:
    """Prepare importing people, clients or brands in bulk from the CSV files of this message.

    The card names every faulty line, which is left out unless a mended file follows.
    """
    deps = ctx.deps
    files = await deps.attached.csv_files() if deps.attached else ()
    if not files:
        raise Refused(message("refused.imports.no_file"), reason="no_file")
    return await plan_files(files, deps.directory, deps.board, deps.actor)


@reads(tier=Tier.ADMIN, on_demand=True, needs="sheets", shows=Shows.NOTES, attaches=True)
async def export_records(ctx: RunContext[Deps], what: RecordKind) -> RecordFile:
    """Give the team's people, the clients or the brands as a CSV file, which can be imported again.

    Args:
        what: Which records.
    """
    deps = ctx.deps
    if deps.sheets is None:
        raise Broken("files are written where there is no Slack")
    has_lists = what == "brands"
    records = await _stored(deps.directory, deps.board, deps.actor, has_lists=has_lists)
    sheet = record_sheet(what, records, deps.today)
    deps.sheets.add(sheet)
    return RecordFile(file=sheet.file_name, rows=len(sheet.rows))


async def plan_files(
    files: Sequence[TextFile], directory: Directory, board: TaskBoard, actor: Actor
) -> ImportRecords:
    """Return what CSV files would change; raises Refused if that is nothing."""
    contents = read_files(files)
    has_links = any(line.sheet is BRANDS for line in contents.lines)
    return plan_import(contents, await _stored(directory, board, actor, has_lists=has_links))


async def _stored(
    directory: Directory, board: TaskBoard, actor: Actor, *, has_lists: bool
) -> AgencyRecords:
    """Return what is recorded; the lists of ClickUp only where brands are to be linked."""
    clients = await directory.clients(actor)
    client_ids = [client.id for client in clients]
    spaces = await directory.spaces()
    usable = [space.id for space in spaces if space.classification.takes_brand_work]
    return AgencyRecords(
        team=await directory.team(),
        clients=clients,
        former=await directory.former_clients(),
        brands=await directory.brands(client_ids),
        former_brands=await directory.former_brands(client_ids),
        spaces=spaces,
        lists={space_id: await board.lists_of(space_id) for space_id in usable if has_lists},
        timezone=actor.timezone,
    )
