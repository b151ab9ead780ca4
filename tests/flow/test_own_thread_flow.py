"""What a turn is told when other threads are busy too: the things of its own thread come first."""

from __future__ import annotations

from acting import ASKED, INES, ScriptedModel, calls, minded

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

OWN = "Fix the wall clock listing"
CARD, NEW_CARD, GLAD = "It is on the card.", "It is on the new card.", "Good to know."
DETAILS = (
    "Check every bullet of the listing against the brief of the brand. " * 12 + "Then tell Ines."
)


async def test_the_card_of_a_thread_is_told_whole_and_first_however_many_wait_elsewhere(
    bench: Bench, agency: Database
) -> None:
    made = {"client": "Glintly Inc", "objective": ASKED}
    mind = ScriptedModel(
        calls("create_task", **made, title=OWN, details=DETAILS),
        CARD,
        *(
            answer
            for n in range(3)
            for answer in (
                calls("create_task", **made, title=f"Task {n}"),
                CARD,
                calls("create_task", **made, title=f"Other task {n}", replaces=f"Task {n}"),
                NEW_CARD,
            )
        ),
        GLAD,
    )
    async with minded(bench, agency, mind) as stage:
        own = await stage.say(INES, "fix the wall clock listing")
        await stage.reply_with(INES, own, CARD)
        for n in range(3):
            root = await stage.say(INES, f"make task {n}")
            await stage.reply_with(INES, root, CARD)
            await stage.say(INES, f"call it other task {n}", thread=root)
            await stage.reply_with(INES, root, NEW_CARD)
        await stage.say(INES, "thursday is fine too", thread=own)
        await stage.reply_with(INES, own, GLAD)

    told = [line for line in mind.heard().splitlines() if line.startswith("Proposal “")]
    assert [line.split("”")[0].removeprefix("Proposal “") for line in told] == [
        OWN,
        "Other task 2",
        "Other task 1",
        "Other task 0",
    ]
    assert ["in another thread" in line for line in told] == [False, True, True, True]
    assert DETAILS in told[0]
