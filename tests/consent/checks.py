"""Rules 3, 5 to 8 and 11 to 13: what stands against carrying a proposal out. A check says True."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from tests.consent.facts import Asked, Facts
from tests.consent.transcript import (
    Button,
    Card,
    Effect,
    Field,
    Membership,
    PauseSwitch,
    Proposal,
    Role,
    Source,
    State,
    Suspension,
    Ts,
    Work,
    instant,
)

TEN_MINUTES = timedelta(minutes=10)
TWELVE_HOURS = timedelta(hours=12)
A_DAY = timedelta(days=1)
NEVER = datetime.max.replace(tzinfo=UTC)
END_OF_TIME: Ts = "9999999999.999999"

AS_IT_STANDS = {Button.CREATE_AS_SHOWN, Button.DROP_IT}
ONE_BY_ONE = {Button.CONFIRM, Button.CREATE_AS_SHOWN}
WEIGHTY = {Effect.RIGHTS, Effect.TARGETS, Effect.PROCEDURE, Effect.DELETION}
LONG = 600
LONGEST_QUOTE = 200


class Checks(Facts):
    """What stands against an act, each check by the page's number."""

    # Whose it is, and whether it is still there.

    def rule_1_not_theirs(self, asked: Asked) -> bool:
        """Rule 1, and the promise: a person's own act."""
        return any(proposal.owner != asked.person for proposal in asked.proposals)

    def rule_1_ended(self, asked: Asked) -> bool:
        """Rule 1: until the intent row is written."""
        return any(proposal.state is not State.OPEN for proposal in asked.proposals)

    def rule_2_stale(self, asked: Asked) -> bool:
        """Rule 2: a card posted again makes the old one a line; rule 1: an edit starts it anew.

        Rule 3: the private note's buttons are for a proposal under revision.
        """
        press = asked.press
        if press is None:
            return False
        if press.button in AS_IT_STANDS and not self.suspended(asked, asked.at, asked.at):
            return True
        return not self.is_current(asked.card) or press.ts <= self.rule_1_start(asked.card)

    def rule_1_start(self, card: Card) -> Ts:
        """Rule 1: an edit of the card by the requester's own form starts it anew."""
        return max((card.ts or END_OF_TIME, *card.edited))

    # Rule 3.

    def rule_3_suspended(self, asked: Asked) -> bool:
        """Rule 3: not by words, and a press meanwhile gets the private note with its buttons."""
        if asked.press and asked.press.button in AS_IT_STANDS:
            return False
        return self.suspended(asked, asked.since, asked.judged)

    def suspended(self, asked: Asked, start: datetime, end: datetime) -> bool:
        """Return whether one of the proposals was under revision within the time."""
        return any(self.rule_3_within(p, start, end) for p in asked.proposals)

    def rule_3_within(self, proposal: Proposal, start: datetime, end: datetime) -> bool:
        """Rule 3: the gate suspends it when a tool names it or its duplicate key."""
        marks = proposal.suspensions
        return any(mark.since <= end and start < self.rule_3_end(mark) for mark in marks)

    def rule_3_end(self, mark: Suspension) -> datetime:
        """Rule 3: until the receipt is closed, and a question answered, dropped or too old."""
        closed = mark.closed or NEVER
        if mark.question is None:
            return closed
        return max(closed, min(mark.question.settled or NEVER, mark.question.asked + TEN_MINUTES))

    def rule_3_several(self, asked: Asked) -> bool:
        """Rule 3: several open proposals, or several on one card: never by word."""
        if asked.word is None:
            return False
        others = self.open_in(asked.person, asked.card.channel, asked.at)
        return self.rule_3_several_on_it(asked.card) or len(others) > 1

    def rule_3_several_on_it(self, card: Card) -> bool:
        """Rule 3: several on one card."""
        return len(card.proposals) > 1

    def open_in(self, person: str, channel: str, at: datetime) -> list[Proposal]:
        """Return this person's proposals that wait in a channel."""
        return [
            proposal
            for proposal in self.transcript.proposals
            if proposal.owner == person
            and self.is_open(proposal, at)
            and any(card.channel == channel for card in self.postings(proposal.id))
        ]

    def is_open(self, proposal: Proposal, at: datetime) -> bool:
        """Return whether it can still be carried out; also a suspended one can."""
        return proposal.state is State.OPEN and at < self.rule_11_end(proposal)

    # Rule 5.

    def rule_5_matters(self, asked: Asked) -> bool:
        """Rule 5: rights and roles, targets, procedures, deletions."""
        return any(proposal.effect in WEIGHTY for proposal in asked.proposals)

    def rule_5_rests_on_others(self, asked: Asked) -> bool:
        """Rule 5: a written field rests on what neither they typed nor a procedure holds."""
        fields = (field for proposal in asked.proposals for field in proposal.fields)
        return not all(self.rule_5_own(field) for field in fields)

    def rule_5_own(self, field: Field) -> bool:
        """Rule 5: typed in at most 600 characters, approved, or the name of a chosen record."""
        match field.source:
            case Source.RECORD:
                return True
            case Source.APPROVED_PROCEDURE:
                return self.rule_7_quoted(field)
            case Source.TYPED:
                return self.rule_7_quoted(field) and len(field.held) <= LONG
            case _:
                return False

    def rule_5_admins(self, asked: Asked) -> bool:
        """Rule 5: admins can set press-only for a client, a channel or everything."""
        clients = {proposal.work.client for proposal in asked.proposals}
        return (
            self.transcript.press_only_everything
            or self.channels[asked.card.channel].press_only
            or bool(clients & self.transcript.press_only_clients)
        )

    # Rules 6 and 7.

    def rule_6_not_chosen(self, asked: Asked) -> bool:
        """Rule 6: nothing is ticked beforehand; all of them only by a dialog that lists them."""
        press = asked.press
        if press is None:
            return False
        if press.button is Button.CREATE_ALL:
            return not self.rule_6_listed(asked)
        return not press.proposals or (press.button in ONE_BY_ONE and len(press.proposals) > 1)

    def rule_6_listed(self, asked: Asked) -> bool:
        """Rule 6: [Create all N] opens Slack's confirm dialog that lists them."""
        shown = frozenset(asked.card.proposals)
        return asked.press is not None and asked.press.listed == asked.names == shown

    def rule_7_quoted(self, field: Field) -> bool:
        """Rule 7: a verbatim quote of at most 200 characters, which stands in its source."""
        return 0 < len(field.quote) <= LONGEST_QUOTE and field.quote in field.held

    def rule_7_folded(self, asked: Asked) -> bool:
        """Rule 7: a card with anything folded takes a press."""
        return any(card.folded for p in asked.names for card in self.postings(p))

    # Rule 8.

    def rule_8_not_allowed(self, asked: Asked) -> bool:
        """Rule 8: tier, assignment, mapping, switches, and full membership, as of now."""
        guest = self.people[asked.person].membership is Membership.GUEST
        return guest or bool(asked.names & self.transcript.forbidden)

    def rule_8_waits(self, asked: Asked) -> bool:
        """Rule 8: if Slack can't be asked, the act waits."""
        return self.people[asked.person].membership is Membership.UNKNOWN

    def rule_8_released(self, asked: Asked) -> bool:
        """Rule 8: after ten minutes it is released."""
        return self.rule_8_waits(asked) and asked.judged - asked.at >= TEN_MINUTES

    # Rule 11.

    def rule_11_words_over(self, asked: Asked) -> bool:
        """Rule 11: words until ten minutes after the last posting."""
        posted = asked.card.ts
        return asked.word is not None and (
            posted is None or asked.at >= instant(posted) + TEN_MINUTES
        )

    def rule_11_expired(self, asked: Asked) -> bool:
        """Rule 11: a press for twelve hours."""
        return any(asked.at >= self.rule_11_end(proposal) for proposal in asked.proposals)

    def rule_11_end(self, proposal: Proposal) -> datetime:
        """Rule 11: twelve hours; of a schedule until its next firing, at most a day."""
        if proposal.scheduled:
            return min(proposal.next_firing or NEVER, proposal.created + A_DAY)
        return proposal.created + TWELVE_HOURS

    # Rule 12.

    def rule_12_repeat(self, asked: Asked) -> bool:
        """Rule 12: a repeat is never made by word; one that is like another stands on the card."""
        return any(
            (asked.word is not None and self.rule_12_equal(proposal.work, task.work))
            or (self.rule_12_like(proposal.work, task.work) and not self.stands_on(asked, task.id))
            for proposal in asked.proposals
            for task in self.transcript.tasks
        )

    def rule_12_equal(self, one: Work, other: Work) -> bool:
        """Rule 12: equal title, brand, client and list is a repeat."""
        return (one.title, one.brand, one.client, one.list) == (
            *(other.title, other.brand, other.client, other.list),
        )

    def rule_12_like(self, one: Work, other: Work) -> bool:
        """Rule 12: same brand, same procedure and overlapping products is a likely repeat."""
        same = one.procedure is not None and one.procedure == other.procedure
        likely = same and one.brand == other.brand and bool(one.products & other.products)
        return likely or self.rule_12_equal(one, other)

    def stands_on(self, asked: Asked, task: str) -> bool:
        """Return whether the card names this task as one like it."""
        return task in asked.card.likenesses

    def rule_12_subject_left(self, asked: Asked) -> bool:
        """Rule 12: switching the subject leaves no card of the old one confirmable by words."""
        word = asked.word
        return word is not None and any(
            (switch.channel, switch.person) == (word.channel, word.author)
            and self.rule_1_start(asked.card) < switch.ts < word.ts
            and any(switch.subject != proposal.work.brand for proposal in asked.proposals)
            for switch in self.transcript.switches
        )

    # Rule 13.

    def rule_13_paused(self, asked: Asked) -> bool:
        """Rule 13: stops every execution at once; proposals wait."""
        return any(self.paused_at(moment) for moment in (asked.at, asked.judged))

    def paused_at(self, moment: datetime) -> bool:
        """Return whether the last switch that counts stood on pause."""
        switches = [s for s in self.transcript.pauses if s.at <= moment and self.rule_13_may(s)]
        return bool(switches) and max(switches, key=lambda switch: switch.at).on

    def rule_13_may(self, switch: PauseSwitch) -> bool:
        """Rule 13: a super admin's."""
        return self.people[switch.by].role is Role.SUPER_ADMIN
