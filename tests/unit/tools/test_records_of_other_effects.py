"""In any directory: notes, targets, brands and slots change only where the record was named."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agencyclaw.domain.assignments import RemoveAssignment
from agencyclaw.domain.brands import CreateBrand, UpdateBrand
from agencyclaw.domain.errors import NotFound, NotMapped, Refused
from agencyclaw.domain.record_kinds.targets import SetTarget
from agencyclaw.domain.remembering import RememberNote
from agencyclaw.tools.assignments import remove_assignment
from agencyclaw.tools.brand_records import create_brand, update_brand
from agencyclaw.tools.kpi import kpi_target_upsert
from agencyclaw.tools.memory import remember
from agencyclaw.tools.results import Ask
from tests.fakes.ports import Agency, FakeDirectory, context
from tests.unit.tools.test_effects_of_named_records import (
    ROLE_NAMES,
    Wanted,
    fits,
    hints,
    is_of,
    meant_by,
    namesakes,
    requests,
    spelled,
)

FACT = "They ship everything from Rotterdam on Mondays"


async def prepared(directory: FakeDirectory, tool: Any, **args: Any) -> Any:
    """The effect a tool prepares, if it does; a question and a refusal prepare nothing."""
    deps = replace(Agency(directory).run(who="Nobody Here", request=FACT), calling=tool.__name__)
    try:
        made = await tool(context(deps), **args)
    except (NotFound, NotMapped, Refused):
        return None
    return None if isinstance(made, Ask) else made


def check_client(directory: FakeDirectory, wanted: Wanted, client_id: Any) -> None:
    assert is_of(directory, wanted, client_id), wanted
    same = namesakes(wanted.client, [one.name for one in directory.all_clients])
    assert not spelled(wanted.client) or len(same) <= 1, "namesakes were not asked about"


def check_brand(directory: FakeDirectory, wanted: Wanted, effect: SetTarget | UpdateBrand) -> None:
    """The brand was named, by its own argument or in place of the client; or it is the only one."""
    own = [one for one in directory.all_brands if one.client_id == effect.client.id]
    brand = next(one for one in own if one.id == effect.brand.id)
    hint = wanted.brand if wanted.brand and spelled(wanted.brand) else wanted.client
    names = [one.name for one in own]
    if brand.name in meant_by(hint, names):
        assert len(namesakes(hint, names) or meant_by(hint, names)) == 1
    else:
        assert len(own) == 1, (wanted, brand.name)
        assert hint is wanted.client, (wanted, brand.name)


@settings(max_examples=150, deadline=None)
@given(request=requests())
async def test_a_note_is_only_kept_about_the_client_that_was_named(
    request: tuple[FakeDirectory, Wanted],
) -> None:
    directory, wanted = request
    made = await prepared(directory, remember, fact=FACT, client=wanted.client)

    if isinstance(made, RememberNote):
        check_client(directory, wanted, made.client.id)


@settings(max_examples=150, deadline=None)
@given(request=requests())
async def test_targets_are_only_set_for_the_brand_that_was_named(
    request: tuple[FakeDirectory, Wanted],
) -> None:
    directory, wanted = request
    made = await prepared(
        directory,
        kpi_target_upsert,
        client=wanted.client,
        brand=wanted.brand,
        marketplace="US",
        period="monthly",
        acos=20,
    )

    if made is not None:
        assert isinstance(made, SetTarget)
        check_client(directory, wanted, made.client.id)
        check_brand(directory, wanted, made)


@settings(max_examples=150, deadline=None)
@given(request=requests())
async def test_only_the_brand_that_was_named_is_changed(
    request: tuple[FakeDirectory, Wanted],
) -> None:
    directory, wanted = request
    made = await prepared(
        directory,
        update_brand,
        client=wanted.client,
        brand=wanted.brand or "",
        new_name="Quite Another",
    )

    if made is not None:
        assert isinstance(made, UpdateBrand)
        check_client(directory, wanted, made.client.id)
        check_brand(directory, wanted, made)


@settings(max_examples=100, deadline=None)
@given(request=requests())
async def test_a_brand_is_only_added_to_the_client_that_was_named(
    request: tuple[FakeDirectory, Wanted],
) -> None:
    directory, wanted = request
    made = await prepared(directory, create_brand, client=wanted.client, name="Quite Another")

    if made is not None:
        assert isinstance(made, CreateBrand)
        check_client(directory, wanted, made.client.id)


@st.composite
def departures(draw: st.DrawFn) -> tuple[FakeDirectory, Wanted, str]:
    """Who is to be taken off what: mostly somebody who holds it, called so or nearly so."""
    directory, wanted = draw(requests())
    held = [
        (client, slot)
        for client in directory.all_clients
        for slot in directory.slots.get(client.id, [])
    ]
    if not held or not draw(st.integers(0, 3)):
        return directory, wanted, draw(st.sampled_from([*ROLE_NAMES, "PPC", "csl", "Spec", "?"]))
    client, slot = draw(st.sampled_from(held))
    brand = next((one.name for one in directory.all_brands if one.id == slot.brand_id), None)
    person = draw(st.just(slot.person) | hints([slot.person]))
    role = draw(st.just(slot.role) | hints([slot.role]))
    return directory, Wanted(client=client.name, brand=brand, person=person), role


@settings(max_examples=200, deadline=None)
@given(departure=departures())
async def test_only_who_was_named_is_taken_off_the_slot_that_was_named(
    departure: tuple[FakeDirectory, Wanted, str],
) -> None:
    directory, wanted, role = departure
    made = await prepared(
        directory,
        remove_assignment,
        client=wanted.client,
        brand=wanted.brand,
        person=wanted.person,
        role=role,
    )

    if made is None:
        return
    assert isinstance(made, RemoveAssignment)
    check_client(directory, wanted, made.client.id)
    assert meant_by(role, made.role.names), (role, made.role.name)
    person = next(one for one in directory.staff if one.profile_id == made.person.id)
    assert fits(wanted.person, person), (wanted, person.name)
    same = namesakes(wanted.person, [one.name for one in directory.staff])
    assert len(same) <= 1, "namesakes were not asked about"
