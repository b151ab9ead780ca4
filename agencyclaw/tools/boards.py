"""Reads the ClickUp lists of a client's brands together; one that fails leaves the others alone."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Brand, Client
from agencyclaw.domain.errors import AgencyClawError, NotMapped, Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import ScopeKind
from agencyclaw.domain.tasks import DateKind, ListRef, TaskRead, TaskRow, Window
from agencyclaw.domain.text import one_line
from agencyclaw.tools.names import would_change


@dataclass(frozen=True)
class BoardRead:
    """Tasks of several lists, each once.

    `skipped` are the brands whose list could not be read, `shared_with` other brands whose tasks
    are in these lists too. `is_cut` if there are more tasks than were read. `as_of` is when the
    oldest of them were read, None for just now. `owners` are the clients of each list, where
    several were read together.
    """

    tasks: list[TaskRow]
    skipped: list[str]
    shared_with: tuple[str, ...] = ()
    is_cut: bool = False
    as_of: datetime | None = None
    owners: Mapping[str, frozenset[UUID]] = field(default_factory=dict[str, frozenset[UUID]])

    def of_client(self, client_id: UUID) -> tuple[TaskRow, ...]:
        """Return the tasks of a client among those of several."""
        nobody = frozenset[UUID]()
        return tuple(
            row for row in self.tasks if client_id in self.owners.get(row.list_id or "", nobody)
        )


@dataclass(frozen=True)
class BoardQuery:
    """Which tasks of several lists are read; with `assignee_ids` only what one of them has.

    Unless `fresh`, they may have been read some minutes ago, except for what would change them.
    """

    window: Window | None
    date_kind: DateKind
    assignee_ids: frozenset[int] = frozenset()
    fresh: bool = True


@dataclass
class _Board:
    """One list, the brands that share it, and the result of reading it."""

    brands: list[Brand]
    list_id: str | None = None
    read: TaskRead = field(default_factory=lambda: TaskRead(rows=()))
    failure: AgencyClawError | None = None

    @property
    def label(self) -> str:
        return ", ".join(_names(self.brands))

    def is_shared(self, sharing: Sequence[Brand]) -> bool:
        """Whether it is several brands', counting those that share it and were not asked for."""
        key = self.brands[0].destination_key
        return len(self.brands) > 1 or any(one.destination_key == key for one in sharing)


async def read_boards(
    deps: Deps,
    brands: list[Brand],
    query: BoardQuery,
    all_brands: Sequence[Brand] = (),
) -> BoardRead:
    """Read the list of every linked brand; raises the error if none could be read.

    Tasks of a list that others of `all_brands` use too are attributed to no brand.
    """
    linked = [brand for brand in brands if brand.is_mapped]
    boards = _shared(await asyncio.gather(*(_locate(deps, brand) for brand in linked)))
    await asyncio.gather(*(_read(deps, board, query) for board in boards))
    failed = [board for board in boards if board.failure]
    if failed and len(failed) == len(boards) and failed[0].failure:
        raise failed[0].failure
    sharing = _sharing(linked, all_brands)
    return BoardRead(
        tasks=_distinct(boards, sharing),
        skipped=[board.label for board in failed],
        shared_with=_names(sharing),
        as_of=min((one.read.as_of for one in boards if one.read.as_of), default=None),
    )


async def read_boards_together(
    deps: Deps,
    clients: Sequence[Client],
    brands: Sequence[Brand],
    query: BoardQuery,
    all_brands: Sequence[Brand] = (),
) -> BoardRead:
    """Read the lists of all linked brands of several clients with as few requests as possible.

    Tasks of a list that others of `all_brands` use too are attributed to no brand. Raises the error
    if no list was found.
    """
    linked = [brand for brand in brands if brand.is_mapped]
    boards = _shared(await asyncio.gather(*(_locate(deps, brand) for brand in linked)))
    by_list = {board.list_id: board for board in boards if board.list_id}
    failed = [board for board in boards if board.failure]
    if failed and not by_list and failed[0].failure:
        raise failed[0].failure
    skipped = [board.label for board in failed]
    if not by_list:
        return BoardRead([], skipped)
    read = await deps.board.tasks_together(
        list(by_list),
        query.window,
        query.date_kind,
        query.assignee_ids,
        fresh=query.fresh or would_change(deps),
    )
    names = {client.id: client.name for client in clients}
    sharing = _sharing(linked, all_brands)
    tasks = [
        _attributed(row, by_list[row.list_id], names, sharing) for row in read.rows if row.list_id
    ]
    owners = {
        list_id: frozenset(brand.client_id for brand in board.brands)
        for list_id, board in by_list.items()
    }
    return BoardRead(
        tasks, skipped, _names(sharing), is_cut=read.is_cut, as_of=read.as_of, owners=owners
    )


