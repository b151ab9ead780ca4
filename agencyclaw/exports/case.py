"""Exports a run as an eval case: what people did, a script that replays the model, the result.

The case replays the conversation up to the run in the agency's present state. Days that were in the
future are written relative to today, so that the case stays valid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Any

import yaml
from pydantic import JsonValue

from agencyclaw.agents.script_file import ScriptedCall, ScriptStep
from agencyclaw.domain.errors import Broken, NotFound, Refused
from agencyclaw.domain.feedback import Rating
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Click, ReceiptKind
from agencyclaw.domain.runs import RunStatus
from agencyclaw.domain.task_creation import CreateTask, Destination
from agencyclaw.domain.text import clean
from agencyclaw.exports.case_file import (
    BoardTask,
    Case,
    CaseChild,
    CaseFile,
    CaseTurn,
    Metadata,
    Scene,
    Snapshot,
)
from agencyclaw.exports.expected import expected_of
from agencyclaw.exports.replay import IN_SCRIPT, calls_of, relative_days, script_of
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.store.catalogue import Row
from agencyclaw.store.conversation_tables import AgentRun
from agencyclaw.store.demo_agency import person_id, person_rows
from agencyclaw.store.engine import Database
from agencyclaw.store.run_exports import (
    ExportedConversation,
    ExportedRun,
    ExportedTurn,
    RatedAnswer,
    read_conversation,
)
from agencyclaw.store.run_reports import read_run

_HEAD = """\
# yaml-language-server: $schema=schema.json
# Made of a run; `docs/add-an-eval.md` says how to go on. The script under `gold` is what the model
# did; what is expected is what came of it. Correct both where the run was wrong, then give the case
# a name that says what it is about.
"""
# The workspace of the evals.
_TEAM_ID = "T0LANTERN"
_MINUTE = timedelta(minutes=1)
# A tool that an idle model calls, so that its answer differs from one that called none.
_IDLE_CALL = ScriptStep(calls=[ScriptedCall(tool="lookup_client")])


async def export_run(db: Database, prefix: str) -> str:
    """Return a case file.

    Raises NotFound if no run or several begin with this prefix, and Refused if it can't be a case.
    """
    report = await read_run(db, prefix)
    conversation = await read_conversation(db, report.run.id) if report else None
    if report is None or conversation is None:
        raise NotFound(f"There is no single run that begins with {prefix}.", reason="not_found")
    _check_end(conversation, report.run)
    case = _case(_replayable(conversation), f"run-{str(report.run.id)[:8]}")
    file = CaseFile(name="exported", cases=[case])
    data = _without_secrets(file.model_dump(mode="json", exclude_defaults=True))
    return _HEAD + yaml.safe_dump(data, allow_unicode=True, sort_keys=False, width=100)


def _check_end(conversation: ExportedConversation, run: AgentRun) -> None:
    """Refuse a run that the conversation does not end with: it is not over, or led to nothing."""
    last = conversation.turns[-1].run if conversation.turns else None
    if last and last.id == (run.parent_run_id or run.id):
        return
    if run.status == RunStatus.RUNNING:
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


def _made_in(turns: Sequence[ExportedTurn], proposals: Sequence[Proposal]) -> list[Proposal]:
    receipt_ids = {turn.receipt.id for turn in turns}
    return [proposal for proposal in proposals if proposal.receipt_id in receipt_ids]


def _can_repeat(
    turn: ExportedTurn, kept: Sequence[Proposal], proposals: Sequence[Proposal]
) -> bool:
    """Return whether an eval can do the same, with no proposals but those that are kept."""
    if not turn.receipt.is_readable:
        return False
    incoming = turn.receipt.incoming
    kept_ids = {proposal.id for proposal in kept}
    if incoming.click:
        # A press in the Home tab is below no card.
        return incoming.click.act != "withdraw" and kept_ids.issuperset(incoming.click.proposal_ids)
    if incoming.kind is ReceiptKind.EDIT:
        return _edited(turn, kept) is not None
    confirmed = {p.id for p in proposals if p.confirming_receipt_id == turn.receipt.id}
    return incoming.kind in (ReceiptKind.MESSAGE, ReceiptKind.WORD) and confirmed <= kept_ids


def _edited(
    turn: ExportedTurn, proposals: Sequence[Proposal]
) -> tuple[Proposal, CreateTask] | None:
    """Return the proposal that was edited, and the task it was edited to, if both are here."""
    for new in proposals:
        for old in proposals:
            is_edit = new.receipt_id == turn.receipt.id and old.superseded_by == new.id
            if is_edit and isinstance(new.effect, CreateTask):
                return old, new.effect
    return None


def _without_secrets(value: JsonValue) -> JsonValue:
    match value:
        case str():
            return _redacted(value)
        case dict():
            # A model names the arguments of its calls.
            return {_redacted(name): _without_secrets(item) for name, item in value.items()}
        case list():
            return [_without_secrets(item) for item in value]
        case _:
            return value


def _redacted(text: str) -> str:
    return redacted(clean(text, limit=len(text)))


def _case(conversation: ExportedConversation, name: str) -> Case:
    last = conversation.turns[-1]
    place, person = last.receipt.incoming.place, _person(last)
    scene = Scene(
        person=person,
        surface="" if place.is_direct else place.channel_id,
        snapshot=_snapshot(conversation, place.team_id),
        turns=_turns(conversation, person),
    )
    notes = [_note(answer) for answer in conversation.ratings]
    return Case(
        name=name,
        inputs=scene,
        metadata=Metadata(proves=["rails", "tools"], tags=["exported"], notes=notes),
        expected_output=expected_of(conversation),
    )


def _turns(conversation: ExportedConversation, person: str) -> list[CaseTurn]:
    """Return what happened; `person` acts unless a turn names somebody else."""
    turns: list[CaseTurn] = []
    threads = _thread_names(conversation)
    # Less than a minute is left for the next wait.
    reached = conversation.turns[0].receipt.received_at
    for turn in conversation.turns:
        minutes = (turn.receipt.received_at - reached) // _MINUTE
        if minutes > 0:
            turns.append(CaseTurn(wait_minutes=minutes))
            reached += minutes * _MINUTE
        actor = _person(turn)
        details = {
            "by": "" if actor == person else actor,
            "thread": threads[turn.receipt.incoming.place.thread_ts],
            **_script(turn),
        }
        turns.append(_act(conversation, turn).model_copy(update=details))
    return turns


def _thread_names(conversation: ExportedConversation) -> dict[str, str]:
    """Return a name for each thread; the first one has none."""
    threads = dict.fromkeys(turn.receipt.incoming.place.thread_ts for turn in conversation.turns)
    return {
        thread_ts: f"thread {number}" if number > 1 else ""
        for number, thread_ts in enumerate(threads, start=1)
    }


def _act(conversation: ExportedConversation, turn: ExportedTurn) -> CaseTurn:
    """Return what the person did: a message, a press, or a saved Edit form."""
    incoming = turn.receipt.incoming
    if incoming.click:
        return CaseTurn(press=incoming.click.act, proposals=_numbers(conversation, incoming.click))
    if incoming.kind is ReceiptKind.EDIT:
        edited = _edited(turn, conversation.proposals)
        if edited is None:
            raise Broken("an edit of no card, which can't be repeated, is in the case")
        old, task = edited
        number = conversation.proposals.index(old)
        return CaseTurn(edit=_form_values(task, turn.today), proposals=[number])
    return CaseTurn(say=_with_relative_days(incoming.text, turn.today))


def _numbers(conversation: ExportedConversation, click: Click) -> list[int]:
    ids = [proposal.id for proposal in conversation.proposals]
    return [ids.index(proposal_id) for proposal_id in click.proposal_ids]


def _snapshot(conversation: ExportedConversation, team_id: str) -> Snapshot:
    agency = conversation.agency
    return Snapshot(
        rows={table: _in_workspace_of_evals(rows, team_id) for table, rows in agency.items()},
        places=_places(conversation) if "brands" in agency else {},
        tasks=_tasks(conversation),
        super_admins=_super_admins(conversation),
    )


def _places(conversation: ExportedConversation) -> dict[str, str]:
    """Return ClickUp's names of the lists and spaces that proposals used."""
    names: dict[str, str] = {}
    for proposal in conversation.proposals:
        place = getattr(proposal.effect, "destination", None)
        if isinstance(place, Destination):
            names[place.list_id] = place.list_name
            if place.space_id and place.space_name:
                names[place.space_id] = place.space_name
    return names


