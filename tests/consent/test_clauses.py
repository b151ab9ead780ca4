"""The generator is dense, fair and true to the page; no clause of the rules can go unnoticed."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.consent.generate import generate
from tests.consent.oracle import Oracle
from tests.consent.played import COUNT, cases, verdicts
from tests.consent.sabotage import OF_WORDING, clause, every_sabotage
from tests.consent.scene import TEN_MINUTES, Case
from tests.consent.transcript import (
    Button,
    Card,
    Carried,
    Effect,
    Kind,
    Place,
    Press,
    Proposal,
    Source,
    State,
    TurnEnd,
    instant,
)
from tests.consent.twist import TWISTS
from tests.consent.verdict import Reason, kind_of, touched

# The generator.


def test_the_same_seed_plays_the_same_cases() -> None:
    assert list(generate(50, 7)) == list(generate(50, 7))
    assert list(generate(50, 7)) != list(generate(50, 8))


def test_no_verdict_is_rare() -> None:
    spread = Counter(map(kind_of, verdicts()))
    kinds = {
        "confirms",
        "cancels",
        "waits",
        "not consent",
        *(f"refused: {r.value}" for r in Reason),
    }

    assert spread.keys() == kinds
    assert min(spread.values()) >= 0.02 * COUNT
    assert spread["confirms"] >= 0.2 * COUNT


def test_slacks_moments_are_unique_and_in_order_in_a_channel() -> None:
    for case in cases():
        named = [(message.channel, message.ts) for message in case.transcript.messages]
        assert named == sorted(set(named))


def test_nothing_in_a_transcript_is_later_than_its_judging() -> None:
    for case in cases():
        transcript, judged = case.transcript, case.act.judged
        said = [instant(line.ts) for line in (*transcript.messages, *transcript.changes)]
        marks = [mark for proposal in transcript.proposals for mark in proposal.suspensions]
        noted = [moment for mark in marks for moment in (mark.since, mark.closed)]
        noted += [mark.question.settled for mark in marks if mark.question]
        noted += [switch.at for switch in transcript.pauses]
        assert max(moment for moment in (*said, *noted) if moment) <= judged


def test_rows_carry_the_ends_that_the_page_gives_them() -> None:
    for case in cases():
        oracle = Oracle(case.transcript)
        for proposal in case.transcript.proposals:
            assert proposal.expires_at == oracle.rule_11_end(proposal)
            last = last_posting(case, proposal)
            if last and last.ts:
                assert proposal.words_until == instant(last.ts) + TEN_MINUTES


def last_posting(case: Case, proposal: Proposal) -> Card | None:
    cards = [card for card in case.transcript.cards if proposal.id in card.proposals]
    return cards[-1] if cards else None


def test_every_sort_of_thing_is_played() -> None:
    transcripts = [case.transcript for case in cases()]
    messages = [message for transcript in transcripts for message in transcript.messages]
    proposals = [proposal for transcript in transcripts for proposal in transcript.proposals]
    places = {channel.place for transcript in transcripts for channel in transcript.channels}
    marks = [mark for proposal in proposals for mark in proposal.suspensions]

    assert {message.kind for message in messages} == set(Kind)
    assert {carried for message in messages for carried in message.carries} == set(Carried)
    assert {case.act.button for case in cases() if isinstance(case.act, Press)} == set(Button)
    assert {field.source for proposal in proposals for field in proposal.fields} == set(Source)
    assert {proposal.effect for proposal in proposals} == set(Effect)
    assert {proposal.state for proposal in proposals} == set(State)
    assert {mark.how for mark in marks} == {None, *TurnEnd}
    assert places == set(Place)
    assert {name for case in cases() for name in case.about} == {twist.name for twist in TWISTS}


# The clauses.


@pytest.mark.parametrize("sabotage", every_sabotage(), ids=clause)
def test_no_clause_can_go_unnoticed(sabotage: type[Oracle]) -> None:
    told = sabotage in OF_WORDING
    for case, verdict in zip(cases(), verdicts(), strict=True):
        weaker = sabotage(case.transcript).decide(case.act)
        if touched(weaker) != touched(verdict) or (told and weaker != verdict):
            return
    pytest.fail(f"Nothing in {COUNT} cases hangs on {clause(sabotage)}")


def test_every_rule_has_clauses_that_are_removed() -> None:
    rules = {clause(sabotage).split(":")[0] for sabotage in every_sabotage()}

    assert {str(number) for number in (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13)} <= rules
