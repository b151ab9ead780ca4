"""Exports a run as an eval case: what people did, a script that replays the model, the result.

The case replays the conversation up to the run in the agency's present state. Days that were in the
future are written relative to today, so that the case stays valid.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, cast
from uuid import UUID

import yaml

from agencyclaw.domain.errors import NotFound, Refused
from agencyclaw.domain.feedback import Rating
from agencyclaw.domain.text import clean
from agencyclaw.exports.expected import expected_of
from agencyclaw.exports.replay import Part, ahead, calls_of, children_of, day_of, part_of, steps_of
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.store.demo_agency import person_id, person_rows
from agencyclaw.store.engine import Database
from agencyclaw.store.run_exports import ExportedConversation, ExportedTurn, read_conversation
from agencyclaw.store.run_reports import read_run

_HEAD = """\
# yaml-language-server: $schema=schema.json
# Made of a run; `docs/add-an-eval.md` says how to go on. The script under `gold` is what the model
# did; what is expected is what came of it. Correct both where the run was wrong, then give the case
# a name that says what it is about.
"""
# A press in the Home tab stands under no card.
_UNREPEATABLE = ("withdraw",)


async def export_run(db: Database, prefix: str) -> str:
    """Return a case file.

    Raises NotFound if no run or several begin with this prefix, and Refused if it can't be a case.
    """
    report = await read_run(db, prefix)
    conversation = await read_conversation(db, report.run["id"]) if report else None
    if report is None or conversation is None:
        raise NotFound(f"There is no single run that begins with {prefix}.", reason="not_found")
    _check_end(conversation, report.run)
    case = _Case(_replayable(conversation), report.run["id"]).whole()
    text = yaml.safe_dump(_safe(case), allow_unicode=True, sort_keys=False, width=100)
    return _HEAD + text


def _check_end(conversation: ExportedConversation, run: Part) -> None:
    """Refuse a run that the conversation does not end with: it is not over, or led to nothing."""
    main = run["parent_run_id"] or run["id"]
    if conversation.turns and conversation.turns[-1].receipt["run_id"] == main:
        return
    if run["status"] == "running":
        raise Refused("This run is not over yet. Export it once it has ended.", reason="running")
    raise Refused(
        "This run broke off, so it can't be made a case. If its message was answered later, "
        "export the run that answered it.",
        reason="broken_off",
    )


def _replayable(conversation: ExportedConversation) -> ExportedConversation:
    """Return the turns after the last act that an eval can't repeat, such as a command."""
    turns: list[ExportedTurn] = []
    for turn in conversation.turns:
        turns.append(turn)
        if not _can_repeat(turn, _made_in(turns, conversation.proposals), conversation.proposals):
            turns = []
    if not turns:
        raise Refused(
            "This run answers something that an eval can't repeat, such as a command, so it can't "
            "be made a case.",
            reason="unrepeatable",
        )
    return replace(conversation, turns=turns, proposals=_made_in(turns, conversation.proposals))


def _made_in(turns: list[ExportedTurn], proposals: list[Part]) -> list[Part]:
    receipts = {turn.receipt["id"] for turn in turns}
    return [one for one in proposals if one["receipt_id"] in receipts]


def _can_repeat(turn: ExportedTurn, kept: list[Part], proposals: list[Part]) -> bool:
    """Return whether an eval can do the same, with no proposals but those that are kept."""
    payload = turn.receipt["payload"]
    known = {str(one["id"]) for one in kept}
    if click := payload.get("click"):
        return click["act"] not in _UNREPEATABLE and known.issuperset(click["proposal_ids"])
    if payload["kind"] == "edit":
        return _edited(turn, kept) is not None
    confirmed = (p for p in proposals if p["confirming_receipt_id"] == turn.receipt["id"])
    return payload["kind"] in ("message", "word") and all(str(p["id"]) in known for p in confirmed)


def _edited(turn: ExportedTurn, proposals: list[Part]) -> tuple[Part, Part] | None:
    """Return the proposal that an edit led to, and the one it replaced, if both are here."""
    for new in proposals:
        for old in proposals:
            if new["receipt_id"] == turn.receipt["id"] and old["superseded_by"] == new["id"]:
                return new, old
    return None


def _safe(value: Any) -> Any:
    """Return plain data without anything that looks like a secret."""
    match value:
        case str():
            return redacted(clean(value, limit=len(value)))
        case dict():
            return {key: _safe(each) for key, each in cast(Part, value).items()}
        case list() | tuple():
            return [_safe(each) for each in cast(list[Any], value)]
        case UUID() | datetime():
            return str(value)
        case _:
            return value


