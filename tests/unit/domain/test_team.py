"""What a person's record is told by: their address, and what became of it."""

from __future__ import annotations

import pytest

from agencyclaw.domain.clients import Named
from agencyclaw.domain.effects import EFFECT
from agencyclaw.domain.team import (
    AddPerson,
    ArchiveAdmin,
    ArchivePerson,
    ChangePerson,
    PersonFacts,
    email_address,
)
from tests.fakes.ports import an_id


@pytest.mark.parametrize(
    "text",
    ["ines", "ines@x", "ines@a@b.com", "<ines@x.com>", "ines@x.com, sara@x.com", "Ines ines@x.com"],
)
def test_what_is_more_or_less_than_one_address_is_none(text: str) -> None:
    assert email_address(text) is None


def test_an_address_is_kept_in_lower_case_with_its_tag() -> None:
    assert email_address(" Ines.O'Hara+pt@Mail.Example.com ") == "ines.o'hara+pt@mail.example.com"


def test_whoever_is_back_is_not_said_to_be_archived() -> None:
    archived = ArchivePerson(person=Named(id=an_id("Yuki"), name="Yuki Tan"))

    assert archived.done == "archived"
    assert archived.reverse().done == "brought back"
    assert archived.reverse().reverse() == archived


@pytest.mark.parametrize("kind", [ArchivePerson, ArchiveAdmin])
def test_taking_an_archiving_back_takes_the_same_rights(
    kind: type[ArchivePerson] | type[ArchiveAdmin],
) -> None:
    archived = kind(person=Named(id=an_id("Tomas"), name="Tomas Reed"))
    returned = archived.reverse()

    assert returned.tier is archived.tier
    assert returned.reverse() == archived
    assert EFFECT.validate_python(returned.model_dump(mode="json")) == returned


def test_an_archiving_and_a_return_are_kinds_of_their_own_and_each_knows_its_own_words() -> None:
    archived = ArchivePerson(person=Named(id=an_id("Yuki"), name="Yuki Tan"))
    returned = archived.reverse()

    assert {archived.kind, returned.kind} == {"archive_person", "bring_back_person"}
    assert type(archived).done == "archived"
    assert type(returned).done == "brought back"
    assert returned.preview().headline != archived.preview().headline
    assert EFFECT.validate_python(returned.model_dump(mode="json")) == returned


def test_a_change_is_offered_again_only_while_the_same_people_may_make_it() -> None:
    ben = PersonFacts(name="Ben")
    linked = ben.model_copy(update={"slack": "U0BEN"})
    change = ChangePerson(email="ben@lanternfish.example", before=ben, after=linked)
    there = AddPerson(email="ben@lanternfish.example", after=linked)

    renewed = change.onto(ben.model_copy(update={"called": "Benny"}))

    assert renewed is not None
    assert renewed.after == linked.model_copy(update={"called": "Benny"})
    assert change.onto(ben.model_copy(update={"access": "admin"})) is None
    assert there.onto(ben.model_copy(update={"access": "admin"})) is None
