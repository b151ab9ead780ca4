"""Checks with Slack that the tokens work and have the needed scopes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Set
from contextlib import asynccontextmanager

from agencyclaw.domain.errors import Misconfigured, Refused, Throttled, Unavailable, Unclear
from agencyclaw.domain.reconciling import SlackPerson
from agencyclaw.slack.connection import socket_address
from agencyclaw.slack.members import people_of
from agencyclaw.slack.scopes import feature_of, missing_scopes
from agencyclaw.slack.web import Method, Web

_TIMEOUT_S = 10


async def check_slack(bot_token: str, app_token: str, api_url: str) -> str:
    """Return who we are; raises Misconfigured with the token and what it lacks.

    Without an app-level token Slack uses HTTP, and no socket is checked.
    """
    async with _opened(bot_token, api_url) as web:
        try:
            me = await web.call(Method.AUTH_TEST)
        except Refused as refusal:
            raise Misconfigured(f"SLACK_BOT_TOKEN does not work: {refusal.reason}.") from refusal
        except (Misconfigured, Throttled):
            raise
        except (Unavailable, Unclear) as error:
            raise Unavailable(f"Slack can't be reached at SLACK_API_URL ({api_url}).") from error
        _check_scopes(web.granted)
        signed_in = f"signed in as {me['user']} in {me['team']}"
        if not app_token:
            return f"{signed_in}, events come over HTTP"
        # Nobody connects to the address; it expires by itself.
        await socket_address(web.client, app_token)
    return f"{signed_in}, socket mode allowed"


async def read_people(bot_token: str, api_url: str) -> list[SlackPerson]:
    """Return the full members of the workspace who are people, by name."""
    async with _opened(bot_token, api_url) as web:
        team_id = (await web.call(Method.AUTH_TEST))["team_id"]
        return await people_of(web, team_id)


async def missing_people(bot_token: str, api_url: str, ids: list[str]) -> list[str]:
    """Return the ids that are not in the workspace; raises if Slack can't say."""
    missing: list[str] = []
    async with _opened(bot_token, api_url) as web:
        for user_id in ids:
            try:
                await web.call(Method.USERS_INFO, user=user_id)
            except Refused:
                missing.append(user_id)
    return missing


@asynccontextmanager
async def _opened(bot_token: str, api_url: str) -> AsyncGenerator[Web]:
    web = Web(bot_token, api_url, timeout_s=_TIMEOUT_S)
    await web.open()
    try:
        yield web
    finally:
        await web.close()


def _check_scopes(granted: Set[str]) -> None:
    """Compare the granted scopes, which Slack sends with each answer, with the needed ones."""
    if not granted:
        raise Unavailable(
            "Slack did not say which scopes SLACK_BOT_TOKEN has, so none was checked."
        )
    if missing := missing_scopes(granted):
        lines = "".join(f"\n     {scope}: {feature_of(scope)}" for scope in missing)
        raise Misconfigured(
            f"SLACK_BOT_TOKEN lacks the scopes {', '.join(missing)}. Add them in the app's OAuth"
            " settings, or paste the manifest anew, and install the app again. Without them this"
            f" does not work:{lines}"
        )
