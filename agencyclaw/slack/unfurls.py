"""Shows short cards under links to ClickUp tasks in people's messages."""

from __future__ import annotations

from typing import Any

import logfire
from pydantic import Field, ValidationError

from agencyclaw.conversation.task_links import TaskLinks
from agencyclaw.domain.days import spoken_day
from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.messages import localized, message
from agencyclaw.domain.task_changes import TaskState
from agencyclaw.slack.blocks import Block, context, section
from agencyclaw.slack.channels import Channels
from agencyclaw.slack.escaping import escaped, link, one_line
from agencyclaw.slack.ignored import log_ignored
from agencyclaw.slack.payloads import Payload, Ts, place_in
from agencyclaw.slack.ports import BotIdentity
from agencyclaw.slack.web import Method, Web

# Further messages at the same time show no cards.
_AT_ONCE = 4
_ASSIGNEES_NAMED = 3


class SharedLink(Payload):
    """A link in a message, at one of the domains that our manifest names."""

    url: str = Field(max_length=2_000)


class LinkShared(Payload):
    """A `link_shared` event of a posted message; while one is being typed, it has no ts."""

    channel: str = Field(min_length=2)
    user: str = Field(min_length=2)
    message_ts: Ts
    thread_ts: Ts | None = None
    links: tuple[SharedLink, ...]


class Unfurls:
    """Shows cards under links; after any failure there is just no card."""

    def __init__(self, web: Web, me: BotIdentity, tasks: TaskLinks, channels: Channels) -> None:
        self._web = web
        self._me = me
        self._tasks = tasks
        self._channels = channels
        self._under_way = 0

    async def show(self, event: dict[str, Any], team_id: str) -> None:
        """Show a card under each link to a task that everybody who reads it may see."""
        try:
            shared = LinkShared.model_validate(event)
        except ValidationError:
            log_ignored("malformed")
            return
        if shared.user == self._me.user_id or self._under_way >= _AT_ONCE:
            log_ignored("links")
            return
        self._under_way += 1
        try:
            await self._show(shared, team_id)
        except AgencyClawError as error:
            logfire.warn("slack.not_unfurled", error=type(error).__name__)
        finally:
            self._under_way -= 1

    async def _show(self, shared: LinkShared, team_id: str) -> None:
        place = place_in(team_id, shared.channel, shared.thread_ts or shared.message_ts)
        place = await self._channels.placed(place)
        states = await self._tasks.shown(place, shared.user, [link.url for link in shared.links])
        if not states:
            return
        await self._web.call(
            Method.UNFURL,
            channel=shared.channel,
            ts=shared.message_ts,
            unfurls={url: {"blocks": build_task_card(state)} for url, state in states.items()},
        )


def build_task_card(state: TaskState) -> list[Block]:
    """Return a task in two lines: its title, then status, assignees, due date and list."""
    facts = state.facts
    names = [one_line(person.name)[:60] for person in facts.assignees]
    more = [f"+{len(names) - _ASSIGNEES_NAMED}"] if len(names) > _ASSIGNEES_NAMED else []
    rows = (
        ("Status", one_line(facts.status)[:60]),
        ("Assignee", ", ".join((*names[:_ASSIGNEES_NAMED], *more)) or message("effects.nobody")),
        ("Due", spoken_day(facts.due) if facts.due else message("unfurls.no_date")),
        ("List", one_line(state.list_name)[:80]),
    )
    line = " · ".join(f"{localized(name)}: {escaped(value)}" for name, value in rows if value)
    return [section(f"*{link(one_line(facts.title)[:150], state.url)}*"), context(line)]
