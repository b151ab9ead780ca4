"""Results of brands: by card, by file and by a machine; a missed target is told once."""

from __future__ import annotations

import io
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

import pytest
from acting import INES, MIGUEL, PAUL, SARA_L, Acting, call, offer, text, turn
from stage import Stage, stage_settings, whole_text
from test_command_line import Terminal, terminal
from test_import_flow import as_csv, attach, importing, shown
from test_target_flow import asking, insert
from test_watch_flow import an_hour_passes, look, reports, watching

from agencyclaw.app import assistant
from agencyclaw.cli.serve import serving_http
from agencyclaw.domain.imports import ImportRecords
from agencyclaw.domain.watches import Check
from agencyclaw.store.demo_agency import brand_id
from agencyclaw.store.engine import Database
from agencyclaw.tools.imports import plan_delivery
from workbench.fixture import Bench

__all__ = ["terminal"]

LAST = (date.today().replace(day=1) - timedelta(days=1)).replace(day=1)
MONTH = f"{LAST:%Y-%m}"
COLUMNS = ("Client", "Brand", "Marketplace", "Period", "ACOS", "Sales", "Currency")
GOOD = ["Glintly Inc", "Glintly", "US", MONTH, "31%", "4,800.00", "usd"]
WHICH = {"quote": "last month", "ahead": -1}
TOKEN = "let me in"
URL = "/results"


async def rows(db: Database) -> list[dict[str, Any]]:
    found = await db.pool.fetch(
        "select r.*, b.name as brand from brand_market_kpi_results r join brands b"
        " on b.id = r.brand_id where r.active order by b.name, r.source"
    )
    return [dict(row) for row in found]


def recording(say: str, **more: Any) -> dict[str, Any]:
    whole = {"marketplace": "US", "period": "monthly", "which": WHICH, **more}
    return asking(say, "kpi_result_upsert", **whole)


async def bring(
    db: Database, client: str, brand: str, acos: float, source: str = "Ads <!channel>"
) -> None:
    await db.pool.execute(
        "insert into brand_market_kpi_results (brand_id, marketplace, period, start, source, acos)"
        " values ($1, 'US', 'monthly', $2, $4, $3)",
        brand_id(client, brand),
        LAST,
        Decimal(str(acos)),
        source,
    )


async def test_a_member_records_a_result_by_a_press_and_takes_it_back(acting: Acting) -> None:
    say = "last month ACOS was 31.5 and sales 4,800 dollars, from the ads report"
    figures = {"acos": 31.5, "sales": {"number": "4,800"}, "currency": "USD"}
    stage = await acting(recording(say, **figures, source="the ads report"))
    root = await stage.say(SARA_L, say)
    card = await offer(stage, SARA_L, root, "Record results")
    assert "none → 31.50%" in whole_text(card)
    assert "the ads report" in whole_text(card)
    assert await rows(stage.db) == []

    await stage.press(SARA_L, card, "Record results")
    await stage.reply_with(SARA_L, root, "Before: no results.")
    [row] = await rows(stage.db)
    assert (row["acos"], row["sales"], row["currency"]) == (Decimal("31.50"), 4800, "USD")
    assert (row["start"], row["source"], row["is_delivered"]) == (LAST, "the ads report", False)
    assert row["updated_by"]
    [event] = await stage.events("effect_done")
    assert event["payload"]["after"]["results"]["acos"] == "31.50"

    await stage.press(SARA_L, await offer(stage, SARA_L, root, "Undo"), "Undo")
    await stage.reply_with(SARA_L, root, "Undone.")
    assert await rows(stage.db) == []


async def test_a_figure_that_nobody_gave_is_named_on_the_card(acting: Acting) -> None:
    stage = await acting(
        turn(
            "last month went well",
            call("search_tools", queries=["record results"]),
            *[
                call(
                    "kpi_result_upsert",
                    client="Glintly Inc",
                    brand="Glintly",
                    marketplace="US",
                    period="monthly",
                    which=WHICH,
                    acos=23,
                )
            ]
            * 2,
            text("It is on the card."),
        )
    )
    root = await stage.say(INES, "last month went well")
    card = await offer(stage, INES, root, "Record results")

    assert "Not stated by anyone: 23 (Acos)" in whole_text(card)


