"""What the model did, as a script that does it again; days ahead are days from today."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, cast

import yaml

from agencyclaw.domain.zones import zone_named
from agencyclaw.store.run_exports import ToldTurn

Part = dict[str, Any]

_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")


def part_of(value: Any) -> Part:
    """Return a JSON object as it is, and anything else as an empty one."""
    return cast(Part, value) if isinstance(value, dict) else {}


def day_of(turn: ToldTurn) -> date:
    """Return the person's day of a turn."""
    zone = zone_named(turn.receipt["timezone"])
    at: datetime = turn.receipt["received_at"]
    return at.astimezone(zone).date()


def ahead(value: Any, today: date, form: str = "today+{}") -> Any:
    """Write days that are not past as days from today."""

    def written(found: re.Match[str]) -> str:
        try:
            days = (date.fromisoformat(found[0]) - today).days
        except ValueError:
            return found[0]
        return form.format(days) if days >= 0 else found[0]

    match value:
        case str():
            return _DAY.sub(written, value)
        case list():
            return [ahead(each, today, form) for each in cast(list[Any], value)]
        case _:
            return value


def steps_of(turn: ToldTurn) -> list[Any]:
    """The responses of the model, one step each; a run that broke off ends with a failure."""
    return _steps(turn.responses, turn.receipt["run_status"], day_of(turn))


def children_of(turn: ToldTurn) -> dict[str, list[Any]]:
    """The same for every question that the run had looked up."""
    return {
        child["question"]: _steps(child["responses"], child["status"], day_of(turn))
        for child in turn.children
    }


def _steps(responses: Sequence[Part], status: str, today: date) -> list[Any]:
    steps: list[Any] = []
    for response in responses:
        calls = [_call(part, today) for part in _asked_in(response)]
        text = "".join(p["content"] for p in response["parts"] if p["part_kind"] == "text")
        if calls:
            steps.append({"calls": calls})
        else:
            steps.append(text.replace("${", "$ {") or " ")
    is_broken = status == "failed" and not _is_said(steps)
    return [*steps, {"fail": 400}] if is_broken else steps


def _is_said(steps: Sequence[Any]) -> bool:
    return bool(steps) and isinstance(steps[-1], str)


def _asked_in(response: Part) -> list[Part]:
    return [part for part in response["parts"] if part["part_kind"] == "tool-call"]


def calls_of(turn: ToldTurn) -> list[Part]:
    return [part for response in turn.responses for part in _asked_in(response)]


def _call(part: Part, today: date) -> Part:
    return {"tool": part["tool_name"], "args": arguments_of(part, today, "${{today+{}}}")}


def arguments_of(part: Part, today: date, form: str = "today+{}") -> Part:
    """The arguments of a call, whether the provider kept them as JSON text or as data."""
    given: Any = part["args"]
    args = yaml.safe_load(given) if isinstance(given, str) else given
    return {name: ahead(value, today, form) for name, value in part_of(args).items()}
