"""A ClickUp request as its handler sees it, and the look-ups that handlers start with."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from multidict import MultiMapping

from workbench.clickup.board import Board
from workbench.clickup.records import Json, Task
from workbench.clickup.refusals import (
    LIST_ID_INVALID,
    TASK_ID_INVALID,
    TASK_NOT_FOUND,
    TEAM_NOT_AUTHORIZED,
    RequestRefused,
    invalid,
)


@dataclass(frozen=True)
class ApiRequest:
    """A request that passed the gateway."""

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
            raise RequestRefused(invalid(name))
        return int(text)


# What a handler answers: JSON, or nothing (204).
Handler = Callable[[ApiRequest], Json | list[Json] | None]


def find_team(call: ApiRequest) -> Json:
    if call.path["team"] != call.board.team["id"]:
        raise RequestRefused(TEAM_NOT_AUTHORIZED)
    return call.board.team


def find_space(call: ApiRequest) -> Json:
    return _visible(call.board.spaces, call.path["space"])


def find_folder(call: ApiRequest) -> Json:
    return _visible(call.board.folders, call.path["folder"])


def find_list(call: ApiRequest) -> Json:
    list_id = call.path["list"]
    if not (list_id.isascii() and list_id.isdigit()):
        raise RequestRefused(LIST_ID_INVALID)
    return _visible(call.board.lists, list_id)


def _visible(known: Mapping[str, Json], place_id: str) -> Json:
    """Refuse an unknown place as ClickUp does: the team is not authorized."""
    if place_id not in known:
        raise RequestRefused(TEAM_NOT_AUTHORIZED)
    return known[place_id]


def find_task(call: ApiRequest) -> Task:
    task_id = call.path["task"]
    if not (task_id.isascii() and task_id.replace("-", "").replace("_", "").isalnum()):
        raise RequestRefused(TASK_ID_INVALID)
    task = call.board.task(task_id)
    if task is None or call.flag("custom_task_ids"):
        raise RequestRefused(TASK_NOT_FOUND)
    return task
