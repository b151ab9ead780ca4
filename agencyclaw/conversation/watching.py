"""Looks at what is watched by code: one state for all watches of a client, and no model.

The whole agency counts as one more client. One that can't be read now is left as it is: what could
not be seen is neither found nor gone.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Protocol
from uuid import UUID

import logfire

from agencyclaw.conversation.schedule_rights import why_not
from agencyclaw.domain.clients import Brand
from agencyclaw.domain.errors import AgencyClawError, DatabaseUnavailable, NotFound
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Freshness, Place
from agencyclaw.domain.receipts import Link, Note
from agencyclaw.domain.schedule_changes import watch_setting_of
from agencyclaw.domain.schedules import QuietHours
from agencyclaw.domain.task_changes import TaskState
from agencyclaw.domain.tasks import DateKind, ListRef, TaskRead, TaskRow, Window
from agencyclaw.domain.text import digest, first_lines
from agencyclaw.domain.watches import (
    SHOWN_FINDINGS,
    TARGET_CHECKS,
    TASK_CHECKS,
    Check,
    Watch,
    WatchedState,
    WatchFinding,
    findings_of,
)
from agencyclaw.proposals.identities import Identify, Identity, Unidentified, Unverified
from agencyclaw.spans import traced
from agencyclaw.store.admin_notices import Recipient, notify
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import AWAY, Connection, Database
from agencyclaw.store.firing_receipts import POSTS_A_DAY
from agencyclaw.store.firings import fire_for_finding
from agencyclaw.store.gaps import open_gaps
from agencyclaw.store.homes import wake_home
from agencyclaw.store.schedule_notices import pause
from agencyclaw.store.schedules import end_schedule
from agencyclaw.store.watches import (
    REPORTED,
    DueWatch,
    changed_procedures,
    due_watches,
    looked,
    report,
    run_figures,
    watched_clients,
)

_GAPS_AT_MOST = 200


class WatchedLists(Protocol):
    """The lists of ClickUp and their open tasks."""

    async def tasks(
        self, list_id: str, window: Window | None, date_kind: DateKind, *, fresh: bool
    ) -> TaskRead:
        """Return all open tasks of a list."""
        ...

    async def list_ref(self, list_id: str) -> ListRef:
        """Return a list."""
        ...

    async def inbox_of(self, space_id: str) -> ListRef | None:
        """Return the list of a space that takes new tasks; None if that is ambiguous."""
        ...

    async def task_state(self, task_id: str) -> TaskState:
        """Return a task's facts; raises NotFound if it was deleted."""
        ...


