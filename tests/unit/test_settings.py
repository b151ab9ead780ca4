"""Settings are read exactly, or refused by name."""

from __future__ import annotations

import os
from pathlib import Path
from typing import cast
from uuid import UUID

import pytest

from agencyclaw.domain.errors import Misconfigured
from agencyclaw.models import choose_meanings
from agencyclaw.settings import load_settings
from agencyclaw.store.engine import Database

# Nothing is asked of it before a model is chosen.
NO_DATABASE = cast(Database, None)
INES = "eba9b492-c907-57f8-80a3-3c6bf3b3f6d1"


@pytest.mark.parametrize("text", [INES, f" {INES} ", f"{INES},", INES.upper(), f"{INES},{INES}"])
def test_the_list_of_super_admins_is_read_whatever_its_spaces_and_case(text: str) -> None:
    settings = load_settings({"super_admin_profile_ids": text})

    assert settings.super_admin_profile_ids == {UUID(INES)}


@pytest.mark.parametrize("text", ["", " ", ",", " , "])
def test_an_empty_list_makes_nobody_a_super_admin(text: str) -> None:
    assert load_settings({"super_admin_profile_ids": text}).super_admin_profile_ids == frozenset()


@pytest.mark.parametrize("text", ["*", "all", "Ines Varga", f"{INES};{INES}", "U01INES", INES[:-1]])
def test_anything_else_stops_the_start_and_names_the_variable(text: str) -> None:
    with pytest.raises(Misconfigured, match="SUPER_ADMIN_PROFILE_IDS"):
        load_settings({"super_admin_profile_ids": text})


@pytest.mark.parametrize("text", [",", " ", "soon", "-1", "nan", "2,inf", "2,10 000"])
def test_delays_that_are_none_stop_the_start(text: str) -> None:
    with pytest.raises(Misconfigured, match="CLICKUP_LOOK_DELAYS: these are seconds"):
        load_settings({"clickup_look_delays": text})
    assert load_settings({"clickup_look_delays": "2, 10,"}).clickup_look_delays == (2.0, 10.0)


@pytest.mark.parametrize(
    ("environment", "model"),
    [
        ({}, ""),
        ({"OPENAI_API_KEY": "sk"}, "openai:text-embedding-3-small"),
        ({"OPENAI_API_KEY": "sk", "OPENAI_BASE_URL": "http://localhost/v1"}, ""),
    ],
)
def test_meanings_are_openais_to_tell_only_where_its_own_key_is_set(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], model: str
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)

    assert load_settings({}).embedding_model == model
    assert load_settings({"agencyclaw_model": "scripted"}).embedding_model == ""
    assert load_settings({"agencyclaw_model": "anthropic:claude"}).embedding_model == ""


@pytest.mark.parametrize(("chosen", "model"), [("none", ""), ("cohere:embed-v4.0",) * 2])
def test_the_embedding_model_is_the_one_that_is_named(
    monkeypatch: pytest.MonkeyPatch, chosen: str, model: str
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk")

    assert load_settings({"agencyclaw_embedding_model": chosen}).embedding_model == model


@pytest.mark.parametrize("name", ["nobody:small", "small", "openai:text-embedding-3-small"])
def test_an_embedding_model_that_cannot_be_asked_stops_the_start_by_name(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)

    with pytest.raises(Misconfigured, match=f"AGENCYCLAW_EMBEDDING_MODEL is {name}"):
        choose_meanings(load_settings({"agencyclaw_embedding_model": name}), NO_DATABASE)


def test_an_exported_setting_goes_before_the_file_in_either_case(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text("CLICKUP_TEAM_ID=of-the-file\nOPENAI_BASE_URL=of-the-file\n")
    monkeypatch.chdir(tmp_path)
    for name in ("CLICKUP_TEAM_ID", "OPENAI_BASE_URL"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.setenv("clickup_team_id", "exported")
    # What OpenAI's client reads has one spelling.
    monkeypatch.setenv("openai_base_url", "exported")

    assert load_settings().clickup_team_id == "exported"
    assert os.environ["OPENAI_BASE_URL"] == "of-the-file"


def test_spaces_and_line_breaks_around_a_value_are_no_part_of_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SLACK_APP_TOKEN", " xapp-1-A\n")

    assert load_settings().slack_app_token == "xapp-1-A"


def test_a_tilde_stands_for_the_home_of_who_runs_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "guides").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("AGENCYCLAW_HOME", "~/data")
    monkeypatch.setenv("AGENCYCLAW_GUIDES", "~/guides")

    settings = load_settings()

    assert settings.agencyclaw_home == tmp_path / "data"
    assert settings.agencyclaw_guides == tmp_path / "guides"


def test_the_owner_of_a_database_that_is_not_named_stops_the_start() -> None:
    with pytest.raises(Misconfigured, match="DATABASE_OWNER_URL is set, and DATABASE_URL is not"):
        load_settings({"database_url": "", "database_owner_url": "postgresql://owner@db/agency"})


def test_a_worker_that_is_slower_than_its_own_patience_stops_the_start() -> None:
    with pytest.raises(Misconfigured, match="AGENCYCLAW_DEAD_AFTER_S has to be longer"):
        load_settings({"agencyclaw_heartbeat_s": 10.0})


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg"])
def test_an_address_of_postgres_may_name_its_driver(scheme: str) -> None:
    address = f"{scheme}://role@db/agency"

    assert load_settings({"database_url": address}).database_url == address