def _tasks(conversation: ExportedConversation) -> list[BoardTask]:
    """Return the tasks that ClickUp showed, without those that this conversation made."""
    effects = [proposal.effect for proposal in conversation.proposals]
    made = {effect.title for effect in effects if isinstance(effect, CreateTask)}
    tasks: dict[tuple[str, str], BoardTask] = {}
    for turn in conversation.turns:
        for task in _listed_tasks(turn.run, conversation.brand_lists, turn.today):
            if task.title not in made:
                tasks[task.in_list, task.title] = task
    return list(tasks.values())


def _super_admins(conversation: ExportedConversation) -> list[str]:
    """Return those who acted as super admins, without the demo's own."""
    runs = [turn.run for turn in conversation.turns if turn.run]
    ids = {run.actor_profile_id for run in runs if run.tier == "super_admin"}
    return sorted(str(profile_id) for profile_id in ids - {person_id("Ines Varga")})


def _script(turn: ExportedTurn) -> dict[str, Any]:
    """Return the fields of a turn that say what the model does; empty if code answered."""
    run = turn.run
    if run is None:
        return {}
    gold = script_of(run.responses, run.status, turn.today)
    return {
        "gold": gold,
        "lazy": [] if calls_of(run) else [_IDLE_CALL, *gold],
        "children": [
            CaseChild(
                question=_with_relative_days(sub_run.question, turn.today),
                steps=script_of(sub_run.responses, sub_run.status, turn.today),
            )
            for sub_run in run.sub_runs
        ],
    }


