"""People, clients and brands from attached CSV files: previewed, then all of them or none."""

from __future__ import annotations

import csv
import io
from base64 import b64decode
from collections.abc import Sequence
from datetime import UTC, date, datetime

import pytest
from acting import INES, SARA_L, TOMAS, Acting, Turn, call, offer, text, turn
from stage import Stage, dm, whole_text
from test_policy_flow import decide

from agencyclaw.store.demo_agency import brand_id, person_id
from agencyclaw.store.engine import Database

ASK = "import these"
PEOPLE = ("Email", "Name", "Rights", "Time zone")
CLIENTS = ("Name", "Summary")
BRANDS = ("Client", "Name", "ClickUp space", "ClickUp list", "Marketplaces")
Rows = list[list[str]]
Sheets = dict[str, str]
ALL = ("people.csv", "clients.csv", "brands.csv")


def importing(*names: str) -> Turn:
    """A turn that imports what is attached; the model reads the names of the files."""
    said = "\n".join([ASK, *(f"(attached CSV file: {name})" for name in names)])
    found = call("search_tools", queries=["import CSV"])
    return turn(said, found, call("import_records"), text("It is on the card."))


def people() -> Rows:
    return [
        [f"larkspur{n}@lanternfish.example", f"Larkspur Person {n}", "member", "Europe/Lisbon"]
        for n in range(25)
    ]


def clients() -> Rows:
    return [[f"Larkspur {n}", "it sells garden lamps"] for n in range(15)]


def brands() -> Rows:
    home = ["Glintly", "Glintly Backlog"]
    return [
        [f"Larkspur {n % 15}", f"Lamp {n}", *(home if n == 1 else ["", ""]), "US, CA"]
        for n in range(40)
    ]


def as_csv(columns: Sequence[str], rows: Rows) -> str:
    file = io.StringIO(newline="")
    csv.writer(file).writerows([columns, *rows])
    return file.getvalue()


def files(people: Rows, clients: Rows, brands: Rows) -> Sheets:
    return {
        "people.csv": as_csv(PEOPLE, people),
        "clients.csv": as_csv(CLIENTS, clients),
        "brands.csv": as_csv(BRANDS, brands),
    }


def with_ten_faults() -> tuple[Sheets, list[str]]:
    """The files with ten faulty lines, and what is to be said of these."""
    persons, owners, owned = people(), clients(), brands()
    persons[0][0] = "nobody"
    persons[1][0] = persons[2][0]
    persons[3][1] = ""
    persons[4][2] = "boss"
    persons[5][3] = "Lisbon time"
    owners[13][0] = ""
    owned[0][0] = "Lavender"
    owned[2][2] = "Reporting Requests"
    owned[3][3] = "No Such List"
    owned[4][4] = "Amazon"
    # The brands of the client whose line is faulty are another client's.
    for row in owned:
        row[0] = row[0].replace("Larkspur 13", "Larkspur 12")
    faults = [
        "people.csv, line 2, column Email: “nobody” is no e-mail address",
        "people.csv, line 4, column Email: an earlier line is about larkspur2",
        "people.csv, line 5, column Name: it is empty",
        "people.csv, line 6, column Rights: it has to be admin, member or viewer, not “boss”",
        "people.csv, line 7, column Time zone: “Lisbon time” is no time zone",
        "clients.csv, line 15, column Name: it is empty",
        "brands.csv, line 2, column Client: there is no client “Lavender”",
        "brands.csv, line 4, column ClickUp space: the space Reporting Requests is not classified",
        "brands.csv, line 5, column ClickUp list: ClickUp shows no “No Such List” there",
        "brands.csv, line 6, column Marketplaces: “Amazon” is no marketplace",
    ]
    return files(persons, owners, owned), faults


async def attach(stage: Stage, user: str, sheets: Sheets) -> str:
    return await stage.bench.post_message(dm(user), user, ASK, files=sheets)


async def shown(stage: Stage, root: str) -> str:
    """The whole card: its changes may be in messages before the one with the buttons."""
    return "\n".join([whole_text(one) for one in await stage.replies_in(dm(INES), root)])


async def counts(db: Database) -> tuple[int, ...]:
    """How many people, clients and brands there are."""
    tables = ("profiles", "agency_clients", "brands")
    return tuple([await db.pool.fetchval(f"select count(*) from {one}") for one in tables])


