"""Exports what the model did as a script; future days are relative to today."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from typing import Any, cast

import yaml

from agencyclaw.domain.clock import zone_named
from agencyclaw.domain.replies import ENDINGS, REPLY
from agencyclaw.store.run_exports import ExportedTurn

Part = dict[str, Any]

_DAY = re.compile(r"\b\d{4}-\d{2}-\d{2}\b")


def part_of(value: Any) -> Part:
    """Return a JSON object unchanged, and anything else as an empty one."""
    return cast(Part, value) if isinstance(value, dict) else {}


def day_of(turn: ExportedTurn) -> date:
    """Return the calendar day of a turn in the person's zone."""
    zone = zone_named(turn.receipt["timezone"])
    at: datetime = turn.receipt["received_at"]
    return at.astimezone(zone).date()


def ahead(value: Any, today: date, form: str = "today+{}") -> Any:
    """Write future days relative to today."""

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
        case dict():
            held = cast(Part, value)
            return {name: ahead(each, today, form) for name, each in held.items()}
        case _:
            return value


def steps_of(turn: ExportedTurn) -> list[Any]:
    """Return a step per response of the model; an interrupted run ends with a failure."""
    return _steps(turn.responses, turn.receipt["run_status"], day_of(turn))


def children_of(turn: ExportedTurn) -> dict[str, list[Any]]:
    """Return the same for every question the run had looked up."""
    return {
        child["question"]: _steps(child["responses"], child["status"], day_of(turn))
        for child in turn.children
    }


def _steps(responses: Sequence[Part], status: str, today: date) -> list[Any]:
    steps: list[Any] = []
    for response in responses:
        calls = [_call(part, today) for part in _asked_in(response)]
        if calls:
            steps.append({"calls": calls})
        else:
            steps.append(_text_in(response))
    is_broken = status == "failed" and not _has_text(steps)
    return [*steps, {"fail": 400}] if is_broken else steps


def _has_text(steps: Sequence[Any]) -> bool:
    return bool(steps) and (isinstance(steps[-1], str) or "text" in steps[-1])


def _text_in(response: Part) -> Any:
    """Return a response's answer, with the fields that a script would not fill in itself."""
    texts = "".join(p["content"] for p in response["parts"] if p["part_kind"] == "text")
    [reply] = [_args(part) for part in _calls_in(response) if part["tool_name"] == REPLY] or [{}]
    text = str(reply.get("text") or texts).replace("${", "$ {") or " "
    kept = {name: reply[name] for name in ("earlier", "question") if reply.get(name)}
    if reply.get("changes") in ("earlier", "waiting", "wanted_not_done"):
        kept["changes"] = reply["changes"]
    return {"text": text, "reply": kept} if kept else text


def _args(part: Part) -> Part:
    """Return a call's arguments, which providers keep as JSON text or as data."""
    args: Any = part["args"]
    return part_of(yaml.safe_load(args) if isinstance(args, str) else args)


def _calls_in(response: Part) -> list[Part]:
    return [part for part in response["parts"] if part["part_kind"] == "tool-call"]


def _asked_in(response: Part) -> list[Part]:
    """Return the tools a response calls, without its answer."""
    return [part for part in _calls_in(response) if part["tool_name"] not in ENDINGS]


def calls_of(turn: ExportedTurn) -> list[Part]:
    return [part for response in turn.responses for part in _asked_in(response)]


def _call(part: Part, today: date) -> Part:
    return {"tool": part["tool_name"], "args": arguments_of(part, today, "${{today+{}}}")}


def arguments_of(part: Part, today: date, form: str = "today+{}") -> Part:
    """Return a call's arguments with future days relative to today."""
    return {name: ahead(value, today, form) for name, value in _args(part).items()}
