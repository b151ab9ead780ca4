"""One person's plate over many clients: a request per hundred tasks, and none for a while after."""

from __future__ import annotations

from acting import INES, ScriptedModel, calls, minded

from agencyclaw.store.engine import Database
from benchmarks.plate import LISTS, fill
from workbench.fixture import Bench

CLIENTS = 15
PLATE = calls("list_tasks", assignee="me", window="any_time")
AFRESH = calls("list_tasks", assignee="me", window="any_time", fresh=True)
GIVE_AWAY = "give it to Tomas"


async def link(agency: Database, list_ids: list[str]) -> None:
    """Make the lists those of brands of new clients."""
    clients = await agency.pool.fetch(
        "insert into agency_clients (name) select 'Client ' || number"
        " from generate_series(1, $1::int) as number returning id",
        CLIENTS,
    )
    await agency.pool.executemany(
        "insert into brands (client_id, name, clickup_list_id) values ($1, $2, $3)",
        [
            (clients[order % CLIENTS]["id"], f"Brand {order}", list_id)
            for order, list_id in enumerate(list_ids)
        ],
    )


async def reads(bench: Bench) -> int:
    return len(await bench.log(target="clickup", operation="list_team_tasks"))


async def test_a_plate_of_a_thousand_tasks_takes_three_requests_and_no_more_until_asked_afresh(
    bench: Bench, agency: Database
) -> None:
    list_ids = fill(bench)
    assert len(list_ids) == LISTS
    await link(agency, list_ids)
    mind = ScriptedModel(PLATE, "Those.", PLATE, "Those.", AFRESH, "Those.")

    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, "what is on my plate?"))
        first = await reads(bench)
        assert 0 < first <= 3
        assert "page 2 has the next" in mind.heard()

        await stage.reply(INES, await stage.say(INES, "and my plate once more"))
        assert await reads(bench) == first
        assert "As of less than a minute ago." in mind.heard()

        await agency.pool.execute("update clickup_reads set read_at = read_at - interval '4 min'")
        root = await stage.say(INES, "what is on it right now?")
        await stage.reply(INES, root)
        assert await reads(bench) == 2 * first
