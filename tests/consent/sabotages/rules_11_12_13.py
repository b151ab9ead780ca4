"""Ends, repeats, pause: the oracle without one clause of rules 11, 12 and 13."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from tests.consent.checks import NEVER, TEN_MINUTES
from tests.consent.facts import Asked
from tests.consent.oracle import Oracle
from tests.consent.transcript import PauseSwitch, Proposal, Work, instant


class WordsForEver(Oracle):
    """11: words until ten minutes"""

    def rule_11_words_over(self, asked: Asked) -> bool:
        return False


class WordsFromTheFirstPosting(Oracle):
    """11: after the last posting"""

    def rule_11_words_over(self, asked: Asked) -> bool:
        first = self.postings(asked.card.proposals[0])[0].ts
        return asked.word is not None and (not first or asked.at >= instant(first) + TEN_MINUTES)


class WordsBySlacksClock(Oracle):
    """11: a word must also be stored in time"""

    def rule_11_words_over(self, asked: Asked) -> bool:
        posted = asked.card.ts
        return asked.word is not None and (
            not posted or asked.since >= instant(posted) + TEN_MINUTES
        )


class EditsBuyTime(Oracle):
    """11: a posting, not an edit, starts the ten minutes"""

    def rule_11_words_over(self, asked: Asked) -> bool:
        start = instant(self.rule_1_start(asked.card))
        return asked.word is not None and asked.at >= start + TEN_MINUTES


class NothingExpires(Oracle):
    """11: a press for twelve hours"""

    def rule_11_end(self, proposal: Proposal) -> datetime:
        return NEVER


class PressesForTenMinutes(Oracle):
    """11: twelve hours, not ten minutes"""

    def rule_11_end(self, proposal: Proposal) -> datetime:
        return proposal.created + TEN_MINUTES


class PostingBuysTime(Oracle):
    """2: posting again does not start the proposal's end anew"""

    def rule_11_end(self, proposal: Proposal) -> datetime:
        cards = self.postings(proposal.id)
        late = instant(cards[-1].ts) if cards and cards[-1].ts else proposal.created
        return super().rule_11_end(replace(proposal, created=late))


class SchedulesForTwelveHours(Oracle):
    """11: of a schedule, another end"""

    def rule_11_end(self, proposal: Proposal) -> datetime:
        return super().rule_11_end(replace(proposal, scheduled=False))


class SchedulesForADay(Oracle):
    """11: until its next firing"""

    def rule_11_end(self, proposal: Proposal) -> datetime:
        return super().rule_11_end(replace(proposal, next_firing=None))


class SchedulesUntilTheyFire(Oracle):
    """11: at most a day"""

    def rule_11_end(self, proposal: Proposal) -> datetime:
        return (proposal.scheduled and proposal.next_firing) or super().rule_11_end(proposal)


class RepeatsForgotten(Oracle):
    """12: a repeat is recognised"""

    def rule_12_repeat(self, asked: Asked) -> bool:
        return False


class LikelyOnesForgotten(Oracle):
    """12: same brand, same procedure and overlapping products is a likely one"""

    def rule_12_like(self, one: Work, other: Work) -> bool:
        return self.rule_12_equal(one, other)


class AnyProductsAreLikely(Oracle):
    """12: overlapping products"""

    def rule_12_like(self, one: Work, other: Work) -> bool:
        same = (one.brand, one.procedure) == (other.brand, other.procedure)
        return same or super().rule_12_like(one, other)


class AnyProcedureIsLikely(Oracle):
    """12: same procedure"""

    def rule_12_like(self, one: Work, other: Work) -> bool:
        like = one.brand == other.brand and one.products & other.products
        return bool(like) or super().rule_12_like(one, other)


class LikelyOnesNeedNoCard(Oracle):
    """12: and stands on the card"""

    def stands_on(self, asked: Asked, task: str) -> bool:
        return True


class CardsCantSayIt(Oracle):
    """12: what stands on the card may be confirmed"""

    def stands_on(self, asked: Asked, task: str) -> bool:
        return False


class EqualOnesByWord(Oracle):
    """12: an equal one is a repeat, named or not"""

    def rule_12_repeat(self, asked: Asked) -> bool:
        return super().rule_12_repeat(replace(asked, word=None))


class EqualTitles(Oracle):
    """12: an equal title of another brand or client is another task"""

    def rule_12_equal(self, one: Work, other: Work) -> bool:
        return one.title == other.title


class AnyList(Oracle):
    """12: and list"""

    def rule_12_equal(self, one: Work, other: Work) -> bool:
        return super().rule_12_equal(one, replace(other, list=one.list))


class SubjectsForgotten(Oracle):
    """12: switching the subject leaves no card of the old one confirmable by words"""

    def rule_12_subject_left(self, asked: Asked) -> bool:
        return False


class SameSubjectLeft(Oracle):
    """12: no card of the old one"""

    def rule_12_subject_left(self, asked: Asked) -> bool:
        start = self.rule_1_start(asked.card)
        here = [s for s in self.transcript.switches if s.channel == asked.card.channel]
        return asked.word is not None and any(start < s.ts < asked.word.ts for s in here)


class PausesForgotten(Oracle):
    """13: pause stops every execution"""

    def rule_13_paused(self, asked: Asked) -> bool:
        return False


class AnybodyPauses(Oracle):
    """13: a super admin's"""

    def rule_13_may(self, switch: PauseSwitch) -> bool:
        return True


class PausesForEver(Oracle):
    """13: until it is ended"""

    def paused_at(self, moment: datetime) -> bool:
        return any(s.on for s in self.transcript.pauses if s.at <= moment and self.rule_13_may(s))


class PausedWhenJudged(Oracle):
    """13: proposals wait, acts do not"""

    def rule_13_paused(self, asked: Asked) -> bool:
        return self.paused_at(asked.judged)


class PausedWhenStored(Oracle):
    """13: at once"""

    def rule_13_paused(self, asked: Asked) -> bool:
        return self.paused_at(asked.at)
