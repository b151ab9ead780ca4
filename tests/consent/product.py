"""The product's own judge, asked about the oracle's transcripts.

Everything that decides is the product's: its list of words, its judge of a reply, its reading of a
press, the effect with its bases, the key of a repeat. Only the rows are made here, as the product's
queries would give them. Facts of the moment of the act (rights, membership, pause) are no part of a
word and judged later, by the judge of every way in: what hangs on them is `later`.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

from agencyclaw.domain.changes import Change
from agencyclaw.domain.choices import fixed
from agencyclaw.domain.clients import Named
from agencyclaw.domain.consent import reply, words
from agencyclaw.domain.effects import ApplyRemediation, ArchiveTask, DecideDocument
from agencyclaw.domain.field_sources import FieldSource, Material, Origin
from agencyclaw.domain.people import Place as ProductPlace
from agencyclaw.domain.proposals import PRESS_S, QUESTION_S, WORDS_S, ProposalState
from agencyclaw.domain.receipts import Incoming, ReceiptKind
from agencyclaw.domain.record_kinds.targets import SetTarget
from agencyclaw.domain.task_creation import CreateTask, Destination
from agencyclaw.domain.thread import Carried as ProductCarried
from agencyclaw.knowledge.field_sources import field_sources_of
from tests.consent.facts import Facts
from tests.consent.scene import HERE, Case
from tests.consent.transcript import (
    OUR_APP,
    Card,
    Carried,
    Effect,
    Field,
    Kind,
    Message,
    Place,
    Proposal,
    Said,
    Source,
    State,
    Suspension,
    Ts,
    Work,
    instant,
)
from tests.consent.verdict import Cancels, Confirms, For, NotConsent, Verdict, Waits

LONG = 600
FAR: Ts = "9999999999.999999"
STATES = {
    State.OPEN: ProposalState.OPEN,
    State.INTENT_WRITTEN: ProposalState.EXECUTING,
    State.DONE: ProposalState.DONE,
    State.CANCELLED: ProposalState.CANCELLED,
    State.REPLACED: ProposalState.SUPERSEDED,
}
ORIGINS = {
    Source.TYPED: Origin.TYPED,
    Source.APPROVED_PROCEDURE: Origin.PROCEDURE,
    Source.FILE: Origin.FILE,
    Source.FORWARD: Origin.FORWARDED,
    Source.QUOTE: Origin.QUOTED,
    Source.CODE_BLOCK: Origin.PASTED,
    Source.OTHERS_MESSAGE: Origin.OTHERS,
    Source.TASK_BODY: Origin.RECORD,
    Source.TASK_COMMENT: Origin.RECORD,
    Source.WEB: Origin.DOCUMENT,
}
KINDS = {
    Effect.RIGHTS: ApplyRemediation,
    Effect.TARGETS: SetTarget,
    Effect.PROCEDURE: DecideDocument,
    Effect.DELETION: ArchiveTask,
}
CARRIED: dict[Carried, ProductCarried] = {
    Carried.FILE: "file",
    Carried.FORWARD: "forward",
    Carried.QUOTE: "quote",
    Carried.CODE_BLOCK: "code",
}


def an_id(name: str) -> UUID:
    """Return a row's id for a name of the transcript."""
    return uuid5(NAMESPACE_URL, name)