async def test_a_viewer_and_who_is_not_assigned_record_nothing(acting: Acting) -> None:
    stage = await acting(
        recording("ACOS was 31 last month", acos=31),
        recording("Hearthlane's ACOS was 31 last month", acos=31, client="Hearthlane", brand=None),
    )
    for who, say in ((PAUL, "ACOS was 31"), (MIGUEL, "Hearthlane's ACOS was 31")):
        await stage.reply(who, await stage.say(who, f"{say} last month"))

    assert await stage.proposals() == []


async def test_a_file_names_every_faulty_line_and_one_press_imports_the_others(
    acting: Acting,
) -> None:
    stage = await acting(importing("october.csv"))
    faulty = [
        (3, ["Lavender", *GOOD[1:]], "column Client: there is no client “Lavender”"),
        (4, [GOOD[0], "Lamps", *GOOD[2:]], "column Brand: Glintly Inc has no brand “Lamps”"),
        (5, [*GOOD[:2], "FR", *GOOD[3:]], "column Marketplace: Glintly is not recorded as selling"),
        (6, [*GOOD[:3], "October", *GOOD[4:]], "column Period: “October” is no month or year"),
        (7, [*GOOD[:3], f"{date.today():%Y-%m}", *GOOD[4:]], "is not over yet"),
        (8, [*GOOD[:4], "low", *GOOD[5:]], "column ACOS: “low” is no figure"),
        (9, [*GOOD[:5], "4.800", "USD"], "column Sales: “4.800” is no figure"),
        (10, [*GOOD[:6], ""], "column Currency: it is empty"),
        (11, [*GOOD[:4], "", "", ""], "it has no figure"),
        (12, GOOD, "an earlier line is about Results of Glintly US"),
        (13, [*GOOD[:4], "8,125", *GOOD[5:]], "column ACOS: “8,125” is no figure"),
    ]
    sheet = as_csv(COLUMNS, [GOOD, *(line for _, line, _ in faulty)])
    root = await attach(stage, INES, {"october.csv": sheet})
    card = await offer(stage, INES, root, "Import 1 record")
    whole = await shown(stage, root)
    for number, _, why in faulty:
        assert f"october.csv, line {number}" in whole
        assert why in whole
    assert await rows(stage.db) == []

    await stage.press(INES, card, "Import 1 record")
    await stage.reply_with(INES, root, "Results: 1 new, 0 changed.")
    [row] = await rows(stage.db)
    assert (row["acos"], row["sales"], row["currency"]) == (31, 4800, "USD")
    assert (row["source"], row["is_delivered"]) == ("october.csv", False)


@pytest.mark.parametrize("who", [MIGUEL, PAUL])
async def test_a_file_of_somebody_who_is_no_admin_brings_nothing(acting: Acting, who: str) -> None:
    stage = await acting(importing("october.csv"))
    root = await attach(stage, who, {"october.csv": as_csv(COLUMNS, [GOOD])})
    await stage.reply(who, root)

    assert await stage.proposals() == []


async def test_a_missed_target_is_told_once_without_a_model(bench: Bench, agency: Database) -> None:
    async with watching(bench, agency, Check.MISSED_TARGET, who=SARA_L) as (stage, mind):
        await insert(stage, "monthly", LAST, acos_target_pct=28)
        await bring(agency, "Glintly Inc", "Glintly", 28)
        await bring(agency, "Hearthlane", "Hearthlane", 99)
        asked = len(mind.told)
        await look(stage)
        assert await reports(stage, SARA_L) == [], "exactly at the target is met"

        await agency.pool.execute("update brand_market_kpi_results set acos = acos + 0.01")
        await look(stage)
        [report] = await reports(stage, SARA_L)
        told = whole_text(report)
        assert f"Glintly US, {LAST:%B %Y}: ACOS 28.01% missed its target of 28%" in told
        assert "<!channel>" not in told
        assert "Hearthlane" not in told

        await agency.pool.execute("update brand_market_kpi_results set acos = 40")
        await an_hour_passes(stage)
        await look(stage)
        await look(stage)
        assert len(await reports(stage, SARA_L)) == 1
        assert len(mind.told) == asked


