"""One ClickUp request as its handler sees it, and the look-ups every handler starts with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from multidict import MultiMapping

from agencyclaw.workbench.clickup.board import Board
from agencyclaw.workbench.clickup.records import Json, Task
from agencyclaw.workbench.clickup.refusals import (
    LIST_ID_INVALID,
    TASK_ID_INVALID,
    TASK_NOT_FOUND,
    TEAM_NOT_AUTHORIZED,
    Refused,
    invalid,
)


@dataclass(frozen=True)
class Call:
    """A request that passed the door."""

    board: Board
    path: Mapping[str, str]
    query: MultiMapping[str]
    body: Json
    origin: str
    lag_s: float = 0.0

    def flag(self, name: str) -> bool:
        return self.query.get(name, "").lower() in ("true", "1")

    def whole(self, name: str) -> int | None:
        """A whole number from the query; absent is None, nonsense is refused."""
        text = self.query.get(name, "")
        if not text:
            return None
        if not (text.isascii() and text.lstrip("-").isdigit() and len(text) <= 15):
            raise Refused(invalid(name))
        return int(text)


# What a handler answers: JSON, or nothing (204).
Handler = Callable[[Call], Json | list[Json] | None]


def the_team(call: Call) -> Json:
    if call.path["team"] != call.board.team["id"]:
        raise Refused(TEAM_NOT_AUTHORIZED)
    return call.board.team


def the_space(call: Call) -> Json:
    return _visible(call.board.spaces, call.path["space"])


def the_folder(call: Call) -> Json:
    return _visible(call.board.folders, call.path["folder"])


def the_list(call: Call) -> Json:
    list_id = call.path["list"]
    if not (list_id.isascii() and list_id.isdigit()):
        raise Refused(LIST_ID_INVALID)
    return _visible(call.board.lists, list_id)


def _visible(known: Mapping[str, Json], wanted: str) -> Json:
    """ClickUp says of a place it does not know that the team is not authorized."""
    if wanted not in known:
        raise Refused(TEAM_NOT_AUTHORIZED)
    return known[wanted]


def the_task(call: Call) -> Task:
    task_id = call.path["task"]
    if not (task_id.isascii() and task_id.replace("-", "").replace("_", "").isalnum()):
        raise Refused(TASK_ID_INVALID)
    task = call.board.task(task_id)
    if task is None or call.flag("custom_task_ids"):
        raise Refused(TASK_NOT_FOUND)
    return task
