"""Whether the tokens work and may do what we need, asked of Slack itself."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any, cast

import aiohttp

from agencyclaw.domain.errors import Misconfigured, Refused, Unavailable, Unclear
from agencyclaw.slack.web import Method, Web

_TIMEOUT_S = 10
_FEATURES = {
    "app_mentions:read": "mentioning the assistant in channels",
    "assistant:write": "the agent view with its sentences to begin with",
    "channels:history": "threads of public channels, and a plain yes in them",
    "channels:read": "public channels: who reads along, archived and shared ones",
    "chat:write": "answers, cards and receipts",
    "commands": "the command /claw",
    "groups:history": "threads of private channels, and a plain yes in them",
    "groups:read": "private channels: who reads along, archived and shared ones",
    "im:history": "direct messages, and a plain yes in them",
    "im:read": "telling a direct message from a channel",
    "im:write": "beginning a direct message: /claw ask, and notes of what ended",
    "mpim:history": "group messages, and a plain yes in them",
    "mpim:read": "telling a group message from a channel",
    "users:read": "everything: nobody's membership can be checked",
}
_FORM = "application/x-www-form-urlencoded"


async def check_slack(bot_token: str, app_token: str, api_url: str) -> str:
    """Return who we are; raises Misconfigured naming the token, and what it lacks.

    Without an app-level token Slack comes over HTTP, and there is no socket to ask about.
    """
    web = Web(bot_token, api_url, timeout_s=_TIMEOUT_S)
    await web.open()
    try:
        me = await web.call(Method.AUTH_TEST)
    except Refused as refusal:
        raise Misconfigured(f"SLACK_BOT_TOKEN does not work: {refusal.reason}.") from refusal
    except Misconfigured:
        raise
    except (Unavailable, Unclear) as error:
        raise Unavailable(f"Slack can't be reached at SLACK_API_URL ({api_url}).") from error
    finally:
        await web.close()
    await _check_scopes(bot_token, api_url)
    signed_in = f"signed in as {me['user']} in {me['team']}"
    if not app_token:
        return f"{signed_in}, events come over HTTP"
    await _check_app_token(app_token, api_url)
    return f"{signed_in}, socket mode allowed"


async def missing_people(bot_token: str, api_url: str, ids: list[str]) -> list[str]:
    """Return which of these people are not in the workspace; raises where Slack can't say."""
    web = Web(bot_token, api_url, timeout_s=_TIMEOUT_S)
    await web.open()
    missing: list[str] = []
    try:
        for one in ids:
            try:
                await web.call(Method.USERS_INFO, user=one)
            except Refused:
                missing.append(one)
    finally:
        await web.close()
    return missing


def needed_scopes() -> list[str]:
    """Return the bot scopes of our manifest, which a test compares with what the code calls."""
    manifest = files("agencyclaw.slack").joinpath("manifest.json").read_text(encoding="utf-8")
    return json.loads(manifest)["oauth_config"]["scopes"]["bot"]


async def _check_scopes(bot_token: str, api_url: str) -> None:
    """Compare what the workspace granted, which Slack says beside each answer, with our needs."""
    said, granted = await _ask(bot_token, api_url, Method.AUTH_TEST)
    if not said.get("ok"):
        raise Misconfigured(f"Slack refuses to say what SLACK_BOT_TOKEN may: {said.get('error')}.")
    if not granted:
        raise Unavailable(
            "Slack did not say which scopes SLACK_BOT_TOKEN has, so none was checked."
        )
    missing = [scope for scope in needed_scopes() if scope not in granted]
    if missing:
        lines = "".join(f"\n     {one}: {feature_of(one)}" for one in missing)
        raise Misconfigured(
            f"SLACK_BOT_TOKEN lacks the scopes {', '.join(missing)}. Add them in the app's OAuth"
            " settings, or paste the manifest anew, and install the app again. Without them does "
            f"not work:{lines}"
        )


def feature_of(scope: str) -> str:
    """Return what does not work without a scope, in words for an admin."""
    return _FEATURES[scope]


async def _ask(token: str, api_url: str, method: str) -> tuple[dict[str, Any], set[str]]:
    """Return Slack's answer, and the scopes it says the token has."""
    url = f"{api_url.rstrip('/')}/{method}"
    timeout = aiohttp.ClientTimeout(total=_TIMEOUT_S)
    # Slack reads no body of aiohttp's own choice: application/octet-stream is refused.
    headers = {"Authorization": f"Bearer {token}", "Content-Type": _FORM}
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.post(url, headers=headers) as answer,
        ):
            said = cast("dict[str, Any]", await answer.json(content_type=None))
            listed = answer.headers.get("x-oauth-scopes", "")
    except (aiohttp.ClientError, TimeoutError, ValueError) as error:
        raise Unavailable(f"Slack can't be reached at SLACK_API_URL ({api_url}).") from error
    return said, {scope.strip() for scope in listed.split(",") if scope.strip()}


async def _check_app_token(app_token: str, api_url: str) -> None:
    """Ask for a socket address, as the assistant does when it starts, and leave it unused."""
    said, _ = await _ask(app_token, api_url, "apps.connections.open")
    if not said.get("ok"):
        raise Misconfigured(
            f"SLACK_APP_TOKEN does not work: {said.get('error')}. It needs connections:write."
        )