@dataclass(frozen=True)
class Watching:
    """Evaluates watches, and reports to their owners what is new, not in their quiet hours."""

    db: Database
    directory: DirectoryReader
    board: WatchedLists
    identify: Identify
    quiet: QuietHours | None = None

    async def look(self, team_id: str) -> None:
        """Look at every client of which a workspace has a watch that is due.

        What goes wrong with one client keeps nobody from looking at the next.
        """
        for client_id in await watched_clients(self.db, team_id):
            try:
                with traced("watch", client=str(client_id)):
                    await self._look_at(team_id, client_id)
            except (DatabaseUnavailable, *AWAY):
                raise
            except Exception:
                logfire.exception("watch failed", client=str(client_id))

    async def _look_at(self, team_id: str, client_id: UUID | None) -> None:
        watches = [
            due
            for due in await due_watches(self.db, team_id, client_id)
            if self.quiet is None or not self.quiet.end_of(due.now, due.timing)
        ]
        try:
            state = await self._state(team_id, client_id, watches)
        except AgencyClawError as error:
            logfire.info("client not watched", client=str(client_id), error=type(error).__name__)
            return
        findings: dict[tuple[Watch, str, datetime | None], dict[str, WatchFinding]] = {}
        in_use = {brand.id for brand in state.brands if brand.status == "active"}
        for due in watches:
            if due.watch.brand and due.watch.brand.id not in in_use:
                await self._pause(due, message("records.brand_lost", brand=due.watch.brand.name))
                continue
            alike = (due.watch, due.timing.zone, due.since)
            if alike not in findings:
                seen = state.model_copy(update={"zone": due.timing.zone})
                found = findings_of(due.watch, seen, due.today, due.since)
                findings[alike] = {one.key: one for one in found}
            is_same = findings[alike].keys() == due.reported
            if is_same or await self._report(due, findings[alike]):
                await looked(self.db, due)

    async def _state(
        self, team_id: str, client_id: UUID | None, watches: list[DueWatch]
    ) -> WatchedState:
        """Return what the watches of a client need, or those of the agency."""
        checks = {one.watch.check for one in watches}
        awaited = {one.watch.task.id for one in watches if one.watch.task}
        state = WatchedState()
        if client_id:
            watched = {one.watch.brand.id for one in watches if one.watch.brand}
            state = await self._of_client(client_id, checks, awaited, watched)
        news: dict[str, object] = {}
        if Check.UNANSWERED_QUESTION in checks:
            gaps = await open_gaps(self.db, limit=_GAPS_AT_MOST, client_id=client_id)
            news["gaps"] = tuple(gaps)
        if since := [one.since for one in watches if one.since]:
            news["procedures"] = tuple(await changed_procedures(self.db, min(since)))
        if checks & {Check.ERROR_RATE, Check.COST}:
            news["figures"] = await run_figures(self.db, team_id)
        return state.model_copy(update=news)

    async def _of_client(
        self, client_id: UUID, checks: set[Check], awaited: set[str], watched: set[UUID]
    ) -> WatchedState:
        """Return what the checks need of a client, with the tasks that people wait for.

        Of the `watched` brands it says which tasks are theirs. Of archived ones there is nothing,
        but a task that somebody waits for may be in their list still.

        Raises what ClickUp raises.
        """
        every_brand = await self.directory.all_brands()
        own_brands = [brand for brand in every_brand if brand.client_id == client_id]
        brands = [brand for brand in own_brands if brand.status == "active"]
        tasks: dict[str, TaskRow] = {}
        lists: set[str] = set()
        tasks_of: dict[UUID, frozenset[str]] = {}
        if checks & TASK_CHECKS:
            others = [brand for brand in every_brand if brand.client_id != client_id]
            mapped = [brand for brand in brands if brand.is_mapped]
            lists = await self._destinations([one for one in own_brands if one.is_mapped])
            ids_on: dict[str, frozenset[str]] = {}
            present = await self._destinations(mapped)
            for list_id in present - await self._lists_of_others(mapped, others):
                read = await self.board.tasks(list_id, None, "due", fresh=True)
                tasks |= {row.id: row for row in read.rows}
                ids_on[list_id] = frozenset(row.id for row in read.rows)
            for brand in (one for one in mapped if one.id in watched):
                own = [ids_on.get(list_id, []) for list_id in await self._destinations([brand])]
                tasks_of[brand.id] = frozenset(chain.from_iterable(own))
        ids = [brand.id for brand in brands] if checks & TARGET_CHECKS else []
        found = {task_id: await self._found(task_id) for task_id in awaited - tasks.keys()}
        theirs = {
            key: state
            for key, state in found.items()
            if state and state.list_id in lists and not state.is_archived
        }
        return WatchedState(
            brands=tuple(brands),
            tasks=tuple(tasks.values()),
            tasks_of=tasks_of,
            targets=tuple(await self.directory.targets(ids) if ids else ()),
            results=tuple(await self.directory.results(ids) if ids else ()),
            done=frozenset(key for key, state in theirs.items() if state.is_closed),
            gone=frozenset(found.keys() - theirs.keys()),
        )

    async def _found(self, task_id: str) -> TaskState | None:
        """Return a task that is not among the open ones; None if it was deleted."""
        try:
            return await self.board.task_state(task_id)
        except NotFound:
            return None

    async def _lists_of_others(self, mapped: list[Brand], others: list[Brand]) -> set[str]:
        """Return the lists of other clients, of which none is looked at for this one."""
        spaces = {await self._space_of(brand) for brand in mapped}
        # The inbox of any other space is none of this client's lists.
        near = [other for other in others if other.list_id or other.space_id in spaces]
        return await self._destinations(near)

    async def _destinations(self, brands: list[Brand]) -> set[str]:
        """Return the lists to which tasks of brands go: their list, or the inbox of their space."""
        lists = {brand.list_id for brand in brands if brand.list_id}
        for space_id in {brand.space_id for brand in brands if not brand.list_id}:
            if space_id and (inbox := await self.board.inbox_of(space_id)):
                lists.add(inbox.id)
        return lists

    async def _space_of(self, brand: Brand) -> str | None:
        if brand.list_id and not brand.space_id:
            return (await self.board.list_ref(brand.list_id)).space_id
        return brand.space_id

    async def _report(self, due: DueWatch, found: dict[str, WatchFinding]) -> bool:
        """Report what is new, if its owner may still see the client; else pause the watch.

        Returns False if Slack can't say now who that is: then it has to be looked at again.
        """
        if due.slack_user_id is None or not due.is_here:
            await self._pause(due, message("watches.owner_left"))
            return True
        place = Place.home_tab(due.team_id)
        match await self.identify(place, due.slack_user_id, Freshness.RECENT):
            case Unidentified(message=why):
                await self._pause(due, why)
            case Unverified():
                return False
            case Identity() as identity:
                setting = watch_setting_of(due.watch)
                if why := await why_not(self.directory, identity, setting, due.watch):
                    await self._pause(due, why)
                else:
                    await self._post(due, due.slack_user_id, found)
        return True

    async def _post(
        self, due: DueWatch, slack_user_id: str, found: dict[str, WatchFinding]
    ) -> None:
        """Report what is new; a watch that reported within the last hour waits with it.

        What is to be prepared of it is begun in the same transaction, and is told by itself.
        """
        new = [finding for key, finding in found.items() if key not in due.reported]
        if new and due.was_reported_lately:
            return
        async with self.db.transaction() as conn:
            if await report(conn, due, found, is_reported=bool(new)) and new:
                key = f"watch:{due.id}:{digest([f'{due.now}', *sorted(found)])[:16]}"
                recipient = Recipient(due.team_id, slack_user_id)
                remark = await _prepare(conn, due, new) if due.watch.then else ""
                await notify(conn, key, recipient, _note(due, new, remark))
                if due.watch.task:
                    await end_schedule(conn, due.id, REPORTED, None)
                    await wake_home(conn, due.team_id, slack_user_id)

    async def _pause(self, due: DueWatch, why: str) -> None:
        async with self.db.transaction() as conn:
            await pause(conn, due.id, why, planned=due.now)


