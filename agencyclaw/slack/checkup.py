"""Whether the tokens work, asked of Slack itself."""

from __future__ import annotations

from typing import Any, cast

import aiohttp

from agencyclaw.domain.errors import Misconfigured, Refused, Unavailable, Unclear
from agencyclaw.slack.web import Method, Web

_TIMEOUT_S = 10


async def check_slack(bot_token: str, app_token: str, api_url: str) -> str:
    """Return who we are; raises Misconfigured naming the token that does not work."""
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
    await _check_app_token(app_token, api_url)
    return f"signed in as {me['user']} in {me['team']}, socket mode allowed"


async def _check_app_token(app_token: str, api_url: str) -> None:
    """Ask for a socket address, as the assistant does when it starts, and leave it unused."""
    url = f"{api_url.rstrip('/')}/apps.connections.open"
    timeout = aiohttp.ClientTimeout(total=_TIMEOUT_S)
    headers = {"Authorization": f"Bearer {app_token}"}
    try:
        async with (
            aiohttp.ClientSession(timeout=timeout) as session,
            session.post(url, headers=headers) as answer,
        ):
            said = cast("dict[str, Any]", await answer.json(content_type=None))
    except (aiohttp.ClientError, TimeoutError, ValueError) as error:
        raise Unavailable(f"Slack can't be reached at SLACK_API_URL ({api_url}).") from error
    if not said.get("ok"):
        raise Misconfigured(
            f"SLACK_APP_TOKEN does not work: {said.get('error')}. It needs connections:write."
        )
