"""Reads the ClickUp lists of a client's brands together; one that fails leaves the others alone."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
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
from agencyclaw.tools.optional import optional


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
    """One list, its brands, `others` that share it and were not asked for, and what was read."""

    brands: list[Brand]
    list_id: str | None = None
    others: list[Brand] = field(default_factory=list[Brand])
    read: TaskRead = field(default_factory=lambda: TaskRead(rows=()))
    failure: AgencyClawError | None = None

    @property
    def brand(self) -> str | None:
        """The brand whose tasks are in it; None if it is several brands'."""
        return self.brands[0].name if len(self.brands) + len(self.others) == 1 else None


async def read_boards(
    deps: Deps, brands: list[Brand], query: BoardQuery, all_brands: Sequence[Brand] = ()
) -> BoardRead:
    """Read the list of every linked brand; raises the error if none could be read.

    Tasks of a list that others of `all_brands` use too are attributed to no brand.
    """
    boards = await _boards_of(deps, brands, all_brands)
    await asyncio.gather(*(_read(deps, board, query) for board in boards))
    return BoardRead(
        tasks=_distinct(boards),
        skipped=_unread(boards),
        shared_with=_sharing(boards),
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
    boards = await _boards_of(deps, brands, all_brands)
    skipped = _unread(boards)
    by_list = {board.list_id: board for board in boards if board.list_id}
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
    tasks = [_attributed(row, by_list[row.list_id], names) for row in read.rows if row.list_id]
    owners = {
        list_id: frozenset(brand.client_id for brand in board.brands)
        for list_id, board in by_list.items()
    }
    return BoardRead(
        tasks, skipped, _sharing(boards), is_cut=read.is_cut, as_of=read.as_of, owners=owners
    )


def _unread(boards: Sequence[_Board]) -> list[str]:
    """Return the brands whose list could not be read; raises the error if that is all of them."""
    failures = [board.failure for board in boards if board.failure]
    if failures and len(failures) == len(boards):
        raise failures[0]
    return [", ".join(_names(board.brands)) for board in boards if board.failure]


def _attributed(row: TaskRow, board: _Board, names: Mapping[UUID, str]) -> TaskRow:
    """Return a task with its client, and with its brand unless several share the list."""
    owners = dict.fromkeys(names[brand.client_id] for brand in board.brands)
    return row.model_copy(update={"client": " / ".join(owners), "brand": board.brand})


def _sharing(boards: Sequence[_Board]) -> tuple[str, ...]:
    """Return the other brands whose tasks are in these lists, too."""
    return _names([brand for board in boards for brand in board.others])


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


async def _boards_of(
    deps: Deps, brands: Sequence[Brand], all_brands: Sequence[Brand]
) -> list[_Board]:
    """Return the lists of linked brands, each once, with others of `all_brands` that use it too."""
    hidden = await hidden_lists(deps)
    linked = [brand for brand in brands if brand.is_mapped]
    mapped = [one for one in all_brands if one.is_mapped]
    inboxes = await _beside(linked, mapped, lambda one: optional(_space_of(deps, one)))
    near = [one for one in mapped if one.list_id or one in inboxes]
    located = await asyncio.gather(
        *(_locate(deps, one, hidden) for one in dict.fromkeys((*linked, *near)))
    )
    boards = _shared(located[: len(linked)])
    by_list = {board.list_id: board for board in boards if board.list_id}
    for other in located[len(linked) :]:
        if other.list_id in by_list:
            by_list[other.list_id].others += other.brands
    return boards


async def _locate(deps: Deps, brand: Brand, hidden: Collection[str]) -> _Board:
    """Return a brand's list; a brand with only a space needs a request for the space's list."""
    try:
        list_id = brand.list_id or (await find_list(deps, brand)).id
    except AgencyClawError as failure:
        return _Board([brand], failure=failure)
    if list_id not in hidden:
        return _Board([brand], list_id)
    why = message("refused.boards.not_alone", brand=brand.name)
    return _Board([brand], failure=Refused(why, reason="list_of_others"))


async def hidden_lists(deps: Deps) -> frozenset[str]:
    """Return the lists of which nothing may be shown here: in a client's channel those of others.

    Where another client has the same list, nobody can tell whose its tasks are. Raises Unavailable
    while ClickUp does not say which that is.
    """
    if deps.surface.scope is not ScopeKind.CLIENT_SCOPED:
        return frozenset()
    brands = await deps.directory.brands_in_use()
    client_id = deps.surface.client_id
    own = [one for one in brands if one.client_id == client_id]
    others = [one for one in brands if one.client_id != client_id]
    # Of a brand with a space alone, only ClickUp knows the list.
    alone = {
        one.space_id: one for one in await _beside(own, others, lambda one: _space_of(deps, one))
    }
    inboxes = await asyncio.gather(*(_locate(deps, one, ()) for one in alone.values()))
    for one in inboxes:
        if one.failure and not isinstance(one.failure, Refused):
            raise one.failure
    return frozenset(one.list_id for one in (*others, *inboxes) if one.list_id)


async def _beside(
    own: Sequence[Brand],
    others: Sequence[Brand],
    space_of: Callable[[Brand], Awaitable[str | None]],
) -> list[Brand]:
    """Return other brands that have a space alone, in which own ones have theirs or their list."""
    alone = [one for one in others if one.space_id and not one.list_id and one not in own]
    spaces = set(await asyncio.gather(*map(space_of, own))) if alone else set[str | None]()
    return [one for one in alone if one.space_id in spaces]


async def _space_of(deps: Deps, brand: Brand) -> str | None:
    """Return the space of a brand's list; one that is not on record is asked of ClickUp."""
    if brand.space_id or not brand.list_id:
        return brand.space_id
    try:
        return (await deps.board.list_ref(brand.list_id)).space_id
    except Refused:
        return None


def _shared(boards: Sequence[_Board]) -> list[_Board]:
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


def _distinct(boards: list[_Board]) -> list[TaskRow]:
    """Return each task once, with its brand only if that is certain."""
    rows: dict[str, TaskRow] = {}
    for board in boards:
        for row in board.read.rows:
            if row.id in rows:
                rows[row.id] = rows[row.id].model_copy(update={"brand": None})
            else:
                rows[row.id] = row.model_copy(update={"brand": row.brand or board.brand})
    return list(rows.values())
