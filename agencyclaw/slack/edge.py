"""The application's connection to Slack: built once, connected, closed in order."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from uuid import UUID

import logfire
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.middleware.async_middleware import AsyncMiddleware
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_bolt.response import BoltResponse

from agencyclaw.domain.errors import Broken, Misconfigured, Refused
from agencyclaw.proposals.departures import Departures
from agencyclaw.slack.access import Conversations
from agencyclaw.slack.action_tokens import ActionTokens
from agencyclaw.slack.channels import Channels
from agencyclaw.slack.connection import SocketModeConnection
from agencyclaw.slack.delivery import Deliverer
from agencyclaw.slack.escaping import LIVE_HOSTS
from agencyclaw.slack.home_tab import HomeTab
from agencyclaw.slack.inbound import Inbound
from agencyclaw.slack.lost_streams import LostStreams
from agencyclaw.slack.member_lifecycle import MemberLifecycle
from agencyclaw.slack.members import Members
from agencyclaw.slack.message_reader import MessageReader
from agencyclaw.slack.outage_notices import OutageNotices
from agencyclaw.slack.over_http import HttpEndpoint
from agencyclaw.slack.ports import BotIdentity, HomePorts, InboundPorts, OutboundPorts
from agencyclaw.slack.retrying import retry_until_answered
from agencyclaw.slack.status import SlackStatusIndicator
from agencyclaw.slack.streaming import StreamContext, Tempo
from agencyclaw.slack.threads import Threads
from agencyclaw.slack.web import Method, Web
from agencyclaw.store.slack_cache import SlackCache

_log = logging.getLogger("agencyclaw.slack.bolt")
# Bolt warns at every start that it does not read our tokens from the environment itself.
_log.setLevel(logging.ERROR)


@dataclass(frozen=True)
class SlackAccount:
    """How we reach the workspace, and how we know that a request is Slack's."""

    bot_token: str
    app_token: str
    api_url: str
    signing_secret: str = ""


@dataclass(frozen=True)
class SlackTiming:
    """How long is waited for Slack, in seconds, and how quickly streams grow."""

    ping_interval_s: float = 5.0
    settle_s: float = 2.0
    timeout_s: float = 15.0
    tempo: Tempo = field(default_factory=Tempo)


@dataclass(frozen=True)
class _OpenEdge:
    """What exists once Slack has said who we are."""

    me: BotIdentity
    inbound: Inbound
    deliverer: Deliverer
    home: HomeTab


