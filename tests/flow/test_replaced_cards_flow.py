"""A card that a new one takes the place of: what the model is told is what happens to the rows."""

from __future__ import annotations

import pytest
from acting import ASKED, INES, ScriptedModel, calls, minded, states

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

TITLE = "Straße banner İzmir"


@pytest.mark.parametrize(
    ("replaces", "is_withdrawn"),
    [
        (TITLE, True),
        ("STRASSE BANNER İZMIR", True),
        ("Ｓｔｒａße  banner “İzmir”".replace("“", "").replace("”", ""), True),
        ("Straße banner İzmir.", True),
        ("Strase banner İzmir", False),
        ("Straße banner", False),
        ("", False),
    ],
)
async def test_what_is_said_to_be_withdrawn_is_what_the_rows_have(
    bench: Bench, agency: Database, replaces: str, is_withdrawn: bool
) -> None:
    made = {"client": "Glintly Inc", "objective": ASKED}
    mind = ScriptedModel(
        calls("create_task", **made, title=TITLE),
        "It is on the card.",
        calls("create_task", **made, title="Another banner", replaces=replaces),
        "It is on the new card.",
    )
    async with minded(bench, agency, mind) as stage:
        root = await stage.say(INES, "make the banner task")
        await stage.reply_with(INES, root, "It is on the card.")
        await stage.say(INES, "no, the other one", thread=root)
        await stage.reply_with(INES, root, "It is on the new card.")
        await stage.settled()

        assert ("superseded" in await states(stage)) is is_withdrawn
    assert ("is withdrawn when this one is shown" in mind.heard()) is is_withdrawn