def _attributed(
    row: TaskRow, board: _Board, names: Mapping[UUID, str], sharing: Sequence[Brand]
) -> TaskRow:
    """Return a task with its client, and with its brand unless several share the list."""
    owners = dict.fromkeys(names[brand.client_id] for brand in board.brands)
    brand = None if board.is_shared(sharing) else board.brands[0].name
    return row.model_copy(update={"client": " / ".join(owners), "brand": brand})


def _sharing(linked: Sequence[Brand], all_brands: Sequence[Brand]) -> list[Brand]:
    """Return the other linked brands whose tasks are in lists of these, too."""
    keys = {brand.destination_key for brand in linked}
    others = [brand for brand in all_brands if brand.is_mapped and brand not in linked]
    return [one for one in others if one.destination_key in keys]


def _names(brands: Sequence[Brand]) -> tuple[str, ...]:
    return tuple(one_line(one.name, 80) for one in brands)


def shared_note(brands: Sequence[Brand], read: BoardRead) -> str:
    """Say that tasks of other brands are among those of these; "" if none are."""
    if not read.shared_with:
        return ""
    names, others = ", ".join(_names(brands)), ", ".join(read.shared_with)
    return message("remarks.shared_list", brands=names, others=others)


def age_of(deps: Deps, read: BoardRead) -> str:
    """Say how old tasks are that were read for an earlier question; "" if they are of this one."""
    if read.as_of is None:
        return ""
    minutes = int((deps.now - read.as_of).total_seconds() // 60)
    return message("reach.as_of", minutes=minutes) if minutes > 0 else message("reach.just_now")


async def find_list(deps: Deps, brand: Brand) -> ListRef:
    """Return the ClickUp list of a brand; raises NotMapped if that is ambiguous."""
    if brand.list_id:
        return await deps.board.list_ref(brand.list_id)
    inbox = await deps.board.inbox_of(brand.space_id) if brand.space_id else None
    if inbox is None:
        raise NotMapped(
            message("refused.boards.no_clear_list", brand=brand.name), reason="no_clear_list"
        )
    return inbox


async def _locate(deps: Deps, brand: Brand) -> _Board:
    """Return a brand's list; a brand with only a space needs a request for the space's list."""
    try:
        list_id = brand.list_id or (await find_list(deps, brand)).id
    except AgencyClawError as failure:
        return _Board([brand], failure=failure)
    if list_id not in await hidden_lists(deps):
        return _Board([brand], list_id)
    why = message("refused.boards.not_alone", brand=brand.name)
    return _Board([brand], failure=Refused(why, reason="list_of_others"))


async def hidden_lists(deps: Deps) -> frozenset[str]:
    """Return the lists of which nothing may be shown here: in a client's channel those of others.

    Where another client has the same list, nobody can tell whose its tasks are.
    """
    if deps.surface.scope is not ScopeKind.CLIENT_SCOPED:
        return frozenset()
    brands = await deps.directory.brands_in_use()
    others = (one for one in brands if one.client_id != deps.surface.client_id)
    return frozenset(one.list_id for one in others if one.list_id)


def _shared(boards: list[_Board]) -> list[_Board]:
    """Merge brands that use the same list."""
    by_list: dict[str, _Board] = {}
    apart: list[_Board] = []
    for board in boards:
        if board.list_id is None:
            apart.append(board)
        elif board.list_id in by_list:
            by_list[board.list_id].brands.extend(board.brands)
        else:
            by_list[board.list_id] = board
    return [*by_list.values(), *apart]


async def _read(deps: Deps, board: _Board, query: BoardQuery) -> None:
    if board.list_id is None:
        return
    try:
        board.read = await deps.board.tasks(
            board.list_id, query.window, query.date_kind, fresh=query.fresh or would_change(deps)
        )
    except AgencyClawError as failure:
        board.failure = failure


def _distinct(boards: list[_Board], sharing: list[Brand]) -> list[TaskRow]:
    """Return each task once, with its brand only if that is certain."""
    rows: dict[str, TaskRow] = {}
    for board in boards:
        brand = None if board.is_shared(sharing) else board.brands[0].name
        for row in board.read.rows:
            if row.id in rows:
                rows[row.id] = rows[row.id].model_copy(update={"brand": None})
            else:
                rows[row.id] = row.model_copy(update={"brand": row.brand or brand})
    return list(rows.values())
