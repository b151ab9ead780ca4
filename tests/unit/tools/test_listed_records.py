"""Records of a declared kind are listed as far as this person may see them here."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import Any, ClassVar, Literal

import pytest

from agencyclaw.deps import Deps
from agencyclaw.domain.changes import AgencyChange, ClientChange
from agencyclaw.domain.clients import Client, Named
from agencyclaw.domain.errors import NotAllowed, NotFound, WrongPlace
from agencyclaw.domain.people import ScopeKind, SurfaceKind, Tier
from agencyclaw.domain.records import Fields, Record, SetRecord, StoredRecord
from agencyclaw.tools.listed_records import LISTED, SHOWN_AT_MOST, RecordList, list_records
from agencyclaw.tools.records import record_change
from agencyclaw.tools.results import Ask
from tests.fakes.ports import NOW, Agency, context, demo_agency


class Note(Fields):
    """What is recorded."""

    text: str = ""


class SetVisit(SetRecord[Note], ClientChange):
    """Somebody's visit at a client."""

    kind: Literal["set_visit"] = "set_visit"
    tier: ClassVar[Tier] = Tier.ADMIN
    noun: ClassVar[str] = "visit"
    record: ClassVar[Record] = Record(Note, "visits", ("client", "person", "day"), plural="visits")

    person: Named
    day: date


class CountedVisit(SetVisit):
    """A visit that counts how often one is compared with another."""

    compared: ClassVar[int] = 0

    def __eq__(self, other: object) -> bool:
        type(self).compared += 1
        return super().__eq__(other)

    __hash__ = SetVisit.__hash__


class SetSlogan(SetRecord[Note], ClientChange):
    """What a brand says of itself."""

    kind: Literal["set_slogan"] = "set_slogan"
    tier: ClassVar[Tier] = Tier.ADMIN
    noun: ClassVar[str] = "slogan"
    record: ClassVar[Record] = Record(Note, "slogans", ("brand",), plural="slogans")

    brand: Named


class SetMeeting(SetRecord[Note], ClientChange):
    """A meeting of three people about a client."""

    kind: Literal["set_meeting"] = "set_meeting"
    tier: ClassVar[Tier] = Tier.ADMIN
    noun: ClassVar[str] = "meeting"
    record: ClassVar[Record] = Record(
        Note, "meetings", ("client", "host", "first_guest", "next_guest"), plural="meetings"
    )

    host: Named
    first_guest: Named
    next_guest: Named


class SetHouseRule(SetRecord[Note], AgencyChange):
    """A rule among admins."""

    kind: Literal["set_house_rule"] = "set_house_rule"
    tier: ClassVar[Tier] = Tier.ADMIN
    noun: ClassVar[str] = "house rule"
    record: ClassVar[Record] = Record(Note, "house_rules", ("code",), plural="house rules")

    code: str


class SetDiary(SetHouseRule):
    """What somebody keeps for themselves."""

    kind: Literal["set_diary"] = "set_diary"
    tier: ClassVar[Tier] = Tier.MEMBER
    writer: Named

    @property
    def person_id(self) -> Any:
        """Who wrote it."""
        return self.writer.id


