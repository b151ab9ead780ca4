"""What `serve` looks at before it listens, and what readiness says of our neighbours."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from fakes.openai_server import Fault, OpenAIServer
from pydantic_ai import models
from stage import Stage, on_stage, stage_settings
from test_command_line import Terminal

from agencyclaw.agents import prompts
from agencyclaw.app import assistant
from agencyclaw.cli.serve import require_model_answer, serving_http, start_checks
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.store import catalogue
from agencyclaw.store.demo_agency import person_id
from agencyclaw.store.engine import Database
from agencyclaw.tools import built_skills
from workbench.fixture import Bench

CHAT = "openai-chat:gpt-5-mini"


@pytest.fixture
def terminal(bench: Bench, agency: Database, tmp_path: Path) -> Terminal:
    """A shell that is set up for `serve`, up to the model."""
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
            "SUPER_ADMIN_PROFILE_IDS": str(person_id("Ines Varga")),
        },
    )


async def test_without_a_model_it_does_not_play_a_script_to_real_people(terminal: Terminal) -> None:
    ended = await terminal.run_here("serve")

    assert ended.code == 2
    assert ended.err.startswith("agencyclaw: No language model is set: set OPENAI_API_KEY")


@pytest.mark.parametrize("name", prompts.PROMPTS)
async def test_a_missing_or_empty_prompt_is_named_at_the_start(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    for one in prompts.PROMPTS:
        (tmp_path / f"{one}.md").write_text("<!-- a comment -->" if one == name else "Be kind.")
    monkeypatch.setattr(prompts, "_FOLDER", tmp_path)
    prompts.load_prompt.cache_clear()
    try:
        ended = await terminal.run_here("serve", AGENCYCLAW_MODEL="scripted")
    finally:
        prompts.load_prompt.cache_clear()

    assert ended.code == 2
    assert f"{name}.md is missing, empty or unreadable: install it again." in ended.err


def test_every_prompt_of_the_folder_is_looked_for() -> None:
    folder = Path(prompts.__file__).parent

    assert sorted(prompts.PROMPTS) == sorted(path.stem for path in folder.glob("*.md"))


async def test_a_missing_table_is_named_at_the_start(terminal: Terminal, agency: Database) -> None:
    await agency.pool.execute("drop table agencyclaw_user_preferences")

    ended = await terminal.run("serve", AGENCYCLAW_MODEL="scripted")
    looked = await terminal.run_here("doctor")

    assert (ended.code, ended.out) == (2, "")
    assert "lacks what its revision promises: agencyclaw_user_preferences." in ended.err
    assert "restore a whole dump" in ended.err
    assert "BAD  database: The database lacks what its revision promises" in looked.out


async def test_a_catalogue_that_cannot_be_read_is_named(
    agency: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for content in (None, "", "skills: [", "roles: {}"):
        path = tmp_path / "catalogue.yaml"
        if content is not None:
            path.write_text(content)
        monkeypatch.setattr(catalogue, "FILE", path)
        with pytest.raises(Misconfigured, match=r"catalogue\.yaml is missing"):
            await catalogue.install_catalogue(agency, built_skills())


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (401, f"The provider of {CHAT} refuses our key (HTTP 401). Set OPENAI_API_KEY to a valid"),
        (403, f"The provider of {CHAT} refuses our key (HTTP 403). Set OPENAI_API_KEY to a valid"),
        (404, f"The provider has no model {CHAT} (HTTP 404). Set AGENCYCLAW_MODEL to one it has"),
    ],
)
async def test_a_key_or_model_that_the_provider_refuses_ends_the_start(
    terminal: Terminal, status: int, says: str
) -> None:
    server = OpenAIServer([Fault(status)] * 3)
    async with server.running() as address:
        key = {"OPENAI_API_KEY": "sk-wrong", "OPENAI_BASE_URL": address}
        ended = await terminal.run("serve", AGENCYCLAW_MODEL=CHAT, **key)

    assert ended.code == 2
    assert f"agencyclaw: {says}" in ended.err


Opens = Callable[..., AbstractAsyncContextManager[Callable[[], Any]]]


@pytest.fixture
def opens(
    bench: Bench, agency: Database, unused_tcp_port: int, monkeypatch: pytest.MonkeyPatch
) -> Opens:
    """Start the assistant as `serve` does, and give what asks it whether it is ready."""
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", True)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-key")

    @asynccontextmanager
    async def open_it(**changed: Any) -> AsyncGenerator[Callable[[], Any]]:
        settings = stage_settings(bench, agencyclaw_http_port=unused_tcp_port, **changed)
        url = f"http://127.0.0.1:{unused_tcp_port}/readyz"

        async def ready() -> tuple[int, dict[str, Any]]:
            async with bench.http.get(url) as answer:
                return answer.status, await answer.json()

        async with start_checks(settings) as neighbours:
            await require_model_answer(neighbours)
            async with (
                assistant(settings, agency) as running,
                serving_http(settings, agency, running, neighbours),
            ):
                yield ready

    return open_it


async def test_readiness_names_a_token_that_clickup_refuses(opens: Opens) -> None:
    async with opens(clickup_api_token="pk_wrong") as ready:
        status, told = await ready()

    assert (status, told["ready"], told["clickup"], told["slack"]) == (503, False, False, True)
    assert "Set CLICKUP_API_TOKEN to a valid one." in told["why"]["clickup"]


async def test_a_token_that_clickup_refuses_is_named_in_the_log_at_the_start(
    bench: Bench, log: list[dict[str, Any]]
) -> None:
    def named() -> list[str]:
        said = [line["message"] for line in log if line["level"] == "warning"]
        return [one for one in said if "Set CLICKUP_API_TOKEN to a valid one." in one]

    async with start_checks(stage_settings(bench, clickup_api_token="pk_wrong")):
        assert len(await bench.until(named)) == 1


async def test_readiness_asks_the_model_once_and_keeps_the_answer(
    opens: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = OpenAIServer(["ok"])
    async with server.running() as address:
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        async with opens(agencyclaw_model=CHAT) as ready:
            told = [await ready() for _ in range(3)]

    assert [status for status, _ in told] == [200, 200, 200]
    assert told[0][1] == {
        "ready": True,
        "database": True,
        "schema": True,
        "worker": True,
        "slack": True,
        "clickup": True,
        "model": True,
    }
    assert len(server.requests) == 1


async def test_a_provider_that_is_away_is_said_and_keeps_nobody_from_writing_to_us(
    opens: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = OpenAIServer([Fault(503)] * 9)
    async with server.running() as address:
        monkeypatch.setenv("OPENAI_BASE_URL", address)
        async with opens(agencyclaw_model=CHAT) as ready:
            status, told = await ready()

    assert (status, told["ready"], told["model"]) == (200, True, False)
    assert told["why"] == {"model": f"The provider of {CHAT} does not answer (HTTP 503)."}


async def test_readiness_knows_a_table_that_went_away(opens: Opens, agency: Database) -> None:
    async with opens() as ready:
        await agency.pool.execute("drop table agencyclaw_user_preferences")
        status, told = await ready()

    assert (status, told["schema"]) == (503, False)


@pytest.mark.parametrize("method", ["auth.test", "apps.connections.open"])
@pytest.mark.parametrize("kind", ["html", "rate_limited"])
async def test_a_start_waits_for_a_slack_that_is_out_of_breath(
    bench: Bench, agency: Database, method: str, kind: str
) -> None:
    await bench.set_fault("slack", kind, method=method)

    async with on_stage(bench, agency) as stage:
        assert isinstance(stage, Stage)
        assert await stage.edge.is_connected()
    assert await bench.control("GET", "faults") == {"faults": []}
