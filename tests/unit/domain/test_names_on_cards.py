"""Changes of clients and brands: what their cards call them."""

from __future__ import annotations

from uuid import UUID

from agencyclaw.domain.brands import (
    ApplyRemediation,
    BrandFacts,
    DeleteBrand,
    Repair,
    UpdateBrand,
)
from agencyclaw.domain.client_records import ClientFacts, UpdateClient
from agencyclaw.domain.clients import Named
from agencyclaw.domain.record_kinds.alert_channels import AlertChannel, SetAlertChannel

CLIENT = Named(id=UUID(int=1), name="Brightkettle Group")
BRAND = Named(id=UUID(int=2), name="Copperleaf")


def test_a_renamed_brand_is_deleted_under_its_present_name() -> None:
    effect = DeleteBrand(client=CLIENT, brand=BRAND, before=BrandFacts(name="Copperleaf"))
    conflict = effect.conflict(BrandFacts(name="Silverleaf"))

    assert conflict is not None
    assert conflict.renewed is not None
    assert "Silverleaf" in conflict.renewed.preview().headline


def test_a_renamed_client_is_changed_under_its_present_name() -> None:
    before = ClientFacts(name="Brightkettle Group")
    after = before.model_copy(update={"summary": "Kettles"})
    conflict = UpdateClient(client=CLIENT, before=before, after=after).conflict(
        ClientFacts(name="Silverkettle")
    )

    assert conflict is not None
    assert conflict.renewed is not None
    assert "Silverkettle" in conflict.renewed.preview().headline


def test_a_clients_text_is_called_as_on_the_card() -> None:
    before = ClientFacts(name="Brightkettle Group")
    after = before.model_copy(update={"audience": "Families", "summary": "Kettles"})
    effect = UpdateClient(client=CLIENT, before=before, after=after)

    assert effect.prose().keys() <= dict(effect.preview().fields).keys()


def test_a_brands_text_is_called_as_on_the_card() -> None:
    before = BrandFacts(name="Copperleaf")
    after = before.model_copy(update={"audience": "Families", "summary": "Kettles"})
    effect = UpdateBrand(client=CLIENT, brand=BRAND, before=before, after=after)

    assert effect.prose().keys() <= dict(effect.preview().fields).keys()


def test_the_channel_of_alerts_is_no_text() -> None:
    effect = SetAlertChannel(team_id="T01", after=AlertChannel(channel_id="C01ALERTS"))

    assert effect.prose().keys() <= dict(effect.preview().fields).keys()


def test_what_empties_links_again_is_called_no_repair() -> None:
    repair = Repair(client=CLIENT, brand=BRAND, field="space", after="90", like="Nordvent")
    back = repair.model_copy(update={"before": "90", "after": None})

    assert ApplyRemediation(repairs=(repair,)).preview().headline == "Repair 1 ClickUp link"
    assert ApplyRemediation(repairs=(back, back)).preview().headline == "Remove 2 ClickUp links"
