"""What people wrote in Slack, as far as one person may be shown it in one place."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

import logfire

from agencyclaw.conversation.slack_reading import SlackReading
from agencyclaw.conversation.threads import Names, ThreadReading, line_of
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
from agencyclaw.domain.people import Actor, ChannelKind, Surface, SurfaceKind
from agencyclaw.domain.receipts import Incoming, Receipt
from agencyclaw.proposals.identities import Known
from agencyclaw.store.bindings import clients_of_channels
from agencyclaw.store.engine import Database
from agencyclaw.store.jobs import is_local
from agencyclaw.tools.results import AWAY

# Of many conversations so many are read for one question; Slack allows fifty pages a minute.
CONVERSATIONS = 8
_PAGES_OF_ONE = 5
_WELL = 0.3
_UNREAD = message("messages.unread")
_NOT_GRANTED = message("messages.not_granted")
_KINDS = {SurfaceKind.DM: ChannelKind.DIRECT, SurfaceKind.GROUP_DM: ChannelKind.GROUP}


@dataclass(frozen=True)
class PlaceMessages:
    """Reads in the name of whoever wrote a message; every result is judged before it is shown."""

    slack: SlackReading
    db: Database
    incoming: Incoming
    actor: Actor
    surface: Surface
    names: Callable[[], Awaitable[Names]]

    async def here(self, period: Period) -> FoundMessages:
        """Return what was written in this conversation, its threads included, oldest first."""
        return _if_any(await self._find_in([self._here()], "", period, frozenset()))

    async def channels(self, clients: Set[UUID]) -> Sequence[Channel]:
        """Return the other conversations that may be read: the person and we are in both."""
        try:
            shared, owners = await asyncio.gather(
                self.slack.shared(self.actor.slack_user_id),
                clients_of_channels(self.db, self.incoming.place.team_id),
            )
        except (Unavailable, Unclear) as error:
            raise _unread(error) from error
        known = sorted((bound(one, owners) for one in shared), key=lambda one: one.name)
        return [one for one in known if self._may_show(one, clients)]

    async def find(
        self, words: str, period: Period, clients: Set[UUID], only: Channel | None
    ) -> FoundMessages:
        """Return messages by their words, the closest first, in one conversation or in all."""
        if only is not None:
            return _if_any(await self._find_in([only], words, period, clients))
        searched = await self._searched(words, period, clients)
        readable, is_listed = await self._others(clients)
        if searched is not None:
            # Slack has looked through what is public.
            readable = [one for one in readable if one.kind is not ChannelKind.PUBLIC]
        heard = await self._find_in(readable[:CONVERSATIONS], words, period, clients)
        found = () if searched is None else (await self._heard(searched)).quotations
        return _if_any(
            heard.model_copy(
                update={
                    "quotations": (*found, *heard.quotations),
                    "left_out": len(readable[CONVERSATIONS:]),
                    "is_whole": heard.is_whole and searched is None,
                    "is_public_searched": searched is not None,
                    "is_listed": is_listed,
                }
            )
        )

    async def _others(self, clients: Set[UUID]) -> tuple[list[Channel], bool]:
        """Return the conversations to read, and whether Slack said which there are."""
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
        found = await self.slack.searched(incoming.place, incoming.slack_ts, words, period)
        if found is None:
            return None
        owners = await clients_of_channels(self.db, incoming.place.team_id)
        judged = [one.model_copy(update={"channel": bound(one.channel, owners)}) for one in found]
        return [
            one
            for one in judged
            if self._may_show(one.channel, clients) and not self._is_this_question(one)
        ]

    async def _find_in(
        self, channels: Sequence[Channel], words: str, period: Period, clients: Set[UUID]
    ) -> FoundMessages:
        """Read conversations that may be shown; one that can't be read keeps no other back."""
        readable = [one for one in channels if self._may_show(one, clients)]
        pages = _PAGES_OF_ONE if len(readable) == 1 else 1
        read = await asyncio.gather(*(self._read(one, period, pages) for one in readable))
        errors = [one if isinstance(one, AgencyClawError) else None for one in read]
        results = list(zip(readable, errors, strict=True))
        whole = [result for result in read if not isinstance(result, AgencyClawError)]
        found = [one for messages, _ in whole for one in messages]
        heard = await self._heard(closest(words, found) if words else found)
        return heard.model_copy(
            update={
                "looked_at": tuple(one for one, why in results if why is None),
                "unread": tuple(one for one, why in results if why),
                "is_granted": not any(isinstance(why, NotGranted) for _, why in results),
                "is_whole": all(all_of_it for _, all_of_it in whole),
            }
        )

    async def _read(
        self, channel: Channel, period: Period, pages: int
    ) -> tuple[Sequence[ChannelMessage], bool] | AgencyClawError:
        """Return a conversation's messages and whether they are all, or why it is out of reach."""
        place = self.incoming.place
        try:
            messages, is_whole = await self.slack.messages(place, channel, period, pages=pages)
        except (Unavailable, Unclear) as error:
            logfire.warn("conversation not read", error=type(error).__name__)
            return error
        return [one for one in messages if not self._is_this_question(one)], is_whole

    async def _heard(self, found: Iterable[ChannelMessage]) -> FoundMessages:
        names = await self.names()
        return FoundMessages(quotations=tuple(_quotation(one, self.actor, names) for one in found))

    def _is_this_question(self, one: ChannelMessage) -> bool:
        """Whether a message is the one that is being answered."""
        here, ts = self.incoming.place.channel_id, self.incoming.slack_ts
        return (one.channel.id, one.post.ts) == (here, ts)

    def _here(self) -> Channel:
        kind = _KINDS.get(self.surface.kind, ChannelKind.PRIVATE)
        return Channel(id=self.incoming.place.channel_id, kind=kind)

    def _may_show(self, channel: Channel, clients: Set[UUID]) -> bool:
        return may_show(channel, self.surface, self.incoming.place.channel_id, clients)


