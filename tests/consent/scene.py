"""A case under construction: one card and one act about it, for twists to change.

Moments are seconds from the card's posting. A scene begins as a case in which the act does what it
says, unless its place forbids that; every further detail is a twist's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from random import Random

from tests.consent.transcript import (
    OUR_APP,
    Act,
    Button,
    Card,
    Change,
    Channel,
    Field,
    Kind,
    Membership,
    Message,
    PauseSwitch,
    Person,
    Place,
    Press,
    Proposal,
    Role,
    Said,
    Source,
    SubjectSwitch,
    Task,
    Transcript,
    Ts,
    Turn,
    Work,
    instant,
)
from tests.consent.words import NO, YES, Reading

OWNER, COLLEAGUE, ADMIN, BOSS, GUEST = "U_OWNER", "U_COLLEAGUE", "U_ADMIN", "U_BOSS", "U_GUEST"
OTHER_APP = "app:other"
HERE, ELSEWHERE = "C_HERE", "C_ELSEWHERE"
MAIN = "p1"
TURN = "turn-1"  # the one that showed the card
TEN_MINUTES = timedelta(minutes=10)
JUST = 0.0001  # seconds; the least by which Slack's ts usually differ
WORDS = {
    Reading.YES: sorted({word for words in YES.values() for word in words}),
    Reading.NO: sorted({word for words in NO.values() for word in words}),
}
PLACES = {
    "dm": Channel(HERE, Place.DM),
    "group dm": Channel(HERE, Place.GROUP_DM, words_allowed=True),
    "channel": Channel(HERE, Place.CHANNEL),
    "words": Channel(HERE, Place.CHANNEL, words_allowed=True),
    "shared": Channel(HERE, Place.CHANNEL, words_allowed=True, internal=False),
}
PEOPLE = (
    Person(OWNER),
    Person(COLLEAGUE),
    Person(ADMIN, Role.ADMIN),
    Person(BOSS, Role.SUPER_ADMIN),
    Person(GUEST, membership=Membership.GUEST),
)
TITLES = ("Bullets for the spring line", "Check the listings", "Bilder prüfen", "Go ahead")
REQUEST = "please check the spring listings of the brand and put it into the usual list"
TYPED = Field("title", Source.TYPED, "check the spring listings", REQUEST)
CHOSEN = Field("assignee", Source.RECORD)
APPROVED = Field("text", Source.APPROVED_PROCEDURE, "Look at all images.", "1. Look at all images.")


@dataclass(frozen=True, slots=True)
class Case:
    """A transcript and the act that it ends with; `about` names its twists, for reports alone."""

    transcript: Transcript
    act: Act
    about: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Usual:
    """What a scene begins with."""

    act: Reading | Button = Reading.YES
    place: str = "dm"
    where: str = "thread"  # "top": at the top level
    root: bool = False  # the card is its thread's root
    at: float = 20.0  # when Slack has the act
    late: float = 0.4  # from there to our storing of it
    judged: float = 0.5  # from there to the judging
    shown: int = 1  # proposals on the card


class Scene:
    """The parts of a transcript, open to change, and the moments to put more of them at."""

    def __init__(self, rng: Random, usual: Usual) -> None:
        self.rng, self.usual = rng, usual
        self.base = 1_764_000_000 * 10**6 + rng.randrange(30 * 86_400 * 10**6)
        self.taken: set[Ts] = set()
        self.channel = PLACES[usual.place]
        self.people = {person.id: person for person in PEOPLE}
        self.messages: list[Message] = []
        self.changes: list[Change] = []
        self.switches: list[SubjectSwitch] = []
        self.pauses: list[PauseSwitch] = []
        self.tasks: list[Task] = []
        self.turns = {TURN: Turn(TURN)}
        self.proposals: dict[str, Proposal] = {}
        self.cards: list[Card] = []
        self.forbidden: frozenset[str] = frozenset()
        self.press_only_clients: frozenset[str] = frozenset()
        self.press_only_everything = False
        self.stored, self.judged = usual.at + usual.late, usual.at + usual.late + usual.judged
        card, act = self.ts(0), self.ts(usual.at)
        self.show(card)
        self.press = self.pressing(act) if isinstance(usual.act, Button) else None
        self.word = None if isinstance(usual.act, Button) else self.saying(usual.act, act)

    # Moments.

    def ts(self, at: float) -> Ts:
        """Take Slack's first free ts from a moment on."""
        micros = self.base + round(at * 10**6)
        while (ts := f"{micros // 10**6}.{micros % 10**6:06d}") in self.taken:
            micros += 1
        self.taken.add(ts)
        return ts

    def time(self, at: float) -> datetime:
        """Return a moment on our database's clock."""
        return instant("0.0") + timedelta(microseconds=self.base + round(at * 10**6))

    def chance(self, share: float = 0.5) -> bool:
        """Throw a coin."""
        return self.rng.random() < share

    def before_act(self) -> float:
        """Return a moment between card and act, mostly at one of its ends."""
        inside = self.rng.uniform(0.1, 0.9) * self.usual.at
        return self.rng.choice((JUST, inside, self.usual.at - JUST))

    def around(self) -> float:
        """Return a moment between card and act, or just outside."""
        return self.rng.choice((-JUST, self.usual.at + JUST, *[self.before_act()] * 3))

    # The usual parts.

    def show(self, ts: Ts) -> None:
        """Put the request, the turn's text and the card."""
        request = self.line(-9, OWNER, text=REQUEST)
        self.thread = ts if self.usual.root else request.ts
        place = None if self.usual.root else self.thread
        said = self.rng.choice((Kind.ANSWER, Kind.STREAM))
        stop = self.ts(-1) if said is Kind.STREAM else None
        self.line(-3, OUR_APP, said, "Here it is.", thread=request.ts, turn=TURN, stop=stop)
        shown = tuple(f"p{number}" for number in range(1, self.usual.shown + 1))
        self.proposals = {name: self.proposal(name) for name in shown}
        self.messages.append(self.card_line(ts, place))
        self.cards.append(Card(HERE, ts, place, shown, TURN))

    def card_line(self, ts: Ts, thread: Ts | None, channel: str = HERE) -> Message:
        """Return the message that shows a card."""
        text = "A task for the brand: create it?"
        return Message(channel, ts, OUR_APP, Kind.CARD, text, thread, turn=TURN)

    def proposal(self, name: str, created: float = -0.5) -> Proposal:
        """Return a proposal, its row's times by the arithmetic of the page."""
        work = Work(
            self.rng.choice(TITLES),
            "brand-a",
            "client-a",
            "list-1",
            "listing",
            frozenset({"x", "y"}),
        )
        fields = tuple(self.rng.sample((TYPED, CHOSEN, APPROVED), self.rng.randint(1, 3)))
        ends = self.time(created + 12 * 3600)
        until = self.time(600)
        return Proposal(name, OWNER, work, self.time(created), until, ends, fields=fields)

    def saying(self, reading: Reading, ts: Ts) -> Message:
        """Return the requester's plain word."""
        text = self.rng.choice(WORDS[reading])
        text = self.rng.choice((text, text.capitalize(), f"{text}!", f" {text.upper()}. "))
        thread = self.thread if self.usual.where == "thread" else None
        received = self.time(self.stored)
        return Message(HERE, ts, OWNER, Kind.ORDINARY, text, thread, received=received)

    def pressing(self, ts: Ts) -> Press:
        """Return the requester's press on the card."""
        assert isinstance(self.usual.act, Button)
        assert self.card.ts
        shown = frozenset(self.card.proposals)
        listed = shown if self.usual.act is Button.CREATE_ALL else frozenset[str]()
        stored, judged = self.time(self.stored), self.time(self.judged)
        return Press(OWNER, self.usual.act, HERE, self.card.ts, shown, ts, stored, judged, listed)

    # What twists change.

    @property
    def card(self) -> Card:
        """The posting that the act is about; the last one."""
        return self.cards[-1]

    @card.setter
    def card(self, card: Card) -> None:
        self.cards[-1] = card

    @property
    def main(self) -> Proposal:
        """The proposal that the act is about."""
        return self.proposals[MAIN]

    @main.setter
    def main(self, proposal: Proposal) -> None:
        self.proposals[proposal.id] = proposal

    def line(
        self,
        at: float,
        author: str,
        kind: Kind = Kind.ORDINARY,
        text: str = "Any news of the images",
        *,
        thread: Ts | None = None,
        channel: str = HERE,
        turn: str | None = None,
        stop: Ts | None = None,
        seen_by: str | None = None,
        proposal: str | None = None,
        late: float | None = 0.3,
    ) -> Message:
        """Add a line; with `late` None it does not arrive before the judging."""
        received = None if late is None else self.time(at + late)
        message = Message(channel, self.ts(at), author, kind, text, thread, received=received)
        message = replace(message, turn=turn, stop=stop, seen_by=seen_by, proposal=proposal)
        self.messages.append(message)
        return message

    def another(self, name: str, at: float, thread: Ts | None, channel: str = HERE) -> Proposal:
        """Add another open proposal of the requester with its card."""
        ts = self.ts(at)
        self.messages.append(self.card_line(ts, thread, channel))
        self.cards.insert(0, Card(channel, ts, thread, (name,), TURN))
        until = instant(ts) + TEN_MINUTES
        proposal = replace(self.proposal(name, at - 0.5), words_until=until)
        self.proposals[name] = proposal
        return proposal

    def case(self, about: tuple[str, ...]) -> Case:
        """Close the scene."""
        messages = [*self.messages, self.word] if self.word else self.messages
        elsewhere = Channel(ELSEWHERE, Place.CHANNEL, words_allowed=True)
        transcript = Transcript(
            (self.channel, elsewhere),
            tuple(self.people.values()),
            tuple(sorted(messages, key=lambda message: (message.channel, message.ts))),
            tuple(self.proposals.values()),
            tuple(self.cards),
            tuple(self.turns.values()),
            tuple(self.changes),
            tuple(self.switches),
            tuple(self.pauses),
            tuple(self.tasks),
            self.press_only_clients,
            self.press_only_everything,
            self.forbidden,
        )
        act = Said(HERE, self.word.ts, self.time(self.judged)) if self.word else self.press
        assert act
        return Case(transcript, act, about)