async def _prepare(conn: Connection, due: DueWatch, new: list[WatchFinding]) -> str:
    """Begin what is to be prepared of what is new; returns what to say of that."""
    sought = [one for one in new if one.is_sought]
    if not sought:
        return ""
    lines = [f"- {one.text} {one.url or ''}".rstrip() for one in sought]
    then = due.watch.then
    if await fire_for_finding(conn, due.id, due.now, "\n".join(first_lines(lines, SHOWN_FINDINGS))):
        return message("watches.prepares", then=then)
    return message("watches.prepares_nothing", then=then, most=POSTS_A_DAY)


def _note(due: DueWatch, new: list[WatchFinding], remark: str) -> Note:
    """Return what is new: tasks as links, anything else as lines, and how many more there are."""
    if due.watch.task:
        return Note(
            text="\n".join(one.text for one in new),
            footer=remark,
            links=tuple(Link(text=due.watch.task.title, url=one.url) for one in new if one.url),
        )
    shown = new[:SHOWN_FINDINGS]
    lines = [f"• {finding.text}" for finding in shown if finding.url is None]
    if len(new) > SHOWN_FINDINGS:
        lines.append(message("built.more", count=len(new) - SHOWN_FINDINGS))
    links = (Link(text=one.text, url=one.url) for one in shown if one.url)
    return Note(
        text="\n".join([message("watches.found", words=due.words, count=len(new)), *lines]),
        footer=remark,
        links=tuple(links),
        schedule=due.id,
    )
