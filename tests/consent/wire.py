"""Words played against the running assistant: what it carried out, beside what the oracle allows.

A stand-in for Slack between them, a model that does as it is told, one assistant for all plays. The
oracle's transcript is made from what the stand-in holds, and from the rows of the proposals.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from random import Random
from typing import Any

import pytest
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel

from agencyclaw.agents.main import Models
from agencyclaw.slack.edge import SlackTiming
from agencyclaw.slack.streaming import Tempo
from agencyclaw.store.engine import Database
from tests.consent.compare import AsDecided, Tally
from tests.consent.heard import Played, transcript_of
from tests.consent.scene import Case
from tests.consent.transcript import PauseSwitch, SubjectSwitch
from tests.consent.verdict import Cancels, Confirms, NotConsent, Verdict
from tests.databases import DatabaseContent, running_cluster
from tests.flow.stage import Stage, dm, on_stage
from workbench.fixture import PATIENT, Bench, running_workbench
from workbench.slack.workspace import WORKSPACE

BRISK = Tempo(
    look_s=0.02, words_s=0.05, work_s=60.0, append_s=0.05, update_s=0.05, least=40, patience_s=60.0
)
INES, TOMAS, OPS = "U01INES", "U01TOMAS", "C01OPS"
CARRIED_OUT = {"confirmed", "executing", "done", "failed", "unclear"}
WORDS = (
    *["yes"] * 6,
    *("ja", "Sí!", "oui", "sim", "no", "nein", "no gracias", "ok", "sure", "ok, great, thanks"),
    *("yes?", "yes but tomorrow", "yes...", "👍"),
)
_AT_REST = (
    "update proposals set state = 'cancelled' where state not in"
    " ('done', 'cancelled', 'superseded', 'expired')",
    "update proposals set settled_at = now() - interval '2 days', suspended_by = null",
    "delete from consent_rules where scope = 'workspace'",
    "update execution_pauses set resumed_at = now() where resumed_at is null",
    "update playbook_sessions set last_message_at = last_message_at - interval '2 days'",
    "update agent_runs set started_at = started_at - interval '2 days'",
)


@dataclass
class ScriptedModel:
    """A model that makes the calls it was given, then says what it was given to say."""

    calls: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    words: str = ""
    tool: str = "create_task"
    # Set: it writes half of its words, and the rest when this is set.
    goes_on: asyncio.Event | None = None

    async def answer(self, messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
        """Give the next answer."""
        last = messages[-1]
        has_called = isinstance(last, ModelRequest) and any(
            isinstance(part, ToolReturnPart) for part in last.parts
        )
        if self.calls and not has_called:
            parts = [ToolCallPart(self.tool, call) for call in self.calls]
            self.calls = []
            return ModelResponse(parts=parts)
        return ModelResponse(parts=[TextPart(self.words or "I take note.")])

    async def stream(
        self, messages: list[ModelMessage], info: AgentInfo
    ) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
        """Write the next answer bit by bit."""
        for at, part in enumerate((await self.answer(messages, info)).parts):
            if isinstance(part, ToolCallPart):
                arguments = part.args_as_json_str()
                yield {
                    at: DeltaToolCall(
                        name=part.tool_name, json_args=arguments, tool_call_id=part.tool_call_id
                    )
                }
            elif isinstance(part, TextPart):
                half = len(part.content) // 2
                yield part.content[:half]
                if self.goes_on is not None:
                    await self.goes_on.wait()
                yield part.content[half:]


@dataclass
class Play:
    """One conversation under way."""

    stage: Stage
    mind: ScriptedModel
    rng: Random
    number: int
    channel: str
    played: Played = field(default_factory=Played)
    thread: str = ""

    @property
    def title(self) -> str:
        """What the task of this play is called."""
        return f"Refresh the storefront banner number {self.number}"

    async def say(self, text: str, *, thread: str | None = None, user: str = INES) -> str:
        """Say something and wait until all is quiet."""
        ts = await self.stage.bench.post_message(self.channel, user, text, thread)
        await heard(self.stage, ts)
        return ts

    async def ask(self, *titles: str, words: str = "It is on the card.", more: str = "") -> str:
        """Ask for tasks; returns the thread."""
        said = f"make the task: {' and '.join(map(wish, titles))} {more}".strip()
        self.mind.calls = [
            {"client": "Glintly Inc", "title": title, "objective": wish(title), "details": more}
            for title in titles
        ]
        self.mind.words = words
        said = f"<@U01CLAW> {said}" if self.channel == OPS else said
        root = await self.say(said)
        await self.stage.bench.until(lambda: are_open(self.stage.db, titles), 10)
        await self.stage.settled()
        self.mind.words = ""
        return root

    @property
    def people(self) -> tuple[str, ...]:
        """Who can say something here."""
        return (INES, TOMAS) if self.channel == OPS else (INES,)


def wish(title: str) -> str:
    """Return what is to be done, in as many words as a task needs."""
    return f"{title} for the spring launch with three photos in daylight, sent to the studio."


Twist = Callable[[Play], Awaitable[None]]


async def play(
    stage: Stage,
    mind: ScriptedModel,
    rng: Random,
    number: int,
    tally: Tally,
    twists: Sequence[Twist],
) -> None:
    """Play one conversation and hold what came of it against the oracle."""
    channel = rng.choice((dm(INES), dm(INES), dm(INES), OPS))
    one = Play(stage, mind, rng, number, channel)
    twist = twists[number % len(twists)]
    for query in _AT_REST:
        await stage.db.pool.execute(query)
    await twist(one)
    if not one.played.word and not one.played.press:
        where = one.thread if rng.random() < 0.75 or one.channel == OPS else None
        await reply(one, rng.choice(WORDS), where)
    await heard(stage, one.played.word)
    await stage.settled()
    transcript, act = await transcript_of(stage, one.channel, one.played)
    case = Case(transcript, act, (twist.__name__,))
    allowed = AsDecided(transcript).decide(act)
    tally.add(case, allowed, await carried_out(stage.db, one.played))


async def heard(stage: Stage, ts: str) -> None:
    """Wait until a message is stored, if it concerns the assistant at all, and all is quiet."""
    stored = "select exists (select 1 from slack_event_receipts where slack_ts = $1)"
    with suppress(TimeoutError):
        await stage.bench.until(lambda: stage.db.pool.fetchval(stored, ts), 0.6)
    await stage.settled()


async def are_open(db: Database, titles: tuple[str, ...]) -> bool:
    """Return whether proposals of these titles wait."""
    count = await db.pool.fetchval(
        "select count(*) from proposals where state = 'open' and arguments ->> 'title' = any($1)",
        [*titles],
    )
    return count >= len(titles)


async def carried_out(db: Database, played: Played) -> Verdict:
    """Return what became of the proposals that were there."""
    rows = await db.pool.fetch(
        "select id, state from proposals where id = any($1)", [row["id"] for row in played.rows]
    )
    done = frozenset(str(row["id"]) for row in rows if row["state"] in CARRIED_OUT)
    gone = frozenset(str(row["id"]) for row in rows if row["state"] == "cancelled")
    if done:
        return Confirms(done | gone)
    return Cancels(gone) if gone else NotConsent()


async def reply(one: Play, text: str, thread: str | None) -> None:
    """Note what stands there, then say the word."""
    if not one.played.rows:
        await one.played.look(one.stage, one.channel)
    one.played.word = await one.stage.bench.post_message(one.channel, INES, text, thread)


# What lies around a word.


async def nothing_else(one: Play) -> None:
    """A card and a word."""
    one.thread = await one.ask(one.title)


async def a_message_between(one: Play) -> None:
    """Somebody says something in the thread, elsewhere, or at the top."""
    other = await one.say("Another matter, please.") if one.channel != OPS else None
    one.thread = await one.ask(one.title)
    where = one.rng.choice((one.thread, one.thread, other, None))
    user = one.rng.choice(one.people)
    await one.say(one.rng.choice(("Look at this", "yes", "thanks")), thread=where, user=user)


async def another_app(one: Play) -> None:
    """Another app posts into the thread or at the top."""
    one.thread = await one.ask(one.title)
    workspace = one.stage.bench.app[WORKSPACE]
    line = {"bot_id": "B0OTHER", "subtype": "bot_message", "text": "Build finished"}
    thread = one.rng.choice((one.thread, None))
    line |= {"thread_ts": thread} if thread else {}
    said = workspace.posts.add(workspace.records.channel(one.channel), line)
    await heard(one.stage, said["ts"])


async def a_message_deleted(one: Play) -> None:
    """What lay between is gone again."""
    one.thread = await one.ask(one.title)
    ts = await one.say("wait a moment", thread=one.thread)
    await one.played.change(one.stage, one.channel, ts, None)
    await one.stage.settled()


async def an_older_message_edited(one: Play) -> None:
    """What stood before the card is said anew."""
    one.thread = await one.ask(one.title)
    await one.played.change(one.stage, one.channel, one.thread, "make another one")
    await one.stage.settled()


async def the_word_taken_back(one: Play) -> None:
    """The word is edited or deleted before anybody judged it."""
    one.thread = await one.ask(one.title)
    await reply(one, "yes", one.thread)
    text = one.rng.choice((None, "yes but tomorrow"))
    await one.played.change(one.stage, one.channel, one.played.word, text)


async def a_question_beside_the_card(one: Play) -> None:
    """The answer asks something else."""
    mark = one.rng.choice(("?", "？", "؟"))
    one.thread = await one.ask(one.title, words=f"It is on the card. And the next week too{mark}")


async def two_on_the_card(one: Play) -> None:
    """The card shows more than one."""
    one.thread = await one.ask(one.title, f"Order the samples number {one.number}")


async def another_one_open(one: Play) -> None:
    """A second one waits in another thread."""
    other = await one.ask(f"Order the samples number {one.number}")
    one.thread = await one.ask(one.title)
    one.thread = one.rng.choice((other, one.thread))


async def words_over(one: Play) -> None:
    """More than ten minutes have passed."""
    one.thread = await one.ask(one.title)
    await one.stage.db.pool.execute(
        "update proposals set words_until = now() - interval '1 second' where state = 'open'"
    )
    one.played.is_late = True


async def expired(one: Play) -> None:
    """More than twelve hours have passed."""
    one.thread = await one.ask(one.title)
    await one.played.look(one.stage, one.channel)
    await one.stage.db.pool.execute(
        "update proposals set expires_at = now() - interval '1 second',"
        " words_until = now() - interval '1 second' where state = 'open'"
    )
    one.played.is_expired = True


async def an_early_word(one: Play) -> None:
    """The word is from before the card."""
    wanted = wish(one.title)
    one.mind.calls = [{"client": "Glintly Inc", "title": one.title, "objective": wanted}]
    one.mind.words = "It is on the card."
    said = f"make the task: {wanted}"
    said = f"<@U01CLAW> {said}" if one.channel == OPS else said
    one.thread = await one.stage.bench.post_message(one.channel, INES, said)
    one.played.word = await one.stage.bench.post_message(one.channel, INES, "yes", one.thread)
    await one.stage.bench.until(lambda: are_open(one.stage.db, (one.title,)), 10)
    await heard(one.stage, one.played.word)
    await one.played.look(one.stage, one.channel)
    one.mind.words = ""


async def under_revision(one: Play) -> None:
    """Another version is asked about in another thread."""
    one.thread = await one.ask(one.title)
    renamed = {"client": "Glintly Inc", "title": "task", "objective": "", "replaces": one.title}
    one.mind.calls, one.mind.words = [renamed], "What shall it be called?"
    said = "call it something else"
    await one.say(f"<@U01CLAW> {said}" if one.channel == OPS else said)
    one.mind.words = ""


async def pasted(one: Play) -> None:
    """The request holds more than anybody types."""
    one.thread = await one.ask(one.title, more="and so on " * 70)


async def press_only(one: Play) -> None:
    """An admin wants a press for everything."""
    one.thread = await one.ask(one.title)
    await one.stage.db.pool.execute(
        "insert into consent_rules (team_id, scope, scope_id, policy, set_by)"
        " select team_id, 'workspace', '', 'press', actor_profile_id from proposals"
        " where state = 'open' limit 1"
    )
    one.played.press_only = True


async def paused(one: Play) -> None:
    """Everything stands still while the word is said, or did until just before."""
    one.thread = await one.ask(one.title)
    for verb in one.rng.choice((("pause",), ("pause", "resume"))):
        await one.stage.bench.command(OPS, INES, "/claw", verb)
        await one.stage.settled()
        one.played.pauses.append(PauseSwitch(INES, datetime.now(UTC), verb == "pause"))


async def another_subject(one: Play) -> None:
    """The talk has gone on to another client, in its own thread, or in the card's."""
    one.thread = await one.ask(one.title)
    one.mind.tool, one.mind.calls = "lookup_brand", [{"brand": "Copperleaf"}]
    one.mind.words = "That is a brand of Brightkettle Group."
    said = "what of Copperleaf"
    thread = one.rng.choice((one.thread, None))
    ts = await one.say(f"<@U01CLAW> {said}" if one.channel == OPS else said, thread=thread)
    one.mind.tool, one.mind.words = "create_task", ""
    one.played.switches.append(SubjectSwitch(one.channel, INES, ts, "another brand"))


