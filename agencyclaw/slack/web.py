"""Calls Slack's Web API once and classifies the outcome; it never resends.

The SDK's own retries are off. By default it repeats a post whose connection broke, although Slack
may have accepted it; only the outbox knows whether a repetition is safe.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Generator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from http import HTTPStatus
from typing import Any, cast

import aiohttp
import logfire
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient
from slack_sdk.webhook.async_client import AsyncWebhookClient

from agencyclaw.domain.addresses import is_local
from agencyclaw.domain.errors import (
    AgencyClawError,
    Broken,
    Misconfigured,
    NotGranted,
    Refused,
    Throttled,
    Unavailable,
    Unclear,
)
from agencyclaw.slack.action_tokens import ActionTokens
from agencyclaw.slack.limits import Pace
from agencyclaw.spans import traced

_log = logging.getLogger("agencyclaw.slack.web")
# The SDK logs whole requests, texts included, at DEBUG and whenever a level is not set.
_log.setLevel(logging.WARNING)

RETRY_AFTER_S = 30.0
_RESPONSES = "https://hooks.slack.com/"
FILES = "https://files.slack.com/"


class Method(StrEnum):
    """The methods we call; the manifest asks for their scopes and no others."""

    AUTH_TEST = "auth.test"
    POST = "chat.postMessage"
    POST_EPHEMERAL = "chat.postEphemeral"
    UPDATE = "chat.update"
    DELETE = "chat.delete"
    UNFURL = "chat.unfurl"
    START_STREAM = "chat.startStream"
    APPEND_STREAM = "chat.appendStream"
    STOP_STREAM = "chat.stopStream"
    REPLIES = "conversations.replies"
    HISTORY = "conversations.history"
    OPEN_CONVERSATION = "conversations.open"
    CONVERSATION_INFO = "conversations.info"
    MEMBERS = "conversations.members"
    SET_STATUS = "assistant.threads.setStatus"
    SET_SESSION = "agents.sessions.setStatus"
    SET_PROMPTS = "assistant.threads.setSuggestedPrompts"
    USERS_INFO = "users.info"
    USERS_LIST = "users.list"
    USER_CONVERSATIONS = "users.conversations"
    SEARCH = "assistant.search.context"
    UPLOAD_URL = "files.getUploadURLExternal"
    COMPLETE_UPLOAD = "files.completeUploadExternal"
    FILE_INFO = "files.info"
    OPEN_VIEW = "views.open"
    UPDATE_VIEW = "views.update"
    PUBLISH_VIEW = "views.publish"


# What the manifest's agent view asks for.
AGENT_VIEW_SCOPE = "assistant:write"

_CONVERSATIONS = frozenset({"channels:read", "groups:read", "im:read", "mpim:read"})
_HISTORY = frozenset({"channels:history", "groups:history", "im:history", "mpim:history"})
SCOPES: Mapping[Method, frozenset[str]] = {
    Method.AUTH_TEST: frozenset(),
    Method.POST: frozenset({"chat:write"}),
    Method.POST_EPHEMERAL: frozenset({"chat:write"}),
    Method.UPDATE: frozenset({"chat:write"}),
    Method.DELETE: frozenset({"chat:write"}),
    Method.UNFURL: frozenset({"links:write"}),
    Method.START_STREAM: frozenset({"chat:write"}),
    Method.APPEND_STREAM: frozenset({"chat:write"}),
    Method.STOP_STREAM: frozenset({"chat:write"}),
    Method.REPLIES: _HISTORY,
    Method.HISTORY: _HISTORY,
    Method.OPEN_CONVERSATION: frozenset({"im:write"}),
    Method.CONVERSATION_INFO: _CONVERSATIONS,
    Method.MEMBERS: _CONVERSATIONS,
    Method.SET_STATUS: frozenset({"chat:write"}),
    Method.SET_SESSION: frozenset({"chat:write"}),
    Method.SET_PROMPTS: frozenset({AGENT_VIEW_SCOPE}),
    Method.USERS_INFO: frozenset({"users:read"}),
    Method.USERS_LIST: frozenset({"users:read", "users:read.email"}),
    Method.USER_CONVERSATIONS: _CONVERSATIONS,
    Method.SEARCH: frozenset({"search:read.public"}),
    Method.UPLOAD_URL: frozenset({"files:write"}),
    Method.COMPLETE_UPLOAD: frozenset({"files:write"}),
    Method.FILE_INFO: frozenset({"files:read"}),
    Method.OPEN_VIEW: frozenset(),
    Method.UPDATE_VIEW: frozenset(),
    Method.PUBLISH_VIEW: frozenset(),
}

# These take their arguments as a query, not as JSON.
_WITHOUT_JSON = frozenset(
    {
        Method.UPLOAD_URL,
        Method.FILE_INFO,
        Method.REPLIES,
        Method.HISTORY,
        Method.USERS_INFO,
        Method.USERS_LIST,
        Method.CONVERSATION_INFO,
        Method.MEMBERS,
        Method.USER_CONVERSATIONS,
    }
)
_RATE_LIMITED = frozenset({"ratelimited", "rate_limited"})
# With these, Slack may have done a part of the work, as its documentation says.
_MAYBE_DONE = frozenset({"internal_error", "fatal_error", "service_unavailable"})
BAD_TOKEN = frozenset(
    {
        "invalid_auth",
        "not_authed",
        "account_inactive",
        "token_revoked",
        "token_expired",
        "not_allowed_token_type",
        "no_permission",
    }
)
NOT_GRANTED = frozenset({"missing_scope", "not_allowed_scope"})


# Slack takes the message, but not with these blocks.
BAD_CONTENT = frozenset(
    {
        "invalid_blocks",
        "invalid_blocks_format",
        "msg_blocks_too_long",
        "msg_too_long",
        "markdown_text_conflict",
        "invalid_arguments",
        "invalid_metadata_format",
        "invalid_metadata_schema",
        "metadata_too_large",
        "block_mismatch",
    }
)

# Slack lets nobody change this message any more: it stays as it is.
NOT_CHANGEABLE = frozenset(
    {"message_not_found", "cant_update_message", "edit_window_closed", "is_inactive"}
)

_CALLS = logfire.metric_counter(
    "agencyclaw.slack.calls", description="Calls of Slack's Web API, by what became of them"
)


class Web:
    """One client with one connection pool for all calls."""

    def __init__(self, bot_token: str, api_url: str, *, timeout_s: float = 15.0) -> None:
        self._token = bot_token
        self._api_url = api_url
        self._timeout = aiohttp.ClientTimeout(total=timeout_s, connect=min(5.0, timeout_s))
        self._client: AsyncWebClient | None = None
        self._scopes_header = ""
        self.pace = Pace()
        self.action_tokens = ActionTokens()

    @property
    def client(self) -> AsyncWebClient:
        """Slack's own client, for parts of its SDK that need one."""
        if self._client is None:
            raise Broken("The Slack client is used before it is open.")
        return self._client

    @property
    def is_local(self) -> bool:
        """True if Slack's address is on this machine, where no proxy is used."""
        return is_local(self._api_url)

    @property
    def granted(self) -> frozenset[str]:
        """The scopes in Slack's last answer; empty before the first one."""
        return frozenset(scope.strip() for scope in self._scopes_header.split(",") if scope.strip())

    @property
    def session(self) -> aiohttp.ClientSession:
        """The connection pool, for addresses that Slack gives beside its methods."""
        if self.client.session is None:
            raise Broken("The Slack client is used before it is open.")
        return self.client.session

    @property
    def proxy(self) -> str | None:
        """The proxy for such addresses, if any."""
        return None if self.is_local else self.client.proxy

    def is_slacks(self, url: str, beginning: str) -> bool:
        """Return whether an address is Slack's, or on this machine as its API is."""
        return url.startswith(beginning) or (self.is_local and is_local(url))

    async def open(self) -> None:
        """Build the client; needs a running loop."""
        if self._client is not None:
            return
        session = aiohttp.ClientSession(timeout=self._timeout)
        self._client = AsyncWebClient(
            token=self._token,
            base_url=self._api_url,
            session=session,
            logger=_log,
            retry_handlers=[],
        )
        if self.is_local:
            # The SDK reads HTTP_PROXY and knows nothing of NO_PROXY.
            self._client.proxy = None

    async def close(self) -> None:
        """Close the connection pool."""
        if self._client is not None:
            await self.session.close()
        self._client = None

    async def call(self, method: Method, **arguments: Any) -> dict[str, Any]:
        """Call a method once and return Slack's answer.

        Raises Refused with Slack's error as its reason, Throttled, Misconfigured or Unavailable if
        certainly nothing was done, and Unclear if Slack may have done it. Waits for its turn, and
        raises Throttled with nothing sent if that would take long.
        """
        with _counted(method):
            await self.pace.acquire(method, str(arguments.get("channel") or ""))
            return await self._send_or_explain(method, arguments)

    async def call_in_turn(self, method: Method, **arguments: Any) -> dict[str, Any]:
        """Do the same at once: the caller has acquired its turn from `pace`."""
        with _counted(method):
            return await self._send_or_explain(method, arguments)

    async def respond(self, url: str, **content: Any) -> None:
        """Replace an ephemeral message through its response URL, valid for half an hour.

        Raises Unavailable or Refused.
        """
        if not self.is_slacks(url, _RESPONSES):
            raise Refused("That is no address of Slack's.", reason="invalid_url")
        client = AsyncWebhookClient(url, session=self.session, logger=_log)
        client.retry_handlers = []
        if self.is_local:
            client.proxy = None
        with traced("slack.respond"):
            try:
                answer = await client.send_dict({"replace_original": True, **content})
            except (aiohttp.ClientError, OSError, TimeoutError) as error:
                raise Unavailable("Slack can't be reached.") from error
        if answer.status_code != HTTPStatus.OK:
            raise Refused("Slack took no answer to a press.", reason=str(answer.status_code))

    async def upload(self, url: str, content: bytes) -> None:
        """Send a file's bytes to the address that Slack gave for them.

        Nobody sees it before it is completed. Raises Unavailable or Refused.
        """
        if not self.is_slacks(url, FILES):
            raise Refused("That is no address of Slack's.", reason="invalid_url")
        with traced("slack.upload", size=len(content)):
            try:
                async with self.session.post(url, data=content, proxy=self.proxy) as answer:
                    status = answer.status
            except (aiohttp.ClientError, OSError, TimeoutError) as error:
                raise Unavailable("Slack can't be reached.") from error
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise Unavailable(f"Slack took no file: HTTP {status}.")
        if status != HTTPStatus.OK:
            raise Refused("Slack took no file.", reason=f"upload_{status}")

    async def _send_or_explain(self, method: Method, arguments: dict[str, Any]) -> dict[str, Any]:
        parameters = {name: value for name, value in arguments.items() if value is not None}
        try:
            return await self._send(method, parameters)
        except SlackApiError as error:
            explained = _explain(method, error)
            if isinstance(explained, Throttled):
                self.pace.pause(method, explained.after)
            raise explained from error
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            raise Unavailable(f"Slack can't be reached at {self._api_url}.") from error
        except (aiohttp.ClientError, OSError, TimeoutError, AttributeError) as error:
            # The SDK raises an AttributeError for an answer that is no JSON object.
            raise Unclear(f"{method}: {type(error).__name__}") from error

    async def _send(self, method: Method, parameters: dict[str, Any]) -> dict[str, Any]:
        client = cast("Any", self.client)
        if method in _WITHOUT_JSON:
            response = await client.api_call(method.value, http_verb="GET", params=parameters)
        else:
            response = await client.api_call(method.value, json=parameters)
        if not isinstance(response.data, dict):
            raise Unclear(f"{method}: an answer that can't be read")
        self._scopes_header = _header(response.headers, "x-oauth-scopes") or self._scopes_header
        return cast("dict[str, Any]", response.data)


