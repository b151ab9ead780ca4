"""The rules of consent, stated a second time from their page alone; the numbers are the page's.

Where the page can be read in two ways, this takes the one under which less is consent;
AMBIGUITIES.md lists them. A sabotage overrides one method of `Oracle`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from tests.consent.checks import END_OF_TIME, Checks
from tests.consent.facts import Asked
from tests.consent.transcript import (
    OUR_APP,
    Act,
    Button,
    Card,
    Kind,
    Message,
    Place,
    Press,
    Proposal,
    Said,
    Transcript,
    Ts,
)
from tests.consent.verdict import (
    Cancels,
    Confirms,
    For,
    NotConsent,
    Reason,
    Refused,
    Verdict,
    Waits,
)
from tests.consent.words import Reading, asks, reading_of

Allows = Callable[[Card, Message], bool]
Check = tuple[Reason, Callable[[Asked], bool]]


def decide(transcript: Transcript, act: Act) -> Verdict:
    """Return what the act is. Its message, card and proposals stand in the transcript."""
    return Oracle(transcript).decide(act)


class Oracle(Checks):
    """One method for each sentence of the page that decides something."""

    # Rule 9: every way in asks the same judge.

    def decide(self, act: Act) -> Verdict:
        """Rule 9: one function."""
        match act:
            case Said():
                return self.said(self.message(act.channel, act.ts), act.judged)
            case Press():
                return self.press(act)

    def said(self, word: Message, judged: datetime) -> Verdict:
        """Rule 1: a word is a direct reply to the card; rule 2: anything else is conversation."""
        reading = self.rule_10_reading(word)
        if reading is None or not self.rule_1_ordinary(word):
            return self.rule_2_conversation(word, judged)
        if self.rule_1_withdrawn(word):
            return NotConsent()
        if self.rule_1_delivery_uncertain(word, judged):
            return Waits(For.THE_LOOK_UP)
        answer = self.yes if reading is Reading.YES else self.no
        return answer(word, judged) or self.rule_2_conversation(word, judged)

    def yes(self, word: Message, judged: datetime) -> Verdict | None:
        """Return what a yes does; None: it answers no card."""
        card = self.card_before(word, self.rule_1_nothing_between)
        if card is None:
            return self.rule_2_after_a_receipt(word)
        if self.rule_1_a_no_follows(word, card):
            return NotConsent()
        asked = self.asked_by(word, card, judged)
        return None if self.rule_2_not_the_open_one(asked) else self.consent(asked)

    def no(self, word: Message, judged: datetime) -> Verdict | None:
        """Return what a no does; None: it answers no card."""
        card = self.card_before(word, self.rule_1_own_words_between)
        if card is None:
            return self.rule_2_after_a_receipt(word)
        asked = self.asked_by(word, card, judged)
        return None if self.rule_2_not_the_open_one(asked) else self.cancelling(asked)

    def press(self, press: Press) -> Verdict:
        """Return what a press does."""
        asked = self.pressed(press)
        if press.button in (Button.CANCEL, Button.DROP_IT):
            return self.cancelling(asked)
        return self.consent(asked)

    def consent(self, asked: Asked) -> Verdict:
        """Return what is left of a consent when everything against it was asked."""
        if reasons := self.against(asked, self.consent_checks()):
            return Refused(reasons)
        return Waits(For.SLACK) if self.rule_8_waits(asked) else Confirms(asked.names)

    def cancelling(self, asked: Asked) -> Verdict:
        """Rule 1: a no needs less."""
        reasons = self.against(asked, self.cancel_checks(asked))
        return Refused(reasons) if reasons else Cancels(asked.names)

    def against(self, asked: Asked, checks: tuple[Check, ...]) -> tuple[Reason, ...]:
        """Return every reason that holds."""
        return tuple(reason for reason, check in checks if check(asked))

    def consent_checks(self) -> tuple[Check, ...]:
        """Return what can stand against a consent, the weightiest first."""
        return (
            (Reason.NOT_THEIRS, self.rule_1_not_theirs),
            (Reason.ENDED, self.rule_1_ended),
            (Reason.EXPIRED, self.rule_11_expired),
            (Reason.STALE, self.rule_2_stale),
            (Reason.SEVERAL_OPEN, self.rule_3_several),
            (Reason.SUSPENDED, self.rule_3_suspended),
            (Reason.PRESS_ONLY, self.takes_a_press),
            (Reason.SUBJECT_LEFT, self.rule_12_subject_left),
            (Reason.WORDS_OVER, self.rule_11_words_over),
            (Reason.REPEAT, self.rule_12_repeat),
            (Reason.NOT_CHOSEN, self.rule_6_not_chosen),
            (Reason.NOT_ALLOWED, self.rule_8_not_allowed),
            (Reason.RELEASED, self.rule_8_released),
            (Reason.PAUSED, self.rule_13_paused),
        )

    def cancel_checks(self, asked: Asked) -> tuple[Check, ...]:
        """Return what can stand against ending a proposal without effect."""
        checks: tuple[Check, ...] = (
            (Reason.NOT_THEIRS, self.rule_1_not_theirs),
            (Reason.ENDED, self.rule_1_ended),
        )
        if asked.press and asked.press.button is Button.CANCEL:
            return checks
        checks = (*checks, (Reason.EXPIRED, self.rule_11_expired))
        if asked.press:
            return (*checks, (Reason.STALE, self.rule_2_stale))
        return (*checks, (Reason.SEVERAL_OPEN, self.rule_3_several_for_a_no))

    def takes_a_press(self, asked: Asked) -> bool:
        """Rules 1, 5 and 7: what only a press carries out."""
        return asked.word is not None and (
            not self.rule_1_words_count_here(asked.card.channel)
            or not self.rule_1_asks_nothing_else(asked.card)
            or self.rule_5_matters(asked)
            or self.rule_5_rests_on_others(asked)
            or self.rule_5_admins(asked)
            or self.rule_7_folded(asked)
        )

    # Rule 1: which card a word answers.

    def card_before(self, word: Message, allows: Allows) -> Card | None:
        """Rule 1: the card whose place the word is in, with no more between than is allowed."""
        cards = [
            card
            for card in self.transcript.cards
            if card.ts
            and self.is_current(card)
            and self.rule_1_requester(card, word)
            and self.rule_1_in_its_place(card, word)
            and self.rule_1_after(card, word)
            and allows(card, word)
        ]
        return max(cards, key=self.rule_1_start, default=None)

    def rule_1_ordinary(self, word: Message) -> bool:
        """Rule 1: an ordinary message, without file, forward, quote or code block."""
        return word.kind is Kind.ORDINARY and not word.carries

    def rule_1_requester(self, card: Card, word: Message) -> bool:
        """Rule 1: of the requester."""
        return word.author == self.owner(card)

    def rule_1_in_its_place(self, card: Card, word: Message) -> bool:
        """Rule 1: in the card's thread, or at the DM's top level."""
        if card.channel != word.channel:
            return False
        if word.thread is None:
            return self.is_dm(word.channel)
        return word.thread == (card.thread or card.ts)

    def rule_1_after(self, card: Card, word: Message) -> bool:
        """Rule 1: by Slack's ts, never by arrival."""
        return self.rule_1_start(card) < word.ts

    def rule_1_nothing_between(self, card: Card, word: Message) -> bool:
        """Rule 1: no message lies between card and word there."""
        return not self.between(card, word)

    def rule_1_own_words_between(self, card: Card, word: Message) -> bool:
        """Rule 1: for a no, with at most their own words of consent between."""
        return all(self.is_word_of(word.author, Reading.YES, m) for m in self.between(card, word))

    def between(self, card: Card, word: Message) -> list[Message]:
        """Return the messages that lie between card and word, where the word is."""
        start = self.rule_1_start(card)
        return [
            message
            for message in self.rule_1_there(word)
            if message.ts not in (card.ts, word.ts)
            and self.rule_1_counts(message, word.author)
            and self.rule_1_lies_between(message, start, word)
        ]

    def rule_1_there(self, word: Message) -> list[Message]:
        """Rule 1: there is the thread; at the top level, the whole DM."""
        here = [m for m in self.transcript.messages if m.channel == word.channel]
        if word.thread is None:
            return here
        return [message for message in here if word.thread in (message.thread, message.ts)]

    def rule_1_counts(self, message: Message, reader: str) -> bool:
        """Rule 1: messages of anybody count, deleted or not; four sorts of line do not."""
        match message.kind:
            case Kind.STATUS | Kind.REACTION | Kind.REDRAW:
                return False
            case Kind.EPHEMERAL:
                return message.seen_by == reader
            case _:
                return True

    def rule_1_lies_between(self, message: Message, start: Ts, word: Message) -> bool:
        """Rule 1: streams lie there from start to stop; what somebody edits is said anew."""
        spans = [(message.ts, self.rule_1_stop(message))]
        if message.author != OUR_APP:
            spans += [(edit, edit) for edit in self.edits(message)]
        return any(begin < word.ts and end > start for begin, end in spans)

    def rule_1_stop(self, message: Message) -> Ts:
        """Rule 1: streams from start to stop."""
        return (message.stop or END_OF_TIME) if message.kind is Kind.STREAM else message.ts

    # Rule 1: what else a word needs.

    def rule_1_words_count_here(self, channel: str) -> bool:
        """Rule 1: in a DM only; an admin may allow words in internal channels."""
        place = self.channels[channel]
        if place.place is Place.CHANNEL:
            return place.words_allowed and place.internal
        return place.place is Place.DM

    def rule_1_asks_nothing_else(self, card: Card) -> bool:
        """Rule 1: the turn that showed the card asks nothing else."""
        turns = self.rule_1_turns(card)
        return not self.rule_1_typed_question(turns) and not self.rule_1_question_mark(turns)

    def rule_1_turns(self, card: Card) -> set[str]:
        """Rule 1: the turn that showed the card, here each that posted what it shows."""
        return {posting.turn for p in card.proposals for posting in self.postings(p)}

    def rule_1_typed_question(self, turns: set[str]) -> bool:
        """Rule 1: its typed question is empty."""
        return any(turn.question for turn in self.transcript.turns if turn.id in turns)

    def rule_1_question_mark(self, turns: set[str]) -> bool:
        """Rule 1: its text has no question mark of any script; the card's own text is code's."""
        said = (m for m in self.transcript.messages if m.turn in turns)
        return any(asks(message.text) for message in said if message.kind is not Kind.CARD)

    def rule_1_delivery_uncertain(self, word: Message, judged: datetime) -> bool:
        """Rule 1: where the card's delivery is still uncertain, the word waits for the look-up."""
        return any(
            self.not_looked_up(card, judged)
            and self.is_current(card)
            and any(self.is_open(proposal, judged) for proposal in self.shown_on(card))
            and self.rule_1_requester(card, word)
            and self.rule_1_in_its_place(card, word)
            for card in self.transcript.cards
        )

    def not_looked_up(self, card: Card, judged: datetime) -> bool:
        """Return whether we still don't know that the card is there."""
        if card.delivery is None:
            return False
        return card.delivery.looked_up is None or judged < card.delivery.looked_up

    def rule_1_withdrawn(self, word: Message) -> bool:
        """Rule 1: deleting or editing one's word withdraws it."""
        return self.deleted_or_edited(word)

    def rule_1_a_no_follows(self, word: Message, card: Card) -> bool:
        """Rule 1: a no holds until the intent row is written, so also after the yes."""
        return any(
            later.ts > word.ts
            and later.channel == word.channel
            and self.is_word_of(word.author, Reading.NO, later)
            and not self.rule_1_withdrawn(later)
            and self.card_before(later, self.rule_1_own_words_between) is card
            for later in self.transcript.messages
        )

    def is_word_of(self, person: str, reading: Reading, message: Message) -> bool:
        """Return whether a message is this person's plain yes, or plain no, and stayed it."""
        return (
            message.author == person
            and self.rule_1_ordinary(message)
            and self.rule_10_reading(message) is reading
            and not self.edits(message)
        )

    # Rule 2: conversation.

    def rule_2_conversation(self, word: Message, judged: datetime) -> Verdict:
        """Rule 2: it goes to the model and touches no proposal; which card is posted again."""
        if self.rule_10_reading(word) is None:
            return NotConsent()
        waiting = self.rule_2_waiting(word, judged)
        if len(waiting) != 1 or self.rule_3_within(waiting[0], judged, judged):
            return NotConsent()
        return NotConsent(again=waiting[0].id)

    def rule_2_waiting(self, word: Message, judged: datetime) -> list[Proposal]:
        """Rule 2: the open proposals of this person there: in the whole DM, or in the thread."""
        return [
            proposal
            for proposal in self.open_in(word.author, word.channel, judged)
            if self.is_dm(word.channel)
            or any(self.rule_1_in_its_place(card, word) for card in self.postings(proposal.id))
        ]

    def rule_2_not_the_open_one(self, asked: Asked) -> bool:
        """The page's end: a card that has ended is answered by code only if nothing is open."""
        if any(self.is_open(proposal, asked.at) for proposal in asked.proposals):
            return False
        return bool(self.open_in(asked.person, asked.card.channel, asked.at))

    def rule_2_after_a_receipt(self, word: Message) -> Verdict | None:
        """The page's end: the last thing said is a receipt, and nothing is open."""
        earlier = [m for m in self.rule_1_there(word) if m.ts < word.ts]
        said = [message for message in earlier if self.rule_1_counts(message, word.author)]
        if not said or said[-1].proposal is None:
            return None
        theirs = self.proposals[said[-1].proposal].owner == word.author
        waiting = self.open_in(word.author, word.channel, self.counts_from(word))
        return Refused((Reason.ENDED,)) if theirs and not waiting else None

    def rule_3_several_for_a_no(self, asked: Asked) -> bool:
        """Rule 3: several on one card, or several open ones in the no's own place."""
        word = asked.word
        if word is None:
            return False
        waiting = [
            proposal
            for proposal in self.open_in(asked.person, asked.card.channel, asked.at)
            if any(self.rule_1_in_its_place(card, word) for card in self.postings(proposal.id))
        ]
        return self.rule_3_several_on_it(asked.card) or len(waiting) > 1

    # Rules 4 and 10: what a word says.

    def rule_10_reading(self, word: Message) -> Reading | None:
        """Rule 10: one closed list, whole message only; rule 4: a choice is never read."""
        return None if self.rule_4_choice(word) else reading_of(word.text)

    def rule_4_choice(self, word: Message) -> bool:
        """Rule 4: a press on an option arrives as the chosen record."""
        return word.kind is Kind.CHOICE
