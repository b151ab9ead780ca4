"""What the doctor looks up."""

from __future__ import annotations

from agencyclaw.store.engine import Database
from agencyclaw.store.setup_checks import mapped_brands


async def test_what_an_archived_clients_brands_lead_to_is_nobodys_concern(
    agency: Database,
) -> None:
    assert "Glintly Inc" in {brand.client for brand in await mapped_brands(agency)}

    archive = "update agency_clients set status = 'archived' where name = 'Glintly Inc'"
    await agency.pool.execute(archive)

    assert "Glintly Inc" not in {brand.client for brand in await mapped_brands(agency)}