def temporary_error(method: str, error: SlackApiError) -> Throttled | Unclear | None:
    """Return the error for a refusal that may be over later; None for others."""
    status, data = answer_of(error)
    code = str(data.get("error") or "")
    if status == 429 or code in _RATE_LIMITED:
        response: Any = error.response
        after = _retry_after(getattr(response, "headers", {}))
        return Throttled(f"{method}: Slack asks to wait {after:g} s", after=after)
    if status >= 500 or code in _MAYBE_DONE or (not code and status == 200):
        return Unclear(f"{method}: {code or status}")
    return None


def answer_of(error: SlackApiError) -> tuple[int, dict[str, Any]]:
    """Return status and body of Slack's answer; the body is empty unless it is an object."""
    response: Any = error.response
    raw: object = getattr(response, "data", None)
    status = int(getattr(response, "status_code", 0) or getattr(response, "status", 0))
    return status, cast("dict[str, Any]", raw) if isinstance(raw, dict) else {}


async def pages(
    web: Web, method: Method, at_most: int, **arguments: Any
) -> AsyncGenerator[tuple[dict[str, Any], bool]]:
    """Yield a listing's first pages, each with whether another one follows it."""
    cursor: str | None = None
    for _ in range(at_most):
        page = await web.call(method, cursor=cursor, **arguments)
        metadata: dict[str, Any] = page.get("response_metadata") or {}
        cursor = metadata.get("next_cursor") or None
        yield page, cursor is not None
        if cursor is None:
            return