def _with_relative_days(text: str, today: date) -> str:
    """Return what a person or the model wrote, as the arguments that quote it have its days."""
    return str(relative_days(text, today, IN_SCRIPT))


def _form_values(task: CreateTask, today: date) -> dict[str, JsonValue]:
    """Return the values of the Edit form, taken from the task that the edit led to."""
    values = {
        "title": task.title,
        "details": task.details,
        "start": task.start.isoformat() if task.start else "",
        "due": task.due.isoformat() if task.due else "",
        "assignee": task.assignee.name if task.assignee else "",
    }
    return {name: relative_days(value, today) for name, value in values.items() if value}


def _note(answer: RatedAnswer) -> str:
    helped = "helped" if answer.rating == Rating.UP else "did not help"
    comment = f": {answer.comment}" if answer.comment else ""
    return f"“{answer.request}”: the answer {helped}, says {answer.by}{comment}"


def _person(turn: ExportedTurn) -> str:
    """Return a demo person's name, else the Slack id."""
    slack_user_id = turn.receipt.incoming.slack_user_id
    names = {row["slack_user_id"]: str(row["full_name"]) for row in person_rows()}
    name = names.get(slack_user_id)
    return name if name and name == turn.person else slack_user_id


def _listed_tasks(
    run: ExportedRun | None, brand_lists: dict[str, str], today: date
) -> list[BoardTask]:
    """Return the tasks that a run listed, in the list of their brand, else of the requested one."""
    tasks: list[BoardTask] = []
    pages = [result.fields for result in run.results if result.tool == "list_tasks"] if run else []
    for page in pages:
        requested = (page.get("brands") or [""])[0]
        for task in page.get("tasks", ()):
            place, due = brand_lists.get(task.get("brand") or requested), task.get("due")
            days = (date.fromisoformat(due) - today).days if due else None
            if place:
                tasks.append(BoardTask(in_list=place, title=task["title"], due_in_days=days))
    return tasks


def _in_workspace_of_evals(rows: list[Row], team_id: str) -> list[Row]:
    """Return the rows with the team id of the evals' workspace."""
    return [
        {name: _TEAM_ID if value == team_id else value for name, value in row.items()}
        for row in rows
    ]
