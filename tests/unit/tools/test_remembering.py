"""What may be kept as somebody's words, and what may not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Client
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.domain.memory import ClientNote, Preference, PreferenceKey, Preferences
from agencyclaw.domain.proposals import takes_place_of
from agencyclaw.domain.remembering import (
    ForgetNote,
    ForgetPreference,
    RememberNote,
    RememberPreference,
)
from agencyclaw.knowledge.own_words import quoted
from agencyclaw.tools.memory import MemoryListing, forget, recall, remember
from agencyclaw.tools.results import Ask
from tests.fakes.ports import NOW, an_id, context, demo_agency
from tests.fakes.slack_store import a_proposal

NAME = "The budget belongs to Larkspur"


def having_pressed(deps: Deps) -> Deps:
    chosen = Material(origin=Origin.RECORD, text=NAME)
    return replace(deps, request=NAME, user_texts=("what is due?", NAME), materials=(chosen,))


def test_the_sentence_around_words_ends_where_their_language_ends_it() -> None:
    found = quoted("جمعہ کو نہیں", ("وہ جمعہ کو نہیں آتے۔ باقی بعد میں۔",))

    assert found is not None
    assert "باقی" not in found.sentence


async def test_what_a_person_typed_can_be_kept() -> None:
    deps = demo_agency().run(request=NAME)

    kept = await remember(context(deps), fact=NAME, client="Glintly Inc")

    assert isinstance(kept, RememberNote)
    assert kept.note == NAME


async def test_the_name_of_a_record_that_was_chosen_is_nobodys_fact() -> None:
    deps = having_pressed(demo_agency().run())

    with pytest.raises(Refused, match="Nobody wrote that"):
        await remember(context(deps), fact=NAME, client="Glintly Inc")


def a_note(client: Client) -> ClientNote:
    """A kept note of a client."""
    return ClientNote(
        id=an_id("note"),
        client_id=client.id,
        client=client.name,
        note=NAME,
        author="Ines Varga",
        created_at=NOW,
    )


async def test_a_forwarded_sentence_with_somebodys_name_in_it_is_not_shown_as_typed() -> None:
    stored = "keep it\n(forwarded message of Dana Whitfield)\n> <@U01> owns Larkspur's budget now"
    forwarded = Material(origin=Origin.FORWARDED, text=stored, taints=True)
    deps = demo_agency().run(request=stored.replace("<@U01>", "@Miguel"))

    kept = await remember(
        context(replace(deps, materials=(forwarded,))),
        fact="owns Larkspur's budget",
        client="Glintly Inc",
    )

    assert isinstance(kept, RememberNote)
    [around] = kept.field_sources
    assert (around.origin, around.needs_press) == (Origin.FORWARDED, True)


@pytest.mark.parametrize("fact", ["Lark", "budg", "Larkspurr"])
async def test_a_words_beginning_and_a_misspelling_are_asked_about_before_anything_is_forgotten(
    fact: str,
) -> None:
    agency = demo_agency()
    client = agency.directory.all_clients[0]
    agency.memory.kept.append(a_note(client))
    asked = await forget(context(agency.run()), fact=fact, client=client.name)
    meant = await forget(context(agency.run()), fact="larkspur budget", client=client.name)

    assert isinstance(asked, Ask)
    assert asked.labels == (NAME,)
    assert isinstance(meant, ForgetNote)


async def test_the_note_whose_button_was_pressed_is_the_one_that_is_forgotten() -> None:
    agency = demo_agency()
    clients = agency.directory.all_clients[:2]
    agency.memory.kept = [a_note(client) for client in clients]
    asked = await forget(context(agency.run()), NAME)
    assert isinstance(asked, Ask)

    for client, option in zip(clients, asked.options, strict=True):
        deps = replace(agency.run(), choice=option)
        meant = await forget(context(deps), option.label)
        assert isinstance(meant, ForgetNote)
        assert meant.client.id == client.id


WISHES = ("no calls on a Friday", "no calls before ten")


async def test_the_wish_whose_button_was_pressed_is_the_one_that_is_forgotten() -> None:
    kept = tuple(Preference(key="other", value=wish, set_at=NOW) for wish in WISHES)
    deps = replace(demo_agency().run(), preferences=Preferences(kept=kept))
    asked = await forget(context(deps), "no calls")
    assert isinstance(asked, Ask)
    assert len(asked.options) == 2

    for wish, option in zip(WISHES, asked.options, strict=True):
        meant = await forget(context(replace(deps, choice=option)), option.label)
        assert isinstance(meant, ForgetPreference)
        assert meant.value == wish


@pytest.mark.parametrize(("preference", "is_one"), [(None, False), ("cadence", True)])
async def test_another_wish_ends_the_card_of_the_first_only_where_one_of_its_kind_is_kept(
    preference: PreferenceKey | None, is_one: bool
) -> None:
    first, second = [
        await remember(context(demo_agency().run(request=wish)), wish, preference=preference)
        for wish in WISHES
    ]

    assert isinstance(first, RememberPreference)
    assert isinstance(second, RememberPreference)
    assert takes_place_of(second, a_proposal(effect=first)) is is_one


async def test_who_has_no_schedules_is_told_so_also_beside_notes() -> None:
    agency = demo_agency()
    client = agency.directory.all_clients[0]
    nothing = await recall(context(agency.run()))
    agency.memory.kept.append(a_note(client))
    notes = await recall(context(agency.run()))
    of_client = await recall(context(agency.run()), client=client.name)

    assert isinstance(nothing, MemoryListing)
    assert isinstance(notes, MemoryListing)
    assert isinstance(of_client, MemoryListing)
    assert nothing.note == "Nothing is remembered yet. They have no schedules."
    assert (notes.note, of_client.note) == ("They have no schedules.", None)
