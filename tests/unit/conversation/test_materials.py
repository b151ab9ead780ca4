"""Whose words the messages of a conversation are."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from agencyclaw.conversation.materials import TYPED_LIMIT, materials_of
from agencyclaw.domain.basis import Material, Origin
from agencyclaw.domain.choices import choice
from agencyclaw.domain.people import Actor, Tier
from agencyclaw.domain.receipts import Incoming, ReceiptKind
from agencyclaw.store.background import PastRun
from tests.fakes.ports import a_place, an_id

INES = Actor(profile_id=an_id("ines"), slack_user_id="U01INES", name="Ines Varga", tier=Tier.MEMBER)
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
        "said": text,
        "carries": (),
        "was_choice": False,
        "told": "",
        "speaker": "",
    }
    return PastRun(**whole | more)


def now(incoming: Incoming) -> Material:
    [material] = materials_of(incoming, INES, [])
    return material


def earlier(run: PastRun) -> Material:
    _, material = materials_of(said("hello"), INES, [run])
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
