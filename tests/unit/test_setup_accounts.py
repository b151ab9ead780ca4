"""A key that setup was told is kept if the model answers with it, and forgotten otherwise."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import pytest
from dotenv import dotenv_values

from agencyclaw.agents.model_call import CallUsage
from agencyclaw.cli.asking import Asking
from agencyclaw.cli.setup_accounts import Connecting
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.settings import Settings

KEY = "OPENAI_API_KEY"
MODEL = "openai-chat:gpt-5-mini"


@dataclass
class Answers:
    """Gives the same model each time, and one key after the other; keeps what is said."""

    keys: list[str]
    said: list[str] = field(default_factory=list[str])

    def title(self, text: str) -> None:
        self.said.append(text)

    def say(self, text: str = "") -> None:
        self.said.append(text)

    async def ask(self, question: str, default: str = "") -> str:
        self.said.append(question)
        return MODEL or default

    async def ask_secret(self, question: str) -> str:
        self.said.append(question)
        return self.keys.pop(0)


async def only_the_good_key(name: str, *, variable: str) -> CallUsage:
    if os.environ.get(KEY) != "good":
        raise Misconfigured("the key is refused")
    return CallUsage(1, 1, None)


async def over_http(bot_token: str, app_token: str, _: str) -> str:
    assert (bot_token, app_token) == ("xoxb-1", "")
    return "events come over HTTP"


async def test_who_is_reached_over_http_is_asked_for_no_app_level_token(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.cli.setup_accounts.check_slack", over_http)
    settings = Settings(slack_bot_token="xoxb-1", slack_app_token="", slack_signing_secret="s")
    answers = Answers([])

    await Connecting(cast("Asking", answers), settings, tmp_path / ".env").connect_slack()

    assert answers.said == ["Slack", "ok   events come over HTTP"]


async def test_a_key_that_is_refused_is_not_kept_and_the_next_one_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agencyclaw.cli.checks.call_model", only_the_good_key)
    monkeypatch.setenv(KEY, "former")
    # What setup keeps is put into the environment, and has to leave it with this test.
    monkeypatch.setenv("AGENCYCLAW_MODEL", "")
    monkeypatch.chdir(tmp_path)
    env = tmp_path / ".env"
    env.write_text(f"{KEY}=former\n", encoding="utf-8")
    answers = Answers(["wrong", "good"])

    await Connecting(cast("Asking", answers), Settings(), env).choose_model()

    assert "BAD  the key is refused" in answers.said
    assert answers.keys == []
    assert dotenv_values(env) == {KEY: "good", "AGENCYCLAW_MODEL": MODEL}
