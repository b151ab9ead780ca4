"""No, and taking a word back: the oracle without one clause of rule 1."""

from __future__ import annotations

from datetime import datetime

from tests.consent.facts import Asked
from tests.consent.oracle import Check, Oracle
from tests.consent.transcript import Card, Message, State
from tests.consent.verdict import Reason, Verdict
from tests.consent.words import Reading


class NoNeedsAsMuch(Oracle):
    """1: a no needs less"""

    def rule_1_own_words_between(self, card: Card, word: Message) -> bool:
        return self.rule_1_nothing_between(card, word)


class NoNeedsNothing(Oracle):
    """1: at most their own words of consent before a no"""

    def rule_1_own_words_between(self, card: Card, word: Message) -> bool:
        return True


class NoAfterAnybodysWords(Oracle):
    """1: at most their own before a no"""

    def rule_1_own_words_between(self, card: Card, word: Message) -> bool:
        words = self.between(card, word)
        return all(self.is_word_of(m.author, Reading.YES, m) for m in words)


class NoAfterOwnMessages(Oracle):
    """1: at most words of consent before a no"""

    def rule_1_own_words_between(self, card: Card, word: Message) -> bool:
        return all(message.author == word.author for message in self.between(card, word))


class NoWhereWordsCount(Oracle):
    """1: a no counts also where a card takes a press"""

    def cancel_checks(self, asked: Asked) -> tuple[Check, ...]:
        checks = super().cancel_checks(asked)
        return (*checks, (Reason.PRESS_ONLY, self.takes_a_press)) if asked.word else checks


class NoForTenMinutes(Oracle):
    """1: a no until the intent row is written, however late"""

    def cancel_checks(self, asked: Asked) -> tuple[Check, ...]:
        return (*super().cancel_checks(asked), (Reason.WORDS_OVER, self.rule_11_words_over))


class NeverWithdrawn(Oracle):
    """1: deleting or editing one's word withdraws it"""

    def rule_1_withdrawn(self, word: Message) -> bool:
        return False


class DeletingWithdrawsNothing(Oracle):
    """1: deleting one's word withdraws it"""

    def rule_1_withdrawn(self, word: Message) -> bool:
        return bool(self.edits(word))


class EditingWithdrawsNothing(Oracle):
    """1: editing one's word withdraws it"""

    def rule_1_withdrawn(self, word: Message) -> bool:
        return self.deleted_or_edited(word) and not self.edits(word)


class WithdrawnOnArrival(Oracle):
    """1: withdrawn at Slack's moment, not when we hear of it"""

    def said(self, word: Message, judged: datetime) -> Verdict:
        self.judged = judged
        return super().said(word, judged)

    def rule_1_withdrawn(self, word: Message) -> bool:
        heard = (change.received for change in self.changes(word))
        return any(received and received <= self.judged for received in heard)


class ALaterNoForgotten(Oracle):
    """1: a no after the yes, until the intent row is written"""

    def rule_1_a_no_follows(self, word: Message, card: Card) -> bool:
        return False


class EndsForgotten(Oracle):
    """1: until the intent row is written"""

    def rule_1_ended(self, asked: Asked) -> bool:
        return False


class IntentRowForgotten(Oracle):
    """1: a no until the intent row is written, not until it is carried out"""

    def rule_1_ended(self, asked: Asked) -> bool:
        open_states = (State.OPEN, State.INTENT_WRITTEN)
        return any(proposal.state not in open_states for proposal in asked.proposals)
