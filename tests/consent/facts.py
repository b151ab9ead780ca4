"""Looking things up in a transcript: holds no rule."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from tests.consent.transcript import (
    Card,
    Change,
    Message,
    Place,
    Press,
    Proposal,
    Transcript,
    Ts,
    instant,
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A word or a press, and the proposals of a card that it is about."""

    person: str
    card: Card
    proposals: tuple[Proposal, ...]
    since: datetime  # Slack's moment of the act
    at: datetime  # the later one of Slack's moment and our storing of it
    judged: datetime
    word: Message | None = None
    press: Press | None = None

    @property
    def names(self) -> frozenset[str]:
        """The ids of the proposals."""
        return frozenset(proposal.id for proposal in self.proposals)


class Facts:
    """A transcript and the ways to find things in it."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.proposals = {proposal.id: proposal for proposal in transcript.proposals}
        self.channels = {channel.id: channel for channel in transcript.channels}
        self.people = {person.id: person for person in transcript.people}

    def message(self, channel: str, ts: Ts) -> Message:
        """Return the message that an act is."""
        messages = self.transcript.messages
        return next(m for m in messages if (m.channel, m.ts) == (channel, ts))

    def changes(self, message: Message) -> list[Change]:
        """Return what its author changed of a message."""
        where = (message.channel, message.ts)
        changes = self.transcript.changes
        return [change for change in changes if (change.channel, change.message) == where]

    def edits(self, message: Message) -> list[Ts]:
        """Return when its author edited a message."""
        return [change.ts for change in self.changes(message) if change.text is not None]

    def deleted_or_edited(self, message: Message) -> bool:
        """Return whether its author did either."""
        return bool(self.changes(message))

    def postings(self, proposal: str) -> list[Card]:
        """Return the cards that showed a proposal, in their order."""
        return [card for card in self.transcript.cards if proposal in card.proposals]

    def is_current(self, card: Card) -> bool:
        """Return whether no later card shows what this one does: an older one is a line."""
        return all(self.postings(proposal)[-1] is card for proposal in card.proposals)

    def shown_on(self, card: Card) -> tuple[Proposal, ...]:
        """Return the proposals of a card."""
        return tuple(self.proposals[proposal] for proposal in card.proposals)

    def owner(self, card: Card) -> str:
        """Return who asked for what a card shows."""
        return self.proposals[card.proposals[0]].owner

    def is_dm(self, channel: str) -> bool:
        """Return whether it is one person's conversation with us."""
        return self.channels[channel].place is Place.DM

    def asked_by(self, word: Message, card: Card, judged: datetime) -> Asked:
        """Return what a word in a card's place asks."""
        since, at = instant(word.ts), self.counts_from(word)
        return Asked(word.author, card, self.shown_on(card), since, at, judged, word=word)

    def counts_from(self, word: Message) -> datetime:
        """Return the moment that our times are held against: stored, and no earlier than said."""
        return max(instant(word.ts), word.received or instant(word.ts))

    def pressed(self, press: Press) -> Asked:
        """Return what a press asks."""
        cards = self.transcript.cards
        card = next(c for c in cards if (c.channel, c.ts) == (press.channel, press.card))
        named = tuple(self.proposals[proposal] for proposal in sorted(press.proposals))
        since = instant(press.ts)
        at = max(since, press.received)
        return Asked(press.person, card, named, since, at, press.judged, press=press)
