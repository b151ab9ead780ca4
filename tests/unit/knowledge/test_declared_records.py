"""A declared record goes into CSV files and comes back, without code of its own."""

from __future__ import annotations

from datetime import date
from typing import Annotated, ClassVar, Literal

import pytest
from pydantic import Field

from agencyclaw.domain.changes import ClientChange
from agencyclaw.domain.clients import Named
from agencyclaw.domain.people import Tier
from agencyclaw.domain.records import Fields, Record, SetRecord, StoredRecord
from agencyclaw.domain.team import PersonFacts, TeamMember
from agencyclaw.knowledge.csv_files import RecordLine, sheet_of
from agencyclaw.knowledge.declared_records import Surroundings, cells_of, record_on
from agencyclaw.knowledge.import_cells import FaultyCell
from agencyclaw.knowledge.imports import AgencyRecords
from tests.fakes.ports import NOW, demo_agency

DIRECTORY = demo_agency().directory
CLIENT, SOMEBODY = DIRECTORY.all_clients[0], DIRECTORY.staff[0]
PERSON = TeamMember(**dict(SOMEBODY), facts=PersonFacts(name=SOMEBODY.name))
CHRISTMAS = date(2026, 12, 25)


class Absence(Fields):
    """What is recorded of an absence."""

    until: date
    reason: Annotated[str, Field(max_length=20, title="Why")]
    is_paid: bool = True


class SetAbsence(SetRecord[Absence], ClientChange):
    """Days on which somebody does not work for a client."""

    kind: Literal["set_absence"] = "set_absence"
    skill: ClassVar[str] = "set_absence"
    tier: ClassVar[Tier] = Tier.ADMIN
    noun: ClassVar[str] = "absence"
    record: ClassVar[Record] = Record(
        Absence, "absences", ("client", "person", "day"), plural="absences"
    )

    person: Named
    day: date


SHEET = sheet_of(SetAbsence)
HELD = Absence(until=date(2026, 12, 31), reason="holidays", is_paid=False)
KEY = SetAbsence(client=CLIENT.named, person=PERSON.named, day=CHRISTMAS, before=HELD)
STORED = StoredRecord(KEY, "Ines Varga", NOW)
AROUND = Surroundings((), [PERSON], {KEY.entity: STORED}, today=date(2026, 11, 29))
CELLS = {"client": CLIENT.name, "person": PERSON.name, "day": "2026-12-25"}


def read(around: Surroundings, **cells: str) -> SetAbsence:
    line = RecordLine(SHEET, "x.csv", 2, {**CELLS, **cells})
    change = record_on(line, SetAbsence, CLIENT.named, around)
    assert isinstance(change, SetAbsence)
    return change


def test_its_columns_are_its_key_and_its_fields() -> None:
    assert list(SHEET.columns.values()) == ["Client", "Person", "Day", "Until", "Why", "Is paid"]


def test_what_is_written_is_read_as_what_is_stored() -> None:
    cells = cells_of(STORED, SHEET, AROUND)
    assert cells == [CLIENT.name, PERSON.email, "2026-12-25", "2026-12-31", "holidays", "False"]

    change = read(AROUND, **dict(zip(SHEET.columns, cells, strict=True)))
    assert (change.before, change.after) == (HELD, HELD)


def test_an_empty_cell_leaves_what_there_is() -> None:
    change = read(AROUND, reason="ill")
    assert change.before == HELD
    assert change.after == HELD.model_copy(update={"reason": "ill"})


def test_another_key_is_another_record() -> None:
    change = read(AROUND, day="2027-01-01", until="2027-01-02", reason="ill")
    assert (change.person, change.before) == (PERSON.named, None)
    assert change.after == Absence(until=date(2027, 1, 2), reason="ill")


@pytest.mark.parametrize(
    ("column", "cell"),
    [("day", "20261225x"), ("day", "1798156800"), ("until", "1798156800"), ("person", "Nobody")],
)
def test_a_cell_that_is_no_day_or_nobody_is_a_fault(column: str, cell: str) -> None:
    with pytest.raises(FaultyCell) as caught:
        read(AROUND, **{"reason": "ill", column: cell})
    assert caught.value.column == column


def test_nobody_who_has_left_is_named_by_a_file() -> None:
    left = PERSON.model_copy(
        update={"facts": PERSON.facts.model_copy(update={"employment": "inactive"})}
    )
    agency = AgencyRecords(
        team=[left],
        clients=[CLIENT],
        former=(),
        brands=(),
        former_brands=(),
        spaces=(),
        lists={},
        declared={SetAbsence: {KEY.entity: STORED}},
        timezone="UTC",
        today=AROUND.today,
    )

    with pytest.raises(FaultyCell):
        read(agency.around(SetAbsence), reason="ill")
