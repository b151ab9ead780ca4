"""Reads tasks, lists, spaces and people from ClickUp; changes nothing."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from agencyclaw.clickup.answers import (
    Comments,
    ListAnswer,
    Spaces,
    TaskAnswer,
    TeamAnswer,
    Teams,
    UserAnswer,
    Whoami,
)
from agencyclaw.clickup.caching import cached
from agencyclaw.clickup.calls import Query
from agencyclaw.clickup.client import ClickUpClient
from agencyclaw.clickup.custom_fields import DescribedTask
from agencyclaw.clickup.dates import instant_ms
from agencyclaw.clickup.docs import read_docs
from agencyclaw.clickup.lists import find_inbox, find_lists, read_tasks, read_tasks_together
from agencyclaw.clickup.shapes import FoundTask, SeenTask
from agencyclaw.clickup.task_texts import read_text
from agencyclaw.clickup.tasks import as_row, as_state, task_url
from agencyclaw.clickup.windows import is_within, reading_order, soonest_first, window_query
from agencyclaw.domain.addresses import task_at
from agencyclaw.domain.clock import zone_named
from agencyclaw.domain.errors import Broken, Misconfigured, Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.procedures import DocRead
from agencyclaw.domain.spaces import ClickUpSpace
from agencyclaw.domain.task_changes import TaskState
from agencyclaw.domain.task_texts import TaskText
from agencyclaw.domain.tasks import DateKind, ListRef, ListStatus, TaskRead, TaskRow, Window
from agencyclaw.domain.team import ClickUpMember
from agencyclaw.domain.text import digest

LIST_KEPT_S = 300.0
CLOCK_DIFFERENCE = timedelta(minutes=5)
_EVERYTHING: dict[str, str | int] = {
    "include_closed": "true",
    "subtasks": "true",
    "include_timl": "true",
    "include_markdown_description": "true",
}


class ClickUpReader:
    """One workspace, read-only."""

    def __init__(self, client: ClickUpClient, team_id: str, docs: Sequence[str] = ()) -> None:
        self._client = client
        self._team_id = team_id
        self._docs = docs
        self._lists: dict[str, tuple[float, ListRef]] = {}
        self._zone: ZoneInfo | None = None

    async def tasks(
        self, list_id: str, window: Window | None, date_kind: DateKind, *, fresh: bool
    ) -> TaskRead:
        """Return all open tasks of a list, or by "done" the finished ones; only those in a window.

        Includes tasks of other lists that are shown in this one, but no subtasks. A due date is a
        calendar day in the account's zone and is in the window if that day begins within it, in
        UTC: "Mon 1 to Sun 7" has the tasks due on these seven dates, wherever the reader is. An
        update is an instant, and so is an end. Unless `fresh`, they may have been read lately.
        """

        async def read() -> TaskRead:
            query = {"include_timl": "true", **window_query(window, date_kind)}
            zone = await self.zone()
            found = await read_tasks(self._client, list_id, query)
            return TaskRead(rows=tuple(self._rows(found, zone, window, date_kind)))

        key = self._key("list", [list_id], window, date_kind)
        return await cached(self._client.cache, self._client.clock, key, read, fresh=fresh)

    async def tasks_together(
        self,
        list_ids: Sequence[str],
        window: Window | None,
        date_kind: DateKind,
        assignee_ids: Collection[int],
        *,
        fresh: bool,
    ) -> TaskRead:
        """Return the tasks of several lists like `tasks`, with one request per hundred tasks.

        With `assignee_ids` only those that one of them has. Tasks of other lists that are shown in
        these are not among them. The soonest due, or latest changed, are read first.
        """

        async def read() -> TaskRead:
            zone = await self.zone()
            query: Query = {**window_query(window, date_kind), **soonest_first(date_kind)}
            if assignee_ids:
                query = {**query, "assignees[]": sorted(map(str, assignee_ids))}
            pages = await read_tasks_together(self._client, self._team_id, list_ids, query)
            # Whatever the server's filter does, nothing of another list is shown.
            own = [task for task in pages.tasks if task.place and task.place.id in list_ids]
            rows = self._rows(own, zone, window, date_kind)
            return TaskRead(rows=tuple(rows), is_cut=pages.is_cut)

        key = self._key("lists", list_ids, window, date_kind, assignee_ids)
        return await cached(self._client.cache, self._client.clock, key, read, fresh=fresh)

    def _key(
        self,
        what: str,
        list_ids: Sequence[str],
        window: Window | None,
        date_kind: DateKind,
        assignee_ids: Collection[int] = (),
    ) -> str:
        """Return what tells one question to ClickUp from another."""
        span = [window.start, window.end] if window else []
        asked = (self._team_id, sorted(list_ids), span, date_kind, sorted(assignee_ids))
        return f"{what} {digest(asked)}"

    async def forget(self) -> None:
        """Let lists that were read before count no more, because somebody changed a task."""
        if self._client.cache:
            await self._client.cache.drop()

    def _rows(
        self,
        tasks: Sequence[TaskAnswer],
        zone: ZoneInfo,
        window: Window | None,
        date_kind: DateKind,
    ) -> list[TaskRow]:
        """Return the open tasks, or by "done" the finished ones, that are in a window."""
        is_done = date_kind == "done"
        meant = [one for one in tasks if one.is_finished == is_done and not one.archived]
        rows = [as_row(task, zone, self._client.hosts) for task in meant]
        kept = [row for row in rows if is_within(row, window, date_kind)]
        return sorted(kept, key=reading_order(date_kind))

    async def list_ref(self, list_id: str) -> ListRef:
        """Return a list with its names, cached for five minutes."""
        now = self._client.clock.steady()
        known = self._lists.get(list_id)
        if known and now - known[0] < LIST_KEPT_S:
            return known[1]
        answer = await self._client.get("/list/{list_id}", ListAnswer, list_id=list_id)
        found = _list_ref(answer)
        self._lists[list_id] = (now, found)
        return found

    async def inbox_of(self, space_id: str) -> ListRef | None:
        """Return the list of a space that takes new tasks; None if that is ambiguous."""
        found = await find_inbox(self._client, space_id)
        return _list_ref(found, space_id) if found else None

    async def lists_of(self, space_id: str) -> list[ListRef]:
        """Return all lists of a space, inside and outside of folders."""
        outside, inside = await find_lists(self._client, space_id)
        return [_list_ref(place, space_id) for place in (*outside, *inside)]

    async def find_by_marker(self, list_id: str, marker: str, since: datetime) -> list[FoundTask]:
        """Return the tasks of a list created since then whose description has the marker.

        Includes closed and archived tasks and subtasks. An empty answer means that every page was
        read; otherwise this raises. `since` may be up to five minutes late.
        """
        pattern = _marker_pattern(marker)
        earliest = instant_ms(since - CLOCK_DIFFERENCE)
        found: dict[str, TaskAnswer] = {}
        for archived in ("false", "true"):
            query = {**_EVERYTHING, "archived": archived, "date_created_gt": earliest}
            for task in await read_tasks(self._client, list_id, query):
                found.setdefault(task.id, task)
        return [
            FoundTask(id=task.id, url=task_url(task, self._client.hosts), look=task.look)
            for task in found.values()
            if _mentions(task, pattern)
        ]

    async def see_task(self, task_id: str) -> SeenTask:
        """Return a task's present state; raises NotFound if it was deleted."""
        task = await self._client.get("/task/{task_id}", TaskAnswer, task_id=task_id)
        if task.look is None:
            raise Refused(message("refused.clickup.no_dates"), reason="clickup_no_dates")
        return SeenTask(look=task.look, is_archived=bool(task.archived))

    def task_at(self, address: str) -> str | None:
        """Return the id of the task at a web address; None if it is no task of this workspace."""
        return task_at(address, self._client.hosts)

    async def task_state(self, task_id: str) -> TaskState:
        """Return a task's changeable facts; raises NotFound if it was deleted."""
        query = {**self._custom(task_id), "include_markdown_description": "true"}
        task = await self._client.get(
            "/task/{task_id}", DescribedTask, query=query, task_id=task_id
        )
        return as_state(task, await self.zone(), self._client.hosts)

    async def task_text(self, task_id: str) -> TaskText:
        """Return what stands in a task; raises NotFound if it was deleted."""
        return await read_text(self._client, task_id, self._custom(task_id), await self.zone())

    async def has_comment(self, task_id: str, trace: str) -> bool:
        """Return whether one of the latest comments of a task has this trace; raises NotFound."""
        found = await self._client.get("/task/{task_id}/comment", Comments, task_id=task_id)
        pattern = _marker_pattern(trace)
        texts = (one.comment_text for one in found.comments if one and one.comment_text)
        return any(pattern.search(text.replace("\\", "")) for text in texts)

    def _custom(self, task_id: str) -> dict[str, str]:
        """Say that an id with a hyphen is one that the Workspace made up, such as DEV-123."""
        return {"custom_task_ids": "true", "team_id": self._team_id} if "-" in task_id else {}

    async def procedure_docs(self) -> list[DocRead]:
        """Return the configured Docs with their pages; an unreadable one with the reason."""
        return await read_docs(self._client, self._team_id, self._docs)

    async def members(self) -> list[ClickUpMember]:
        """Return the workspace's members, including guests and pending invitations."""
        return [_member(seat.user) for seat in (await self._team()).members]

    async def spaces(self) -> list[ClickUpSpace]:
        """Return the spaces that the account can see."""
        answer = await self._client.get(
            "/team/{team_id}/space", Spaces, query={"archived": "false"}, team_id=self._team_id
        )
        return [
            ClickUpSpace(id=space.id, name=space.name, workspace=self._team_id)
            for space in answer.spaces
        ]

    async def workspaces(self) -> dict[str, str]:
        """Return the Workspaces that the token can see: their names by their ids."""
        return {team.id: team.name for team in await self._teams()}

    async def whoami(self) -> ClickUpMember:
        """Return the account that the token belongs to."""
        return _member((await self._client.get("/user", Whoami)).user)

    async def zone(self) -> ZoneInfo:
        """Return the account's time zone, which decides on which calendar day a date falls."""
        if self._zone is None:
            self._zone = zone_named((await self.whoami()).timezone)
        return self._zone

    async def _teams(self) -> list[TeamAnswer]:
        return (await self._client.get("/team", Teams)).teams

    async def _team(self) -> TeamAnswer:
        teams = await self._teams()
        for team in teams:
            if team.id == self._team_id:
                return team
        raise Misconfigured(
            "Our ClickUp account is in no Workspace with the configured id."
            f" Set CLICKUP_TEAM_ID to one of: {', '.join(team.id for team in teams) or 'none'}."
        )


def _list_ref(place: ListAnswer, space_id: str | None = None) -> ListRef:
    return ListRef(
        id=place.id,
        name=place.name,
        space_id=place.space.id if place.space else space_id,
        space_name=place.space.name if place.space else None,
        folder_name=place.folder.name if place.folder and not place.folder.hidden else None,
        statuses=tuple(
            ListStatus(name=one.status, is_last=one.is_last) for one in place.statuses or ()
        ),
    )


def _member(user: UserAnswer) -> ClickUpMember:
    return ClickUpMember(id=user.id, name=user.username, email=user.email, timezone=user.timezone)


def _marker_pattern(marker: str) -> re.Pattern[str]:
    """Match the marker as whole words, because one marker may be the beginning of another."""
    words = marker.split()
    if not words:
        raise Broken("A search for an empty marker would find every task.")
    text = r"\s+".join(map(re.escape, words))
    return re.compile(rf"(?<![\w-]){text}(?![\w-])")


def _mentions(task: TaskAnswer, pattern: re.Pattern[str]) -> bool:
    """Whether the description has the marker; ClickUp may put backslashes before some marks."""
    return any(pattern.search(text.replace("\\", "")) for text in task.texts)
