"""Shows suggested prompts to a person who opens the assistant."""

from __future__ import annotations

from typing import Any

import logfire

from agencyclaw.conversation.suggested_prompts import SuggestedPrompts
from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Place
from agencyclaw.slack.web import Method, Web

_BEGIN_WITH = message("suggested_prompts.begin_with")


async def offer_prompts(
    web: Web, suggestions: SuggestedPrompts | None, event: dict[str, Any], team_id: str
) -> None:
    """Show a person's suggested prompts; failures are only logged."""
    user, channel = str(event.get("user") or ""), str(event.get("channel") or "")
    if suggestions is None or not user or not channel:
        return
    if not web.pace.has_capacity(Method.SET_PROMPTS):
        return
    place = Place(team_id=team_id, channel_id=channel, thread_ts="", is_direct=True)
    try:
        if offered := await suggestions.offered(place, user):
            prompts = [opener._asdict() for opener in offered]
            await web.call(
                Method.SET_PROMPTS, channel_id=channel, title=_BEGIN_WITH, prompts=prompts
            )
    except AgencyClawError as error:
        logfire.debug("slack.openers_failed", error=type(error).__name__)
