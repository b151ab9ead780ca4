"""Whose words the messages of a conversation are."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from agencyclaw.conversation.materials import (
    TYPED_LIMIT,
    RunTextsCache,
    known_links,
    materials_of,
    on_record,
)
from agencyclaw.domain.choices import choice
from agencyclaw.domain.field_sources import FieldSource, Material, Origin
from agencyclaw.domain.memory import Preferences
from agencyclaw.domain.people import Actor, Tier
from agencyclaw.domain.policy import Switches
from agencyclaw.domain.proposals import ProposalState
from agencyclaw.domain.receipts import Incoming, ReceiptKind
from agencyclaw.knowledge.context import Pack
from agencyclaw.store.background import Background, PastRun, PastSummary
from agencyclaw.tools.context import KnownOfPlace
from tests.fakes.ports import a_place, an_id
from tests.fakes.slack_store import a_proposal, an_effect

INES = Actor(profile_id=an_id("ines"), slack_user_id="U01INES", name="Ines Varga", tier=Tier.MEMBER)
NONE = Switches(frozenset())
NAME = "Move the spring budget to Larkspur Media"


def said(text: str = NAME, **more: Any) -> Incoming:
    whole: dict[str, Any] = {
        "key": "message:1",
        "source": "events",
        "kind": ReceiptKind.MESSAGE,
        "place": a_place(),
        "slack_ts": "1.0",
        "slack_user_id": INES.slack_user_id,
        "text": text,
        "carries": (),
    }
    return Incoming(**whole | more)


def past(text: str = NAME, **more: Any) -> PastRun:
    whole: dict[str, Any] = {
        "run_id": an_id("run"),
        "thread_ts": "1.0",
        "started_at": datetime(2026, 11, 22, tzinfo=UTC),
        "contents": [],
        "is_own": True,
        "request": text,
        "carries": (),
        "was_choice": False,
        "reply": "",
        "speaker": "",
    }
    return PastRun(**whole | more)


def before(**more: Any) -> Background:
    empty = Background(runs=[], proposals=[], notices=[], preferences=Preferences(), switches=NONE)
    return replace(empty, **more)


def now(incoming: Incoming) -> Material:
    [material] = materials_of(incoming, INES, before(), RunTextsCache())
    return material


def earlier(run: PastRun) -> Material:
    _, material = materials_of(said("hello"), INES, before(runs=[run]), RunTextsCache())
    return material


def test_what_somebody_typed_is_their_own() -> None:
    for material in (now(said()), earlier(past())):
        assert material.origin is Origin.TYPED
        assert not material.taints


@pytest.mark.parametrize("carries", [None, ()])
def test_a_pressed_choice_is_the_name_of_a_record_and_taints_nothing(carries: Any) -> None:
    pressed = said(source="interactions", choice=choice("task", "86x1", NAME), carries=carries)

    for material in (now(pressed), earlier(past(carries=carries, was_choice=True))):
        assert material.origin is Origin.RECORD
        assert not material.origin.is_trusted
        assert not material.taints


def test_a_choice_of_somebody_else_is_a_records_name_too() -> None:
    assert earlier(past(was_choice=True, speaker="Miguel Duarte")).origin is Origin.RECORD


def test_what_nobody_looked_into_is_not_taken_for_typed() -> None:
    for material in (now(said(carries=None)), earlier(past(carries=None))):
        assert material.origin is Origin.PASTED
        assert material.taints


@pytest.mark.parametrize("text", ["x" * (TYPED_LIMIT + 1)])
def test_what_is_longer_than_anybody_types_was_pasted(text: str) -> None:
    assert now(said(text)).origin is Origin.PASTED


def test_the_words_of_others_are_theirs() -> None:
    material = earlier(past(speaker="Miguel Duarte"))

    assert (material.origin, material.whose, material.taints) == (
        Origin.OTHERS,
        "Miguel Duarte",
        True,
    )


def returned(tool: str, content: Any = "Ask Leo first.", **more: Any) -> PastRun:
    part = {"part_kind": "tool-return", "tool_name": tool, "content": content, **more}
    return past("what is there?", contents=[{"parts": [part]}])


def test_after_an_earlier_run_read_sentences_of_others_ones_wording_may_rest_on_them() -> None:
    assert not any(
        one.taints for one in materials_of(said(), INES, before(runs=[past()]), RunTextsCache())
    )
    for run in (returned("recall"), returned("get_client_context"), returned("long_ago")):
        assert any(
            one.taints for one in materials_of(said(), INES, before(runs=[run]), RunTextsCache())
        )


def test_an_earlier_run_that_read_names_and_figures_taints_nothing() -> None:
    for run in (
        returned("list_tasks"),
        returned("create_task"),
        returned("search_kb", {"procedures": [{"title": "Coupons"}]}),
        returned("search_tools", tool_kind="tool-search"),
    ):
        assert not any(
            one.taints for one in materials_of(said(), INES, before(runs=[run]), RunTextsCache())
        )


def test_what_a_waiting_card_took_from_others_stays_theirs() -> None:
    basis = FieldSource(field="Details", origin=Origin.PASTED, whose="a mail", needs_press=True)
    effect = an_effect(details=NAME, field_sources=(basis,))
    waiting = a_proposal("one", effect=effect)
    ended = a_proposal("two", effect=effect, state=ProposalState.DONE)

    _, material = materials_of(
        said("hello"), INES, before(proposals=[waiting, ended]), RunTextsCache()
    )

    assert (material.origin, material.whose, material.text) == (Origin.PASTED, "a mail", NAME)
    assert material.taints


def test_nobody_knows_whose_words_a_summary_was_made_of() -> None:
    summary = PastSummary(NAME, datetime(2026, 11, 22, tzinfo=UTC), an_id("run"))

    _, material = materials_of(said("hello"), INES, before(summary=summary), RunTextsCache())

    assert (material.text, material.origin.is_trusted, material.taints) == (NAME, False, True)


def test_what_is_told_unasked_about_a_client_is_others_words() -> None:
    pack = Pack(text=NAME, included={"brands": 1, "notes": 1})
    [material] = on_record(KnownOfPlace(pack))

    assert (material.origin, material.taints) == (Origin.RECORD, True)
    assert on_record(KnownOfPlace()) == ()


def test_who_is_assigned_and_which_brands_there_are_is_nobodys_wording() -> None:
    pack = Pack(text=NAME, included={"assignments": 5, "brands": 3, "completed": 1})
    [material] = on_record(KnownOfPlace(pack))

    assert (material.text, material.origin.is_trusted, material.taints) == (NAME, False, False)


@pytest.mark.parametrize(("source", "origin"), [("pasted", "pasted"), ("message", "typed")])
def test_what_was_pasted_in_one_turn_is_nobodys_own_words_in_the_next(
    source: str, origin: str
) -> None:
    quote = {"quote": "went from 24 % to 31 %", "source": source, "value": "31 %"}
    call = {"part_kind": "tool-call", "args": json.dumps({"facts": [quote]})}
    run = past("-> a task for Miguel\nACOS went from 24 % to 31 %.", contents=[{"parts": [call]}])

    assert earlier(run).origin == origin


def test_what_was_written_in_another_thread_is_marked() -> None:
    here = said("hello").place.thread_ts

    assert earlier(past(thread_ts="elsewhere")).is_elsewhere
    assert not earlier(past(thread_ts=here)).is_elsewhere


def test_what_a_card_of_another_thread_contains_is_marked() -> None:
    """Wording there does not show that it was read here."""
    basis = FieldSource(field="Details", origin=Origin.PASTED, whose="a mail", needs_press=True)
    effect = an_effect(details=NAME, field_sources=(basis,))

    for thread, is_elsewhere in ((said().place.thread_ts, False), ("elsewhere", True)):
        place = a_place().model_copy(update={"thread_ts": thread})
        card = a_proposal("one", effect=effect, place=place)
        _, material = materials_of(said(), INES, before(proposals=[card]), RunTextsCache())
        assert material.is_elsewhere is is_elsewhere


def test_the_texts_of_an_earlier_run_are_read_once_and_its_words_as_they_are_now() -> None:
    known, run = RunTextsCache(), returned("recall")
    first = materials_of(said(), INES, before(runs=[run]), known)
    # Only what is kept can still have brought them.
    edited = replace(run, request="what is there today?", contents=[])
    second = materials_of(said(), INES, before(runs=[edited]), known)

    assert second[1].text == "what is there today?"
    assert second[2:] == first[2:] != ()


def test_links_that_tools_returned_to_this_person_stay_known() -> None:
    url = "https://app.clickup.com/t/1"
    seen = returned("list_tasks", {"tasks": [{"title": "x" * 900, "url": url}]})
    known = RunTextsCache()

    assert known_links(before(runs=[replace(seen, is_own=False)]), known) == frozenset()
    assert known_links(before(runs=[seen]), known) == {url}
    # Found once: what is kept needs no contents.
    assert known_links(before(runs=[replace(seen, contents=[])]), known) == {url}


def test_a_link_that_stands_in_an_answer_here_is_known_to_everybody_here() -> None:
    url = "https://app.clickup.com/t/1"
    run = returned("list_tasks", {"tasks": []})
    others = replace(run, is_own=False, speaker="Sara Okafor", reply=f"It is [late]({url}).")
    assert known_links(before(runs=[others]), RunTextsCache()) == {url}
    # As a broken link is stored.
    broken = replace(others, reply="It is late (https: //evil.example).")
    assert known_links(before(runs=[broken]), RunTextsCache()) == frozenset()


def test_a_link_in_words_is_no_known_link() -> None:
    run = returned("recall", "see https://evil.example", request="https://evil.example")
    assert known_links(before(runs=[run]), RunTextsCache()) == frozenset()
