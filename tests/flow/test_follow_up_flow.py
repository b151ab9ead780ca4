"""Follow-ups: links and questions of an earlier look-up stay usable."""

from __future__ import annotations

from acting import INES, Acting, ScriptedModel, calls, minded, text, turn
from stage import buttons, whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

ASK = "what is due for Brightkettle"

INVENTED = "https://app.clickup.com/t/86invented"


async def test_a_link_that_a_tool_returned_earlier_stays_alive_and_an_invented_one_does_not(
    bench: Bench, agency: Database
) -> None:
    listed = calls("list_tasks", client="Brightkettle", window="any_time")
    mind = ScriptedModel(listed, "Some tasks are due.")
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, ASK)
        await stage.reply_with(INES, root, "Some tasks are due")
        known = mind.heard(1).split('"url":"')[1].split('"')[0]
        mind.answers(f"The first is [this one]({known}), not [that]({INVENTED}).")

        await stage.say(INES, "which is the first?", thread=root)
        answer = whole_text(await stage.reply_with(INES, root, "The first is"))

    assert f"[this one]({known})" in answer
    assert f"({INVENTED})" not in answer
    assert "[that]" not in answer


async def test_a_tools_question_keeps_its_buttons_when_another_look_up_ran_beside_it(
    acting: Acting,
) -> None:
    both = {
        "calls": [
            {
                "tool": "create_task",
                "args": {
                    "client": "Brightkettle Group",
                    "title": "A coupon",
                    "objective": "15% off",
                },
            },
            {"tool": "search_kb", "args": {"query": "coupon"}},
        ]
    }
    stage = await acting(turn("a coupon please", both, text("Which brand is it for?")))

    root = await stage.say(INES, "a coupon please")

    answer = await stage.reply_with(INES, root, "Which brand")
    assert buttons(answer) == ["Copperleaf", "Nordvent", "Tessera"]
