"""Notifies people directly while our database, and with it the outbox, is unavailable."""

from __future__ import annotations

from functools import partial

import logfire

from agencyclaw.domain.errors import AgencyClawError
from agencyclaw.domain.proposals import UNRECORDED, Proposal
from agencyclaw.domain.receipts import Note
from agencyclaw.slack.answers import build_answer
from agencyclaw.slack.cards import build_cards
from agencyclaw.slack.retrying import retry_within
from agencyclaw.slack.web import Method, Web

_WITHIN_S = 30.0


class OutageNotices:
    """Posts to Slack without the outbox, which is in the database."""

    def __init__(self, web: Web, live_hosts: frozenset[str]) -> None:
        self._web = web
        self._live_hosts = live_hosts

    async def records_unavailable(self, proposal: Proposal, text: str, card_ts: str) -> None:
        """Say so on the card, which loses its buttons, and privately to the person."""
        place = proposal.place
        content = build_answer(Note(text=text), self._live_hosts)
        calls = [
            partial(
                self._web.call,
                Method.POST_EPHEMERAL,
                channel=place.channel_id,
                thread_ts=place.thread_ts,
                user=proposal.actor_slack_user_id,
                text=content.text,
                blocks=content.blocks,
            )
        ]
        if card_ts:
            shown = proposal.model_copy(update={"reason": UNRECORDED})
            card = build_cards([shown], self._live_hosts)[-1]
            calls.append(
                partial(
                    self._web.call,
                    Method.UPDATE,
                    channel=place.channel_id,
                    ts=card_ts,
                    text=card.text,
                    blocks=card.blocks,
                )
            )
        for call in calls:
            try:
                await retry_within(call, _WITHIN_S)
            except AgencyClawError as error:
                logfire.warn("slack.outage_notice_failed", error=type(error).__name__)
