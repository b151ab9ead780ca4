"""Conversation, choices, what is read: the oracle without one clause of rules 2, 4 and 10."""

from __future__ import annotations

from datetime import datetime

from tests.consent.facts import Asked
from tests.consent.oracle import Oracle
from tests.consent.transcript import Card, Message, Proposal
from tests.consent.verdict import Confirms, NotConsent, Verdict
from tests.consent.words import ACKNOWLEDGEMENTS, NO, YES, Reading, bare, reading_of


class AnyYes(Oracle):
    """2: anything else touches no proposal"""

    def rule_2_conversation(self, word: Message, judged: datetime) -> Verdict:
        waiting = self.rule_2_waiting(word, judged)
        if self.rule_10_reading(word) is Reading.YES and len(waiting) == 1:
            return Confirms(frozenset({waiting[0].id}))
        return super().rule_2_conversation(word, judged)


class NoCardAgain(Oracle):
    """2: code posts the card again"""

    def rule_2_conversation(self, word: Message, judged: datetime) -> Verdict:
        return NotConsent()


class AnyCardAgain(Oracle):
    """2: exactly one open proposal waits there"""

    def rule_2_conversation(self, word: Message, judged: datetime) -> Verdict:
        verdict = super().rule_2_conversation(word, judged)
        waiting = self.rule_2_waiting(word, judged)
        read = self.rule_10_reading(word) is not None
        return NotConsent(waiting[0].id) if read and len(waiting) > 1 else verdict


class AgainForAnyMessage(Oracle):
    """2: when a message reads as yes or no"""

    def rule_2_conversation(self, word: Message, judged: datetime) -> Verdict:
        waiting = self.rule_2_waiting(word, judged)
        return NotConsent(waiting[0].id if len(waiting) == 1 else None)


class AgainFromElsewhere(Oracle):
    """2: waits there"""

    def rule_2_waiting(self, word: Message, judged: datetime) -> list[Proposal]:
        return self.open_in(word.author, word.channel, judged)


class OldPostingsCount(Oracle):
    """2: the old one becomes a line"""

    def is_current(self, card: Card) -> bool:
        return True


class EndedCardsAnswered(Oracle):
    """the end: code answers for an ended card only when nothing is open"""

    def rule_2_not_the_open_one(self, asked: Asked) -> bool:
        return False


class ReceiptsAnswered(Oracle):
    """the end: code answers for a receipt"""

    def rule_2_after_a_receipt(self, word: Message) -> Verdict | None:
        return None


class ChoicesRead(Oracle):
    """4: choices are not words"""

    def rule_4_choice(self, word: Message) -> bool:
        return False

    def rule_1_ordinary(self, word: Message) -> bool:
        return not word.carries


class AcknowledgementsRead(Oracle):
    """10: mere acknowledgements are not in it"""

    def rule_10_reading(self, word: Message) -> Reading | None:
        taken_note = bare(word.text) in {bare(text) for text in ACKNOWLEDGEMENTS}
        return Reading.YES if taken_note else super().rule_10_reading(word)


class BeginningsRead(Oracle):
    """10: whole message only"""

    def rule_10_reading(self, word: Message) -> Reading | None:
        first = bare(word.text).replace("?", " ").split()[:1]
        return super().rule_10_reading(word) or (reading_of(first[0]) if first else None)


class OneLanguage(Oracle):
    """10: in the languages people use"""

    def rule_10_reading(self, word: Message) -> Reading | None:
        known = bare(word.text) in YES["English"] | NO["English"]
        return super().rule_10_reading(word) if known else None


class NoIsYes(Oracle):
    """10: a no is no yes"""

    def rule_10_reading(self, word: Message) -> Reading | None:
        return super().rule_10_reading(word) and Reading.YES