async def somebody_else(one: Play) -> None:
    """A colleague says the word."""
    one.channel = OPS
    one.thread = await one.ask(one.title)
    await one.played.look(one.stage, OPS)
    one.played.word = await one.stage.bench.post_message(OPS, TOMAS, "yes", one.thread)


async def a_choice_between(one: Play) -> None:
    """A word, and one more like it."""
    one.thread = await one.ask(one.title)
    await reply(one, "no", one.thread)
    await one.stage.settled()


TWISTS = (
    *(nothing_else, a_message_between, another_app, a_message_deleted, an_older_message_edited),
    *(the_word_taken_back, a_question_beside_the_card, two_on_the_card, another_one_open),
    *(words_over, expired, an_early_word, under_revision, pasted, press_only, somebody_else),
    *(a_choice_between, nothing_else, a_message_between, paused, another_subject),
)


@asynccontextmanager
async def running(mind: ScriptedModel) -> AsyncGenerator[Stage]:
    """Run the assistant with this mind between a fresh workbench and a fresh database."""
    model = FunctionModel(mind.answer, stream_function=mind.stream, model_name="mind")
    models = (Models(model), "mind")
    async with (
        running_cluster() as cluster,
        cluster.database(DatabaseContent.AGENCY) as db,
        running_workbench(**PATIENT) as bench,
    ):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("agencyclaw.app.choose_models", lambda _: models)
            patch.setattr("agencyclaw.slack.edge.SlackTiming", lambda: SlackTiming(tempo=BRISK))
            async with on_stage(bench, db) as stage:
                await allow_words(bench)
                yield stage


async def allow_words(bench: Bench) -> None:
    """Let words count in a channel of the agency's own."""
    for text in ("link internal", "consent words"):
        await bench.command(OPS, INES, "/claw", text)


async def on_the_wire(count: int, seed: int = 0, more: Sequence[Twist] = ()) -> Tally:
    """Play so many conversations on one running assistant, of these twists and `more`."""
    tally, mind = Tally(), ScriptedModel()
    async with running(mind) as stage:
        for number in range(count):
            await _play_or_err(stage, mind, seed, number, tally, (*TWISTS, *more))
    return tally


async def _play_or_err(
    stage: Stage, mind: ScriptedModel, seed: int, number: int, tally: Tally, twists: Sequence[Twist]
) -> None:
    """Play one; what takes too long is played once more by itself, and then counts as broken."""
    for again in (False, True):
        try:
            await play(stage, mind, Random(f"{seed}/{number}"), number, tally, twists)
        except TimeoutError:
            if again:
                tally.errors.append(f"{twists[number % len(twists)].__name__} ({number})")
            mind.calls, mind.words, mind.tool, mind.goes_on = [], "", "create_task", None
            await stage.settled()
        else:
            return
