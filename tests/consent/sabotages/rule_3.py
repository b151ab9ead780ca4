"""The card as it stands, revision, several: the oracle without one clause of rules 2 and 3."""

from __future__ import annotations

from datetime import datetime
from itertools import chain

from tests.consent.checks import NEVER, TEN_MINUTES
from tests.consent.facts import Asked
from tests.consent.oracle import Oracle
from tests.consent.transcript import Button, Card, Proposal, Suspension, TurnEnd


class StaleCards(Oracle):
    """2: a press on what is no longer the card"""

    def rule_2_stale(self, asked: Asked) -> bool:
        return False


class StalePostings(Oracle):
    """2: a press on an older posting"""

    def rule_2_stale(self, asked: Asked) -> bool:
        return self.is_current(asked.card) and super().rule_2_stale(asked)


class StaleContents(Oracle):
    """1: a press from before the edit that starts the card anew"""

    def rule_1_start(self, card: Card) -> str:
        return card.ts or super().rule_1_start(card)


class SuspensionForgotten(Oracle):
    """3: a proposal under revision"""

    def rule_3_suspended(self, asked: Asked) -> bool:
        return False


class SuspensionOfWordsForgotten(Oracle):
    """3: can't be confirmed by words"""

    def rule_3_suspended(self, asked: Asked) -> bool:
        return asked.word is None and super().rule_3_suspended(asked)


class SuspensionOfPressesForgotten(Oracle):
    """3: a press meanwhile gets the private note"""

    def rule_3_suspended(self, asked: Asked) -> bool:
        return asked.press is None and super().rule_3_suspended(asked)


class SuspensionByAnswer(Oracle):
    """3: cleared however the receipt closes"""

    def rule_3_end(self, mark: Suspension) -> datetime:
        return super().rule_3_end(mark) if mark.how is TurnEnd.ANSWERED else NEVER


class SuspensionNeverCleared(Oracle):
    """3: cleared when the receipt closes"""

    def rule_3_end(self, mark: Suspension) -> datetime:
        return NEVER


class SuspensionOfTheTurnAlone(Oracle):
    """3: if the turn asked a question, it lasts"""

    def rule_3_end(self, mark: Suspension) -> datetime:
        return mark.closed or NEVER


class QuestionsNeverSettled(Oracle):
    """3: until the question is answered or dropped"""

    def rule_3_end(self, mark: Suspension) -> datetime:
        if mark.question is None:
            return super().rule_3_end(mark)
        return mark.question.asked + TEN_MINUTES


class QuestionsNeverTooOld(Oracle):
    """3: or ten minutes old"""

    def rule_3_end(self, mark: Suspension) -> datetime:
        if mark.question is None:
            return super().rule_3_end(mark)
        return mark.question.settled or NEVER


class SuspensionWhenStored(Oracle):
    """3: under revision at any moment from the act to its judging"""

    def rule_3_suspended(self, asked: Asked) -> bool:
        pressed = asked.press and asked.press.button in (Button.CREATE_AS_SHOWN, Button.DROP_IT)
        return not pressed and self.suspended(asked, asked.since, asked.since)


class PrivateNoteForgotten(Oracle):
    """3: [Create as shown]"""

    def rule_3_suspended(self, asked: Asked) -> bool:
        return self.suspended(asked, asked.since, asked.judged)


class PrivateNoteForEver(Oracle):
    """3: meanwhile"""

    def rule_2_stale(self, asked: Asked) -> bool:
        if asked.press and asked.press.button in (Button.CREATE_AS_SHOWN, Button.DROP_IT):
            return False
        return super().rule_2_stale(asked)


class SeveralForgotten(Oracle):
    """3: several never by word"""

    def rule_3_several(self, asked: Asked) -> bool:
        return False

    def rule_3_several_for_a_no(self, asked: Asked) -> bool:
        return False


class SeveralOpenForgotten(Oracle):
    """3: several open proposals"""

    def rule_3_several(self, asked: Asked) -> bool:
        return asked.word is not None and self.rule_3_several_on_it(asked.card)


class SeveralOnACardForgotten(Oracle):
    """3: several on one card"""

    def rule_3_several_on_it(self, card: Card) -> bool:
        return False

    def open_in(self, person: str, channel: str, at: datetime) -> list[Proposal]:
        waiting = super().open_in(person, channel, at)
        return [p for p in waiting if self.postings(p.id)[0].proposals[0] == p.id]


class SeveralAnywhere(Oracle):
    """3: several open proposals in one conversation"""

    def open_in(self, person: str, channel: str, at: datetime) -> list[Proposal]:
        return [p for p in self.transcript.proposals if p.owner == person and self.is_open(p, at)]


class SeveralOfAnybody(Oracle):
    """3: several open proposals of this person"""

    def open_in(self, person: str, channel: str, at: datetime) -> list[Proposal]:
        owners = {proposal.owner for proposal in self.transcript.proposals}
        waiting = [super(SeveralOfAnybody, self).open_in(owner, channel, at) for owner in owners]
        return list(chain.from_iterable(waiting))


class EndedOnesCount(Oracle):
    """3: several that are open"""

    def is_open(self, proposal: Proposal, at: datetime) -> bool:
        return True
