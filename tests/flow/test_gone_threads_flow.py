"""What is said in a thread of a direct message that is gone comes as the last message instead."""

from __future__ import annotations

from acting import ASKED, INES, TASK, ScriptedModel, calls, minded
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models.function import AgentInfo
from stage import buttons, dm, whole_text

from agencyclaw.domain.people import Place
from agencyclaw.domain.receipts import Note, OutboxKind
from agencyclaw.store.engine import Database
from agencyclaw.store.outbox import post
from workbench.fixture import Bench

MADE = calls("create_task", client="Glintly Inc", title=TASK, objective=ASKED)
ANSWER = "Press it, or say yes."


async def test_an_answer_and_a_moved_card_whose_thread_is_gone_are_the_last_messages(
    bench: Bench, agency: Database
) -> None:
    root = ""

    async def late(_: list[ModelMessage], __: AgentInfo) -> ModelResponse:
        bench.storage.delete(f"slack/messages/{dm(INES)}", root)
        return calls("reply", text=ANSWER, changes="waiting")

    async with minded(bench, agency, ScriptedModel(MADE, "It is on the card.", late)) as stage:
        old_root = await stage.say(INES, ASKED)
        old = await stage.card(INES, old_root)
        await stage.settled()
        root = await stage.say(INES, "looks good")
        await bench.until(lambda: _is_said(bench))
        await stage.settled()

        shown = await bench.messages(dm(INES))
        [answer] = [one for one in shown if ANSWER in whole_text(one)]
        [card] = [one for one in shown if "Create task" in buttons(one)]
        assert "thread_ts" not in answer
        assert "thread_ts" not in card
        assert card["ts"] != old["ts"]
        await stage.press(INES, card, "Create task")
        await stage.created(TASK)


async def _is_said(bench: Bench) -> bool:
    return any(ANSWER in whole_text(one) for one in await bench.messages(dm(INES)))


async def test_a_note_for_direct_messages_that_we_may_not_open_is_given_up(
    bench: Bench, agency: Database
) -> None:
    async with minded(bench, agency, ScriptedModel()) as stage:
        await bench.change_install(lacks=["im:write"])
        async with stage.db.transaction() as conn:
            await post(
                conn,
                key="a note",
                kind=OutboxKind.EPHEMERAL,
                place=Place.home_tab("T0LANTERN"),
                note=Note(text="It is done."),
                slack_user_id=INES,
            )

        async def is_over() -> bool:
            state = await stage.db.pool.fetchval("select state from outbox where key = 'a note'")
            return state == "dead"

        await bench.until(is_over, timeout=20)
