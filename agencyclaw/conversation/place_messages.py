"""What people wrote in Slack, as far as one person may be shown it in one place."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

import logfire

from agencyclaw.conversation.slack_ports import SlackReader, unread
from agencyclaw.conversation.threads import Names, line_of
from agencyclaw.domain.closeness import closeness, words_of
from agencyclaw.domain.consent.reply import number
from agencyclaw.domain.conversations import (
    Channel,
    ChannelMessage,
    FoundMessages,
    Period,
    Quotation,
    bound,
    may_show,
)
from agencyclaw.domain.errors import (
    AgencyClawError,
    NotGranted,
    Refused,
    Unavailable,
    Unclear,
)
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor, ChannelKind, SurfaceKind
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.receipts import Incoming
from agencyclaw.proposals.identities import Identity
from agencyclaw.store.bindings import clients_of_channels
from agencyclaw.store.engine import Database
from agencyclaw.store.outbox import shown_cards

# How many conversations are read for one question; Slack allows fifty pages a minute.
CONVERSATIONS = 8
_PAGES_OF_ONE = 5
_CLOSE_ENOUGH = 0.3
_UNREAD = message("messages.unread")
_NOT_GRANTED = message("messages.not_granted")
_KINDS = {SurfaceKind.DM: ChannelKind.DIRECT, SurfaceKind.GROUP_DM: ChannelKind.GROUP}


@dataclass(frozen=True)
class _Reading:
    """The messages of a conversation, oldest first, or why it could not be read."""

    channel: Channel
    messages: Sequence[ChannelMessage] = ()
    is_whole: bool = True
    error: AgencyClawError | None = None


@dataclass(frozen=True)
class PlaceMessages:
    """Reads in the name of a message's author; only what they may see there is returned."""

    slack: SlackReader
    db: Database
    incoming: Incoming
    identity: Identity
    names: Callable[[], Awaitable[Names]]

    async def here(self, period: Period) -> FoundMessages:
        """Return what was written in this conversation, its threads included, oldest first."""
        return _if_any(await self._find_in([self._here()], "", period, frozenset()))

    async def channels(self, clients: Set[UUID]) -> Sequence[Channel]:
        """Return the other conversations that may be read: the person and we are in both."""
        try:
            shared, owners = await asyncio.gather(
                self.slack.shared_conversations(self.incoming.slack_user_id),
                clients_of_channels(self.db, self.incoming.place.team_id),
            )
        except (Unavailable, Unclear) as error:
            raise unread(error, _words(error)) from error
        channels = sorted(
            (bound(channel, owners) for channel in shared), key=lambda channel: channel.name
        )
        return [channel for channel in channels if self._may_show(channel, clients)]

    async def cards(self, proposals: Sequence[Proposal]) -> Mapping[UUID, str]:
        """Return the addresses of the cards that show some of this person's proposals, by id."""
        shown = await shown_cards(self.db, [one.card_id for one in proposals if one.card_id])
        return {
            one.id: self.slack.address(card.channel_id, card.ts, card.thread_ts)
            for one in proposals
            if one.card_id and (card := shown.get(one.card_id))
        }

    async def find(
        self, words: str, period: Period, clients: Set[UUID], only: Channel | None
    ) -> FoundMessages:
        """Return messages by their words, the closest first, in one conversation or in all."""
        if only is not None:
            return _if_any(await self._find_in([only], words, period, clients))
        searched = await self._searched(words, period, clients)
        readable, is_listed = await self._readable(clients)
        if searched is not None:
            # Slack's search covers public channels.
            readable = [channel for channel in readable if channel.kind is not ChannelKind.PUBLIC]
        result = await self._find_in(readable[:CONVERSATIONS], words, period, clients)
        public_quotations = () if searched is None else (await self._quoted(searched)).quotations
        return _if_any(
            result.model_copy(
                update={
                    "quotations": (*public_quotations, *result.quotations),
                    "left_out": len(readable[CONVERSATIONS:]),
                    "is_whole": result.is_whole and searched is None,
                    "is_public_searched": searched is not None,
                    "is_listed": is_listed,
                }
            )
        )

    async def _readable(self, clients: Set[UUID]) -> tuple[list[Channel], bool]:
        """Return the conversations to read, and whether Slack listed them."""
        here = self._here()
        try:
            channels = await self.channels(clients)
        except Refused:
            return [here], False
        return [*([here] if self.incoming.place.is_direct else []), *channels], True

    async def _searched(
        self, words: str, period: Period, clients: Set[UUID]
    ) -> list[ChannelMessage] | None:
        incoming = self.incoming
        results = await self.slack.search(incoming.place, incoming.slack_ts, words, period)
        if results is None:
            return None
        owners = await clients_of_channels(self.db, incoming.place.team_id)
        judged = [
            result.model_copy(update={"channel": bound(result.channel, owners)})
            for result in results
        ]
        return [
            result
            for result in judged
            if self._may_show(result.channel, clients) and not self._is_this_question(result)
        ]

    async def _find_in(
        self, channels: Sequence[Channel], words: str, period: Period, clients: Set[UUID]
    ) -> FoundMessages:
        """Read conversations that may be shown; one that can't be read keeps no other back."""
        readable = [channel for channel in channels if self._may_show(channel, clients)]
        pages = _PAGES_OF_ONE if len(readable) == 1 else 1
        readings = await asyncio.gather(
            *(self._read(channel, period, pages) for channel in readable)
        )
        messages = [message for reading in readings for message in reading.messages]
        result = await self._quoted(closest(words, messages) if words else messages)
        return result.model_copy(
            update={
                "looked_at": tuple(
                    reading.channel for reading in readings if reading.error is None
                ),
                "unread": tuple(reading.channel for reading in readings if reading.error),
                "is_granted": not any(
                    isinstance(reading.error, NotGranted) for reading in readings
                ),
                "is_whole": all(reading.is_whole for reading in readings),
            }
        )

    async def _read(self, channel: Channel, period: Period, pages: int) -> _Reading:
        place = self.incoming.place
        try:
            messages, is_whole = await self.slack.messages(place, channel, period, pages=pages)
        except (Unavailable, Unclear) as error:
            logfire.warn("conversation not read", error=type(error).__name__)
            return _Reading(channel, error=error)
        others = [message for message in messages if not self._is_this_question(message)]
        return _Reading(channel, others, is_whole)

    async def _quoted(self, messages: Iterable[ChannelMessage]) -> FoundMessages:
        names = await self.names()
        return FoundMessages(
            quotations=tuple(
                _quotation(message, self.identity.actor, names) for message in messages
            )
        )

    def _is_this_question(self, message: ChannelMessage) -> bool:
        """Whether a message is the one that is being answered."""
        here, ts = self.incoming.place.channel_id, self.incoming.slack_ts
        return (message.channel.id, message.post.ts) == (here, ts)

    def _here(self) -> Channel:
        kind = _KINDS.get(self.identity.surface.kind, ChannelKind.PRIVATE)
        return Channel(id=self.incoming.place.channel_id, kind=kind)

    def _may_show(self, channel: Channel, clients: Set[UUID]) -> bool:
        here = self.incoming.place.channel_id
        return may_show(channel, self.identity.surface, here, clients)