class Edge:
    """Everything the application needs from Slack."""

    _open: _OpenEdge | None = None
    _connection: SocketModeConnection | None = None
    _endpoint: HttpEndpoint | None = None

    def __init__(
        self,
        account: SlackAccount,
        outbound: OutboundPorts,
        slack_cache: SlackCache,
        departures: Departures,
        *,
        live_hosts: frozenset[str] = LIVE_HOSTS,
        timing: SlackTiming | None = None,
    ) -> None:
        self._account = account
        self._outbound = outbound
        self._live_hosts = live_hosts
        self._timing = timing or SlackTiming()
        self._web = Web(account.bot_token, account.api_url, timeout_s=self._timing.timeout_s)
        self.status = SlackStatusIndicator(self._web, outbound.sessions)
        self._lifecycle = MemberLifecycle(slack_cache, departures)
        self.members = Members(self._web, slack_cache)
        self.channels = Channels(self._web, slack_cache)
        self.threads = Threads(self._web)
        self.reader = MessageReader(self._web, self.threads, lambda: self.me)
        self.conversations = Conversations(self._web, self.reader)
        self.outage_notices = OutageNotices(self._web, live_hosts)

    @property
    def me(self) -> BotIdentity:
        """Who we are in the workspace."""
        return self._opened.me

    @property
    def _opened(self) -> _OpenEdge:
        if self._open is None:
            raise Broken("Slack is used before it is open.")
        return self._open

    async def open(self, inbound: InboundPorts, home: HomePorts) -> None:
        """Ask Slack who we are; afterwards we can post, but receive nothing yet.

        Raises Misconfigured with the variable if a token is of the wrong kind or refused, and
        Unavailable if Slack can't be reached.
        """
        _check_token("SLACK_BOT_TOKEN", self._account.bot_token, "xoxb-", "OAuth & Permissions")
        await self._web.open()
        try:
            me = await self._ask_who_we_are()
        except BaseException:
            await self._web.close()
            raise
        lost_streams = LostStreams(self._web, me, self._outbound.streams, self._timing.settle_s)
        self.status.context = StreamContext(
            self._web, self._outbound.streams, lost_streams, self._live_hosts, self._timing.tempo
        )
        await self.status.open(me.team_id)
        self._open = _OpenEdge(
            me,
            Inbound(self._web, me, inbound, self._show_home, self.channels, self._lifecycle),
            Deliverer(
                self._web,
                me,
                self._outbound.outbox,
                inbound.proposals,
                self.publish_home,
                self.status,
                lost_streams,
                inbound.inbox,
                live_hosts=self._live_hosts,
                settle_s=self._timing.settle_s,
            ),
            HomeTab(self._web, inbound.proposals, inbound.memory, home, self._live_hosts),
        )

    async def connect(self) -> None:
        """Connect the socket, and start receiving events; `close` ends what this began, too."""
        _check_token("SLACK_APP_TOKEN", self._account.app_token, "xapp-", "Basic Information")
        self._connection = SocketModeConnection(
            self._build_app(),
            self._web,
            self._account.app_token,
            ping_interval_s=self._timing.ping_interval_s,
        )
        await self._connection.open()
        logfire.info("slack.connected", team_id=self.me.team_id)

    def listen(self) -> HttpEndpoint:
        """Return the handler of Slack's requests if events come over HTTP."""
        if not self._account.signing_secret:
            raise Misconfigured(
                "SLACK_SIGNING_SECRET is not set; copy it from Slack, your app, Basic Information."
            )
        self._endpoint = HttpEndpoint(self._build_app(), self._account.signing_secret)
        return self._endpoint

    async def is_connected(self) -> bool:
        """Return whether events can reach us now."""
        if self._connection is not None:
            return await self._connection.is_connected()
        return self._endpoint is not None

    async def deliver(self, outbox_id: UUID) -> None:
        """Deliver one row of the outbox; see `Deliverer.deliver`."""
        await self._opened.deliverer.deliver(outbox_id)

    async def publish_home(self, slack_user_id: str) -> None:
        """Draw a person's Home tab, and keep it up to date from now on."""
        await self._opened.home.publish(self.me.team_id, slack_user_id)

    async def _show_home(self, slack_user_id: str) -> None:
        await self._opened.home.show(self.me.team_id, slack_user_id)

    async def close(self, *, drain_s: float = 3.0) -> None:
        """Stop receiving, finish what was received, close the connections."""
        if self._connection is not None:
            await self._connection.close(drain_s=drain_s)
            self._connection = None
        self._endpoint = None
        if self._open is not None:
            await self._open.inbound.settle(drain_s)
        await self.status.close()
        await self._web.close()
        # aiohttp's transports need one round of the loop to be really gone.
        await asyncio.sleep(0)

    def _build_app(self) -> AsyncApp:
        return build_app(self._web, self._opened.inbound, self._account.signing_secret)

    async def _ask_who_we_are(self) -> BotIdentity:
        try:
            answer = await retry_until_answered(lambda: self._web.call(Method.AUTH_TEST))
        except Refused as refusal:
            raise Misconfigured(f"SLACK_BOT_TOKEN does not work: {refusal.reason}.") from refusal
        if not answer.get("bot_id"):
            raise Misconfigured("SLACK_BOT_TOKEN is a person's token; a bot's (xoxb-…) is needed.")
        return BotIdentity(
            team_id=str(answer["team_id"]),
            user_id=str(answer["user_id"]),
            bot_id=str(answer["bot_id"]),
            url=str(answer.get("url") or ""),
        )


class _InboundMiddleware(AsyncMiddleware):
    """Our middleware, as a class: Bolt hands it the payload unread.

    For a function Bolt would first parse the payload into arguments, and fail on unknown ones.
    """

    def __init__(self, inbound: Inbound, tokens: ActionTokens) -> None:
        self._inbound = inbound
        self._tokens = tokens

    async def async_process(
        self,
        *,
        req: AsyncBoltRequest,
        resp: BoltResponse,  # noqa: ARG002 - Bolt's signature
        next: Callable[[], Awaitable[BoltResponse]],  # noqa: ARG002
    ) -> BoltResponse:
        """Answer the payload; no later middleware runs."""
        self._tokens.note(req.body.get("event"))
        return await self._inbound.receive(req)


def build_app(web: Web, inbound: Inbound, signing_secret: str = "") -> AsyncApp:
    """Return the Bolt app; our middleware runs before Bolt's own authorisation.

    Bolt's asks Slack who we are at the first event and, if that fails, acknowledges the event and
    drops it. We asked when we opened. Only Bolt's check of the signature, which the socket does not
    need, runs before ours.
    """
    return AsyncApp(
        # Bolt names a logger after it, and sets its level.
        name="agencyclaw.slack.app",
        client=web.client,
        signing_secret=signing_secret,
        logger=_log,
        before_authorize=_InboundMiddleware(inbound, web.action_tokens),
        ssl_check_enabled=False,
        attaching_conversation_kwargs_enabled=False,
    )


def _check_token(variable: str, token: str, prefix: str, page: str) -> None:
    if not token:
        raise Misconfigured(f"{variable} is not set; copy it from Slack, your app, {page}.")
    if not token.startswith(prefix):
        raise Misconfigured(
            f"{variable} must start with {prefix}; copy it from Slack, your app, {page}."
        )
