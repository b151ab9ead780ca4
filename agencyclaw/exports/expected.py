"""The result of a conversation, as an eval can expect it."""

from __future__ import annotations

import re
from datetime import date, datetime

from agencyclaw.domain.clients import Named
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.proposals import read_effect
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.unsupported import UnsupportedEffect
from agencyclaw.exports.replay import Part, ahead, arguments_of, calls_of, day_of, part_of
from agencyclaw.store.run_exports import ExportedConversation, ExportedTurn

_ENDED = ("done", "cancelled", "expired", "superseded", "failed", "unclear")
# The framework's own: how a tool was found is nobody's concern.
_SEARCH = "search_tools"
_LONG = 80
_TOLD_WORDS = 6


def expected_of(conversation: ExportedConversation) -> Part:
    """Return the expected ledger."""
    until: datetime | None = conversation.turns[-1].receipt["until"]
    kept = [_proposal(one, until, day_of(conversation.turns[-1])) for one in conversation.proposals]
    undone = {
        one["undo_of"]
        for one, wanted in zip(conversation.proposals, kept, strict=True)
        if wanted["state"] == "done" and "undo" in wanted
    }
    made = [
        _made(one) | ({"archived": True} if one["id"] in undone else {})
        for one, wanted in zip(conversation.proposals, kept, strict=True)
        if wanted["state"] == "done" and "list" in wanted and "undo" not in wanted
    ]
    expected: Part = {"turns": [_expected_turn(turn) for turn in conversation.turns]}
    return expected | ({"proposals": kept} if kept else {}) | ({"tasks": made} if made else {})


def _expected_turn(turn: ExportedTurn) -> Part:
    expected: Part = {}
    if turn.receipt["run_id"]:
        expected |= _expected_of_model(turn)
    else:
        notes = [row["body"]["text"] for row in turn.heard if "text" in row["body"]]
        expected["by"] = "code" if turn.heard else "nobody"
        if notes:
            expected["tells"] = [_beginning(note) for note in notes]
    refused = {e["reason"] for e in turn.events if e["event_type"] == "tool_refused"}
    others = [_event(e) for e in turn.events if e["event_type"].startswith("consent")]
    expected |= {"refused": sorted(refused)} if refused else {}
    return expected | ({"events": others} if others else {})


def _expected_of_model(turn: ExportedTurn) -> Part:
    answer = next((r["body"]["text"] for r in turn.heard if r["kind"] == "answer"), "")
    made = calls_of(turn)
    calls = [_expected_call(one, day_of(turn)) for one in made if one["tool_name"] != _SEARCH]
    expected: Part = ({"calls": calls} if calls else {}) if made else {"quiet": True}
    if titles := [title for title in _procedures(turn) if title in answer]:
        expected["cites"] = titles
    if "?" not in answer:
        expected["asks"] = False
    elif turn.results and _kind(turn.results[-1]) == "ask":
        expected["asks"] = True
    return expected | ({"fails": True} if turn.receipt["run_status"] == "failed" else {})


def _expected_call(part: Part, today: date) -> Part:
    arguments = arguments_of(part, today)
    short = {
        name: value
        for name, value in arguments.items()
        if isinstance(value, bool | int) or (isinstance(value, str) and len(value) <= _LONG)
    }
    return {part["tool_name"]: short}


def _kind(result: Part) -> str:
    return str(part_of(result["result"]).get("kind", ""))


def _procedures(turn: ExportedTurn) -> list[str]:
    titles: list[str] = []
    for result in turn.results:
        found = part_of(result["result"])
        titles += [one["title"] for one in found.get("procedures", ())]
        titles += found.get("rests_on", ())
    return list(dict.fromkeys(titles))


def _event(event: Part) -> str:
    return f"{event['event_type']}:{event['reason']}" if event["reason"] else event["event_type"]


def _beginning(text: str) -> str:
    """Return the beginning of a fixed sentence, without parts that change every day."""
    words = re.sub(r"https?://\S+|[*_<>|]", " ", text.splitlines()[0]).split()
    return " ".join(words[:_TOLD_WORDS])


def _proposal(row: Part, until: datetime | None, today: date) -> Part:
    """Return a proposal in its state at the end of the run's turn."""
    effect = read_effect(row["arguments"], row["skill_id"], row["entity"] or "")
    if isinstance(effect, UnsupportedEffect):
        raise Refused(
            f"“{effect.label}” was prepared by another version, which this one can't read, so this "
            "run can't be made a case.",
            reason="outgrown",
        )
    is_later = until is not None and row["settled_at"] is not None and row["settled_at"] >= until
    wanted: Part = {
        "kind": effect.kind if effect.kind != "create_task" else None,
        "client": effect.clients[0].name if len(effect.clients) == 1 else None,
        "brand": _name_of(getattr(effect, "brand", None)),
        "title": [effect.label],
        "state": "open" if is_later and row["state"] in _ENDED else row["state"],
        "undo": row["undo_of"] is not None,
    }
    if isinstance(effect, CreateTask):
        wanted |= _details(effect, today)
    return {name: value for name, value in wanted.items() if value not in (None, [], False)}


def _name_of(named: Named | None) -> str | None:
    return named.name if named else None


def _details(effect: CreateTask, today: date) -> Part:
    terms = effect.promotion
    return {
        "list": effect.destination.list_name,
        "assignee": effect.assignee.name if effect.assignee else None,
        "start": _ahead(effect.start, today),
        "due": _ahead(effect.due, today),
        "starts": _ahead(terms.starts if terms else None, today),
        "ends": _ahead(terms.ends if terms else None, today),
        "identifiers": list(effect.identifiers),
        "pending": effect.identifiers_pending,
        "sources": [source.title for source in effect.sources],
        "anyway": effect.create_anyway,
    }


def _ahead(day: date | None, today: date) -> str | None:
    return ahead(day.isoformat(), today) if day else None


def _made(row: Part) -> Part:
    effect = row["arguments"]
    person = part_of(effect.get("assignee"))
    names = [person["name"]] if person.get("clickup_user_id") else []
    made = {"list": effect["destination"]["list_name"], "title": [effect["title"]]}
    return made | ({"assignees": names} if names else {})