class Machine:
    """What brings results over HTTP."""

    def __init__(self, bench: Bench, port: int) -> None:
        self._bench, self._url = bench, f"http://127.0.0.1:{port}{URL}"

    async def bring(
        self, lines: list[list[str]] | str, key: str = "october", token: str = TOKEN
    ) -> tuple[int, str]:
        body = lines if isinstance(lines, str) else as_csv(COLUMNS, lines)
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": key}
        headers = {name: value for name, value in headers.items() if value not in ("", "Bearer ")}
        async with self._bench.http.post(
            self._url, data=io.BytesIO(body.encode()), headers=headers
        ) as told:
            return told.status, await told.text()


Opens = Callable[..., AbstractAsyncContextManager[Machine]]


@pytest.fixture
def opens(bench: Bench, agency: Database, unused_tcp_port: int) -> Opens:
    """Start the assistant with its port and these settings."""

    @asynccontextmanager
    async def open_it(**settings: Any) -> AsyncGenerator[Machine]:
        port = {"agencyclaw_http_port": unused_tcp_port}
        whole = stage_settings(bench, **port, **settings)
        async with assistant(whole, agency) as running, serving_http(whole, agency, running):
            yield Machine(bench, unused_tcp_port)

    return open_it


async def test_without_a_token_there_is_no_such_door(opens: Opens, agency: Database) -> None:
    async with opens() as machine:
        assert (await machine.bring([GOOD]))[0] == 404
        assert (await machine.bring([GOOD], token=""))[0] == 404
    assert await rows(agency) == []


async def test_a_delivery_is_recorded_once_and_marked_as_a_machines(
    opens: Opens, agency: Database
) -> None:
    async with opens(agencyclaw_results_token=TOKEN) as machine:
        status, told = await machine.bring([GOOD])
        assert (status, "Results: 1 new" in told) == (200, True)
        [first] = await rows(agency)
        assert (first["acos"], first["source"], first["is_delivered"]) == (31, "delivery", True)

        better = [*GOOD[:4], "30", *GOOD[5:]]
        assert (await machine.bring([better], key="corrected"))[0] == 200
        status, told = await machine.bring([GOOD])
        assert (status, "delivered before" in told) == (200, True)
        [row] = await rows(agency)
        assert (row["id"], row["acos"]) == (first["id"], 30), "a repeated delivery changes nothing"

        assert (await machine.bring([better]))[0] == 409, "another delivery under the same key"
        assert "already" in (await machine.bring([better], key="again"))[1]
        assert (await machine.bring([GOOD], key="again"))[0] == 409
    told = await agency.pool.fetch("select from agent_events where event_type = 'effect_done'")
    assert len(told) == 2


