"""The admins' tour: its sentences lead to cards, and a press carries each change out."""

from __future__ import annotations

import pytest
from acting import INES, PAUL, offer
from stage import Stage, whole_text
from test_separate_accounts_flow import another_account

from agencyclaw.agents.script_file import tour
from agencyclaw.domain.messages import message
from agencyclaw.store.engine import Database

MOVE = (
    "move “Upload the new gallery images for the Copperleaf Garlic Press” to Friday"
    " and give it to Sara Okafor"
)
# The label that carries out each sentence's change, and what the receipt then says.
PRESSED = {
    "give Yuki the CSL role of Glintly Inc": (
        "Replace",
        "is now Customer Success Lead of Glintly Inc",
    ),
    "repair the brand links that are safe to repair": ("Repair links", "Repaired "),
    "set a TACOS target of 15% for Glintly Inc in the US this month": ("Set targets", "15"),
    "remember that Glintly Inc ships from Rotterdam": ("Keep", "ships from Rotterdam"),
    MOVE: (
        "Change task",
        "Changed the task",
    ),
}
LOOKS = "which brands lack their ClickUp list"


def test_every_sentence_is_played_here() -> None:
    assert {turn.say[0] for turn in tour().admins} == {*PRESSED, LOOKS}


@pytest.mark.parametrize("sentence", PRESSED)
async def test_a_change_waits_for_its_press_and_is_then_carried_out(
    stage: Stage, sentence: str
) -> None:
    label, receipt = PRESSED[sentence]
    root = await stage.say(INES, sentence)
    card = await offer(stage, INES, root, label)
    assert await stage.events("effect_done") == []

    await stage.press(INES, card, label)
    await stage.reply_with(INES, root, receipt)
    await stage.settled()

    assert len(await stage.events("effect_done")) == 1


async def test_an_audit_names_the_brands_and_what_they_lack(stage: Stage) -> None:
    root = await stage.say(INES, LOOKS)
    answer = whole_text(await stage.reply_with(INES, root, "lack something in ClickUp"))

    assert "Northwater (Northwater): space, list" in answer
    assert "Hearthlane (Hearthlane): list" in answer


async def test_who_is_no_admin_is_told_so_and_gets_no_card(stage: Stage) -> None:
    for sentence in PRESSED:
        root = await stage.say(PAUL, sentence)
        await stage.reply(PAUL, root)
    await stage.settled()

    assert await stage.proposals() == []


async def test_homes_comparison_of_accounts_is_answered(stage: Stage, agency: Database) -> None:
    account = await another_account(agency)
    root = await stage.say(INES, message("home.compare_question"))
    answer = whole_text(await stage.reply(INES, root))

    assert f"({account})" in answer