@contextmanager
def _counted(method: Method) -> Generator[None]:
    """Trace a call, and count what became of it."""
    outcome = "ok"
    with traced("slack.call", method=method.value):
        try:
            yield
        except AgencyClawError as error:
            outcome = type(error).__name__.lower()
            raise
        finally:
            _CALLS.add(1, {"method": method.value, "outcome": outcome})


def _explain(method: Method, error: SlackApiError) -> AgencyClawError:
    """Return the error for a refusal of Slack."""
    if temporary := temporary_error(method, error):
        return temporary
    status, data = answer_of(error)
    code = str(data.get("error") or "")
    if code in NOT_GRANTED:
        needed = data.get("needed") or ", ".join(sorted(SCOPES[method])) or "a scope"
        return NotGranted(
            f"The Slack app lacks {needed} ({method}). Paste its manifest anew, and install it "
            "again."
        )
    if code in BAD_TOKEN:
        return Misconfigured(
            f"SLACK_BOT_TOKEN is refused by Slack ({method}: {code}). It must be the bot token "
            "(xoxb-…) of the app's page “OAuth & Permissions”."
        )
    if not code:
        return Unavailable(f"{method}: HTTP {status}; is SLACK_API_URL right?")
    return Refused(f"Slack refuses {method}: {code}.", reason=code)


def _retry_after(headers: Mapping[str, str]) -> float:
    try:
        return max(0.0, float(_header(headers, "retry-after")))
    except ValueError:
        return RETRY_AFTER_S


def _header(headers: Mapping[str, str], name: str) -> str:
    return next((value for key, value in headers.items() if key.lower() == name), "")