async def test_a_delivery_that_came_to_nothing_is_recorded_when_it_is_sent_again(
    opens: Opens, agency: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def as_another_comes_first(*given: Any) -> ImportRecords:
        plan = await plan_delivery(*given)
        await bring(agency, "Glintly Inc", "Glintly", 12, source="delivery")
        return plan

    async with opens(agencyclaw_results_token=TOKEN) as machine:
        with monkeypatch.context() as meanwhile:
            meanwhile.setattr(
                "agencyclaw.conversation.deliveries.plan_delivery", as_another_comes_first
            )
            assert (await machine.bring([GOOD]))[0] == 409
        await agency.pool.execute("delete from brand_market_kpi_results")
        for told in ("Results: 1 new", "delivered before"):
            status, text = await machine.bring([GOOD])
            assert (status, told in text) == (200, True), text
    assert len(await rows(agency)) == 1


async def test_a_delivery_with_a_faulty_line_or_of_other_records_brings_nothing(
    opens: Opens, agency: Database
) -> None:
    people = as_csv(("Email", "Name", "Rights"), [["eve@example.com", "Eve", "member"]])
    async with opens(agencyclaw_results_token=TOKEN) as machine:
        status, told = await machine.bring([GOOD, [*GOOD[:1], "Lamps", *GOOD[2:]]])
        assert (status, "line 3, column Brand" in told) == (422, True)
        assert "left out" not in told
        for body in (people, "", "a,b\n1,2\n", 'Client,"\n'):
            assert (await machine.bring(body, key="k"))[0] == 422
        assert (await machine.bring("x" * (1024 * 1024 + 1)))[0] == 413
        for key in ("", "k" * 201, "k k"):
            assert (await machine.bring([GOOD], key=key))[0] == 400
        for token in ("", "let", f"{TOKEN}!"):
            assert (await machine.bring([GOOD], token=token))[0] == 401
        assert await rows(agency) == []
        assert not await agency.pool.fetchval("select count(*) from proposals")
        assert not await agency.pool.fetchval(
            "select count(*) from profiles where email like 'eve%'"
        )

        assert (await machine.bring([GOOD], key="k"))[0] == 200, "a refused key is still free"


@pytest.mark.parametrize("columns", [COLUMNS, ("Email", "Name", "Rights")])
async def test_a_delivery_without_a_line_is_refused_and_its_key_is_still_free(
    opens: Opens, columns: Sequence[str]
) -> None:
    async with opens(agencyclaw_results_token=TOKEN) as machine:
        status, told = await machine.bring(as_csv(columns, []))
        assert (status, "no line" in told) == (422, True), told
        assert (await machine.bring([GOOD]))[0] == 200


@pytest.mark.parametrize("is_new", [True, False])
async def test_of_two_deliveries_that_take_a_key_at_once_the_second_is_refused(
    opens: Opens, agency: Database, monkeypatch: pytest.MonkeyPatch, is_new: bool
) -> None:
    better = [*GOOD[:4], "30", *GOOD[5:]]
    async with opens(agencyclaw_results_token=TOKEN) as machine:
        assert (await machine.bring([better], key="before"))[0] == 200
        with monkeypatch.context() as meanwhile:

            async def as_another_comes_first(*given: Any) -> ImportRecords:
                meanwhile.undo()
                assert (await machine.bring([GOOD]))[0] == 200
                if not is_new:
                    assert (await machine.bring([better], key="again"))[0] == 200
                return await plan_delivery(*given)

            place = "agencyclaw.conversation.deliveries.plan_delivery"
            meanwhile.setattr(place, as_another_comes_first)
            status, told = await machine.bring([better])

    assert (status, "Another delivery" in told) == (409, True), told
    [row] = await rows(agency)
    assert row["acos"] == (31 if is_new else 30)


async def test_whoever_runs_it_brings_results_from_a_file(
    terminal: Terminal, agency: Database
) -> None:
    (terminal.folder / "october.csv").write_text(as_csv(COLUMNS, [GOOD]), encoding="utf-8")
    words = ("results", "import", "october.csv", "--key", "october")
    ended = await terminal.run_here(*words)
    assert (ended.code, "Results: 1 new" in ended.out) == (0, True), ended.err
    [row] = await rows(agency)
    assert (row["source"], row["is_delivered"]) == ("october.csv", True)
    assert "before" in (await terminal.run_here(*words)).out

    (terminal.folder / "october.csv").write_text(as_csv(COLUMNS, [GOOD[:3]]), encoding="utf-8")
    wrong = await terminal.run_here("results", "import", "october.csv")
    assert (wrong.code, "line 2, column Period" in wrong.err) == (1, True)
    assert (await terminal.run_here("results", "import", "none.csv")).code == 2
    assert len(await rows(agency)) == 1


async def test_a_result_and_its_target_are_read_together(acting: Acting) -> None:
    stage: Stage = await acting(asking("how did it go", "kpi_target_lookup", marketplace="US"))
    await insert(stage, "monthly", LAST, acos_target_pct=28)
    await bring(stage.db, "Glintly Inc", "Glintly", 31)
    await stage.reply(SARA_L, await stage.say(SARA_L, "how did it go"))

    [found] = (await stage.result("kpi_target_lookup"))["results"]
    assert (found["result"], found["target"], found["outcome"]) == ("31%", "28%", "missed")
