"""Decides which card a plain yes or no answers: only one it directly replies to.

Pure functions: the caller reads everything they need. The order is Slack's (`ts`), never that of
arrival; expiry is judged by the database time of the message's receipt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import UUID

from agencyclaw.domain.consent.words import Word
from agencyclaw.domain.missed_words import MissedWord
from agencyclaw.domain.proposals import ProposalState


@dataclass(frozen=True)
class ConsentReply:
    """A whole message that reads as yes or no.

    `is_plain`: an ordinary message without file, forward, quote or code. `counts_here`: in a direct
    message, or where an admin allowed words.
    """

    ts: str
    thread_ts: str
    slack_user_id: str
    word: Word
    received_at: datetime
    is_plain: bool
    counts_here: bool
    is_direct: bool = True

    @property
    def is_top_level(self) -> bool:
        """Whether it starts a thread of its own."""
        return self.ts == self.thread_ts


@dataclass(frozen=True)
class CardInSight:
    """A proposal of the person who spoke, and the card that shows it at present.

    `card_ts` is empty while it is not certain that the card is there; `card_id` is its delivery.
    `words_until` is empty for a card that takes a press only. `others_on_card` counts its other
    proposals. `can_withdraw` until something may have been sent. What was written before
    `revised_until` was written while another version was requested.
    """

    proposal_id: UUID
    state: ProposalState
    thread_ts: str
    card_ts: str
    card_id: UUID
    others_on_card: int
    words_until: datetime | None
    expires_at: datetime | None
    is_suspended: bool = False
    can_withdraw: bool = True
    revised_until: datetime | None = None


@dataclass(frozen=True)
class Posted:
    """A message that is or was in the conversation, by anybody.

    `until` is when a streamed one was finished. `about` is the proposal that a card or receipt of
    ours is about. One that is not `is_certain` may or may not be there; one that was deleted or
    edited `is_withdrawn`, and was there all the same.
    """

    ts: str
    thread_ts: str
    slack_user_id: str = ""
    word: Word | None = None
    until: str = ""
    about: UUID | None = None
    is_certain: bool = True
    is_withdrawn: bool = False


@dataclass(frozen=True)
class Confirms:
    """The message confirms this proposal."""

    proposal_id: UUID


@dataclass(frozen=True)
class Cancels:
    """The message cancels this proposal, even after a yes if nothing was sent yet."""

    proposal_id: UUID


@dataclass(frozen=True)
class Uncertain:
    """It is not known yet what was posted between card and message: the message waits."""


@dataclass(frozen=True)
class WordsOver:
    """A direct reply that came too late for words; a press still counts."""

    proposal_id: UUID


@dataclass(frozen=True)
class HasEnded:
    """The last message before it is a card, or its receipt, that has ended."""

    proposal_id: UUID


@dataclass(frozen=True)
class NotConsent:
    """Anything else: the model gets the message, and no proposal is touched.

    `why` a card that waits was not meant, if the card itself does not say it.
    """

    why: MissedWord | None = None


Ruling = Confirms | Cancels | Uncertain | WordsOver | HasEnded | NotConsent


def judge_word(
    reply: ConsentReply, shown: Sequence[CardInSight], posted: Sequence[Posted]
) -> Ruling:
    """Return which proposal a plain yes or no answers.

    `shown` are all this person's proposals in the channel that have a card, `posted` at least
    everything posted there since the oldest of those cards.
    """
    if not reply.is_plain or _is_withdrawn(reply, posted):
        return NotConsent()
    if reply.word is Word.NO:
        return _judge_no(reply, shown, posted)
    return _judge_yes(reply, shown, posted) if reply.counts_here else NotConsent()


def _judge_yes(
    reply: ConsentReply, shown: Sequence[CardInSight], posted: Sequence[Posted]
) -> Ruling:
    waiting = [card for card in shown if card.state is ProposalState.OPEN]
    if not waiting:
        return _last_ended(reply, shown, posted)
    if any(_is_near(reply, card) and not card.card_ts for card in waiting):
        return Uncertain()
    [card, *others] = waiting
    if others:
        return NotConsent(MissedWord.SEVERAL)
    between = [*_between(card.card_ts, reply, posted)]
    if why := _why_not_meant(reply, card, between, posted):
        return _missed(card, why)
    if _is_over(reply, card.expires_at):
        return HasEnded(card.proposal_id)
    if card.words_until is None or _is_revised(reply, card) or card.others_on_card:
        return _missed(card, MissedWord.REVISED)
    if between:
        return Uncertain()
    if _is_over(reply, card.words_until):
        return WordsOver(card.proposal_id)
    return Confirms(card.proposal_id)


def _why_not_meant(
    reply: ConsentReply, card: CardInSight, between: Sequence[Posted], posted: Sequence[Posted]
) -> MissedWord | None:
    """Return why a yes is no direct reply to the only card that waits; None if it is one."""
    if not _is_near(reply, card):
        return MissedWord.ELSEWHERE
    if _is_before(reply, card):
        return MissedWord.EARLY
    if any(post.is_certain for post in between):
        return MissedWord.BETWEEN
    return MissedWord.TAKEN_BACK if _is_taken_back(reply, card, posted) else None


def _missed(card: CardInSight, why: MissedWord) -> NotConsent:
    """Return that a yes did not count; a card that takes a press only says itself why."""
    return NotConsent(None if card.words_until is None or card.others_on_card else why)


def _judge_no(
    reply: ConsentReply, shown: Sequence[CardInSight], posted: Sequence[Posted]
) -> Ruling:
    """A no needs less: it counts everywhere, for every card, and after the person's own yes."""
    droppable = [card for card in shown if can_still_be_dropped(card)]
    waiting = [card for card in droppable if _is_near(reply, card)]
    if not waiting:
        elsewhere = NotConsent(MissedWord.ELSEWHERE)
        return elsewhere if droppable else _last_ended(reply, shown, posted)
    if any(not card.card_ts for card in waiting):
        return Uncertain()
    [card, *others] = waiting
    if others or card.others_on_card:
        return NotConsent(MissedWord.SEVERAL)
    if _is_before(reply, card):
        return NotConsent(MissedWord.EARLY)
    posts = _between(card.card_ts, reply, posted)
    between = [post for post in posts if not _is_own_yes(reply, post)]
    if any(post.is_certain for post in between):
        return NotConsent(MissedWord.BETWEEN)
    if card.state is ProposalState.OPEN and _is_over(reply, card.expires_at):
        return HasEnded(card.proposal_id)
    return Uncertain() if between else Cancels(card.proposal_id)