@pytest.fixture(autouse=True)
def kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kinds of this file are declared as well."""
    kinds = {"visits": SetVisit, "rules": SetHouseRule, "diaries": SetDiary, "slogans": SetSlogan}
    for plural, kind in kinds.items():
        monkeypatch.setitem(LISTED, plural, kind)


YUKI = Named(id=demo_agency().directory.staff[-1].profile_id, name="Yuki Tan")


def visit(of: Client, on: int = 0) -> StoredRecord[SetVisit]:
    day = date(2026, 1, 1) + timedelta(days=on)
    key = SetVisit(client=of.named, person=YUKI, day=day, before=Note(text="the catalog"))
    return StoredRecord(key, "Ines Varga", NOW + timedelta(days=on))


@pytest.fixture
def agency() -> Agency:
    """An agency with a visit at each client."""
    agency = demo_agency()
    agency.directory.all_stored = [visit(one) for one in agency.directory.all_clients]
    return agency


def calling(deps: Deps, **place: Any) -> Deps:
    surface = deps.surface.model_copy(update=place)
    return replace(deps, calling=list_records.__name__, surface=surface)


async def listed(deps: Deps, what: str = "visits", client: str | None = None) -> RecordList:
    found = await list_records(context(deps), what=what, client=client)
    assert isinstance(found, RecordList)
    return found


def clients_of(found: RecordList) -> set[str]:
    return {one.fields["Client"] for one in found.records}


async def test_an_admin_sees_all_with_names_and_who_recorded_them(agency: Agency) -> None:
    found = await listed(calling(agency.run()))

    assert clients_of(found) == {one.name for one in agency.directory.all_clients}
    first = found.records[0]
    assert {**first.fields, "Client": ""} == {
        "Client": "",
        "Person": "Yuki Tan",
        "Day": "Thu 1 Jan 2026",
        "Text": "the catalog",
    }
    assert first.recorded.startswith("Ines Varga, ")


async def test_of_one_client_those_of_another_are_not_listed(agency: Agency) -> None:
    found = await listed(calling(agency.run()), client="Glintly Inc")

    assert (clients_of(found), found.reach) == ({"Glintly Inc"}, "")


async def test_a_member_sees_those_of_their_clients_alone(agency: Agency) -> None:
    agency.directory.visible = {"Glintly Inc", "Pawtrail"}
    found = await listed(calling(agency.run(who="Sara Lindqvist", tier=Tier.MEMBER)))

    assert (clients_of(found), found.total) == ({"Glintly Inc", "Pawtrail"}, 2)
    assert found.reach


async def test_a_clients_channel_shows_its_own_alone(agency: Agency) -> None:
    deps = calling(agency.run(scope=ScopeKind.CLIENT_SCOPED, client="Glintly Inc"))

    assert clients_of(await listed(deps)) == {"Glintly Inc"}


async def test_what_admins_decide_for_the_agency_is_for_them_alone(agency: Agency) -> None:
    agency.directory.all_stored = [
        StoredRecord(SetHouseRule(code="1", before=Note(text="No.")), "Ines Varga", NOW)
    ]

    assert (await listed(calling(agency.run()), "rules")).total == 1
    with pytest.raises(NotAllowed):
        await listed(calling(agency.run(who="Sara Lindqvist", tier=Tier.MEMBER)), "rules")
    with pytest.raises(WrongPlace):
        await listed(calling(agency.run(), kind=SurfaceKind.CHANNEL), "rules")


async def test_what_somebody_keeps_for_themselves_is_shown_to_nobody_else(agency: Agency) -> None:
    deps = calling(agency.run(who="Sara Lindqvist", tier=Tier.MEMBER))
    mine = Named(id=deps.actor.profile_id, name="Sara Lindqvist")
    agency.directory.all_stored = [
        StoredRecord(SetDiary(code="1", writer=one, before=Note(text=one.name)), one.name, NOW)
        for one in (mine, YUKI)
    ]

    [only] = (await listed(deps, "diaries")).records
    assert only.fields["Text"] == "Sara Lindqvist"


async def test_of_many_those_that_were_recorded_last_are_shown(agency: Agency) -> None:
    client = agency.directory.all_clients[0]
    agency.directory.all_stored = [visit(client, on) for on in range(SHOWN_AT_MOST + 3)]
    found = await listed(calling(agency.run()))

    assert (len(found.records), found.total) == (SHOWN_AT_MOST, SHOWN_AT_MOST + 3)
    assert found.records[0].fields["Day"] == "Sun 4 Jan 2026"


async def test_of_thousands_each_is_looked_at_once_and_compared_with_no_other(
    agency: Agency,
) -> None:
    client = agency.directory.all_clients[0]
    named = visit(client).key.model_dump(exclude={"day"})
    days = (date(2016, 1, 1) + timedelta(days=on) for on in range(2_000))
    keys = [CountedVisit.model_validate({**named, "day": day}) for day in days]
    agency.directory.all_stored = [StoredRecord(key, "Ines Varga", NOW) for key in keys]
    CountedVisit.compared = 0
    found = await listed(calling(agency.run()))

    assert (len(found.records), found.total) == (SHOWN_AT_MOST, 2_000)
    assert CountedVisit.compared == 0


async def test_a_list_of_all_clients_leaves_none_of_them_as_what_the_talk_is_about(
    agency: Agency,
) -> None:
    deps = calling(agency.run())
    await listed(deps)

    assert deps.topic.after(agency.directory.all_clients[0].id) is None


async def test_who_has_no_clients_is_told_so_and_not_that_nothing_is_recorded(
    agency: Agency,
) -> None:
    agency.directory.visible = set()
    deps = calling(agency.run(who="Sara Lindqvist", tier=Tier.MEMBER))

    with pytest.raises(NotFound) as refused:
        await listed(deps)
    assert refused.value.reason == "no_clients"


async def test_what_concerns_the_agency_needs_no_client(agency: Agency) -> None:
    agency.directory.visible = set()
    deps = calling(agency.run(who="Sara Lindqvist", tier=Tier.MEMBER))
    mine = Named(id=deps.actor.profile_id, name="Sara Lindqvist")
    key = SetDiary(code="1", writer=mine, before=Note(text="mine"))
    agency.directory.all_stored = [StoredRecord(key, mine.name, NOW)]

    assert (await listed(deps, "diaries")).total == 1
    assert not deps.topic.is_wide


async def test_what_is_somebodys_own_is_not_shown_where_others_read_along(agency: Agency) -> None:
    deps = agency.run(who="Sara Lindqvist", tier=Tier.MEMBER)

    with pytest.raises(WrongPlace):
        await listed(calling(deps, kind=SurfaceKind.CHANNEL), "diaries")


async def test_a_channel_for_one_brand_lists_those_of_that_brand(agency: Agency) -> None:
    group = next(one for one in agency.directory.all_clients if one.name == "Brightkettle Group")
    brands = await agency.directory.brands([group.id])
    own = brands[0]
    agency.directory.all_stored = [
        StoredRecord(
            SetSlogan(client=group.named, brand=one.named, before=Note(text=one.name)), "", NOW
        )
        for one in brands
    ]
    deps = calling(agency.run(scope=ScopeKind.CLIENT_SCOPED, client=group.name))
    deps = replace(deps, scope=deps.scope.model_copy(update={"brand_id": own.id}))

    assert [one.fields["Brand"] for one in (await listed(deps, "slogans")).records] == [own.name]
    assert own.name in deps.other_matches[-1].remark
    assert (await listed(deps, "slogans", group.name)).total == len(brands)
    del agency.directory.all_stored[0]
    assert (await listed(deps, "slogans")).total == 0


async def test_a_key_is_named_as_people_name_it() -> None:
    agency = demo_agency()
    key = {"client": "glintly", "person": "Yuki", "day": date(2026, 1, 1)}
    change = await record_change(agency.run(request="set it"), SetVisit, key, {"text": "so"})

    assert isinstance(change, SetVisit)
    assert (change.client.name, change.person.name) == ("Glintly Inc", "Yuki Tan")
    assert change.after == Note(text="so")


async def test_who_is_meant_is_asked_where_several_are_called_so() -> None:
    agency = demo_agency()
    key = {"client": "Glintly Inc", "person": "Sara", "day": date(2026, 1, 1)}
    asked = await record_change(agency.run(request="set it"), SetVisit, key, {"text": "so"})

    assert isinstance(asked, Ask)
    assert "Which person do you mean?" in asked.question


async def test_what_a_key_lacks_is_asked_in_its_order() -> None:
    agency = demo_agency()
    key = dict.fromkeys(("host", "first_guest", "next_guest"), "Sara")
    key = {"client": "Glintly Inc", **key}
    asked = await record_change(agency.run(request="set it"), SetMeeting, key, {"text": "so"})

    assert isinstance(asked, Ask)
    places = [asked.question.find(who) for who in ("host", "first guest", "next guest")]
    assert places == sorted(places)
    assert places[0] >= 0


async def test_what_a_key_leaves_open_is_asked() -> None:
    agency = demo_agency()
    day = date(2026, 1, 1)
    nobody = {"client": "Glintly Inc", "person": None, "day": day}
    asked = await record_change(agency.run(request="set it"), SetVisit, nobody, {"text": "so"})
    assert isinstance(asked, Ask)
    assert "Which person do you mean?" in asked.question

    no_client = {"client": None, "person": "Yuki", "day": day}
    asked = await record_change(agency.run(request="set it"), SetVisit, no_client, {"text": "so"})
    assert isinstance(asked, Ask)
