"""Publishes Home tabs: when they are opened, and whenever their contents change."""

from __future__ import annotations

from dataclasses import dataclass

from agencyclaw.domain.errors import Unavailable, Unclear
from agencyclaw.slack.escaping import LIVE_HOSTS
from agencyclaw.slack.home import build_home
from agencyclaw.slack.ports import HomePorts, RememberedLines
from agencyclaw.slack.scopes import missing_scopes
from agencyclaw.slack.web import Method, Web
from agencyclaw.store.proposals import ProposalStore


@dataclass(frozen=True)
class HomeTab:
    """Publishes a person's tab with all that it shows."""

    web: Web
    proposals: ProposalStore
    memory: RememberedLines
    ports: HomePorts
    live_hosts: frozenset[str] = LIVE_HOSTS

    async def publish(self, team_id: str, slack_user_id: str) -> None:
        """Draw a person's tab, and keep it up to date from now on."""
        of_others = await self.ports.others_open(team_id, slack_user_id)
        sees_all = of_others is not None
        await self.ports.homes.opened(team_id, slack_user_id, sees_all=sees_all)
        waiting = await self.proposals.waiting_for(team_id, slack_user_id)
        recent = await self.proposals.recent_of(team_id, slack_user_id)
        view = build_home(
            await self.ports.visible(team_id, slack_user_id, waiting),
            await self.ports.visible(team_id, slack_user_id, recent),
            self.live_hosts,
            of_others=of_others,
            overview=await self.ports.homes.overview(team_id) if sees_all else None,
            remembered=await self.memory.lines(team_id, slack_user_id),
            banner=await self.ports.banner(team_id, slack_user_id),
            missing_scopes=missing_scopes(self.web.granted) if sees_all else (),
        )
        await self.web.call(Method.PUBLISH_VIEW, user_id=slack_user_id, view=view)

    async def show(self, team_id: str, slack_user_id: str) -> None:
        """Draw a tab that was just opened; retried later if Slack refuses it now."""
        try:
            await self.publish(team_id, slack_user_id)
        except (Unavailable, Unclear):
            await self.ports.homes.redraw_soon(team_id, slack_user_id)
            raise