def _is_taken_back(reply: ConsentReply, card: CardInSight, posted: Sequence[Posted]) -> bool:
    """Return whether a no follows the yes, which may not have arrived as a message of its own."""
    for no in posted:
        is_later = number(no.ts) > number(reply.ts) and _is_here(reply, no)
        is_own_no = no.slack_user_id == reply.slack_user_id and no.word is Word.NO
        if is_later and is_own_no and not no.is_withdrawn:
            at = replace(reply, ts=no.ts)
            between = _between(card.card_ts, at, posted)
            if all(_is_own_yes(reply, post) or post.ts == reply.ts for post in between):
                return True
    return False


def _last_ended(
    reply: ConsentReply, shown: Sequence[CardInSight], posted: Sequence[Posted]
) -> Ruling:
    """Return the ended proposal if nothing is open and the last message is its card or receipt."""
    before = [
        post for post in posted if _is_here(reply, post) and number(post.ts) < number(reply.ts)
    ]
    last = max(before, key=_last_written, default=None)
    ended = [card for card in shown if last and card.proposal_id == last.about]
    return HasEnded(ended[0].proposal_id) if ended else NotConsent()


def _is_withdrawn(reply: ConsentReply, posted: Sequence[Posted]) -> bool:
    """Return whether the message itself is known to be deleted or edited."""
    return any(post.ts == reply.ts and post.is_withdrawn for post in posted)


def words_count(*, is_own: bool, is_internal: bool, takes_press: bool, allows_words: bool) -> bool:
    """Return whether a yes by words counts in a place, by what admins decided about it.

    `is_own`: one person's own conversation with us. Elsewhere words are allowed by an admin, in
    the agency's internal channels only.
    """
    return not takes_press and (is_own or (allows_words and is_internal))


def can_still_be_dropped(card: CardInSight) -> bool:
    """Return whether a no can still end it: it waits, or nothing was sent for it yet."""
    return card.state is ProposalState.OPEN or (
        card.can_withdraw and card.state in (ProposalState.CONFIRMED, ProposalState.EXECUTING)
    )


def _is_revised(reply: ConsentReply, card: CardInSight) -> bool:
    """Return whether another version was requested, before the message or since."""
    if card.is_suspended or card.revised_until is None:
        return card.is_suspended
    seconds, micros = number(reply.ts)
    by_slack = datetime.fromtimestamp(seconds, UTC) + timedelta(microseconds=micros)
    return min(by_slack, reply.received_at) < card.revised_until


def _is_near(reply: ConsentReply, card: CardInSight) -> bool:
    return reply.thread_ts == card.thread_ts or (reply.is_top_level and reply.is_direct)


def _is_before(reply: ConsentReply, card: CardInSight) -> bool:
    return number(reply.ts) < number(card.card_ts)


def _between(card_ts: str, reply: ConsentReply, posted: Sequence[Posted]) -> Iterator[Posted]:
    """Yield what was posted between card and message: in the thread, or a DM's top level."""
    for post in posted:
        is_before = number(post.ts) < number(reply.ts)
        if is_before and _last_written(post) > number(card_ts) and _is_here(reply, post):
            yield post


def _is_here(reply: ConsentReply, post: Posted) -> bool:
    return reply.is_top_level or post.thread_ts == reply.thread_ts


def _is_own_yes(reply: ConsentReply, post: Posted) -> bool:
    return post.slack_user_id == reply.slack_user_id and post.word is Word.YES


def _last_written(post: Posted) -> tuple[int, int]:
    """Return when it was last written: a stream ends later than its ts says."""
    return max(number(post.ts), number(post.until or post.ts))


def _is_over(reply: ConsentReply, end: datetime | None) -> bool:
    return end is not None and reply.received_at >= end


def number(ts: str) -> tuple[int, int]:
    """Return a ts as seconds and counter; a float would lose digits of the counter."""
    seconds, _, counter = ts.partition(".")
    return int(seconds or 0), int((counter or "0").ljust(6, "0"))