def closest(words: str, messages: Sequence[ChannelMessage]) -> list[ChannelMessage]:
    """Return messages by how well their words fit, each with its thread, which may hold a reply."""
    word_weights = [dict.fromkeys(words_of(message.post.text), 1.0) for message in messages]
    fits = closeness(words_of(words), word_weights)
    threads: dict[tuple[str, str], list[ChannelMessage]] = defaultdict(list)
    best: dict[tuple[str, str], float] = defaultdict(float)
    for written, fit in zip(messages, fits, strict=True):
        key = written.channel.id, written.root_ts
        threads[key].append(written)
        best[key] = max(best[key], fit)
    closest_first = sorted(
        (key for key in threads if best[key] >= _CLOSE_ENOUGH), key=lambda key: -best[key]
    )
    return [message for key in closest_first for message in threads[key]]


def _quotation(message: ChannelMessage, actor: Actor, names: Names) -> Quotation:
    line = line_of(message.post, actor, names)
    seconds, _ = number(message.post.ts)
    written_at = datetime.fromtimestamp(seconds, UTC).astimezone(actor.zone)
    return Quotation(
        channel=message.channel,
        whose=line.whose,
        written_at=written_at,
        text=line.text,
        url=message.url,
    )


def _if_any(result: FoundMessages) -> FoundMessages:
    """Return what was found; raises Refused if Slack let us read nothing at all."""
    if result.unread and not result.looked_at and not result.is_public_searched:
        raise Refused(_UNREAD if result.is_granted else _NOT_GRANTED, reason="slack_unread")
    return result


def _words(error: AgencyClawError) -> str:
    return _NOT_GRANTED if isinstance(error, NotGranted) else _UNREAD
