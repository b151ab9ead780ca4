"""One matcher for names: what decides, what is only alike, and what is nothing."""

from __future__ import annotations

import string
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agencyclaw.domain.names import distinct_names, match_names, plain_name


@dataclass(frozen=True)
class Thing:
    """Anything with a name."""

    name: str
    other: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        return (self.name, self.other) if self.other else (self.name,)

    @property
    def full_name(self) -> str:
        return f"{self.name} ({self.other})"


CLIENTS = [
    *(
        Thing(name)
        for name in (
            "Tower Co. Ltd",
            "Roderick Ltd",
            "Pawtrail Lite",
            "Glintly Inc",
            "Casa Mundo S.L.",
        )
    ),
    *(
        Thing(name)
        for name in ("Brightkettle Group", "Copperleaf", "Copperleaf Kitchen", "Café Ölü")
    ),
]


@pytest.mark.parametrize(
    "hint", ["me", "it", "in", "s", "?", "", "…", "a", "od", "tly", "kettle", "rail"]
)
def test_a_part_of_a_word_means_nothing(hint: str) -> None:
    assert match_names(hint, CLIENTS).things == ()


@pytest.mark.parametrize(
    ("hint", "name"),
    [
        ("Copperleaf", "Copperleaf"),
        ("COPPERLEAF kitchen", "Copperleaf Kitchen"),
        ("copperleaf-kitchen!", "Copperleaf Kitchen"),
        ("Glintly", "Glintly Inc"),
        ("glintly, inc.", "Glintly Inc"),
        ("Roderick", "Roderick Ltd"),
        ("Tower", "Tower Co. Ltd"),
        ("casa mundo sl", "Casa Mundo S.L."),
        ("cafe olu", "Café Ölü"),
    ],
)
def test_a_whole_name_decides_however_it_is_written(hint: str, name: str) -> None:
    found = match_names(hint, CLIENTS)

    assert found.is_sure
    assert [one.name for one in found.things] == [name]


@pytest.mark.parametrize(
    ("hint", "name"),
    [
        ("Brightkettle", "Brightkettle Group"),
        ("brightketle", "Brightkettle Group"),
        ("Pawtrial Lite", "Pawtrail Lite"),
        ("paw", "Pawtrail Lite"),
    ],
)
def test_a_beginning_or_a_misspelling_is_only_alike(hint: str, name: str) -> None:
    found = match_names(hint, CLIENTS)

    assert not found.is_sure
    assert [one.name for one in found.things] == [name]


def test_another_name_of_a_record_decides_as_well() -> None:
    found = match_names("PPC spec", [Thing("PPC Specialist", "ppc_spec")])

    assert found.is_sure


def test_namesakes_are_all_meant_and_called_by_what_tells_them_apart() -> None:
    twins = [Thing("Sara Kim", "sara.kim"), Thing("Sara Kim", "s.kim"), Thing("Yuki")]

    assert match_names("sara kim", twins).things == tuple(twins[:2])
    assert distinct_names(twins) == ["Sara Kim (sara.kim)", "Sara Kim (s.kim)", "Yuki"]


words = st.text(alphabet=string.ascii_letters + "äöéñ", min_size=1, max_size=9)
names = st.lists(words, min_size=1, max_size=3).map(" ".join)
directories = st.lists(names, min_size=1, max_size=12, unique_by=plain_name).map(
    lambda all_of_them: [Thing(name) for name in all_of_them]
)


@given(directories, st.data())
def test_in_any_directory_only_a_whole_name_decides(
    things: list[Thing], data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(things)).name
    begin = data.draw(st.integers(0, len(name) - 1))
    end = data.draw(st.integers(begin + 1, len(name)))
    found = match_names(name[begin:end], things)

    if found.is_sure:
        wanted = plain_name(name[begin:end])
        assert any(wanted == plain_name(one.name) or _is_bare(wanted, one) for one in found.things)


def _is_bare(wanted: str, thing: Thing) -> bool:
    """Whether all that is missing is the form of a company: the last words, or the first."""
    whole = plain_name(thing.name).split()
    short = wanted.split()
    return short in (whole[: len(short)], whole[-len(short) :])


@given(directories, st.data())
def test_every_record_can_be_named(things: list[Thing], data: st.DataObject) -> None:
    thing = data.draw(st.sampled_from(things))

    for written in (thing.name, thing.name.upper(), f" {thing.name.lower()}. "):
        found = match_names(written, things)
        assert found.is_sure
        assert thing in found.things


@pytest.mark.parametrize(
    ("hint", "names", "found"),
    [
        # A legal form alone, which a name begins with.
        ("Ltd", ["Ltd Me", "Inc"], ["Ltd Me"]),
        ("Inc", ["Inc Me", "Ltd"], ["Inc Me"]),
        # A name with a legal form in front or within it, beside one that only begins so.
        ("Rod", ["Ltd Rod", "Rod Lite"], ["Ltd Rod", "Rod Lite"]),
        ("Me Me", ["Me Me Me", "Me Ltd Me"], ["Me Ltd Me", "Me Me Me"]),
        ("Kencana", ["PT Kencana"], ["PT Kencana"]),
        ("Rod", ["Rod Me", "Ltd Inc Rod"], ["Ltd Inc Rod", "Rod Me"]),
        # A legal form that the record does not have: a cut word looks like one.
        ("PPC Sp", ["PPC", "Casa Mundo"], ["PPC"]),
        ("Glintly Inc", ["Glintly", "Casa Mundo"], ["Glintly"]),
        ("Glintly GmbH", ["Glintly Inc", "Casa Mundo"], ["Glintly Inc"]),
    ],
)
def test_a_legal_form_in_a_name_asks(hint: str, names: list[str], found: list[str]) -> None:
    match = match_names(hint, [Thing(name) for name in names])

    assert not match.decides
    assert [one.name for one in match.things] == found


def test_an_accent_tells_whole_names_apart_and_no_parts_of_them() -> None:
    ana, cafe = Thing("Ana Café", "Café"), Thing("Cafe Nguyen", "Cafe")

    assert match_names("cafe", [ana, cafe]).things == (ana, cafe)
    assert match_names("Cafe", [Thing("Café"), Thing("Cafe")]).decides


def test_a_name_that_two_have_but_for_their_legal_forms_asks() -> None:
    match = match_names("Rod", [Thing("Rod Ltd"), Thing("Ltd Rod")])

    assert not match.decides
    assert len(match.things) == 2
    assert match_names("Rod", [Thing("Rod"), Thing("Ltd Rod")]).decides


def test_the_only_name_that_begins_so_decides_though_another_name_of_it_has_a_legal_form() -> None:
    match = match_names("Kencana", [Thing("PT Kencana", "Kencana Home"), Thing("Rod")])

    assert match.decides
    assert not match.is_sure
