"""In any directory: only the task, note and brand that was named is changed, and doubt asks."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agencyclaw.domain.brands import UpdateBrand
from agencyclaw.domain.errors import NotAllowed, NotFound, NotMapped, Refused
from agencyclaw.domain.memory import ClientNote
from agencyclaw.domain.remembering import ForgetNote
from agencyclaw.domain.task_changes import UpdateTask
from agencyclaw.domain.tasks import TaskRow
from agencyclaw.tools.brand_records import update_brand
from agencyclaw.tools.memory import forget
from agencyclaw.tools.results import Ask
from agencyclaw.tools.task_changes import clickup_task_update
from tests.fakes.ports import Agency, FakeDirectory, a_row, an_id, context
from tests.unit.tools.test_effects_of_named_records import (
    NAMES,
    Wanted,
    called,
    directories,
    fits,
    hints,
    means,
    meant_by,
    namesakes,
    requests,
    roles_of,
    spelled,
)
from tests.unit.tools.test_records_of_other_effects import check_brand, check_client

SAID = datetime(2026, 11, 18, 10, 0, tzinfo=UTC)


async def outcome(agency: Agency, tool: Any, **args: Any) -> Any:
    deps = replace(agency.run(who="Nobody Here"), calling=tool.__name__)
    try:
        return await tool(context(deps), **args)
    except (NotFound, NotMapped, NotAllowed, Refused):
        return None


@st.composite
def task_changes(draw: st.DrawFn) -> tuple[Agency, Wanted, str]:
    """Boards on which titles come twice, and what somebody called client, task and person."""
    directory, wanted = draw(requests())
    titles = draw(st.lists(NAMES, min_size=1, max_size=6))
    agency = Agency(directory)
    boards = [brand.list_id for brand in directory.all_brands if brand.list_id]
    for at, title in enumerate(titles):
        row = a_row(title, id=f"86{at}", url=f"https://app.clickup.com/t/86{at}")
        agency.board.lists.setdefault(draw(st.sampled_from(boards)), []).append(row)
    return agency, wanted, draw(st.sampled_from(titles) | hints(titles))


def tasks_of(agency: Agency, client_id: Any) -> list[TaskRow]:
    boards = {one.list_id for one in agency.directory.all_brands if one.client_id == client_id}
    return [row for board in boards if board for row in agency.board.lists.get(board, [])]


@settings(max_examples=200, deadline=None)
@given(change=task_changes())
async def test_only_the_task_that_was_named_goes_to_the_person_that_was_named(
    change: tuple[Agency, Wanted, str],
) -> None:
    agency, wanted, task = change
    made = await outcome(
        agency, clickup_task_update, task=task, client=wanted.client, assignee=wanted.person
    )

    if not isinstance(made, UpdateTask):
        return
    check_client(agency.directory, wanted, made.client.id)
    own = tasks_of(agency, made.client.id)
    assert made.task_id in {row.id for row in own}
    titles = [row.name for row in own]
    assert made.before.title in meant_by(task, titles), (task, made.before.title)
    alike = namesakes(task, titles) or meant_by(task, titles)
    assert len(alike) == 1, "namesakes were not asked about"
    check_holder(agency.directory, wanted, made)


def check_holder(directory: FakeDirectory, wanted: Wanted, made: UpdateTask) -> None:
    """Whoever gets the task was named, alone of that name, or holds the role that was."""
    if wanted.person == "me":
        return
    for holder in made.after.assignees:
        person = next(one for one in directory.staff if one.clickup_user_id == str(holder.id))
        held = directory.slots.get(made.client.id, [])
        if not fits(wanted.person, person):
            assert means(wanted.person, roles_of(person, held)), (wanted, person.name)
            continue
        forms = [
            form for one in directory.staff for form in dict.fromkeys(map(spelled, called(one)))
        ]
        exact = namesakes(wanted.person, [one.name for one in directory.staff])
        assert 1 in (forms.count(spelled(wanted.person)), len(exact)), "namesakes were not asked"


@st.composite
def forgettings(draw: st.DrawFn) -> tuple[Agency, str | None, str]:
    """Notes of clients, some the same words, and what somebody said of one."""
    agency = Agency(draw(directories()))
    texts = draw(st.lists(NAMES.map(lambda name: f"{name} first"), min_size=1, max_size=5))
    for at, text in enumerate(texts):
        client = draw(st.sampled_from(agency.directory.all_clients))
        agency.memory.kept.append(
            ClientNote(
                id=an_id(f"note {at}"),
                client_id=client.id,
                client=client.name,
                note=text,
                author="Ines Varga",
                created_at=SAID,
            )
        )
    clients = [one.name for one in agency.directory.all_clients]
    client = draw(st.none() | st.sampled_from(clients) | hints(clients))
    return agency, client, draw(st.sampled_from(texts) | hints(texts))


@settings(max_examples=200, deadline=None)
@given(forgetting=forgettings())
async def test_only_the_note_that_was_described_is_forgotten(
    forgetting: tuple[Agency, str | None, str],
) -> None:
    agency, client, fact = forgetting
    made = await outcome(agency, forget, fact=fact, client=client)

    if not isinstance(made, ForgetNote):
        return
    if client and spelled(client):
        wanted = Wanted(client=client, brand=None, person="")
        check_client(agency.directory, wanted, made.client.id)
    note = next(one for one in agency.memory.kept if one.id == made.note_id)
    assert (note.note, note.client_id) == (made.note, made.client.id)
    assert shares_a_word(fact, made.note), (fact, made.note)
    is_of_one = bool(client and spelled(client))
    namesakes = [
        one
        for one in agency.memory.kept
        if spelled(one.note) == spelled(made.note)
        and (one.client_id == made.client.id or not is_of_one)
    ]
    assert namesakes == [note], "the same words of several were not asked about"


def shares_a_word(fact: str, note: str) -> bool:
    """A note is described, not named: a word of it has to stand there whole."""
    return not set(spelled(fact).split()).isdisjoint(spelled(note).split())


@st.composite
def named_brands(draw: st.DrawFn) -> tuple[FakeDirectory, Wanted]:
    """A brand as it is called, of a client as it is called: what is to be changed nearly always."""
    directory = draw(directories())
    brand = draw(st.sampled_from(directory.all_brands))
    client = next(one for one in directory.all_clients if one.id == brand.client_id)
    written = draw(st.sampled_from([brand.name, brand.name.upper(), spelled(brand.name)]))
    return directory, Wanted(client=client.name, brand=written, person="")


@settings(max_examples=200, deadline=None)
@given(request=named_brands())
async def test_a_brand_that_was_named_is_changed_and_its_namesakes_are_asked_about(
    request: tuple[FakeDirectory, Wanted],
) -> None:
    directory, wanted = request
    made = await outcome(
        Agency(directory),
        update_brand,
        client=wanted.client,
        brand=wanted.brand,
        new_name="Quite Another",
    )
    clients = namesakes(wanted.client, [one.name for one in directory.all_clients])

    if isinstance(made, UpdateBrand):
        check_client(directory, wanted, made.client.id)
        check_brand(directory, wanted, made)
        assert means(wanted.brand or "", [made.brand.name])
    elif len(clients) == 1:
        assert isinstance(made, Ask)
