"""Who says what where: the oracle without one clause of rule 1."""

from __future__ import annotations

from datetime import datetime

from tests.consent.facts import Asked
from tests.consent.oracle import Oracle
from tests.consent.transcript import Card, Carried, Kind, Message, Place


class WordsAnywhere(Oracle):
    """1: words count in a DM only"""

    def rule_1_words_count_here(self, channel: str) -> bool:
        return True


class WordsInGroups(Oracle):
    """1: a group DM is no DM"""

    def rule_1_words_count_here(self, channel: str) -> bool:
        place = self.channels[channel].place
        return place is Place.GROUP_DM or super().rule_1_words_count_here(channel)


class WordsInSharedChannels(Oracle):
    """1: words in internal channels only"""

    def rule_1_words_count_here(self, channel: str) -> bool:
        return self.is_dm(channel) or self.channels[channel].words_allowed


class WordsWhereNobodyAllowedThem(Oracle):
    """1: an admin must have allowed words in a channel"""

    def rule_1_words_count_here(self, channel: str) -> bool:
        return self.is_dm(channel) or self.channels[channel].place is Place.CHANNEL


class WordsInNoChannel(Oracle):
    """1: an admin may allow words in a channel"""

    def rule_1_words_count_here(self, channel: str) -> bool:
        return self.is_dm(channel)


class AnybodysWord(Oracle):
    """1: of the requester"""

    def rule_1_requester(self, card: Card, word: Message) -> bool:
        return True

    def rule_1_not_theirs(self, asked: Asked) -> bool:
        return asked.press is not None and super().rule_1_not_theirs(asked)


class AnybodysPress(Oracle):
    """1: a person's own act"""

    def rule_1_not_theirs(self, asked: Asked) -> bool:
        return False


class Carrying(Oracle):
    """1: without file, forward, quote or code block"""

    def rule_1_ordinary(self, word: Message) -> bool:
        return word.kind is Kind.ORDINARY


class CarryingAFile(Oracle):
    """1: without file"""

    allowed = Carried.FILE

    def rule_1_ordinary(self, word: Message) -> bool:
        return word.kind is Kind.ORDINARY and not word.carries - {self.allowed}


class CarryingAForward(CarryingAFile):
    """1: without forward"""

    allowed = Carried.FORWARD


class CarryingAQuote(CarryingAFile):
    """1: without quote"""

    allowed = Carried.QUOTE


class CarryingCode(CarryingAFile):
    """1: without code block"""

    allowed = Carried.CODE_BLOCK


class AnyThread(Oracle):
    """1: in the card's thread"""

    def rule_1_in_its_place(self, card: Card, word: Message) -> bool:
        here = card.channel == word.channel
        return here and (word.thread is not None or self.is_dm(word.channel))


class TopLevelOfChannels(Oracle):
    """1: a top level of a DM only"""

    def rule_1_in_its_place(self, card: Card, word: Message) -> bool:
        if word.thread is None:
            return card.channel == word.channel
        return super().rule_1_in_its_place(card, word)


class NoTopLevel(Oracle):
    """1: or at the DM's top level"""

    def rule_1_in_its_place(self, card: Card, word: Message) -> bool:
        return word.thread is not None and super().rule_1_in_its_place(card, word)


class TypedQuestionsForgotten(Oracle):
    """1: its typed question is empty"""

    def rule_1_typed_question(self, turns: set[str]) -> bool:
        return False


class QuestionMarksForgotten(Oracle):
    """1: its text has no question mark"""

    def rule_1_question_mark(self, turns: set[str]) -> bool:
        return False


class OneQuestionMark(Oracle):
    """1: of any script"""

    def rule_1_question_mark(self, turns: set[str]) -> bool:
        said = (m for m in self.transcript.messages if m.turn in turns)
        return any("?" in message.text for message in said if message.kind is not Kind.CARD)


class OtherTurnsAsk(Oracle):
    """1: the turn that showed the card"""

    def rule_1_turns(self, card: Card) -> set[str]:
        return {turn.id for turn in self.transcript.turns}


class LastPostingAsks(Oracle):
    """1: each turn that posted the card asks nothing else"""

    def rule_1_turns(self, card: Card) -> set[str]:
        return {card.turn}


class FirstPostingAsks(Oracle):
    """1: also the turn that posted it again asks nothing else"""

    def rule_1_turns(self, card: Card) -> set[str]:
        return {self.postings(card.proposals[0])[0].turn}


class NobodyLooksUp(Oracle):
    """1: the word waits for the look-up"""

    def rule_1_delivery_uncertain(self, word: Message, judged: datetime) -> bool:
        return False


class WaitsForever(Oracle):
    """1: until the look-up"""

    def not_looked_up(self, card: Card, judged: datetime) -> bool:
        return card.delivery is not None


class LostCardsLeaveTheOldOne(Oracle):
    """1: a card that Slack never took"""

    def is_current(self, card: Card) -> bool:
        there = [[c for c in self.postings(p) if c.ts] for p in card.proposals]
        return all(not cards or cards[-1] is card for cards in there)
