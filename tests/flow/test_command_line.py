"""The commands as a person at a terminal has them: what they print, and how they end."""

from __future__ import annotations

import asyncio
import io
import json
import os
import shutil
import signal
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from databases import Cluster
from fakes.openai_server import Fault, OpenAIServer
from pydantic_ai import models
from stage import stage_settings

from agencyclaw.cli.doctor import examine
from agencyclaw.cli.main import main
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.settings import load_settings
from agencyclaw.store.demo_agency import person_id
from agencyclaw.store.engine import Database
from workbench.fixture import Bench

ROOT = Path(__file__).parents[2]
COMMAND = Path(sys.executable).parent / "agencyclaw"
OURS = ("SLACK_", "CLICKUP_", "AGENCYCLAW_", "OPENAI_", "DATABASE_", "LOGFIRE_", "OTEL_", "SUPER_")
SARA = "sara.lindqvist@lanternfish.example"
NO_DOCUMENTS = "No documents yet. Add a file or a folder: agencyclaw kb add PATH\n"
NOWHERE = "postgresql://nobody:x@127.0.0.1:1/none"


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Terminal:
    """A shell in an empty folder, with the settings of a workbench and a database."""

    folder: Path
    settings: Mapping[str, str]

    async def run(self, *words: str, **changed: str) -> Ended:
        """Run `agencyclaw` to its end."""
        return await self.execute(str(COMMAND), *words, **changed)

    async def run_here(self, *words: str, **changed: str) -> Ended:
        """The same within this process: starting one takes seconds."""
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.folder)
            for name in [name for name in os.environ if name.startswith(OURS)]:
                patch.delenv(name)
            for name, value in {**self.settings, **changed}.items():
                patch.setenv(name, value)
            with redirect_stdout(out), redirect_stderr(err):
                code = await asyncio.to_thread(main, words)
        return Ended(code, out.getvalue(), err.getvalue())

    async def execute(self, *command: str, **changed: str) -> Ended:
        process = await asyncio.create_subprocess_exec(
            *command,
            cwd=self.folder,
            env={**_bare_environment(), **self.settings, **changed},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await asyncio.wait_for(process.communicate(), 300)
        return Ended(process.returncode or 0, out.decode(), err.decode())

    async def chat(self, text: str, thread: str) -> list[dict[str, Any]]:
        ended = await self.run("chat", text, "--as", SARA, "--thread", thread, "--json")
        assert ended.code == 0, ended.err
        return json.loads(ended.out)


def _bare_environment() -> dict[str, str]:
    """Our environment without what would configure it, and with compiled code kept."""
    return {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(OURS) and name != "PYTHONDONTWRITEBYTECODE"
    }


@pytest.fixture
def terminal(bench: Bench, agency: Database, tmp_path: Path) -> Terminal:
    return Terminal(
        tmp_path,
        {
            "AGENCYCLAW_HOME": str(tmp_path / "home"),
            "DATABASE_URL": agency.dsn,
            "SLACK_BOT_TOKEN": "xoxb-workbench",
            "SLACK_APP_TOKEN": "xapp-workbench",
            "SLACK_API_URL": bench.slack_api_url,
            "CLICKUP_API_TOKEN": "pk_workbench",
            "CLICKUP_API_URL": bench.clickup_api_url,
            "CLICKUP_TEAM_ID": "90100400001",
            "CLICKUP_DOCS": "90100500008",
            "SUPER_ADMIN_PROFILE_IDS": str(person_id("Ines Varga")),
        },
    )


async def test_a_card_that_takes_a_press_only_is_pressed_by_its_key(
    terminal: Terminal, bench: Bench, agency: Database
) -> None:
    asked = ("create a coupon task for Copperleaf", "--as", SARA, "--thread", "t1", "--json")
    _, card = json.loads((await terminal.run_here("chat", *asked)).out)
    await agency.pool.execute("update proposals set words_until = null, press_only = true")
    [proposal] = card["proposals"]
    print_of = await agency.pool.fetchval("select fingerprint from proposals")
    key = f"{proposal['id'][:8]}-{print_of[:4]}"
    wrong = await terminal.run_here(
        "chat", "--press", "00000000-0000", "--as", SARA, "--thread", "t1"
    )
    elsewhere = await terminal.run_here("chat", "--press", key, "--as", SARA, "--thread", "t2")
    another = await terminal.run_here("chat", "--press", key, "--as", "U01MIG", "--thread", "t1")
    assert [one.code for one in (wrong, elsewhere, another)] == [2, 2, 2]
    assert await agency.pool.fetchval("select state from proposals") == "open"

    pressed = await terminal.run_here("chat", "--press", key, "--as", SARA, "--thread", "t1")

    assert "Created “Set up a coupon”" in pressed.out, pressed.err
    assert len([t for t in await bench.clickup_tasks() if t["name"] == "Set up a coupon"]) == 1


async def test_a_conversation_goes_on_from_one_command_to_the_next(
    terminal: Terminal, bench: Bench
) -> None:
    answer, card = await terminal.chat("create a coupon task for Copperleaf", "t1")
    assert "Nothing on this card is carried out until you confirm." in answer["text"]
    assert [one["state"] for one in card["proposals"]] == ["open"]

    [receipt] = await terminal.chat("yes, create it", "t1")

    [task] = [t for t in await bench.clickup_tasks() if t["name"] == "Set up a coupon"]
    assert "Created “Set up a coupon”" in receipt["text"]
    assert task["url"] in receipt["links"][0]

    listed = await terminal.run_here("runs")
    assert "Sara Lindqvist: 'create a coupon task for Copperleaf'" in listed.out
    run_id = listed.out.split()[0]
    page = await terminal.run_here("runs", "show", run_id)
    traces = "http://127.0.0.1/trace/{trace}"
    data = await terminal.run_here("runs", "show", run_id, "--json", AGENCYCLAW_TRACE_URL=traces)
    assert 'search_kb(query="create a coupon")' in page.out
    assert "Create the task “Set up a coupon” for Copperleaf: done http" in page.out
    assert "I've prepared a coupon task" in page.out
    assert "http://127.0.0.1/trace" not in page.out
    run = json.loads(data.out)["run"]
    assert run["status"] == "completed"
    assert json.loads(data.out)["trace_url"] == f"http://127.0.0.1/trace/{run['trace_id']}"

    case = terminal.folder / "coupon.yaml"
    kept = await terminal.run_here("runs", "export", run_id, "--to", str(case))
    printed = await terminal.run_here("runs", "export", run_id)
    assert kept.out == f"wrote {case}: correct what is expected, and give the case a name\n"
    assert case.read_text(encoding="utf-8") + "\n" == printed.out
    assert "say: create a coupon task for Copperleaf" in printed.out
    unkept = await terminal.run_here("runs", "export", run_id, "--to", "nowhere/coupon.yaml")
    assert (unkept.code, "nowhere/coupon.yaml can't be written: No such" in unkept.err) == (2, True)


async def test_whoever_reads_no_further_is_told_nothing_more(terminal: Terminal) -> None:
    ended = await terminal.execute("sh", "-c", f"{COMMAND} runs | true")

    assert (ended.out, ended.err) == ("", "")


async def test_what_cannot_be_done_ends_with_its_code_and_a_sentence(terminal: Terminal) -> None:
    serve = await terminal.run("serve", DATABASE_URL=NOWHERE, AGENCYCLAW_MODEL="scripted")
    assert (serve.code, serve.out) == (3, "")
    assert serve.err.startswith("agencyclaw: The database can't be reached (127.0.0.1")

    demo = await terminal.run("demo", AGENCYCLAW_HOME="/dev/null/none")
    assert (demo.code, demo.out) == (2, "")
    assert demo.err.startswith("agencyclaw: AGENCYCLAW_HOME can't be used: [Errno 20]")

    for words, code, says in (
        (("serve",), 2, "SLACK_BOT_TOKEN is not set: it is the bot token"),
        (("chat", "hello", "--as", "nobody@lanternfish.example"), 2, "has the e-mail nobody@"),
        (("chat", " "), 2, "Say something"),
        (("chat", "hello", "--press", "KEY"), 2, "Say something, or press a card"),
        (("runs", "show"), 2, "Say which run"),
        (("runs", "export"), 2, "Say which run: agencyclaw runs export ID"),
        (("runs", "export", "zz"), 1, "no single run that begins with zz"),
        (("runs", "show", "zz"), 1, "no single run that begins with zz"),
    ):
        ended = await terminal.run_here(*words, SLACK_BOT_TOKEN="")
        assert (ended.code, ended.out) == (code, "")
        assert says in ended.err


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("SLACK_BOT_TOKEN", "abc", "a bot token starts with xoxb-"),
        ("SLACK_APP_TOKEN", "abc", "an app-level token starts with xapp-"),
        ("CLICKUP_API_URL", "clickup.com", "this is not an http(s) address"),
        ("DATABASE_URL", "mysql://x", "only Postgres is spoken here"),
        ("SUPER_ADMIN_PROFILE_IDS", "ines", "each is the id of a profile"),
        ("CLICKUP_LOOK_DELAYS", "soon", "these are seconds up to 3600, comma separated"),
        ("CLICKUP_LOOK_DELAYS", ",", "these are seconds up to 3600, comma separated"),
        ("CLICKUP_LOOK_DELAYS", "2,nan", "these are seconds up to 3600, comma separated"),
        ("CLICKUP_LOOK_DELAYS", "-1", "these are seconds up to 3600, comma separated"),
        ("CLICKUP_DOCS", "90/1", "these are ids of Docs, folders or spaces"),
        ("AGENCYCLAW_TRACE_URL", "https://traces.example", "with {trace} where its id belongs"),
        ("AGENCYCLAW_QUIET_HOURS", "24-7", "two hours of a day, from 0 to 23: 21-7"),
        ("AGENCYCLAW_CLOCK_AHEAD_S", "inf", "less than or equal to 31622400"),
        ("AGENCYCLAW_GUIDES", "~nobody-here/guides", "the folder of a user who is not there"),
        ("AGENCYCLAW_DRAIN_S", "x", "this should be a valid number\n"),
        ("AGENCYCLAW_MAX_REQUESTS", "0", "greater than or equal to 1"),
    ],
)
def test_a_bad_setting_is_refused_by_its_name_with_the_fix(
    name: str,
    value: str,
    says: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(name, value)

    assert main(["runs"]) == 2

    said = capsys.readouterr().err
    assert f"{name}: " in said
    assert says in said


def test_what_a_file_leaves_empty_is_not_set(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "CLICKUP_TEAM_ID"):
        monkeypatch.setenv(name, "")
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    filled = example.replace("OPENAI_API_KEY=", "OPENAI_API_KEY=sk-mine")
    (tmp_path / ".env").write_text(filled + "CLICKUP_TEAM_ID=42\n", encoding="utf-8")

    settings = load_settings()

    assert (settings.model, settings.clickup_team_id) == ("openai-chat:gpt-5-mini", "42")
    assert settings.clickup_look_delays == (2.0, 10.0, 60.0, 120.0)
    assert "OPENAI_BASE_URL" not in os.environ


def test_a_file_of_settings_that_cannot_be_read_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_bytes(b"OPENAI_API_KEY=\xff\n")

    with pytest.raises(Misconfigured, match=r"\.env can't be read: it is not text in UTF-8\."):
        load_settings()


async def test_an_empty_database_is_migrated_and_seeded_once(
    database: Database, tmp_path: Path
) -> None:
    shell = Terminal(tmp_path, {"AGENCYCLAW_HOME": str(tmp_path), "DATABASE_URL": database.dsn})

    migrated = await shell.run_here("migrate")
    refused = await shell.run_here("seed")
    assert await database.pool.fetchval("select count(*) from profiles") == 0
    seeded, again = [await shell.run_here("seed", "--configured") for _ in range(2)]

    assert (refused.code, "--configured" in refused.err) == (2, True)
    assert migrated.out == "The database is at the newest schema.\n"
    assert "Lanternfish Commerce is loaded" in seeded.out
    assert "(0 rows written)" not in seeded.out
    assert "(0 rows written)" in again.out


async def test_removing_the_fictional_agency_names_what_stays(
    agency: Database, tmp_path: Path
) -> None:
    shell = Terminal(tmp_path, {"AGENCYCLAW_HOME": str(tmp_path), "DATABASE_URL": agency.dsn})
    await agency.pool.execute(
        "insert into agent_events (event_type, actor_profile_id) select 'x', id from profiles"
        " where full_name in ('Ines Varga', 'Yuki Tan')"
    )

    removed = await shell.run_here("seed", "--remove")

    assert "Lanternfish Commerce is removed" in removed.out
    assert "Still there: 2 of profiles." in removed.out


async def test_the_database_of_the_settings_is_never_emptied(
    terminal: Terminal, agency: Database
) -> None:
    served = await terminal.run("serve", "--fresh", AGENCYCLAW_MODEL="test")

    assert served.code == 2
    assert "--fresh empties only the embedded database" in served.err
    assert await agency.pool.fetchval("select count(*) from profiles") > 0


async def test_the_catalog_is_filled_from_a_file(agency: Database, tmp_path: Path) -> None:
    shell = Terminal(tmp_path, {"AGENCYCLAW_HOME": str(tmp_path), "DATABASE_URL": agency.dsn})
    file = tmp_path / "products.csv"
    file.write_text("client,brand,asin,sku,title\nGlintly Inc,Glintly,B0GL1NEW01,,Lens Pen\n")

    added = await shell.run_here("catalog", "add", "products.csv")
    again = await shell.run_here("catalog", "add", "products.csv")
    missing = await shell.run_here("catalog", "add", "nowhere.csv")

    assert added.out == "1 product is new, 0 were brought up to date.\n"
    assert again.out == "0 products are new, 1 was brought up to date.\n"
    assert missing.code == 2
    assert "nowhere.csv can't be read" in missing.err


async def test_tidying_up_says_what_it_removed(database: Database, tmp_path: Path) -> None:
    shell = Terminal(tmp_path, {"AGENCYCLAW_HOME": str(tmp_path), "DATABASE_URL": database.dsn})
    await database.pool.execute(
        "insert into outbox (key, kind, team_id, channel_id, state, created_at)"
        " select n::text, 'answer', 'T', 'D', 'sent', now() - make_interval(days => n)"
        " from unnest('{1,29,31,99}'::int[]) as n"
    )

    await database.pool.execute(
        "insert into slack_sessions (team_id, channel_id, thread_ts, place, shown, shown_at)"
        " values ('T', 'D', '1', 'p', 'active', now() - interval '31 days')"
    )

    first, again = await shell.run_here("tidy"), await shell.run_here("tidy")

    assert first.out == "Removed: 2 deliveries, 1 state of a thread.\n"
    assert again.out == "Removed: nothing was old enough.\n"


async def test_a_database_of_a_development_version_is_refused_with_the_way_out(
    bench: Bench, database: Database, tmp_path: Path
) -> None:
    await database.pool.execute("update alembic_version set version_num = '0036'")
    shell = Terminal(
        tmp_path,
        {
            "AGENCYCLAW_HOME": str(tmp_path),
            "DATABASE_URL": database.dsn,
            "SLACK_BOT_TOKEN": "xoxb-workbench",
            "SLACK_APP_TOKEN": "xapp-workbench",
            "SLACK_API_URL": bench.slack_api_url,
            "CLICKUP_API_TOKEN": "pk_workbench",
            "CLICKUP_API_URL": bench.clickup_api_url,
            "CLICKUP_TEAM_ID": "90100400001",
            "AGENCYCLAW_MODEL": "test",
        },
    )

    migrated = await shell.run("migrate")
    served = await shell.run("serve")
    looked_at = await shell.run("doctor")

    assert (migrated.code, served.code, looked_at.code) == (2, 2, 1)
    [database_line] = [line for line in looked_at.out.splitlines() if "database:" in line]
    for sentence in (migrated.err, served.err, database_line):
        assert "revision 0036 of a development version, which can't be upgraded" in sentence
        assert "Take a dump" in sentence
        assert "reset it" in sentence
    assert await database.pool.fetchval("select version_num from alembic_version") == "0036"


async def test_the_next_migration_is_written_beside_the_others_without_any_database(
    tmp_path: Path,
) -> None:
    for name in ("agencyclaw", "migrations"):
        await asyncio.to_thread(shutil.copytree, ROOT / name, tmp_path / name)
    shell = Terminal(tmp_path, {"AGENCYCLAW_HOME": str(tmp_path), "DATABASE_URL": NOWHERE})
    before = {path.name for path in (tmp_path / "migrations" / "versions").glob("*.py")}

    ended = await shell.execute(sys.executable, "-m", "agencyclaw", "migrate", "--new", "a column")

    assert ended.code == 0, ended.err
    after = {path.name for path in (tmp_path / "migrations" / "versions").glob("*.py")}
    [written] = after - before
    assert written.endswith("_a_column.py")
    assert ended.out.endswith(f"wrote {written}\n")


async def test_doctor_finds_nothing_wrong_where_nothing_is(bench: Bench, agency: Database) -> None:
    # Also Leo is fine, who has left with a ClickUp account that is none.
    findings = await examine(stage_settings(bench, database_url=agency.dsn))

    assert [finding.line for finding in findings if not finding.is_good] == []
    said = " ".join(finding.line for finding in findings)
    assert "10 spaces visible" in said
    # The role of the tests owns everything.
    assert "only a trigger protects the audit" in said


@pytest.mark.parametrize(
    ("bad", "what", "says"),
    [
        ({"database_url": "postgresql://x:y@z:port/n"}, "database", "user:password@host:port/"),
        ({"database_url": NOWHERE}, "people", "not checked, because the database"),
        ({"database_url": NOWHERE}, "database", "check DATABASE_URL"),
        ({"super_admin_profile_ids": {person_id("nobody")}}, "people", "SUPER_ADMIN_PROFILE_IDS"),
        ({"super_admin_profile_ids": {person_id("Leo Ferri")}}, "people", "names nobody at work"),
        ({"slack_bot_token": ""}, "Slack", "SLACK_BOT_TOKEN is not set"),
        ({"slack_bot_token": "xoxb-wrong"}, "Slack", "of the app's page “OAuth & Permissions”"),
        ({"slack_app_token": "xapp-wrong"}, "Slack", "SLACK_APP_TOKEN"),
        ({"slack_api_url": "http://127.0.0.1:1/api/"}, "Slack", "SLACK_API_URL"),
        ({"clickup_api_token": ""}, "ClickUp", "CLICKUP_API_TOKEN is not set"),
        ({"clickup_api_token": "wrong"}, "ClickUp", "CLICKUP_API_TOKEN"),
        ({"clickup_team_id": "1"}, "ClickUp", "CLICKUP_TEAM_ID"),
        ({"clickup_api_url": "http://127.0.0.1:1/v2"}, "ClickUp", "CLICKUP_API_URL"),
        ({"agencyclaw_model": "openai-chat:gpt-5-mini"}, "model", "Set the OPENAI_API_KEY"),
        ({"agencyclaw_model": "nonsense:x"}, "model", "AGENCYCLAW_MODEL"),
        ({"agencyclaw_model": ""}, "model", "No language model is set"),
    ],
)
async def test_doctor_names_what_is_wrong_and_the_variable_that_mends_it(
    bench: Bench,
    agency: Database,
    monkeypatch: pytest.MonkeyPatch,
    bad: dict[str, object],
    what: str,
    says: str,
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    findings = await examine(stage_settings(bench, **{"database_url": agency.dsn, **bad}))

    wrong = [finding for finding in findings if not finding.is_good]
    assert what in [finding.what for finding in wrong]
    assert says in " ".join(finding.says for finding in wrong if finding.what == what)


async def test_doctor_knows_an_assistant_that_is_reached_over_http(
    bench: Bench, agency: Database
) -> None:
    over_http = {"slack_app_token": "", "slack_signing_secret": "s", "agencyclaw_http_port": 8760}
    findings = await examine(stage_settings(bench, database_url=agency.dsn, **over_http))

    assert [finding.line for finding in findings if finding.what == "Slack"] == [
        "ok   Slack: signed in as agencyclaw in Lanternfish Commerce, events come over HTTP"
    ]


async def test_doctor_looks_up_every_list_space_person_and_doc(
    bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await agency.pool.execute(
        "update brands set clickup_list_id = '99' where name = 'Copperleaf';"
        "update brands set clickup_space_id = '98' where name = 'Glintly';"
        "update profiles set clickup_user_id = '97' where slack_user_id = 'U01MIG';"
        "update profiles set slack_user_id = 'U0GONE' where slack_user_id = 'U01INES'"
    )
    monkeypatch.setenv("AGENCYCLAW_MODLE", "x")
    docs = ("90100500008", "nowhere-1")
    settings = stage_settings(bench, database_url=agency.dsn, clickup_docs=docs)
    findings = await examine(settings)

    wrong = {finding.what: finding.says for finding in findings if not finding.is_good}
    assert set(wrong) == {"settings", "mappings", "Slack's people"}
    assert "Did you mean AGENCYCLAW_MODEL?" in wrong["settings"]
    assert "(Brightkettle Group): the list 99: There is no such" in wrong["mappings"]
    assert "Glintly (Glintly Inc): the space 98 is not to be seen" in wrong["mappings"]
    assert ": there is no ClickUp account 97." in wrong["mappings"]
    assert "nowhere-1: " in wrong["mappings"]
    assert " lead nowhere. Tell the assistant what is right, as an admin" in wrong["mappings"]
    assert "Ines Varga: there is no Slack account U0GONE." in wrong["Slack's people"]


async def test_doctor_finds_a_list_that_is_not_in_the_space_of_its_brand(
    bench: Bench, agency: Database
) -> None:
    await agency.pool.execute(
        "update brands set clickup_space_id = (select min(clickup_space_id) from brands where"
        " clickup_space_id <> (select clickup_space_id from brands where name = 'Copperleaf'))"
        " where name = 'Copperleaf'"
    )
    findings = await examine(stage_settings(bench, database_url=agency.dsn))

    [wrong] = [finding for finding in findings if not finding.is_good]
    assert "Copperleaf (Brightkettle Group): the list " in wrong.says
    assert " is in another space, " in wrong.says


async def test_doctor_ends_with_one_only_where_something_is_to_be_mended(
    terminal: Terminal,
) -> None:
    good, bad = [
        await terminal.run_here("doctor", AGENCYCLAW_MODEL="scripted", **one)
        for one in ({}, {"CLICKUP_TEAM_ID": "1"})
    ]

    assert (good.code, bad.code) == (0, 1), good.out
    assert "BAD  ClickUp: " in bad.out


async def test_doctor_calls_the_model_once_and_says_what_that_cost(
    bench: Bench, agency: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", True)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-key")
    model = "openai-chat:gpt-5-mini"
    server = OpenAIServer(["ok", Fault(401)])
    async with server.running() as address:
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        settings = stage_settings(bench, database_url=agency.dsn, agencyclaw_model=model)
        good, bad = await examine(settings), await examine(settings)

    [said] = [finding.line for finding in good if finding.what == "model"]
    assert said.startswith(f"ok   model: {model} answered (120 tokens in, 30 out, 0.0000")
    [said] = [finding.line for finding in bad if finding.what == "model"]
    assert said.startswith(f"BAD  model: The provider of {model} refuses our key (HTTP 401).")
    assert len(server.requests) == 2


async def test_doctor_asks_for_a_migration_and_makes_none(
    bench: Bench, cluster: Cluster, agency: Database
) -> None:
    _ = agency
    async with cluster.blank() as address:
        findings = await examine(stage_settings(bench, database_url=address))
        db = await Database.open(address)
        tables = await db.pool.fetchval("select to_regclass('proposals')")
        await db.close()

    wrong = {finding.what: finding.says for finding in findings if not finding.is_good}
    assert "Run `agencyclaw migrate`" in wrong["database"]
    assert wrong["people"] == "not checked, because the database can't be used."
    assert tables is None


async def test_doctor_creates_no_database(bench: Bench, tmp_path: Path) -> None:
    home = tmp_path / "home"
    findings = await examine(stage_settings(bench, database_url="", agencyclaw_home=home))

    wrong = {finding.what: finding.says for finding in findings if not finding.is_good}
    assert "There is no database yet: DATABASE_URL is not set" in wrong.pop("database")
    assert set(wrong.values()) == {"not checked, because the database can't be used."}
    assert not home.exists()


async def test_doctor_counts_nobody_who_has_left(bench: Bench, agency: Database) -> None:
    await agency.pool.execute(
        "update profiles set employment_status = 'inactive' where slack_user_id <> 'U01INES'"
    )
    findings = await examine(stage_settings(bench, database_url=agency.dsn))

    [people] = [finding.says for finding in findings if finding.what == "people"]
    assert people == "1 profile is linked to Slack, 1 super admin"


async def test_doctor_counts_in_plain_words(bench: Bench, agency: Database) -> None:
    await agency.pool.execute(
        "update profiles set slack_user_id = null where slack_user_id <> 'U01INES'"
    )
    findings = await examine(stage_settings(bench, database_url=agency.dsn))

    [people] = [finding.says for finding in findings if finding.what == "people"]
    assert people == "1 profile is linked to Slack, 1 super admin"


async def test_documents_are_added_approved_and_listed(terminal: Terminal) -> None:
    folder = terminal.folder / "playbooks"
    folder.mkdir()
    (folder / "returns.md").write_text("# Opened parcels\n\nGrade each from A to D.")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 nothing more")
    added = await terminal.run_here("kb", "add", str(folder))
    assert added.code == 1
    assert "playbooks/returns.md: added (version 1), “Opened parcels”." in added.out
    assert "playbooks/broken.pdf: not added, it is damaged" in added.out
    assert "waits for approval" in (await terminal.run_here("kb", "list")).out

    (terminal.folder / "linked").symlink_to(folder)
    (terminal.folder / "linked.md").symlink_to(folder / "returns.md")
    assert "linked is a link" in (await terminal.run_here("kb", "add", "linked")).err
    assert "not added, it is a link" in (await terminal.run_here("kb", "add", "linked.md")).out

    approved = await terminal.run_here("kb", "approve", "playbooks/returns.md")
    assert approved.out == "In use from now on: playbooks/returns.md, version 1.\n"
    assert "approved by" in (await terminal.run_here("kb", "list")).out
    again = await terminal.run_here("kb", "approve", "playbooks/returns.md")
    assert (again.code, again.out) == (1, "")
    assert "No document waits under that name." in again.err
    assert (await terminal.run_here("kb", "retire", "playbooks/returns.md")).code == 0
    assert (await terminal.run_here("kb", "list")).out == NO_DOCUMENTS

    here = await terminal.run_here("kb", "add", ".")
    assert f"\n{terminal.folder.name}/playbooks/returns.md: added" in f"\n{here.out}"


async def test_procedures_are_taken_over_from_clickup_and_approved(terminal: Terminal) -> None:
    changes = (
        "changed: Stranded Inventory SOP (lines: 1 added, 0 removed, under “Done when”)\n"
        "  - now: Afterwards, note in the task how many units were recovered.\n"
        "new: Listing Appeal SOP\n"
        "  - Category listing appeal; also found as “listing appeal”\n"
        "  - It begins: Used when Amazon asks for a plan of action before it lists a product again."
        " 1. Read the notice and name the policy it quotes. 2. Collect invoices of the last 365"
        " days and photos of all six sides of the pack. 3. Write root cause, correction and"
        " prevention, one paragraph each. 4. Have the Customer Su…\n"
        "1 new, 1 changed; 14 unchanged.\n"
    )
    dry = await terminal.run_here("kb", "sync", "--dry-run")
    assert dry.out == f"{changes}Nothing was taken over: a dry run.\n"
    assert (await terminal.run_here("kb", "list")).out == NO_DOCUMENTS
    synced = await terminal.run_here("kb", "sync")
    assert synced.out == f"{changes}Approve what is new: agencyclaw kb approve TITLE\n"
    assert synced.code == 0
    assert (await terminal.run_here("kb", "sync")).out == (
        "The procedures are as they are in ClickUp.\n"
    )
    assert "“Listing Appeal SOP” from ClickUp" in (await terminal.run_here("kb", "list")).out
    approved = await terminal.run_here("kb", "approve", "Listing Appeal SOP")
    assert approved.out == "In use from now on: the procedure “Listing Appeal SOP”.\n"
    assert (await terminal.run_here("kb", "list")).out == NO_DOCUMENTS


async def test_of_two_procedures_of_one_title_none_is_decided_about(
    terminal: Terminal, agency: Database
) -> None:
    await agency.pool.execute(
        "update playbook_sops set name = 'Stock SOP', state = 'waiting'"
        " where name in ('Stranded Inventory SOP', 'Coupons Promotion SOP')"
    )
    for words in (("approve", "stock sop"), ("retire", "Stock SOP")):
        ended = await terminal.run_here("kb", *words)
        assert (ended.code, ended.out) == (1, "")
        assert "Several procedures are called that." in ended.err

    waiting = "select count(*) from playbook_sops where name = 'Stock SOP' and state = 'waiting'"
    assert await agency.pool.fetchval(waiting) == 2


async def test_a_procedure_gets_the_names_it_is_found_by(
    terminal: Terminal, agency: Database
) -> None:
    shown = await terminal.run_here("kb", "alias", "Stranded Inventory SOP")
    assert "“Stranded Inventory SOP” is found as “stranded" in shown.out
    named = await terminal.run_here(
        "kb",
        "alias",
        "stranded inventory sop",
        "Orphaned Units",
        "lost stock",
        "--category",
        "Stock",
    )
    assert named.out == (
        "“Stranded Inventory SOP” is found as “orphaned units”, “lost stock”."
        " Its category is stock.\n"
    )
    row = await agency.pool.fetchrow(
        "select category, aliases from playbook_sops where name = 'Stranded Inventory SOP'"
    )
    assert tuple(row) == ("stock", ["orphaned units", "lost stock"])
    [event] = await agency.pool.fetch(
        "select payload from agent_events where event_type = 'procedure_named'"
    )
    assert event["payload"]["after"]["category"] == "stock"
    nowhere = await terminal.run_here("kb", "alias", "Returns SOP", "returns")
    assert (nowhere.code, nowhere.out) == (1, "")
    assert "There is no such procedure." in nowhere.err


async def test_the_knowledge_base_says_what_is_missing(
    terminal: Terminal, agency: Database
) -> None:
    assert (await terminal.run_here("kb", "gaps")).out == "No questions without an answer.\n"
    for key, question in (
        ("signs", "How do we paint signs?"),
        ("coupon", "What says the Coupons Promotion SOP?"),
    ):
        await agency.pool.execute(
            "insert into knowledge_gaps (key, question, closest) values ($1, $2, $3)",
            *(key, question, "Price Discount SOP"),
        )
    listed = (await terminal.run_here("kb", "gaps")).out
    assert "How do we paint signs?, asked once on 20" in listed
    assert "; closest: “Price Discount SOP”\n" in listed
    assert "; answered by now: “Coupons Promotion SOP”\n" in listed
    assert listed.endswith("Take one off the list: agencyclaw kb settle ID\n")
    assert (await terminal.run_here("kb", "add")).err == (
        "agencyclaw: Say which: agencyclaw kb add NAME\n"
    )
    assert "There is no file or folder" in (await terminal.run_here("kb", "add", "nowhere")).err
    assert (await terminal.run_here("kb", "settle", "ffffffff")).code == 1


async def test_an_id_that_several_questions_begin_with_settles_none(
    terminal: Terminal, agency: Database
) -> None:
    for digit in "12":
        await agency.pool.execute(
            "insert into knowledge_gaps (id, key, question) values ($1, $2, 'How?')",
            *(UUID(f"abcd{digit * 28}"), digit),
        )
    several = await terminal.run_here("kb", "settle", "abcd")
    one = await terminal.run_here("kb", "settle", "abcd1")

    assert (several.code, several.out) == (1, "")
    assert "Several open questions begin with abcd:" in several.err
    assert one.code == 0
    assert await agency.pool.fetchval("select count(settled_at) from knowledge_gaps") == 1


def deaf() -> None:
    """As a background job of some shells is born, and a job of some runners."""
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, signal.SIG_IGN)


async def test_it_ends_when_asked_even_where_it_waits_to_begin(terminal: Terminal) -> None:
    knocked, left = asyncio.Event(), asyncio.Event()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        knocked.set()
        await reader.read()
        writer.close()
        left.set()

    server = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    silent = {
        "DATABASE_URL": f"postgresql://nobody@127.0.0.1:{port}/none",
        "AGENCYCLAW_MODEL": "scripted",
    }
    process = await asyncio.create_subprocess_exec(
        str(COMMAND),
        "serve",
        cwd=terminal.folder,
        env={**_bare_environment(), **terminal.settings, **silent},
        preexec_fn=deaf,
    )
    await asyncio.wait_for(knocked.wait(), 300)
    process.terminate()

    # An address that never answers is given up after a minute; this is sooner.
    assert await asyncio.wait_for(process.wait(), 300) == 0
    await asyncio.wait_for(left.wait(), 300)
    server.close()
