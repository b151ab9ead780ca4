"""Answers that grow while they are written, by a model that writes word by word."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from acting import ASKED, INES, OPS, TASK
from deadlines import AMPLE_S, Deadlines
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
from stage import Stage, dm, on_stage, whole_text

from agencyclaw.agents.main import Models
from agencyclaw.domain.replies import REPLY
from agencyclaw.slack.edge import SlackTiming
from agencyclaw.slack.streaming import Tempo
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

BRISK = Tempo(
    look_s=0.02, words_s=0.05, work_s=0.3, append_s=0.05, update_s=0.05, least=40, patience_s=60.0
)
OPENING = "The garlic press is the best seller of the range, and has been since the spring. "
MIDDLE = "Its reviews praise the handle. "
END = "Nothing about it needs a decision today."
WHOLE = (OPENING + MIDDLE + END).strip()

Piece = str | asyncio.Event | dict[int, DeltaToolCall]


class Writer:
    """A model that writes these pieces, one response after the other, and waits at each event."""

    def __init__(self, *responses: list[Piece]) -> None:
        self._responses = list(responses)
        self.told: list[list[ModelMessage]] = []
        self.cancelled = asyncio.Event()

    async def stream(
        self, messages: list[ModelMessage], _: AgentInfo
    ) -> AsyncIterator[str | dict[int, DeltaToolCall]]:
        """Write the next response."""
        self.told.append(messages)
        try:
            for piece in self._responses.pop(0):
                if isinstance(piece, asyncio.Event):
                    await piece.wait()
                else:
                    yield piece
        except (asyncio.CancelledError, GeneratorExit):
            self.cancelled.set()
            raise

    async def answer(self, _: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        """Nobody asks for a whole response where somebody watches."""
        raise AssertionError("not streamed")


@asynccontextmanager
async def written_by(
    bench: Bench,
    db: Database,
    writer: Writer,
    judge: FunctionModel | None = None,
    **settings: object,
) -> AsyncGenerator[Stage]:
    model = FunctionModel(writer.answer, stream_function=writer.stream, model_name="writer")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "agencyclaw.app.choose_models", lambda _: (Models(model, judge=judge), "writer")
        )
        patch.setattr("agencyclaw.slack.edge.SlackTiming", lambda: SlackTiming(tempo=BRISK))
        async with on_stage(bench, db, **settings) as stage:
            yield stage


async def growing(stage: Stage, root: str, words: str = "", channel: str = "") -> dict[str, Any]:
    """Wait until a message of the thread grows and has these words in it."""
    channel = channel or dm(INES)

    async def there() -> dict[str, Any] | None:
        open_ones = {one["ts"] for one in await stage.bench.streams()}
        found = await stage.replies_in(channel, root)
        fits = (m for m in found if m["ts"] in open_ones and words in whole_text(m))
        return next(fits, None)

    return await stage.bench.until(there)


async def finished(stage: Stage, root: str, channel: str = "") -> dict[str, Any]:
    """Wait for the end, and return the one message that the thread then has."""
    await stage.reply_in(channel or dm(INES), root)
    await stage.settled()
    [message] = await stage.replies_in(channel or dm(INES), root)
    assert await stage.bench.streams() == []
    row = await stage.db.pool.fetchrow("select * from outbox where key like 'answer:%'")
    assert (row["state"], row["sent_ts"]) == ("sent", message["ts"])
    assert message["metadata"]["event_payload"]["id"] == str(row["id"])
    return message


async def calls(stage: Stage, method: str) -> int:
    return len(await stage.bench.log(method=method, ok=True))


def words_of(message: dict[str, Any]) -> str:
    return "".join(b["text"] for b in message["blocks"] if b["type"] == "markdown")


async def test_a_long_answer_grows_in_the_message_that_then_says_it(
    bench: Bench, agency: Database
) -> None:
    more, rest = asyncio.Event(), asyncio.Event()
    writer = Writer([OPENING, more, MIDDLE, rest, END])
    async with written_by(bench, agency, writer) as stage:
        root = await stage.say(INES, "how is the garlic press doing?")
        await growing(stage, root, "best seller")
        more.set()
        await growing(stage, root, "praise the handle")
        rest.set()
        message = await finished(stage, root)
        assert words_of(message) == WHOLE
        assert await calls(stage, "chat.startStream") == 1
        assert await calls(stage, "chat.stopStream") == 1
        assert await calls(stage, "chat.postMessage") == 0
        assert await calls(stage, "chat.update") == 0


def typed(*pieces: str | asyncio.Event, changes: str = "none") -> list[Piece]:
    """The pieces of an answer in its typed reply."""
    begun = DeltaToolCall(
        name=REPLY, json_args=f'{{"changes":"{changes}","text":"', tool_call_id="r1"
    )
    written: list[Piece] = [
        one if isinstance(one, asyncio.Event) else {0: DeltaToolCall(json_args=one)}
        for one in pieces
    ]
    return [{0: begun}, *written, {0: DeltaToolCall(json_args='"}')}]


async def test_a_typed_reply_grows_like_plain_words(bench: Bench, agency: Database) -> None:
    more, rest = asyncio.Event(), asyncio.Event()
    async with written_by(bench, agency, Writer(typed(OPENING, more, MIDDLE, rest, END))) as stage:
        root = await stage.say(INES, "how is the garlic press doing?")
        await growing(stage, root, "best seller")
        more.set()
        message = await growing(stage, root, "praise the handle")
        assert "changes" not in whole_text(message)
        rest.set()
        assert words_of(await finished(stage, root)) == WHOLE
        assert await calls(stage, "chat.startStream") == 1


class Verdicts:
    """A judge that reads when it is let, and believes in these words."""

    def __init__(self, believed: str = "") -> None:
        self.may_read = asyncio.Event()
        self.believed = believed
        self.read: list[str] = []

    def model(self) -> FunctionModel:
        """Return the model that has this mind."""
        return FunctionModel(self._judge, model_name="judge")

    async def _judge(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        await self.may_read.wait()
        told = str(messages[0].parts[0])
        self.read.append(told)
        believes = bool(self.believed) and self.believed in told
        return ModelResponse(
            parts=[ToolCallPart(info.output_tools[0].name, {"believes_done": believes})]
        )


LONG = OPENING * 4


async def test_of_an_answer_only_what_was_judged_is_shown(bench: Bench, agency: Database) -> None:
    begun, rest = asyncio.Event(), asyncio.Event()
    judge = Verdicts()
    writer = Writer(typed(LONG, begun, MIDDLE, rest, END))
    async with written_by(bench, agency, writer, judge.model()) as stage:
        root = await stage.say(INES, "how is the garlic press doing?")
        await bench.until(lambda: bool(writer.told))
        begun.set()
        assert await bench.log(method="chat.startStream") == []
        judge.may_read.set()
        message = await growing(stage, root, "best seller")
        assert "praise the handle" not in whole_text(message)
        rest.set()
        assert words_of(await finished(stage, root)) == (LONG + MIDDLE + END).strip()
        assert len(judge.read) == 2
        rows = await stage.db.pool.fetch("select stage from ai_token_usage")
        assert [row["stage"] for row in rows].count("judge") == 2


async def test_a_false_claim_is_shown_to_nobody_while_it_grows(
    bench: Bench, agency: Database
) -> None:
    rest = asyncio.Event()
    judge = Verdicts(believed="pinged Maya")
    judge.may_read.set()
    bad = typed(f"I pinged Maya about it. {LONG}", rest, END)
    writer = Writer(bad, typed("I can't write to Maya."))
    async with written_by(bench, agency, writer, judge.model()) as stage:
        root = await stage.say(INES, "tell Maya")
        await bench.until(lambda: bool(judge.read))
        rest.set()
        assert words_of(await finished(stage, root)) == "I can't write to Maya."
        assert await bench.log(method="chat.startStream") == []


async def test_an_answer_with_a_card_is_shown_as_it_grows_once_it_was_judged_with_the_card(
    bench: Bench, agency: Database
) -> None:
    rest = asyncio.Event()
    judge = Verdicts()
    args = {"client": "Glintly Inc", "title": TASK, "objective": ASKED}
    call: list[Piece] = [
        {0: DeltaToolCall(name="create_task", json_args=json.dumps(args), tool_call_id="c1")}
    ]
    writer = Writer(call, typed(LONG, rest, END, changes="prepared"))
    async with written_by(bench, agency, writer, judge.model()) as stage:
        root = await stage.say(INES, "make the task")
        judge.may_read.set()
        await growing(stage, root, "best seller")
        rest.set()
        await stage.reply_with(INES, root, "needs a decision")
        assert all(f"A card: Create the task “{TASK}”" in read for read in judge.read)


async def test_a_short_answer_is_a_plain_message(bench: Bench, agency: Database) -> None:
    async with written_by(bench, agency, Writer(["It is ", "doing well."])) as stage:
        root = await stage.say(INES, "how is the garlic press doing?")
        assert words_of(await finished(stage, root)) == "It is doing well."
        assert await bench.log(method="chat.startStream") == []


async def test_in_a_channel_the_stream_names_whom_it_is_for(bench: Bench, agency: Database) -> None:
    rest = asyncio.Event()
    async with written_by(bench, agency, Writer([OPENING, rest, END])) as stage:
        root = await bench.post_message(OPS, INES, "<@U01CLAW> how is the garlic press doing?")
        await growing(stage, root, "best seller", OPS)
        rest.set()
        assert words_of(await finished(stage, root, OPS)) == OPENING + END


async def test_a_stream_that_ends_in_an_archived_channel_is_told_directly(
    bench: Bench, agency: Database
) -> None:
    rest = asyncio.Event()
    async with written_by(bench, agency, Writer([OPENING, rest, END])) as stage:
        root = await bench.post_message(OPS, INES, "<@U01CLAW> how is the garlic press doing?")
        await growing(stage, root, "best seller", OPS)
        await bench.set_fault("slack", "expired_stream", method="chat.stopStream")
        await bench.change_channel(OPS, "archive", tells=False)
        rest.set()

        async def told() -> bool:
            return any(END in whole_text(one) for one in await bench.messages(dm(INES)))

        await bench.until(told)


@pytest.mark.parametrize(
    ("kind", "method"),
    [
        ("expired_stream", "chat.appendStream"),
        ("error_before", "chat.appendStream"),
        ("error_after", "chat.appendStream"),
        ("reset_after", "chat.appendStream"),
        ("rate_limited", "chat.appendStream"),
        ("expired_stream", "chat.stopStream"),
        ("error_before", "chat.stopStream"),
        ("error_after", "chat.stopStream"),
        ("rate_limited", "chat.stopStream"),
        ("error_before", "chat.startStream"),
        ("error_after", "chat.startStream"),
        ("rate_limited", "chat.startStream"),
    ],
)
async def test_whatever_befalls_a_stream_one_message_says_the_whole(
    bench: Bench, agency: Database, kind: str, method: str
) -> None:
    more = asyncio.Event()
    async with written_by(bench, agency, Writer([OPENING, more, MIDDLE, END])) as stage:
        await bench.set_fault("slack", kind, method=method, delay_s=1)
        root = await stage.say(INES, "how is the garlic press doing?")

        async def tried() -> bool:
            return bool(await bench.log(method="chat.startStream"))

        await bench.until(tried)
        more.set()
        assert words_of(await finished(stage, root)) == WHOLE


async def test_an_answer_that_fails_its_check_is_taken_back_and_replaced(
    bench: Bench, agency: Database
) -> None:
    more, again = asyncio.Event(), asyncio.Event()
    bad: list[Piece] = [OPENING, more, "I asked lookup_client for it. ", END]
    good: list[Piece] = [again, MIDDLE, END]
    async with written_by(bench, agency, Writer(bad, good)) as stage:
        root = await stage.say(INES, "how is the garlic press doing?")
        before = await growing(stage, root, "best seller")
        more.set()

        async def taken_back() -> bool:
            [message] = await stage.replies(INES, root)
            return "took back" in whole_text(message)

        await bench.until(taken_back)
        assert not [m for m in await stage.replies(INES, root) if "lookup_client" in whole_text(m)]
        again.set()
        message = await finished(stage, root)
        assert message["ts"] == before["ts"]
        assert words_of(message) == (MIDDLE + END).strip()


async def test_what_grows_is_as_harmless_as_what_is_said(bench: Bench, agency: Database) -> None:
    rest = asyncio.Event()
    nasty = (
        "Ask <!channel> or @everyone about [the offer](https://evil.example/?q=1) and "
        "evil.example, it really is a long sentence. "
    )
    async with written_by(bench, agency, Writer([nasty, rest, END])) as stage:
        root = await stage.say(INES, "how is the garlic press doing?")
        shown = whole_text(await growing(stage, root, "long sentence"))
        for live in ("<!channel>", "@everyone", "](https://evil.example", " evil.example,"):
            assert live not in shown
        rest.set()
        assert END in words_of(await finished(stage, root))


async def test_a_secret_is_held_back_while_it_is_written(bench: Bench, agency: Database) -> None:
    rest = asyncio.Event()
    leak = "The key for it is xoxb-123456789012-abcdefghijkl and it opens everything. "
    async with written_by(bench, agency, Writer([OPENING, leak, rest, END], [WHOLE])) as stage:
        root = await stage.say(INES, "how is the garlic press doing?")

        async def tried() -> bool:
            return bool(await bench.log(method="assistant.threads.setStatus"))

        await bench.until(tried)
        rest.set()
        assert words_of(await finished(stage, root)) == WHOLE
        assert "xoxb-1234" not in json.dumps(await bench.log())


def piece(name: str | None, text: str | None) -> dict[int, DeltaToolCall]:
    return {0: DeltaToolCall(name=name, json_args=text, tool_call_id="call_1" if name else None)}


async def test_arguments_in_many_pieces_reach_the_tool_whole(
    bench: Bench, agency: Database
) -> None:
    whole = json.dumps({"query": "Brightkettle"})
    call: list[Piece] = [piece("lookup_client", ""), *(piece(None, char) for char in whole)]
    writer = Writer(call, ["Brightkettle it is."])
    async with written_by(bench, agency, writer) as stage:
        root = await stage.say(INES, "who is Brightkettle?")
        await finished(stage, root)
    returned = [
        part
        for message in writer.told[-1]
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, ToolReturnPart)
    ]
    assert "Brightkettle Group" in str(returned[-1].content)


async def test_words_before_a_tools_call_are_not_glued_to_the_answer(
    bench: Bench, agency: Database
) -> None:
    rest = asyncio.Event()
    preamble: list[Piece] = [OPENING, rest, piece("lookup_client", '{"query": "Brightkettle"}')]
    async with written_by(bench, agency, Writer(preamble, [MIDDLE, END])) as stage:
        root = await stage.say(INES, "who is Brightkettle?")
        await growing(stage, root, "best seller")
        rest.set()
        assert words_of(await finished(stage, root)) == (MIDDLE + END).strip()


async def test_work_that_takes_long_shows_its_steps(bench: Bench, agency: Database) -> None:
    ponder = asyncio.Event()
    look: list[Piece] = [piece("lookup_client", '{"query": "Brightkettle"}')]
    async with written_by(bench, agency, Writer(look, [ponder, "Two brands."])) as stage:
        root = await stage.say(INES, "who is Brightkettle?")
        await growing(stage, root, "Reading the client list")

        async def told_as_done() -> bool:
            [message] = await stage.replies(INES, root)
            cards = [block for block in message["blocks"] if block["type"] == "task_card"]
            return [card["status"] for card in cards] == ["complete"]

        await bench.until(told_as_done)
        ponder.set()
        message = await finished(stage, root)
        assert [block["type"] for block in message["blocks"]][:2] == ["task_card", "markdown"]
        assert words_of(message) == "Two brands."


async def test_stop_keeps_what_was_written_and_says_that_it_is_not_all(
    bench: Bench, agency: Database
) -> None:
    writer = Writer([OPENING, asyncio.Event(), END])
    async with written_by(bench, agency, writer) as stage:
        root = await stage.say(INES, "how is the garlic press doing?")
        await growing(stage, root, "best seller")
        assert (await bench.stop(dm(INES), INES, root))["ok"]
        await asyncio.wait_for(writer.cancelled.wait(), 300)

        async def said() -> bool:
            [message] = await stage.replies(INES, root)
            return "Stopped, as you asked" in whole_text(message)

        await bench.until(said)
        assert "best seller" in whole_text(await finished(stage, root))


async def test_nothing_old_comes_after_the_last_words_of_a_turn_that_another_process_stops(
    bench: Bench, agency: Database
) -> None:
    """One process writes an update that takes long to arrive, the other one says the last words."""
    more = asyncio.Event()
    writer = Writer([OPENING, more, MIDDLE, asyncio.Event(), END])
    async with written_by(bench, agency, writer) as stage, on_stage(bench, agency):
        root = await stage.say(INES, "how is the garlic press doing?")
        await growing(stage, root, "best seller")
        await bench.set_fault("slack", "expired_stream", method="chat.appendStream")
        await bench.set_fault("slack", "hang_before", method="chat.update", delay_s=1.0)
        more.set()

        async def is_under_way() -> bool:
            return (await bench.control("GET", "faults"))["faults"] == []

        await bench.until(is_under_way)
        assert (await bench.stop(dm(INES), INES, root))["ok"]

        async def both_arrived() -> bool:
            return await calls(stage, "chat.update") == 2

        await bench.until(both_arrived)
        assert "Stopped, as you asked" in whole_text(await finished(stage, root))


async def test_a_stream_that_opens_while_its_turn_is_stopped_says_the_last_words(
    bench: Bench, agency: Database
) -> None:
    writer = Writer([OPENING, asyncio.Event(), END])
    async with written_by(bench, agency, writer) as stage, on_stage(bench, agency):
        # Longer than the deliverer would look for a stream that it can't name.
        await bench.set_fault("slack", "hang_before", method="chat.startStream", delay_s=3.0)
        root = await stage.say(INES, "how is the garlic press doing?")

        async def is_under_way() -> bool:
            return (await bench.control("GET", "faults"))["faults"] == []

        await bench.until(is_under_way)
        assert (await bench.stop(dm(INES), INES, root))["ok"]

        async def opened() -> bool:
            return await calls(stage, "chat.startStream") == 1

        await bench.until(opened)
        assert "Stopped, as you asked" in whole_text(await finished(stage, root))


async def test_over_its_deadline_the_work_ends_and_the_person_is_told(
    bench: Bench, agency: Database, deadlines: Deadlines
) -> None:
    writer = Writer([OPENING, asyncio.Event(), END])
    async with written_by(bench, agency, writer, agencyclaw_turn_timeout_s=AMPLE_S) as stage:
        root = await stage.say(INES, "how is the garlic press doing?")
        await growing(stage, root, "best seller")
        deadlines.come()
        await asyncio.wait_for(writer.cancelled.wait(), 300)
        message = await finished(stage, root)
        run = await stage.db.pool.fetchval("select id from agent_runs")
        assert str(run)[:8] in whole_text(message)
        assert "best seller" not in whole_text(message)
