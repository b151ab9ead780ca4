"""Pauses of a workspace, as they are told."""

from __future__ import annotations

from agencyclaw.store.consent_rules import begin_pause, pause_at
from agencyclaw.store.demo_agency import person_id
from agencyclaw.store.engine import Database


async def test_who_paused_is_named_also_without_a_full_name(agency: Database) -> None:
    person = person_id("Ines Varga")
    await agency.pool.execute("update profiles set full_name = null where id = $1", person)
    async with agency.transaction() as conn:
        await begin_pause(conn, "T1", person)

    pause = await pause_at(agency, "T1")

    assert pause is not None
    assert pause.by == "Ines Varga"  # as they want to be called