@dataclass(frozen=True)
class _Case:
    """Builds the case of one conversation."""

    conversation: ExportedConversation
    run_id: UUID

    def whole(self) -> Part:
        return {
            "name": "exported",
            "cases": [
                {
                    "name": f"run-{str(self.run_id)[:8]}",
                    "inputs": self._scene(),
                    "metadata": self._about(),
                    "expected_output": expected_of(self.conversation),
                }
            ],
        }

    def _about(self) -> Part:
        notes = [_note(one) for one in self.conversation.feedback]
        about: Part = {"proves": ["rails", "tools"], "tags": ["exported"]}
        return about | ({"notes": notes} if notes else {})

    def _scene(self) -> Part:
        last = self.conversation.turns[-1].receipt
        scene: Part = {"person": _person(last)}
        if not last["is_direct"]:
            scene["surface"] = last["channel_id"]
        if snapshot := self._snapshot():
            scene["snapshot"] = snapshot
        scene["turns"] = list(self._turns(scene["person"]))
        return scene

    def _turns(self, person: str) -> list[Part]:
        turns: list[Part] = []
        threads: dict[str, str] = {}
        before: datetime | None = None
        for turn in self.conversation.turns:
            at: datetime = turn.receipt["received_at"]
            minutes = int((at - before).total_seconds() // 60) if before else 0
            if minutes:
                turns.append({"wait_minutes": minutes})
            before = at
            thread = threads.setdefault(
                turn.receipt["thread_ts"], f"thread {len(threads) + 1}" if threads else ""
            )
            turns.append(self._turn(turn, person, thread))
        return turns

    def _turn(self, turn: ExportedTurn, person: str, thread: str) -> Part:
        turn_data = self._act(turn)
        if (by := _person(turn.receipt)) != person:
            turn_data["by"] = by
        if thread:
            turn_data["thread"] = thread
        if turn.receipt["run_id"]:
            turn_data["gold"] = steps = steps_of(turn)
            if children := children_of(turn):
                turn_data["children"] = children
            if not calls_of(turn):
                turn_data["lazy"] = [{"lookup_client": {}}, *steps]
        return turn_data

    def _act(self, turn: ExportedTurn) -> Part:
        """Return what the person did: a message, a press, or a saved Edit form."""
        payload = turn.receipt["payload"]
        if click := payload.get("click"):
            return {"press": click["act"], "proposals": self._numbers(click)}
        if payload["kind"] == "edit" and (edited := _edited(turn, self.conversation.proposals)):
            return self._edit(*edited, day_of(turn))
        return {"say": payload["text"]}

    def _numbers(self, click: Part) -> list[int]:
        ids = [str(proposal["id"]) for proposal in self.conversation.proposals]
        return [ids.index(one) for one in click["proposal_ids"] if one in ids]

    def _edit(self, new: Part, old: Part, today: date) -> Part:
        """Return the form's values, taken from the proposal that the edit led to."""
        written = new["arguments"]
        changes = {name: written.get(name) for name in ("title", "details", "start", "due")}
        changes["assignee"] = part_of(written.get("assignee")).get("name")
        kept = {name: ahead(value, today) for name, value in changes.items() if value}
        return {"edit": kept, "proposals": [self.conversation.proposals.index(old)]}

    def _snapshot(self) -> Part:
        """Return the agency if it is not the demo's, and ClickUp's contents."""
        last = self.conversation.turns[-1].receipt
        parts: Part = {
            "rows": _at_home(self.conversation.agency, last["team_id"]),
            "places": self._places() if "brands" in self.conversation.agency else {},
            "tasks": self._tasks(),
            "super_admins": self._super_admins(),
        }
        return {name: part for name, part in parts.items() if part}

    def _places(self) -> dict[str, str]:
        """Return ClickUp's names of the lists and spaces that proposals used."""
        names: dict[str, str] = {}
        for proposal in self.conversation.proposals:
            place = part_of(proposal["arguments"].get("destination"))
            for kind in ("list", "space"):
                if place.get(f"{kind}_id") and place.get(f"{kind}_name"):
                    names[place[f"{kind}_id"]] = place[f"{kind}_name"]
        return names

    def _tasks(self) -> list[Part]:
        own = {proposal["arguments"].get("title") for proposal in self.conversation.proposals}
        lists = {brand["name"]: brand["clickup_list_id"] for brand in self.conversation.brands}
        seen: dict[tuple[str, str], Part] = {}
        for turn in self.conversation.turns:
            for found in _listed(turn):
                brand = found["task"].get("brand") or (found["brands"] or [""])[0]
                place, title = lists.get(brand), found["task"]["title"]
                if place and title not in own:
                    seen[place, title] = _task(place, found["task"], day_of(turn))
        return list(seen.values())

    def _super_admins(self) -> list[str]:
        receipts = [turn.receipt for turn in self.conversation.turns]
        return sorted(
            {
                str(receipt["actor_profile_id"])
                for receipt in receipts
                if part_of(receipt["input_payload"]).get("tier") == "super_admin"
                and receipt["actor_profile_id"] != person_id("Ines Varga")
            }
        )


def _note(feedback: Part) -> str:
    helped = "helped" if feedback["rating"] == Rating.UP else "did not help"
    words = f": {feedback['comment']}" if feedback["comment"] else ""
    return f"“{feedback['said']}”: the answer {helped}, says {feedback['by']}{words}"


def _person(receipt: Part) -> str:
    """Return a demo person's name, else the Slack id."""
    known = {row["slack_user_id"]: str(row["full_name"]) for row in person_rows()}
    slack: str = receipt["slack_user_id"]
    return known[slack] if known.get(slack) == receipt["person"] else slack


def _listed(turn: ExportedTurn) -> list[Part]:
    """Return the tasks ClickUp showed, each with the requested brands."""
    found: list[Part] = []
    for result in turn.results:
        if result["skill_id"] == "list_tasks":
            page = part_of(result["result"])
            found += [{"task": t, "brands": page.get("brands")} for t in page.get("tasks", ())]
    return found


def _task(place: str, task: Part, today: date) -> Part:
    due = task.get("due")
    days = {"due_in_days": (date.fromisoformat(due) - today).days} if due else {}
    return {"in_list": place, "title": task["title"]} | days


def _at_home(agency: dict[str, list[Part]], team_id: str) -> dict[str, list[Part]]:
    """Return the rows with the team id of the evals' Slack workspace."""
    return {
        table: [
            {name: "T0LANTERN" if value == team_id else value for name, value in row.items()}
            for row in rows
        ]
        for table, rows in agency.items()
    }
