"""Of which other brands a file is warned when it links a brand with a ClickUp list."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from uuid import uuid4

from agencyclaw.domain.clients import Brand, Client, SpaceClassification, SpaceRecord
from agencyclaw.domain.imports import TextFile
from agencyclaw.domain.tasks import ListRef
from agencyclaw.knowledge.csv_files import read_files
from agencyclaw.knowledge.imports import AgencyRecords, plan_import

GLINTLY = Client(id=uuid4(), name="Glintly", status="active")
PAWTRAIL = Client(id=uuid4(), name="Pawtrail", status="active")
SPACE = SpaceRecord(id="1", name="Shops", classification=SpaceClassification.BRAND_SCOPED)
INBOX = ListRef(id="11", name="Inbox", space_id="1")
IDEAS = ListRef(id="12", name="Ideas", space_id="1")


def brand(client: Client, name: str, board: ListRef) -> Brand:
    return Brand(id=uuid4(), client_id=client.id, name=name, space_id=SPACE.id, list_id=board.id)


def warnings(brands: Sequence[Brand], *lines: str) -> tuple[str, ...]:
    records = AgencyRecords(
        team=(),
        clients=(GLINTLY, PAWTRAIL),
        former=(),
        brands=brands,
        former_brands=(),
        spaces=(SPACE,),
        lists={SPACE.id: (INBOX, IDEAS)},
        declared={},
        timezone="UTC",
        today=date(2026, 11, 2),
    )
    text = "\n".join(("Client,Name,ClickUp list", *lines))
    plan = plan_import(read_files([TextFile(name="brands.csv", text=text)]), records)
    assert plan.faults == ()
    return plan.against


def test_a_brand_of_another_client_may_have_the_same_name() -> None:
    held = brand(GLINTLY, "Kids", INBOX)

    assert warnings([held], "Pawtrail,Kids,Inbox") == (
        "Kids of Pawtrail: its list Inbox also takes the tasks of Kids (Glintly).",
    )


def test_a_brand_that_leaves_a_list_in_the_same_file_does_not_share_it() -> None:
    held = brand(GLINTLY, "Kids", INBOX)

    assert warnings([held], "Pawtrail,Toys,Inbox", "Glintly,Kids,Ideas") == ()


def test_two_lines_with_one_list_name_each_other() -> None:
    assert warnings((), "Glintly,Kids,Inbox", "Pawtrail,Toys,Inbox") == (
        "Kids of Glintly: its list Inbox also takes the tasks of Toys (Pawtrail).",
        "Toys of Pawtrail: its list Inbox also takes the tasks of Kids (Glintly).",
    )