class Product(Facts):
    """What the product makes of a word or press of a transcript."""

    def decide(self, case: Case) -> Verdict:
        """Ask the product."""
        if not isinstance(case.act, Said):
            raise TypeError("presses are played over the wire")
        word = self.message(case.act.channel, case.act.ts)
        said = self.said(word)
        if said is None:
            return NotConsent()
        shown = [*self.shown(word, case)]
        names = {one.proposal_id: name for name, one in shown}
        match reply.judge_word(said, [one for _, one in shown], [*self.posted(word)]):
            case reply.Confirms(proposal_id=proposal_id):
                return self.carried_out(names[proposal_id])
            case reply.Cancels(proposal_id=proposal_id):
                return Cancels(frozenset({names[proposal_id]}))
            case reply.Uncertain():
                return Waits(For.THE_LOOK_UP)
            case _:
                return NotConsent()

    def carried_out(self, name: str) -> Verdict:
        """Hold back what would make the same task twice, as the execution does."""
        effect = effect_of(self.proposals[name])
        twins = {task_of(task.work).content_key for task in self.transcript.tasks}
        if isinstance(effect, CreateTask) and effect.content_key in twins:
            return NotConsent()
        return Confirms(frozenset({name}))

    def said(self, word: Message) -> reply.ConsentReply | None:
        """Return a message as the turn reads it; None for what is no plain word."""
        incoming = incoming_of(word)
        read = words.read_word(word.text) if incoming.is_plain else None
        if read is None:
            return None
        channel = self.channels[word.channel]
        theirs = [p for p in self.transcript.proposals if p.owner == word.author]
        clients = {p.work.client for p in theirs if self.postings(p.id)}
        transcript = self.transcript
        return reply.ConsentReply(
            ts=word.ts,
            thread_ts=word.thread or word.ts,
            slack_user_id=word.author,
            word=read,
            received_at=self.counts_from(word),
            is_plain=incoming.is_plain,
            is_direct=channel.place is Place.DM,
            counts_here=reply.words_count(
                is_own=channel.place is Place.DM,
                is_internal=channel.place is Place.CHANNEL and channel.internal,
                takes_press=transcript.press_only_everything
                or channel.press_only
                or bool(clients & transcript.press_only_clients),
                allows_words=channel.words_allowed,
            ),
        )

    def shown(self, word: Message, case: Case) -> Iterator[tuple[str, reply.CardInSight]]:
        """Yield the rows of this person's proposals in the channel."""
        for proposal in self.transcript.proposals:
            postings = [c for c in self.postings(proposal.id) if c.channel == word.channel]
            if proposal.owner == word.author and postings:
                yield proposal.id, self.row(proposal, postings[-1], word, case)

    def row(self, proposal: Proposal, card: Card, word: Message, case: Case) -> reply.CardInSight:
        """Return one row: the card that shows the proposal at present."""
        ends = proposal.created + timedelta(seconds=PRESS_S)
        return reply.CardInSight(
            proposal_id=an_id(proposal.id),
            state=STATES[proposal.state],
            thread_ts=card.thread or card.ts or "",
            card_ts=self.card_ts(card, proposal, case),
            card_id=an_id(f"card of {proposal.id}"),
            others_on_card=len(card.proposals) - 1,
            words_until=self.words_until(proposal, card, word),
            expires_at=min(ends, proposal.expires_at) if proposal.scheduled else ends,
            is_suspended=self.suspended(proposal, case),
            can_withdraw=proposal.state is not State.INTENT_WRITTEN,
            revised_until=max(self.revisions(proposal, case), default=None),
        )

    def card_ts(self, card: Card, proposal: Proposal, case: Case) -> Ts:
        """Return where the card stands; a proposal that was freed is just being shown again."""
        uncertain = card.delivery and (
            card.delivery.looked_up is None or case.act.judged < card.delivery.looked_up
        )
        return "" if uncertain or not card.ts else max((card.ts, *card.edited))

    def words_until(self, proposal: Proposal, card: Card, word: Message) -> Any:
        """Return the end of words; None for a card that takes a press only."""
        left = any(
            (switch.channel, switch.person) == (word.channel, proposal.owner)
            and switch.subject != proposal.work.brand
            and (card.ts or FAR) < switch.ts < word.ts
            for switch in self.transcript.switches
        )
        folded = any(posting.folded for posting in self.postings(proposal.id))
        takes_words = takes_words_of(proposal) and not folded
        if left or not takes_words or self.asked_more(proposal) or not card.ts:
            return None
        return instant(card.ts) + timedelta(seconds=WORDS_S)

    def asked_more(self, proposal: Proposal) -> bool:
        """Return whether a turn that showed the card asked anything else."""
        turns = {posting.turn for posting in self.postings(proposal.id)}
        said = (m for m in self.transcript.messages if m.turn in turns and m.kind is not Kind.CARD)
        return any(words.asks(m.text) for m in said) or any(
            turn.question for turn in self.transcript.turns if turn.id in turns
        )

    def suspended(self, proposal: Proposal, case: Case) -> bool:
        """Return whether its row names a receipt that is not closed, or a question still open."""
        now = case.act.judged
        begun = [mark for mark in proposal.suspensions if mark.since <= now]
        return any((end := end_of(mark)) is None or now < end for mark in begun)

    def revisions(self, proposal: Proposal, case: Case) -> Iterator[datetime]:
        """Yield when it was freed again, so far."""
        for mark in proposal.suspensions:
            end = end_of(mark)
            if end is not None and end <= case.act.judged:
                yield end

    def posted(self, word: Message) -> Iterator[reply.Posted]:
        """Yield what rows and Slack tell of the channel."""
        for message in self.transcript.messages:
            if message.channel != word.channel:
                continue
            if message.ts == word.ts:
                yield from self.withdrawn(word)
            elif self.stands(message, word):
                yield from self.line(message)

    def withdrawn(self, word: Message) -> Iterator[reply.Posted]:
        if self.deleted_or_edited(word):
            yield reply.Posted(word.ts, word.thread or word.ts, is_withdrawn=True)

    def stands(self, message: Message, word: Message) -> bool:
        """Return whether it is a message at all, in the eyes of who spoke."""
        silent = message.kind in (Kind.STATUS, Kind.REACTION, Kind.REDRAW)
        hidden = message.kind is Kind.EPHEMERAL and message.seen_by != word.author
        return not silent and not hidden

    def line(self, message: Message) -> Iterator[reply.Posted]:
        """Yield a message, and each of its edits: it is said anew."""
        is_own = message.author == OUR_APP
        is_word = message.kind is Kind.ORDINARY and not message.carries
        open_end = FAR if message.kind is Kind.STREAM else ""
        yield reply.Posted(
            ts=message.ts,
            thread_ts=message.thread or message.ts,
            slack_user_id="" if is_own else message.author,
            word=words.read_word(message.text) if is_word and not is_own else None,
            until=message.stop or open_end,
            about=self.about(message),
            is_withdrawn=self.deleted_or_edited(message),
        )
        for edit in () if is_own else self.edits(message):
            yield reply.Posted(edit, message.thread or message.ts, message.author)

    def about(self, message: Message) -> UUID | None:
        """Return what a receipt or a card is about."""
        cards = self.transcript.cards
        shown = [
            c.proposals[0] for c in cards if (c.channel, c.ts) == (message.channel, message.ts)
        ]
        name = message.proposal or next(iter(shown), None)
        return an_id(name) if name else None


