"""What lies between card and word: the oracle without one clause of rule 1."""

from __future__ import annotations

from tests.consent.checks import END_OF_TIME
from tests.consent.oracle import Oracle
from tests.consent.transcript import OUR_APP, Card, Kind, Message, Ts, instant


class TopLevelAlone(Oracle):
    """1: at the top level, the whole DM"""

    def rule_1_there(self, word: Message) -> list[Message]:
        there = super().rule_1_there(word)
        return there if word.thread else [m for m in there if m.thread is None]


class WholeChannel(Oracle):
    """1: there, in the thread"""

    def rule_1_there(self, word: Message) -> list[Message]:
        return [m for m in self.transcript.messages if m.channel == word.channel]


class ByArrival(Oracle):
    """1: what lies between by ts, not by arrival"""

    def rule_1_lies_between(self, message: Message, start: Ts, word: Message) -> bool:
        stored, word_stored = message.received, self.counts_from(word)
        if message.author == OUR_APP:
            return super().rule_1_lies_between(message, start, word)
        return stored is not None and instant(start) < stored < word_stored


class WordByArrival(Oracle):
    """1: a word from before the card, arriving after it"""

    def rule_1_after(self, card: Card, word: Message) -> bool:
        return instant(self.rule_1_start(card)) < self.counts_from(word)


class AnythingBetween(Oracle):
    """1: no message between"""

    def rule_1_nothing_between(self, card: Card, word: Message) -> bool:
        return True


class OwnWordsDontCount(Oracle):
    """1: the requester's own messages count"""

    def rule_1_counts(self, message: Message, reader: str) -> bool:
        return message.author != reader and super().rule_1_counts(message, reader)


class OtherAppsDontCount(Oracle):
    """1: other apps' messages count"""

    def rule_1_counts(self, message: Message, reader: str) -> bool:
        other = message.author.startswith("app:") and message.author != OUR_APP
        return not other and super().rule_1_counts(message, reader)


class OthersDontCount(Oracle):
    """1: messages of anybody count"""

    def rule_1_counts(self, message: Message, reader: str) -> bool:
        other = message.author.startswith("U") and message.author != reader
        return not other and super().rule_1_counts(message, reader)


class OursDontCount(Oracle):
    """1: ours count"""

    silent: tuple[Kind, ...] = (Kind.ANSWER, Kind.NOTICE)

    def rule_1_counts(self, message: Message, reader: str) -> bool:
        return message.kind not in self.silent and super().rule_1_counts(message, reader)


class ReceiptsDontCount(OursDontCount):
    """1: receipts count"""

    silent = (Kind.RECEIPT,)


class StreamsDontCount(OursDontCount):
    """1: streams count"""

    silent = (Kind.STREAM,)


class EphemeralsDontCount(OursDontCount):
    """1: ephemerals to the requester count"""

    silent = (Kind.EPHEMERAL,)


class CardsDontCount(OursDontCount):
    """1: other cards count"""

    silent = (Kind.CARD,)


class StreamsByTheirStart(Oracle):
    """1: streams count until their stop"""

    def rule_1_stop(self, message: Message) -> Ts:
        return message.ts


class EndlessStreamsForgotten(Oracle):
    """1: a stream that has not stopped still lies there"""

    def rule_1_stop(self, message: Message) -> Ts:
        return message.stop or message.ts


class DeletedDontCount(Oracle):
    """1: deleted messages count"""

    def rule_1_counts(self, message: Message, reader: str) -> bool:
        return not self.was_deleted(message) and super().rule_1_counts(message, reader)

    def was_deleted(self, message: Message) -> bool:
        return self.deleted_or_edited(message) and not self.edits(message)


class EditsDontCount(Oracle):
    """1: what somebody edits is said anew"""

    def rule_1_lies_between(self, message: Message, start: Ts, word: Message) -> bool:
        return message.ts < word.ts and self.rule_1_stop(message) > start


class StatusesCount(Oracle):
    """1: statuses don't count"""

    loud = Kind.STATUS

    def rule_1_counts(self, message: Message, reader: str) -> bool:
        return message.kind is self.loud or super().rule_1_counts(message, reader)


class ReactionsCount(StatusesCount):
    """1: reactions don't count"""

    loud = Kind.REACTION


class RedrawsCount(StatusesCount):
    """1: redraws don't count"""

    loud = Kind.REDRAW


class EphemeralsToOthersCount(StatusesCount):
    """1: ephemerals to others don't count"""

    loud = Kind.EPHEMERAL


class EditsOfTheCardForgotten(Oracle):
    """1: an edit of the card by the requester's own form starts it anew"""

    def rule_1_start(self, card: Card) -> Ts:
        return card.ts or END_OF_TIME