def place_messages(
    threads: ThreadReading | None,
    db: Database,
    receipt: Receipt,
    known: Known,
    names: Callable[[], Awaitable[Names]],
) -> PlaceMessages | None:
    """Return what may be read in Slack for a message; a terminal has none."""
    incoming = receipt.incoming
    if threads is None or is_local(incoming.place.team_id):
        return None
    return PlaceMessages(threads.reader, db, incoming, known.actor, known.surface, names)


def closest(words: str, found: Sequence[ChannelMessage]) -> list[ChannelMessage]:
    """Return messages by how well their words fit, each with its thread, which may hold a reply."""
    known = [dict.fromkeys(words_of(one.post.text), 1.0) for one in found]
    fits = closeness(words_of(words), known)
    threads: dict[tuple[str, str], list[ChannelMessage]] = defaultdict(list)
    best: dict[tuple[str, str], float] = defaultdict(float)
    for one, fit in zip(found, fits, strict=True):
        key = one.channel.id, one.root_ts
        threads[key].append(one)
        best[key] = max(best[key], fit)
    close = sorted((key for key in threads if best[key] >= _WELL), key=lambda key: -best[key])
    return [one for key in close for one in threads[key]]


def _quotation(one: ChannelMessage, actor: Actor, names: Names) -> Quotation:
    line = line_of(one.post, actor, names)
    seconds, _ = number(one.post.ts)
    written_at = datetime.fromtimestamp(seconds, UTC).astimezone(actor.zone)
    return Quotation(
        channel=one.channel,
        whose=line.whose,
        written_at=written_at,
        text=line.text,
        url=one.url,
    )


def _if_any(heard: FoundMessages) -> FoundMessages:
    """Return what was found; raises Refused if Slack let us read nothing at all."""
    if heard.unread and not heard.looked_at and not heard.is_public_searched:
        raise Refused(_UNREAD if heard.is_granted else _NOT_GRANTED, reason=AWAY)
    return heard


def _unread(error: AgencyClawError) -> Refused:
    logfire.warn("messages not read", error=type(error).__name__)
    return Refused(_NOT_GRANTED if isinstance(error, NotGranted) else _UNREAD, reason=AWAY)
