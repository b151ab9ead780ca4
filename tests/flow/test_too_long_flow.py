"""What is too long to be kept whole is refused, never cut, however it comes in."""

from __future__ import annotations

from acting import INES, Acting, call, creating, offer, text, turn
from stage import dm, whole_text
from test_commands_flow import typed
from test_import_flow import as_csv, attach
from test_results_flow import COLUMNS, GOOD, importing

from agencyclaw.store.demo_agency import client_id

LONG = f"wants {'very ' * 60}short titles, but never in December"


async def test_a_typed_fact(acting: Acting) -> None:
    stage = await acting(turn("hello", text("Hello.")))
    notes = "select count(*) from client_memory_notes where client_id = $1"
    before = await stage.db.pool.fetchval(notes, client_id("Glintly Inc"))
    about_client = await typed(stage, INES, f"remember Glintly Inc: {LONG}", dm(INES))
    own = await typed(stage, INES, f"remember {LONG}", dm(INES))

    for reply in (about_client, own):
        assert "and 300 fit. Nothing was kept" in reply
    assert await stage.db.pool.fetchval(notes, client_id("Glintly Inc")) == before
    kept = "select count(*) from agencyclaw_user_preferences where preferences::text like '%very%'"
    assert await stage.db.pool.fetchval(kept) == 0


async def test_a_fact_in_the_form_of_a_card(acting: Acting) -> None:
    stage = await acting(creating("make it"))
    card = await offer(stage, INES, await stage.say(INES, "make it"))
    await stage.press(INES, card, "Edit")
    [view] = await stage.bench.until(lambda: stage.bench.views(INES))
    answer = await stage.bench.submit_view(INES, view["id"], {"known": f"Budget: 5\n{LONG}"})

    assert "each line has at most 120 characters" in answer["errors"]["known"]
    [proposal] = await stage.proposals()
    assert proposal["state"] == "open"


async def test_the_name_of_a_brand(acting: Acting) -> None:
    name = "Northwater " * 9
    create = call("create_brand", client="Northwater", name=name)
    stage = await acting(
        turn(f"add {name}", call("search_tools", queries=["create_brand"]), create, text("No."))
    )
    await stage.reply(INES, await stage.say(INES, f"add {name}"))

    assert (await stage.result("create_brand"))["reason"] == "long_name"
    assert await stage.proposals() == []


async def test_the_source_of_a_result_in_a_file(acting: Acting) -> None:
    """Cut, two sources would be one, and the second would replace what the first says."""
    stage = await acting(importing("october.csv"))
    lines = [[*GOOD, "Ads console"], [*GOOD, f"{LONG} one"]]
    root = await attach(stage, INES, {"october.csv": as_csv((*COLUMNS, "Source"), lines)})
    card = await offer(stage, INES, root, "Import 1 record")

    assert "line 3, column Source: it is longer than 120 characters" in whole_text(card)
