"""The accounts that `agencyclaw setup` asks for, each tried before it is kept."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Mapping
from contextlib import AbstractAsyncContextManager
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

from agencyclaw.agents.model_call import key_variable
from agencyclaw.cli.asking import Asking
from agencyclaw.cli.checks import check_clickup, check_model
from agencyclaw.cli.env_file import keep_settings
from agencyclaw.clickup.reader import ClickUpReader
from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.settings import Settings, load_settings, set_variables
from agencyclaw.slack.checkup import check_slack
from agencyclaw.task_board import open_clickup

_NEW_APP = "https://api.slack.com/apps?new_app=1&manifest_json="
_NO_MODEL = (
    "     Without a model `agencyclaw serve` does not start; AGENCYCLAW_MODEL=scripted plays the"
    " tour and no more."
)


class Connecting:
    """Asks for tokens until they work, and keeps those that do in `.env`."""

    def __init__(self, asking: Asking, settings: Settings, path: Path) -> None:
        self.asking = asking
        self._path = path
        self.settings = settings

    def keep(self, values: Mapping[str, str]) -> None:
        """Keep settings that have been tried."""
        keep_settings(self._path, values)
        self.settings = self.settings_with(values)

    def settings_with(self, values: Mapping[str, str]) -> Settings:
        """Return the settings with these values, which are not kept yet."""
        own = {name.lower(): value for name, value in values.items()}
        known = {name: value for name, value in own.items() if name in Settings.model_fields}
        return load_settings({**self._changed(), **known})

    def reader(self) -> AbstractAsyncContextManager[ClickUpReader]:
        """Open a reader of ClickUp with the settings that are kept."""
        return open_clickup(self.settings)

    async def connect_slack(self) -> None:
        """Ask for the two tokens of the Slack app, unless what is there works."""
        say = self.asking.say
        self.asking.title("Slack")
        if await self._slack_works(self.settings):
            return
        say("Create the app from our manifest, and install it into your workspace:")
        say(f"{_NEW_APP}{quote(_manifest())}")
        while True:
            bot = await self.asking.ask_secret("Bot token (OAuth & Permissions; xoxb-…)")
            app = await self.asking.ask_secret("App-level token (Basic Information; xapp-…)")
            if not (bot and app):
                say("BAD  Setup needs both tokens.")
                continue
            values = {"SLACK_BOT_TOKEN": bot, "SLACK_APP_TOKEN": app}
            tried = self._try(values)
            if tried and await self._slack_works(tried):
                self.keep(values)
                return

    async def connect_clickup(self) -> None:
        """Ask for ClickUp's token and Workspace, unless they are there and work."""
        say = self.asking.say
        self.asking.title("ClickUp")
        if self.settings.clickup_api_token and await self._works(check_clickup(self.settings)):
            return
        say("Give the assistant a ClickUp user of its own; Settings, Apps, API Token.")
        while True:
            token = await self.asking.ask_secret("Its token (pk_…)")
            tried = self._try({"CLICKUP_API_TOKEN": token}) if token else None
            workspace = await self._workspace(tried) if tried else None
            if not workspace:
                continue
            values = {"CLICKUP_API_TOKEN": token, "CLICKUP_TEAM_ID": workspace}
            if await self._works(check_clickup(self.settings_with(values))):
                self.keep(values)
                return

    async def choose_model(self) -> None:
        """Ask for a model and its key, unless one is set and answers; none is possible."""
        say = self.asking.say
        self.asking.title("Language model")
        if self.settings.models and await self._works(check_model(self.settings.model)):
            return
        while True:
            name = await self.asking.ask("Model, such as openai-chat:gpt-5-mini (empty: none)")
            if not name:
                say(_NO_MODEL)
                return
            keys: dict[str, str] = {}
            variable = key_variable(name)
            if variable and (key := await self.asking.ask_secret(variable)):
                keys = {variable: key}
            if await self._answers(name, keys):
                self.keep({"AGENCYCLAW_MODEL": name, **keys})
                return

    async def _slack_works(self, settings: Settings) -> bool:
        has_events = settings.slack_app_token or settings.is_over_http
        if not (settings.slack_bot_token and has_events):
            return False
        tokens = (settings.slack_bot_token, settings.slack_app_token)
        return await self._works(check_slack(*tokens, settings.slack_api_url))

    async def _workspace(self, settings: Settings) -> str | None:
        """Return the id of the chosen Workspace; None if the token does not work."""
        try:
            async with open_clickup(settings) as reader:
                workspaces = await reader.workspaces()
        except AgencyClawError as error:
            self.asking.say(f"BAD  {error}")
            return None
        ids = list(workspaces)
        if not ids:
            self.asking.say("BAD  This ClickUp user is in no Workspace; invite it into yours.")
            return None
        if len(ids) == 1:
            return ids[0]
        return ids[await self.asking.choose_one("Which Workspace", list(workspaces.values()))]

    async def _answers(self, name: str, keys: Mapping[str, str]) -> bool:
        """Try a model with these keys, which stay in the environment only if it answers.

        A provider's own client reads its key from there.
        """
        former = set_variables(keys)
        works = bool(self._try({"AGENCYCLAW_MODEL": name})) and await self._works(check_model(name))
        if not works:
            set_variables(former)
        return works

    async def _works(self, trial: Awaitable[str]) -> bool:
        """Try something and print what came of it."""
        try:
            self.asking.say(f"ok   {await trial}")
        except (AgencyClawError, RuntimeError) as error:
            self.asking.say(f"BAD  {error}")
            return False
        return True

    def _try(self, values: Mapping[str, str]) -> Settings | None:
        """Return settings with these values; None, having said why, if they can't be."""
        try:
            return self.settings_with(values)
        except AgencyClawError as error:
            self.asking.say(f"BAD  {error}")
            return None

    def _changed(self) -> dict[str, object]:
        """Return what is set by now: the environment may still have older values."""
        return {name: getattr(self.settings, name) for name in self.settings.model_fields_set}


def _manifest() -> str:
    text = files("agencyclaw.slack").joinpath("manifest.json").read_text(encoding="utf-8")
    return json.dumps(json.loads(text), separators=(",", ":"))