def incoming_of(word: Message) -> Incoming:
    """Return a message as it is stored; a pressed choice brings its record along."""
    chosen = word.kind is Kind.CHOICE
    return Incoming(
        key=word.ts,
        source="interactions" if chosen else "events",
        kind=ReceiptKind.MESSAGE,
        place=ProductPlace(team_id="T", channel_id=HERE, thread_ts=word.ts, is_direct=True),
        slack_ts=word.ts,
        slack_user_id=word.author,
        text=word.text,
        choice=fixed(word.text) if chosen else None,
        carries=() if chosen else tuple(CARRIED[one] for one in word.carries),
    )


def end_of(mark: Suspension) -> datetime | None:
    """Return when the rows free a proposal again: with the receipt, or its question."""
    if mark.question is None or mark.closed is None:
        return mark.closed
    late = mark.question.asked + timedelta(seconds=QUESTION_S)
    return max(mark.closed, min(mark.question.settled or late, late))


def takes_words_of(proposal: Proposal) -> bool:
    """Return whether the product lets words confirm such an effect."""
    weighty = KINDS.get(proposal.effect)
    if weighty is not None:
        bare = weighty.model_construct(field_sources=())
        return type(bare).takes_words.fget(_Bare(bare))  # type: ignore[attr-defined]
    return effect_of(proposal).takes_words


class _Bare:
    """An effect of which only its class matters, shown in one line."""

    def __init__(self, effect: Any) -> None:
        self.consent, self.field_sources = effect.consent, ()

    @property
    def press_reason(self) -> Any:
        """Why only a press confirms it."""
        return Change.press_reason.fget(self)  # type: ignore[attr-defined]

    def preview(self) -> Any:
        """Return a card that folds nothing."""
        return self

    is_folded = False


def effect_of(proposal: Proposal) -> CreateTask:
    """Return the effect that a proposal holds, with the bases that the product finds."""
    bases = tuple(basis for field in proposal.fields for basis in bases_for(field))
    return task_of(proposal.work).model_copy(update={"field_sources": bases})


def bases_for(field: Field) -> tuple[FieldSource, ...]:
    """Return what the product takes a field to rest on, with its source in sight."""
    origin = ORIGINS.get(field.source)
    if field.source is Source.TYPED and len(field.held) > LONG:
        origin = Origin.PASTED
    sight = (
        [Material(origin=origin, text=field.held, taints=not origin.is_trusted)] if origin else []
    )
    return field_sources_of({field.name: field.quote}, sight) if field.quote else ()


def task_of(work: Work) -> CreateTask:
    """Return work as the effect that creates it."""
    return CreateTask(
        client=Named(id=an_id(work.client), name=work.client),
        brand=Named(id=an_id(work.brand), name=work.brand),
        destination=Destination(list_id=work.list, list_name=work.list, space_name="Space"),
        title=work.title,
        body="",
        timezone="UTC",
    )
