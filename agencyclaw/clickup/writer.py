"""Creates, changes and comments on tasks in ClickUp, and trusts only what ClickUp shows then."""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from zoneinfo import ZoneInfo

from agencyclaw.clickup.answers import (
    ChangedChecklist,
    ChecklistAnswer,
    CreatedComment,
    EmptyAnswer,
    TaskAnswer,
    Whoami,
)
from agencyclaw.clickup.calls import ApiCall, Method
from agencyclaw.clickup.client import ATTEMPTS, ClickUpClient
from agencyclaw.clickup.custom_fields import DescribedTask, wire_body
from agencyclaw.clickup.shapes import CreatedTask, NewTask, TaskEdit
from agencyclaw.clickup.tasks import as_state, task_url
from agencyclaw.domain.checklists import ChecklistLine
from agencyclaw.domain.clock import zone_named
from agencyclaw.domain.errors import AgencyClawError, NotFound, Refused, Unclear
from agencyclaw.domain.messages import message
from agencyclaw.domain.task_changes import TaskState
from agencyclaw.domain.task_fields import FieldValue


class ClickUpWriter:
    """The only object that changes anything in ClickUp."""

    def __init__(self, client: ClickUpClient) -> None:
        self._client = client

    async def create_task(
        self, list_id: str, task: NewTask, *, attempts: int = ATTEMPTS
    ) -> CreatedTask:
        """Create a task, with at most `attempts` requests, the last of which may have succeeded.

        Raises Refused (NotFound), Misconfigured, Throttled or Unavailable if it was certainly not
        created, and Unclear if it may have been: then look for it before anything else.
        """
        call = ApiCall(
            "POST", "/list/{list_id}/task", ids={"list_id": list_id}, body=task.as_body()
        )
        answer = await self._client.ask(call, TaskAnswer, attempts=attempts)
        if _plain(answer.name) != _plain(task.name):
            raise Unclear("ClickUp answered with another task than the one we asked for.")
        return _created(task, answer, task_url(answer, self._client.hosts))

    async def archive_task(self, task_id: str) -> None:
        """Archive a task; repeating it is harmless. Raises like `create_task`."""
        call = ApiCall("PUT", "/task/{task_id}", ids={"task_id": task_id}, body={"archived": True})
        answer = await self._client.ask(call, TaskAnswer)
        if answer.archived is not True:
            raise Unclear("ClickUp answered with a task that is not archived.")

    async def comment(self, task_id: str, text: str) -> None:
        """Post a comment below a task, once. Raises like `create_task`."""
        body = {"comment_text": text, "notify_all": False}
        call = ApiCall("POST", "/task/{task_id}/comment", ids={"task_id": task_id}, body=body)
        await self._client.ask(call, CreatedComment)

    async def update_task(self, task_id: str, edit: TaskEdit) -> TaskState:
        """Change a task and return it as ClickUp stored it; may be repeated.

        Raises Refused (NotFound), Misconfigured, Throttled or Unavailable if it was certainly not
        changed, and Unclear if it may have been.
        """
        zone = await self._zone()
        call = ApiCall("PUT", "/task/{task_id}", ids={"task_id": task_id}, body=edit.as_body(zone))
        answer = await self._client.ask(call, DescribedTask)
        if "description" in edit.fields:
            answer = await self._described(task_id)
        return as_state(answer, zone, self._client.hosts)

    async def set_field(self, task_id: str, after: FieldValue, before: FieldValue) -> None:
        """Set a custom field, or clear it; what came of it has to be read. Raises like the others.

        `before` is what it holds now.
        """
        ids = {"task_id": task_id, "field_id": after.id}
        body = wire_body(after, before, await self._zone())
        method = "DELETE" if body is None else "POST"
        call = ApiCall(method, "/task/{task_id}/field/{field_id}", ids=ids, body=body)
        await self._client.ask(call, EmptyAnswer)

    async def set_line(self, task_id: str, after: ChecklistLine, before: ChecklistLine) -> str:
        """Make, change or remove an item or a checklist; returns the checklist's id, if it stays.

        `before` is what it is now. What is made twice is there twice. Raises like the others.
        """
        try:
            if not after.says:
                await self._client.ask(_line_call("DELETE", before), EmptyAnswer)
                return ""
            if before.says:
                differing = dict(_item(after).items() - _item(before).items())
                return (await self._changed_list(_line_call("PUT", before, differing))).id
            if not after.called:
                ids, body = {"task_id": task_id}, {"name": after.says}
                call = ApiCall("POST", "/task/{task_id}/checklist", ids=ids, body=body)
                return (await self._changed_list(call)).id
            return await self._add_item(after, before)
        except NotFound as error:
            if not after.says:
                return ""
            raise Refused(message("refused.checklists.gone"), reason="line_gone") from error

    async def _add_item(self, after: ChecklistLine, before: ChecklistLine) -> str:
        """Add an item, then tick it, because ClickUp ticks none that is new.

        A failure to tick it is not raised, because it is there: the caller reads how it is now.
        """
        call = _line_call("POST", before, {"name": after.says})
        made = await self._changed_list(call)
        new = next((one.id for one in made.items[::-1] if one and one.name == after.says), "")
        if after.is_done and new:
            there = before.model_copy(update={"id": new})
            with suppress(AgencyClawError):
                await self._changed_list(_line_call("PUT", there, {"resolved": True}))
        return made.id

    async def _changed_list(self, call: ApiCall) -> ChecklistAnswer:
        return (await self._client.ask(call, ChangedChecklist)).checklist

    async def _zone(self) -> ZoneInfo:
        return zone_named((await self._client.get("/user", Whoami)).user.timezone)

    async def _described(self, task_id: str) -> DescribedTask:
        """Read a changed task; the answer to a change has its description as plain text."""
        query = {"include_markdown_description": "true"}
        try:
            return await self._client.get(
                "/task/{task_id}", DescribedTask, query=query, task_id=task_id
            )
        except AgencyClawError as error:
            raise Unclear("ClickUp did not show the task after the change.") from error


def _created(task: NewTask, answer: TaskAnswer, url: str) -> CreatedTask:
    assignees = tuple(user.id for user in answer.assignees or ())
    return CreatedTask(
        id=answer.id,
        url=url,
        name=answer.name,
        assignees=assignees,
        assignees_missing=tuple(who for who in task.assignees if who not in assignees),
        look=answer.look,
    )


def _item(line: ChecklistLine) -> dict[str, Any]:
    return {"name": line.says, "resolved": line.is_done}


def _line_call(method: Method, line: ChecklistLine, body: dict[str, Any] | None = None) -> ApiCall:
    """Return a request about an item that is there, for a new one, or about its checklist."""
    ids = {"checklist_id": line.checklist_id}
    path = "/checklist/{checklist_id}"
    if line.called:
        path += "/checklist_item"
    if line.id:
        ids["item_id"] = line.id
        path += "/{item_id}"
    return ApiCall(method, path, ids=ids, body=body)


def _plain(name: str) -> str:
    return " ".join(name.split())
