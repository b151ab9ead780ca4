"""Every declared kind of record does what docs/add-a-tool.md promises, with no code of its own."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from sqlalchemy import MetaData
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex, CreateTable

from agencyclaw.domain.changes import ClientChange
from agencyclaw.domain.people import Actor, ScopeKind, Surface, SurfaceKind, Tier
from agencyclaw.domain.policy import Deny
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.record_kinds import RECORD_KINDS
from agencyclaw.domain.records import SetRecord
from agencyclaw.proposals.identities import Identity
from agencyclaw.proposals.judge import Judge
from agencyclaw.proposals.outcomes import Done, NotDone
from agencyclaw.proposals.records import RecordHandler
from agencyclaw.store.demo_agency import person_id
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import Database
from agencyclaw.store.record_tables import table_of
from tests.fakes.record_kinds import GLINTLY, MADE_UP, SetLeave, SetShortage, sample

KINDS = (*RECORD_KINDS, *MADE_UP)
OF_CLIENTS = [kind for kind in KINDS if issubclass(kind, ClientChange)]
OF_BRANDS = [kind for kind in KINDS if "brand" in kind.record.key]
INES = Actor(
    profile_id=person_id("Ines Varga"), name="Ines Varga", tier=Tier.ADMIN, slack_user_id="U01INES"
)
DM = Surface(kind=SurfaceKind.DM, scope=ScopeKind.INTERNAL, team_id="T0LANTERN")


@pytest.fixture
async def agency(agency: Database) -> Database:
    """The demo agency with the tables of the made-up kinds, as their migrations would make them."""
    for kind in MADE_UP:
        table = table_of(kind, MetaData())
        create = CreateTable(table, include_foreign_key_constraints=[])
        for statement in (create, *map(CreateIndex, table.indexes)):
            await agency.pool.execute(str(statement.compile(dialect=postgresql.dialect())))
    return agency


async def written(db: Database, effect: SetRecord[Any]) -> Done | NotDone:
    proposal = Proposal.model_construct(
        id=uuid4(), effect=effect, actor_profile_id=INES.profile_id, confirmed_by=INES.profile_id
    )
    async with db.transaction() as conn:
        return await RecordHandler().write(conn, proposal)


async def listed(db: Database, kind: type[SetRecord[Any]]) -> list[SetRecord[Any]]:
    stored = await DirectoryReader(db).records(kind, [GLINTLY.id])
    return [one.key for one in stored]


@pytest.mark.parametrize("kind", KINDS)
async def test_a_record_is_written_listed_with_names_and_taken_back(
    agency: Database, kind: type[SetRecord[Any]]
) -> None:
    effect, before = sample(kind), await listed(agency, kind)
    outcome = await written(agency, effect)

    assert isinstance(outcome, Done)
    assert outcome.result["before"][effect.noun] is None
    [new] = [one for one in await listed(agency, kind) if one not in before]
    assert (new.keys, new.clients, new.before) == (effect.keys, effect.clients, effect.after)

    assert isinstance(await written(agency, effect.reverse()), Done)
    assert await listed(agency, kind) == before


@pytest.mark.parametrize("kind", KINDS)
async def test_what_was_set_since_the_card_is_not_overwritten(
    agency: Database, kind: type[SetRecord[Any]]
) -> None:
    effect = sample(kind)
    assert isinstance(await written(agency, effect), Done)

    outcome = await written(agency, effect)

    assert isinstance(outcome, NotDone)
    assert outcome.reason == "changed_since"


@pytest.mark.parametrize("kind", OF_BRANDS)
async def test_nothing_is_written_or_listed_of_an_archived_brand(
    agency: Database, kind: type[SetRecord[Any]]
) -> None:
    effect = sample(kind)
    assert isinstance(await written(agency, effect), Done)
    await agency.pool.execute("update brands set status = 'archived' where name = 'Glintly'")

    outcome = await written(agency, effect.model_copy(update={"before": effect.after}))

    assert isinstance(outcome, NotDone)
    assert outcome.reason == "brand_lost"
    assert await listed(agency, kind) == []


@pytest.mark.parametrize("kind", OF_CLIENTS)
async def test_nothing_is_written_or_listed_of_an_archived_client(
    agency: Database, kind: type[SetRecord[Any]]
) -> None:
    effect, judge = sample(kind), Judge(agency, DirectoryReader(agency))
    assert isinstance(await written(agency, effect), Done)
    await agency.pool.execute("update agency_clients set status = 'archived'")

    decision = await judge.judge(Identity(INES, DM), effect)

    assert isinstance(decision, Deny)
    assert await listed(agency, kind) == []


@pytest.mark.parametrize("kind", OF_CLIENTS)
async def test_nothing_is_listed_of_a_client_that_was_not_asked_for(
    agency: Database, kind: type[SetRecord[Any]]
) -> None:
    assert isinstance(await written(agency, sample(kind)), Done)

    assert await DirectoryReader(agency).records(kind, []) == []


async def test_nothing_is_listed_of_somebody_who_has_left(agency: Database) -> None:
    assert isinstance(await written(agency, sample(SetLeave)), Done)
    await agency.pool.execute("update profiles set employment_status = 'inactive'")

    assert await listed(agency, SetLeave) == []


def test_what_a_declaration_leaves_out_follows_from_it() -> None:
    assert (SetShortage.skill, SetShortage.readers()) == ("set_shortage", Tier.MEMBER)
    card = sample(SetShortage).preview()
    assert card.headline == "Set: shortage Glintly, US"
    assert card.fields == (
        ("Client", "Glintly Inc"),
        ("Brand", "Glintly"),
        ("Marketplace", "US"),
        ("Units", "5"),
        ("Is known", "True"),
    )
