"""Plays a scene turn by turn through the real pipeline, and reads what it left."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import UUID

from agencyclaw.conversation.queue import JobHandlers
from agencyclaw.domain.choices import Choice
from agencyclaw.domain.consent.words import Word, read_word
from agencyclaw.domain.edits import NotEditable, TaskEdits
from agencyclaw.domain.people import Place
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.receipts import Act, Click, Incoming, ReceiptKind, message_key
from agencyclaw.domain.text import clean
from agencyclaw.slack.cards import build_cards
from agencyclaw.slack.clicks import ACTS
from agencyclaw.slack.messages import Content, File
from agencyclaw.store.demo_agency import person_id
from agencyclaw.store.engine import Database
from evals.expected import agency_today, day_of, with_days
from evals.ledger import Ledger, PlayedTurn
from evals.reading import Mark, mark_now, read_ledger, read_turn
from evals.scene import Edit, Scene, Turn
from evals.world import TEAM, World, slack_id_of
from workbench.slack.files import share_file
from workbench.slack.workspace import WORKSPACE

_MOST_JOBS = 200

_NEXT_JOB = """
delete from procrastinate_jobs where id = (
  select id from procrastinate_jobs
  where status = 'todo' and (scheduled_at is null or scheduled_at <= now() or task_name = 'look')
  order by id limit 1
) returning task_name, lock, args
"""
# Nobody waits in an eval: what happened is moved into the past instead.
_PAST = (
    "update proposals set created_at = created_at - $1::interval,"
    " opened_at = opened_at - $1::interval, expires_at = expires_at - $1::interval,"
    " words_until = words_until - $1::interval, settled_at = settled_at - $1::interval",
    "update agent_runs set started_at = started_at - $1::interval",
    "update outbox set created_at = created_at - $1::interval",
    "update playbook_sessions set last_message_at = last_message_at - $1::interval",
    "update procrastinate_jobs set scheduled_at = scheduled_at - $1::interval",
)


def unprompted(_: int) -> None:
    """A model that reads needs no prompting."""


@dataclass
class Stage:
    """One play of one scene."""

    world: World
    scene: Scene
    begin: Callable[[int], None]
    is_enough: Callable[[int, PlayedTurn], bool]
    today: date = field(default_factory=agency_today)
    _roots: dict[str, str] = field(default_factory=dict[str, str])
    _clock: float = field(default_factory=time.time)

    async def play(self) -> Ledger:
        """Play every turn, or until it is enough; `begin` is told the number of each turn."""
        before = await mark_now(self.world)
        number = 0
        turns: list[PlayedTurn] = []
        for number, turn in enumerate(self.scene.turns):
            self.begin(number)
            if turn.change:
                await self.world.apply(turn.change)
            elif turn.wait_minutes:
                await self._wait(turn.wait_minutes)
            else:
                turns.append(await self._act(turn))
                if self.is_enough(len(turns) - 1, turns[-1]):
                    break
        ledger = await read_ledger(self.world, before, self.today, tuple(turns))
        return ledger.model_copy(update={"is_cut": number < len(self.scene.turns) - 1})

    async def _act(self, turn: Turn) -> PlayedTurn:
        mark = await mark_now(self.world)
        began = time.perf_counter()
        was_possible = await self._do(turn, mark)
        await self._work()
        seconds = time.perf_counter() - began
        said = with_days(turn.say, self.today) or turn.press or "(an edit)"
        return await read_turn(self.world, mark, said, seconds, was_possible=was_possible)

    async def _do(self, turn: Turn, mark: Mark) -> bool:
        """Do what the turn says; false when there is nothing to press or to edit."""
        if turn.say:
            await self._accept(turn, text=clean(with_days(turn.written, self.today)))
            return True
        for record in mark.choices:
            if record.label == turn.press:
                await self._accept(turn, text=turn.press, choice=record)
                return True
        about = await self._proposals(turn, mark)
        if about and turn.edit:
            return await self._submit(turn, about[0], turn.edit)
        act = _buttons(about).get(turn.press)
        if act:
            await self._accept(turn, click=_click(turn, act, about))
        return act is not None

    async def _proposals(self, turn: Turn, mark: Mark) -> list[Proposal]:
        """Return what the button stands under: the newest card, or the proposals by number."""
        if turn.proposals is None:
            ids = mark.newest_card
        else:
            ids = tuple(mark.proposals[at] for at in turn.proposals if at < len(mark.proposals))
        return await self.world.services.proposals.by_ids(ids)

    async def _accept(
        self,
        turn: Turn,
        *,
        text: str = "",
        click: Click | None = None,
        choice: Choice | None = None,
    ) -> None:
        is_refusal = choice is None and read_word(text) is Word.NO
        kind = ReceiptKind.WORD if is_refusal else ReceiptKind.MESSAGE
        incoming = self._incoming(turn, ReceiptKind.CLICK if click else kind, text, click, choice)
        await self.world.services.receipts.accept(incoming)

    def _incoming(
        self,
        turn: Turn,
        kind: ReceiptKind,
        text: str = "",
        click: Click | None = None,
        choice: Choice | None = None,
    ) -> Incoming:
        ts = f"{self._tick():.6f}"
        user = slack_id_of(turn.by or self.scene.person)
        place, sent = self._place(turn, user, ts), self._content(turn, user)
        return Incoming(
            key=message_key(TEAM, place.channel_id, ts),
            source="interactions" if click or choice else "events",
            kind=kind,
            place=place,
            slack_ts=ts,
            slack_user_id=user,
            text=text,
            click=click,
            choice=choice,
            carries=None if click or choice else ("file",) if sent.files else (),
            files=sent.attached,
        )

    def _content(self, turn: Turn, user: str) -> Content:
        """Share the files of a turn, and return what Slack says of them."""
        bench = self.world.bench
        files = (
            share_file(bench.app[WORKSPACE], bench.url, user, name, content.encode())
            for name, content in turn.attached.items()
        )
        return Content(files=tuple(map(File.model_validate, files)))

    def _place(self, turn: Turn, user: str, ts: str) -> Place:
        is_direct = self.scene.surface == "dm"
        channel = "D0" + user.removeprefix("U0") if is_direct else self.scene.surface
        root = self._roots.setdefault(f"{channel}/{turn.thread}", ts)
        return Place(team_id=TEAM, channel_id=channel, thread_ts=root, is_direct=is_direct)

    async def _submit(self, turn: Turn, proposal: Proposal, edit: Edit) -> bool:
        """Edit a proposal; false if the person may not, or the form shows what is wrong."""
        services, user = self.world.services, slack_id_of(turn.by or self.scene.person)
        form = await services.inbound.revisions.form(proposal.id, team_id=TEAM, slack_user_id=user)
        if isinstance(form, NotEditable):
            return False
        typed = edit.model_dump(exclude_none=True)
        for name in {"start", "due"} & set(typed):
            typed[name] = day_of(typed[name], self.today)
        if edit.assignee:
            typed["assignee"] = person_id(edit.assignee)
        shown = form.model_dump(include=set(TaskEdits.model_fields))
        edits = TaskEdits.model_validate(shown | typed)
        incoming = self._incoming(turn, ReceiptKind.EDIT)
        return await services.inbound.revisions.submit(incoming, proposal.id, edits) is None

    async def _work(self) -> None:
        """Do the jobs that are due, oldest first, as the lane engine would hand them out."""
        handlers = self.world.services.handlers(self._deliver)
        for _ in range(_MOST_JOBS):
            job = await self.world.db.pool.fetchrow(_NEXT_JOB)
            if job is None:
                return
            await _run(handlers, job["task_name"], job["lock"], job["args"])
        raise RuntimeError(f"still not at rest after {_MOST_JOBS} jobs")

    async def _deliver(self, outbox_id: UUID) -> None:
        """Nobody draws it, but it counts as seen: a word only counts after its card."""
        outbox = self.world.services.outbox
        if await outbox.claim(outbox_id):
            await outbox.sent(outbox_id, f"{self._tick():.6f}")

    def _tick(self) -> float:
        self._clock += 1
        return self._clock

    async def _wait(self, minutes: int) -> None:
        await move_into_the_past(self.world.db, minutes)
        await self._work()


async def move_into_the_past(db: Database, minutes: int) -> None:
    """Let time pass: what has happened happened so much earlier."""
    async with db.transaction() as conn:
        span = await conn.fetchval("select make_interval(mins => $1)", minutes)
        for statement in _PAST:
            await conn.execute(statement, span)


def _buttons(about: list[Proposal]) -> dict[str, Act]:
    """Return what stands on their card, or stood on it before, by word and by act.

    Somebody may still see an older card than the one that is stored.
    """
    earlier: tuple[dict[str, Any], ...] = ({}, {"state": ProposalState.OPEN}, {"undone_by": None})
    cards = ([one.model_copy(update=was) for one in about] for was in earlier)
    messages = [message for card in cards if card for message in build_cards(card)]
    shown: dict[str, Act] = {}
    for part in (p for one in messages for each in one.blocks for p in each.get("elements", ())):
        if act := ACTS.get(part.get("action_id", "")):
            shown |= {part["text"]["text"]: act, act: act}
    return shown


def _click(turn: Turn, act: Act, about: list[Proposal]) -> Click:
    marks = ["0" * 16 if turn.forged else proposal.fingerprint[:16] for proposal in about]
    ids = tuple(proposal.id for proposal in about)
    return Click(act=act, proposal_ids=ids, fingerprints=tuple(marks))


async def _run(handlers: JobHandlers, task: str, lock: str | None, args: dict[str, Any]) -> None:
    """Do a job that somebody's turn queues; raises LookupError for any other."""
    match task:
        case "turn":
            lane = lock or await handlers.lane_of(args["receipt_id"])
            if lane:
                await handlers.turn(lane)
        case "act":
            await handlers.act(args["receipt_id"])
        case "deliver":
            await handlers.deliver(UUID(args["outbox_id"]))
        case "fire":
            await handlers.fire(args["receipt_id"])
        case "show_work":
            await handlers.show(args["receipt_id"])
        case "remind":
            await handlers.remind(UUID(args["reminder_id"]))
        case "execute" | "look" | "expire" | "resume":
            await getattr(handlers, task)(UUID(args["proposal_id"]))
        case _:
            raise LookupError(f"no such job: {task}")
