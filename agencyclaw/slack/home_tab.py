"""Publishes Home tabs: when they are opened, and whenever their contents change."""

from __future__ import annotations

from dataclasses import dataclass, field

from agencyclaw.domain.errors import Unavailable, Unclear
from agencyclaw.slack.edge_ports import HomePorts
from agencyclaw.slack.escaping import LIVE_HOSTS
from agencyclaw.slack.home import build_home
from agencyclaw.slack.ports import OpenProposals, RememberedLines
from agencyclaw.slack.scopes import missing_scopes
from agencyclaw.slack.web import Method, Web


@dataclass(frozen=True)
class HomeTab:
    """Collects the contents of a tab and publishes it."""

    web: Web
    proposals: OpenProposals
    memory: RememberedLines | None = None
    ports: HomePorts = field(default_factory=HomePorts)
    live_hosts: frozenset[str] = LIVE_HOSTS

    async def publish(self, team_id: str, slack_user_id: str) -> None:
        """Draw a person's tab, and keep it up to date from now on."""
        others = await self.ports.overview(team_id, slack_user_id) if self.ports.overview else None
        if self.ports.homes:
            await self.ports.homes.opened(team_id, slack_user_id, sees_all=others is not None)
        waiting = await self.proposals.waiting_for(team_id, slack_user_id)
        recent = await self.ports.recent(team_id, slack_user_id) if self.ports.recent else []
        kept = await self.memory.lines(team_id, slack_user_id) if self.memory else []
        banner = await self.ports.banner(team_id, slack_user_id) if self.ports.banner else ""
        view = build_home(
            waiting,
            recent,
            self.live_hosts,
            of_others=others,
            remembered=kept,
            banner=banner,
            lacks=missing_scopes(self.web.granted) if others is not None else (),
        )
        await self.web.call(Method.PUBLISH_VIEW, user_id=slack_user_id, view=view)

    async def show(self, team_id: str, slack_user_id: str) -> None:
        """Draw a tab that was just opened; retried later if Slack refuses it now."""
        try:
            await self.publish(team_id, slack_user_id)
        except (Unavailable, Unclear):
            if self.ports.homes:
                await self.ports.homes.again(team_id, slack_user_id)
            raise