async def added(db: Database, before: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(now - then for now, then in zip(await counts(db), before, strict=True))


async def test_ten_faulty_lines_are_named_and_nothing_changes_until_they_are_mended(
    acting: Acting,
) -> None:
    stage = await acting(importing(*ALL))
    before = await counts(stage.db)
    faulty, faults = with_ten_faults()
    root = await attach(stage, INES, faulty)
    card = await offer(stage, INES, root, "Import 70 records")
    whole = await shown(stage, root)
    assert [fault for fault in faults if fault not in whole] == []
    assert whole.count("This line is left out") == 10
    assert [row[0] for row in people()[6:] if row[1] not in whole] == []
    await stage.settled()
    assert await counts(stage.db) == before

    root = await attach(stage, INES, files(people(), clients(), brands()))
    card = await offer(stage, INES, root, "Import 80 records")
    assert "also takes the tasks of Glintly" in await shown(stage, root)
    await stage.press(INES, card, "Import 80 records")
    await stage.reply_with(INES, root, "Imported 80 records")
    await stage.press(INES, card, "Import 80 records")
    await stage.settled()
    assert await added(stage.db, before) == (25, 15, 40)
    [event] = await stage.events("effect_done")
    assert len(event["payload"]["after"]) == 80
    list_id = "select clickup_list_id from brands where name = 'Lamp 1'"
    assert await stage.db.pool.fetchval(list_id) == "901005000021"


async def test_a_file_that_slack_does_not_give_is_not_said_to_wait_for_clickup(
    acting: Acting,
) -> None:
    stage = await acting(importing(*ALL))
    await stage.bench.set_fault("slack", "rate_limited", method="files.info", delay_s=60.0)
    await stage.reply(INES, await attach(stage, INES, with_ten_faults()[0]))

    refused = await stage.result("import_records")
    assert refused["message"] == "Slack does not give me the file now."


async def test_the_faulty_lines_may_be_left_out_by_the_press(acting: Acting) -> None:
    stage = await acting(importing(*ALL))
    before = await counts(stage.db)
    faulty, faults = with_ten_faults()
    root = await attach(stage, INES, faulty)
    card = await offer(stage, INES, root, "Import 70 records")
    assert "leave 10 lines out" in whole_text(card)

    await stage.press(INES, card, "Import 70 records")
    receipt = whole_text(await stage.reply_with(INES, root, "Imported 70 records"))
    assert [fault for fault in faults if fault not in receipt] == []
    assert "This line is left out" not in receipt
    assert await added(stage.db, before) == (20, 14, 36)


async def test_nothing_is_written_if_a_single_record_has_changed_since_the_card(
    acting: Acting,
) -> None:
    stage = await acting(importing(*ALL))
    root = await attach(stage, INES, files(people(), clients(), brands()))
    card = await offer(stage, INES, root, "Import 80 records")
    await stage.db.pool.execute("insert into agency_clients (name) values ('larkspur 14')")
    before = await counts(stage.db)

    await stage.press(INES, card, "Import 80 records")
    await stage.reply_with(INES, root, "there is a client called “Larkspur 14” already")
    await stage.settled()
    assert await counts(stage.db) == before


async def test_nothing_is_written_of_a_client_that_was_archived_since_the_card(
    acting: Acting,
) -> None:
    stage = await acting(importing("brands.csv"))
    file = as_csv(BRANDS, [["Pawtrail", "Pawtrail Cats", "", "", "US"]])
    root = await attach(stage, INES, {"brands.csv": file})
    card = await offer(stage, INES, root, "Import 1 record")
    await stage.db.pool.execute(
        "update agency_clients set status = 'archived' where name = 'Pawtrail'"
    )
    before = await counts(stage.db)

    await stage.press(INES, card, "Import 1 record")
    await stage.reply_with(INES, root, "Pawtrail is no longer an active client")
    await stage.settled()
    assert await counts(stage.db) == before


async def test_a_file_changes_nothing_that_an_admin_has_switched_off(acting: Acting) -> None:
    stage = await acting(importing("clients.csv", "people.csv"), importing("clients.csv"))
    one = as_csv(CLIENTS, [["Larkspur", "lamps"]])
    people_file = as_csv(PEOPLE, people()[:1])
    root = await attach(stage, INES, {"clients.csv": one, "people.csv": people_file})
    card = await offer(stage, INES, root, "Import 2 records")
    await decide(stage.db, "cc_team_member_create", "team", "T0LANTERN", enabled=False)
    before = await counts(stage.db)
    await stage.press(INES, card, "Import 2 records")
    assert await stage.refused_press() == "skill_disabled"
    assert await counts(stage.db) == before

    await decide(stage.db, "create_client", "team", "T0LANTERN", enabled=False)
    root = await attach(stage, INES, {"clients.csv": one})
    await stage.reply(INES, root)
    assert (await stage.result("import_records"))["reason"] == "skill_disabled"


@pytest.mark.parametrize(
    ("column", "value", "why"),
    [
        ("Rights", "admin", "not changed by a file"),
        ("At work", "inactive", "not changed by a file"),
        ("Slack account", "@ines", "no Slack member id"),
        ("Slack account", INES, "is linked to Ines Varga already"),
        ("ClickUp account", "Ines", "no ClickUp account"),
    ],
)
async def test_what_takes_more_than_a_file_is_a_fault(
    acting: Acting, column: str, value: str, why: str
) -> None:
    stage = await acting(importing("p.csv"))
    rows = [["a@lanternfish.example", "Ada", value], ["b@lanternfish.example", "Bea", ""]]
    root = await attach(stage, INES, {"p.csv": as_csv(("Email", "Name", column), rows)})
    card = await offer(stage, INES, root, "Import 1 record")
    assert f"p.csv, line 2, column {column}: " in whole_text(card)
    assert why in whole_text(card)


@pytest.mark.parametrize(
    ("columns", "long", "short", "column"),
    [
        (("Email", "Name"), ["a" * 250 + "@b.example", "Ada"], ["b@b.example", "Bea"], "Email"),
        (("Email", "Name"), ["a@b.example", "A" * 130], ["b@b.example", "Bea"], "Name"),
        (("Name", "Summary"), ["L" * 130, "lamps"], ["Larkspur", "lamps"], "Name"),
        (("Name", "Summary"), ["Larkspur", "l" * 401], ["Meadow", "lamps"], "Summary"),
        (("Client", "Name"), ["Glintly Inc", "L" * 130], ["Glintly Inc", "Lamps"], "Name"),
    ],
)
async def test_a_text_that_is_too_long_stops_no_other_line(
    acting: Acting, columns: tuple[str, ...], long: list[str], short: list[str], column: str
) -> None:
    stage = await acting(importing("x.csv"))
    root = await attach(stage, INES, {"x.csv": as_csv(columns, [long, short])})
    card = await offer(stage, INES, root, "Import 1 record")
    assert f"x.csv, line 2, column {column}: it is longer than" in whole_text(card)


_ACCOUNT = "select slack_user_id from profiles where full_name = $1"


@pytest.mark.parametrize("name", ["Ines Varga", "Miguel Duarte"])
async def test_a_file_replaces_nobodys_account(acting: Acting, name: str) -> None:
    stage = await acting(importing("p.csv"))
    email = await stage.db.pool.fetchval("select email from profiles where full_name = $1", name)
    before = await stage.db.pool.fetchval(_ACCOUNT, name)
    rows = [[email, name, "U01SPARE"], ["b@lanternfish.example", "Bea", ""]]
    columns = ("Email", "Name", "Slack account")
    root = await attach(stage, TOMAS, {"p.csv": as_csv(columns, rows)})
    card = await offer(stage, TOMAS, root, "Import 1 record")
    assert "not changed by a file" in whole_text(card)
    await stage.press(TOMAS, card, "Import 1 record")
    await stage.settled()
    assert await stage.db.pool.fetchval(_ACCOUNT, name) == before


async def test_a_file_gives_no_account_to_a_super_admin_by_the_settings(acting: Acting) -> None:
    supers = frozenset(map(person_id, ("Ines Varga", "Hana Idris")))
    stage = await acting(importing("p.csv"), super_admin_profile_ids=supers)
    rows = [["hana.idris@lanternfish.example", "Hana Idris", "U01SPARE"], ["b@x.example", "B", ""]]
    root = await attach(stage, TOMAS, {"p.csv": as_csv(("Email", "Name", "Slack account"), rows)})

    card = await offer(stage, TOMAS, root, "Import 1 record")
    assert "p.csv, line 2, column Slack account: " in whole_text(card)


async def test_what_is_exported_in_a_channel_goes_to_the_asker_alone(acting: Acting) -> None:
    found = call("search_tools", queries=["records as CSV file"])
    export = call("export_records", what="clients")
    stage = await acting(turn("export", found, export, text("Here it is.")))
    await stage.bench.post_message("C01GLINTLY", INES, "<@U01CLAW> export")
    await stage.settled()
    posted = await stage.bench.messages("C01GLINTLY")
    assert [one for one in posted if one.get("files")] == []


@pytest.mark.parametrize(
    ("sheets", "reason"),
    [
        ({}, "no_file"),
        ({"x.csv": "Name,Shoe size\nAda,38\n"}, "columns"),
        ({"x.csv": "Email,Name\nnobody,Ada\n"}, "faulty"),
        ({"x.csv": as_csv(CLIENTS, [[f"Lamp {at}", "x" * 390] for at in range(180)])}, "too_long"),
    ],
)
async def test_files_that_say_nothing_are_refused_with_the_reason(
    acting: Acting, sheets: Sheets, reason: str
) -> None:
    stage = await acting(importing(*sheets))
    root = await attach(stage, INES, sheets)
    await stage.reply(INES, root)

    assert (await stage.result("import_records"))["reason"] == reason
    assert await stage.proposals() == []


async def test_members_import_nothing(acting: Acting) -> None:
    stage = await acting(importing(*ALL))
    root = await attach(stage, SARA_L, files(people(), [], []))
    await stage.reply(SARA_L, root)
    await stage.settled()

    assert await stage.proposals() == []


# Also longer than a text that is new may be.
_TARGET = (
    "insert into brand_market_kpi_targets (brand_id, marketplace_code, period_granularity, "
    "period_start, acos_target_pct) values ($1, 'US', $2, $3, 31.5)"
)
_RESULT = (
    "insert into brand_market_kpi_results (brand_id, marketplace, period, start, acos, sales, "
    "currency, source, is_delivered) select $1, 'US', $2, $3, 31.5, 4800, 'USD', source, true "
    "from unnest(array['By hand', '']) source"
)
ODD = "Check price, -10% off;=1\n- '-x" * 20


async def with_figures(db: Database) -> None:
    """Give the brand Glintly targets and delivered results of two months and a year."""
    glintly = brand_id("Glintly Inc", "Glintly")
    for period, year, month in (("monthly", 2025, 10), ("monthly", 2025, 11), ("annual", 2024, 1)):
        for statement in (_TARGET, _RESULT):
            await db.pool.execute(statement, glintly, period, date(year, month, 1))


@pytest.mark.parametrize("what", ["people", "clients", "brands", "targets", "results"])
async def test_what_is_exported_and_imported_again_changes_nothing(
    acting: Acting, what: str
) -> None:
    name = f"{what.capitalize()} as of {datetime.now(UTC).date()}.csv"
    found = call("search_tools", queries=["records as CSV file"])
    export = turn("export", found, call("export_records", what=what), text("Here it is."))
    stage = await acting(export, importing(name))
    for table in ("agency_clients", "brands"):
        await stage.db.pool.execute(f"update {table} set context_summary = $1", ODD)
    await with_figures(stage.db)
    root = await stage.say(INES, "export")
    await stage.reply(INES, root)
    await stage.settled()
    [message] = [one for one in await stage.bench.messages(dm(INES)) if one.get("files")]
    [file] = message["files"]
    kept = stage.bench.storage.get("slack/file_contents", file["id"])
    assert kept
    content = b64decode(kept["base64"]).decode("utf-8-sig")
    assert len(content.splitlines()) > 3

    root = await attach(stage, INES, {name: content})
    await stage.reply(INES, root)
    refusal = await stage.result("import_records")
    assert refusal["reason"] == "no_changes", refusal
    assert refusal["message"].strip() == "These files change nothing."


TARGETS = ("Client", "Brand", "Marketplace", "Period", "ACOS target", "Sales target", "Currency")
_GOALS = "select acos_target_pct, sales_target, sales_currency from brand_market_kpi_targets "


async def test_targets_of_many_brands_come_from_one_file(acting: Acting) -> None:
    next_year = str(datetime.now(UTC).year + 1)
    lines = [
        ["Glintly Inc", "Glintly", "US", "2025-11", "28 %", "", ""],
        ["Glintly Inc", "Glintly", "CA", next_year, "25", "120,000", "usd"],
        ["Glintly Inc", "Glintly", "CA", "2026-10", "101", "", ""],
        ["Glintly Inc", "Glintly", "CA", "2026-11", "", "4,800", ""],
        ["Glintly Inc", "Glintly", "CA", "9026-11", "30", "", ""],
    ]
    stage = await acting(importing("targets.csv"))
    await with_figures(stage.db)
    root = await attach(stage, INES, {"targets.csv": as_csv(TARGETS, lines)})
    card = await offer(stage, INES, root, "Import 2 records")
    whole = await shown(stage, root)
    assert "1 new, 1 changed" in whole
    assert "31.50% → 28%" in whole
    assert "targets.csv, line 4, column ACOS target: it is at most 100, not “101.00”" in whole
    assert "targets.csv, line 5, column Currency: it is empty" in whole
    assert "targets.csv, line 6, column Period: “9026-11” is no month" in whole

    await stage.press(INES, card, "Import 2 records")
    await stage.reply_with(INES, root, "Imported 2 records")
    kept = await stage.db.pool.fetch(_GOALS + "where active order by updated_at desc limit 2")
    assert {tuple(map(str, row.values())) for row in kept} == {
        ("28.00", "None", "None"),
        ("25.00", "120000.00", "USD"),
    }
