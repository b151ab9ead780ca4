"""Whether the tokens work, asked of Slack itself."""

from __future__ import annotations

from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from agencyclaw.domain.errors import Misconfigured, Unavailable

_TIMEOUT_S = 10


async def check_slack(bot_token: str, app_token: str, api_url: str) -> str:
    """Return who we are; raises Misconfigured naming the token that does not work."""
    client = AsyncWebClient(token=bot_token, base_url=api_url, timeout=_TIMEOUT_S)
    try:
        me = await client.auth_test()
    except SlackApiError as error:
        raise Misconfigured(f"SLACK_BOT_TOKEN does not work: {_reason(error)}.") from error
    except OSError as error:
        raise Unavailable(f"Slack can't be reached at SLACK_API_URL ({api_url}).") from error
    try:
        await client.apps_connections_open(app_token=app_token)
    except SlackApiError as error:
        raise Misconfigured(
            f"SLACK_APP_TOKEN does not work: {_reason(error)}. It needs connections:write."
        ) from error
    return f"signed in as {me['user']} in {me['team']}, socket mode allowed"


def _reason(error: SlackApiError) -> str:
    return str(error.response.get("error", "unknown error"))  # pyright: ignore[reportUnknownMemberType]
