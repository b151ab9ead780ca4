"""What our own records have against a task, read for its card."""

from __future__ import annotations

import pytest

from agencyclaw.domain.clients import Named
from agencyclaw.domain.task_creation import CreateTask, Destination
from agencyclaw.store.cautions import read_cautions
from agencyclaw.store.demo_agency import client_id, person_id
from agencyclaw.store.engine import Database

GLINTLY, NORTHWATER = client_id("Glintly Inc"), client_id("Northwater")
_PRODUCT = "insert into catalog_products (client_id, asin, sku, title) values ($1, $2, $3, 'Wipes')"


def a_task(identifier: str = "") -> CreateTask:
    return CreateTask(
        client=Named(id=GLINTLY, name="Glintly Inc"),
        destination=Destination(list_id="1", list_name="Inbox"),
        title="Change the invoices",
        body="",
        identifiers=(identifier,) if identifier else (),
    )


async def test_of_another_clients_product_only_the_identifier_in_the_task_is_named(
    agency: Database,
) -> None:
    await agency.pool.execute(_PRODUCT, NORTHWATER, "B0SECRET12", "NW-9")

    cautions = await read_cautions(agency.pool, "T1", a_task("NW-9"))

    assert [one.identifier for one in cautions.products] == ["NW-9"]


@pytest.mark.parametrize("sku", ["nw-9", "NW-9"])
async def test_a_products_own_sku_is_nobody_elses_however_it_is_written(
    agency: Database, sku: str
) -> None:
    await agency.pool.execute(_PRODUCT, NORTHWATER, None, "NW-9")
    await agency.pool.execute(_PRODUCT, GLINTLY, None, sku)

    assert (await read_cautions(agency.pool, "T1", a_task("NW-9"))).products == ()


async def test_who_has_no_full_name_has_noted_something_all_the_same(agency: Database) -> None:
    person = person_id("Ines Varga")
    await agency.pool.execute(
        "update profiles set full_name = null, display_name = 'Ines' where id = $1", person
    )
    await agency.pool.execute(
        "insert into client_memory_notes (client_id, author_profile_id, note) values ($1, $2, $3)",
        GLINTLY,
        person,
        "invoices go to Lena",
    )

    assert ("invoices go to Lena", "Ines") in (
        await read_cautions(agency.pool, "T1", a_task())
    ).notes
