"""Turns the lines of CSV files into changes of records, and says what is wrong with the others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial
from typing import Any
from uuid import uuid4

from pydantic import ValidationError

from agencyclaw.domain.brands import BrandFacts, ClickUpPlace, CreateBrand, UpdateBrand
from agencyclaw.domain.client_records import ClientFacts, CreateClient, UpdateClient
from agencyclaw.domain.clients import Brand, Client, Named, SpaceRecord
from agencyclaw.domain.clock import zone_named
from agencyclaw.domain.errors import Refused
from agencyclaw.domain.imports import (
    FAULTS_AT_MOST,
    FaultyLine,
    ImportedChange,
    ImportRecords,
)
from agencyclaw.domain.marketplaces import codes_in
from agencyclaw.domain.messages import message
from agencyclaw.domain.records import SetRecord, StoredRecord
from agencyclaw.domain.tasks import ListRef
from agencyclaw.domain.team import AddPerson, ChangePerson, PersonFacts, TeamMember
from agencyclaw.domain.text import folded, one_line
from agencyclaw.knowledge.csv_files import (
    BRANDS,
    CLIENTS,
    PEOPLE,
    SHEETS,
    Contents,
    DeclaredSheet,
    RecordLine,
)
from agencyclaw.knowledge.declared_records import Surroundings, record_on
from agencyclaw.knowledge.import_cells import (
    FaultyCell,
    called,
    email_in,
    fault_of,
    filled,
    name_in,
    place_named,
    require_same,
    the_one,
)


@dataclass(frozen=True)
class AgencyRecords:
    """What there is already; `lists` has the ClickUp lists of each space for brands, by its id.

    `declared` has the records of each kind that is read, by their `entity`. An `is_delivery` is
    brought by a machine.
    """

    team: Sequence[TeamMember]
    clients: Sequence[Client]
    former: Sequence[Client]
    brands: Sequence[Brand]
    former_brands: Sequence[Brand]
    spaces: Sequence[SpaceRecord]
    lists: Mapping[str, Sequence[ListRef]]
    declared: Mapping[type[SetRecord[Any]], Mapping[str, StoredRecord[SetRecord[Any]]]]
    timezone: str
    today: date
    is_delivery: bool = False

    def around(self, kind: type[SetRecord[Any]]) -> Surroundings:
        """Return what the lines of a declared kind are read with."""
        return Surroundings(
            brands=self.brands,
            team=[one for one in self.team if one.facts.employment != "inactive"],
            records=self.declared[kind],
            today=self.today,
            is_delivery=self.is_delivery,
        )

    def facts_of(self, brand: Brand) -> BrandFacts:
        """Return the facts of a stored brand, with the names of its ClickUp space and list."""
        spaces = {one.id: one.name for one in self.spaces}
        lists = {one.id: one.name for every in self.lists.values() for one in every}
        return BrandFacts(
            name=one_line(brand.name, 80),
            status="active" if brand.status == "active" else "archived",
            space=place_named(brand.space_id, spaces),
            board=place_named(brand.list_id, lists),
            marketplaces=brand.marketplaces,
            keywords=brand.product_keywords,
            summary=brand.summary,
            audience=brand.audience,
            positioning=brand.positioning,
        )


def plan_import(contents: Contents, records: AgencyRecords) -> ImportRecords:
    """Return the change that the lines describe; raises Refused if no line changes anything."""
    plan = _ImportPlan(records)
    faults = list(contents.faults)
    unchanged = 0
    declared = [sheet for sheet in SHEETS if isinstance(sheet, DeclaredSheet)]
    for sheet, read in (
        (PEOPLE, plan.person),
        (CLIENTS, plan.client),
        (BRANDS, plan.brand),
        *((sheet, partial(plan.declared, kind=sheet.kind)) for sheet in declared),
    ):
        for line in contents.lines:
            if line.sheet is sheet:
                try:
                    change = read(line)
                except (FaultyCell, ValidationError) as error:
                    faults.append(fault_of(line, error))
                else:
                    plan.changes += [change] if change else []
                    unchanged += change is None
    _require_changes(plan.changes, faults)
    return ImportRecords(
        files=tuple(dict.fromkeys(one.file for one in (*contents.lines, *contents.faults))),
        changes=tuple(plan.changes),
        faults=tuple(sorted(faults, key=lambda fault: (fault.file, fault.line))),
        unchanged=unchanged,
        against=_shared_lists(plan.changes, records),
        timezone=records.timezone,
    )


def _require_kept_accounts(before: PersonFacts, after: PersonFacts, *, is_admins: bool) -> None:
    """Raise FaultyCell if an account is replaced, or an admin's is set."""
    for account in ("slack", "clickup"):
        if is_admins or getattr(before, account):
            require_same(before, after, account)


def _shared_lists(changes: Sequence[ImportedChange], records: AgencyRecords) -> tuple[str, ...]:
    """Name, for each list that a brand is linked with, the other brands that then have it, too."""
    of_brands = [change for change in changes if isinstance(change, CreateBrand | UpdateBrand)]
    changed = {change.entity for change in of_brands}
    clients = {one.id: one.name for one in records.clients}
    # By list: the names of its brands.
    users: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for one in records.brands:
        entity = f"brand:{one.id}"
        if one.list_id and entity not in changed:
            users[one.list_id][entity] = f"{one.name} ({clients[one.client_id]})"
    boards = [(change, change.becomes and change.becomes.board) for change in of_brands]
    for change, board in boards:
        if board:
            users[board.id][change.entity] = f"{change.label} ({change.client.name})"
    shared = [
        (change, board, [name for one, name in users[board.id].items() if one != change.entity])
        for change, board in boards
        if board and not (change.was and change.was.board == board)
    ]
    return tuple(
        message(
            "imports.shared_list",
            brand=change.label,
            client=change.client.name,
            board=board.name,
            others=", ".join(others[:5]),
        )
        for change, board, others in shared
        if others
    )


def _require_changes(changes: Sequence[ImportedChange], faults: Sequence[FaultyLine]) -> None:
    if len(faults) > FAULTS_AT_MOST:
        first = faults[0].sentence
        words = message("refused.imports.too_faulty", count=len(faults), first=first)
        raise Refused(words, reason="too_faulty")
    if not changes:
        listed = " ".join(fault.sentence for fault in faults)
        words = message("refused.imports.no_changes", faults=listed)
        raise Refused(words, reason="faulty" if faults else "no_changes")


@dataclass
class _ImportPlan:
    """The changes so far, which later lines are compared with as well."""

    records: AgencyRecords
    changes: list[ImportedChange] = field(default_factory=list[ImportedChange])
    _seen: Counter[tuple[str, ...]] = field(default_factory=Counter[tuple[str, ...]])
    _new_clients: dict[str, Named] = field(default_factory=dict[str, Named])

    def person(self, line: RecordLine) -> ImportedChange | None:
        """Return the change of a person; None if nothing changes."""
        email = email_in(line.cells.get("email", ""))
        self._require_first("email", "person", email)
        person = next((one for one in self.records.team if one.email.lower() == email), None)
        if person and person.facts.employment == "inactive":
            raise FaultyCell("email", message("imports.archived", name=person.name))
        before = person.facts if person else None
        base = before or PersonFacts(name=name_in(line), timezone=self.records.timezone)
        after = filled(line, base, self._person_values(line))
        require_same(base, after, "employment", allowed=("active", "contractor"))
        if "admin" in (after.access, base.access):
            require_same(base, after, "access")
        is_admins = bool(person and person.is_of_admins)
        _require_kept_accounts(base, after, is_admins=is_admins)
        self._require_free(email, after)
        if before is None:
            return AddPerson(email=email, after=after)
        return ChangePerson(email=email, before=before, after=after) if after != before else None

    def client(self, line: RecordLine) -> ImportedChange | None:
        """Return the change of a client; None if nothing changes."""
        name = name_in(line)
        self._require_first("name", "client", name)
        if any(folded(one.name) == folded(name) for one in self.records.former):
            raise FaultyCell("name", message("imports.archived", name=name))
        client = called(name, self.records.clients)
        if client is None:
            after = filled(line, ClientFacts(name=name), {})
            require_same(ClientFacts(name=name), after, "status")
            named = Named(id=uuid4(), name=after.name)
            self._new_clients[folded(name)] = named
            return CreateClient(after=after, new_id=named.id)
        before = ClientFacts.of(client)
        after = filled(line, before, {"name": before.name})
        require_same(before, after, "status")
        if after == before:
            return None
        return UpdateClient(client=client.named, before=before, after=after)

    def brand(self, line: RecordLine) -> ImportedChange | None:
        """Return the change of a brand; None if nothing changes."""
        name, owner = name_in(line), self._owner(line)
        self._require_first("name", "brand", str(owner.id), name)
        former = [one for one in self.records.former_brands if one.client_id == owner.id]
        if called(name, former):
            raise FaultyCell("name", message("imports.archived", name=name))
        siblings = [one for one in self.records.brands if one.client_id == owner.id]
        brand = called(name, siblings)
        before = self.records.facts_of(brand) if brand else None
        values = self._brand_values(line, before)
        if brand is None or before is None:
            after = filled(line, BrandFacts(name=name), values)
            require_same(BrandFacts(name=name), after, "status")
            return CreateBrand(client=owner, facts=after)
        after = filled(line, before, {**values, "name": before.name})
        require_same(before, after, "status")
        if not after.differing(before):
            return None
        return UpdateBrand(client=owner, brand=brand.named, before=before, after=after)

    def declared(self, line: RecordLine, kind: type[SetRecord[Any]]) -> ImportedChange | None:
        """Return the change of a record of a declared kind; None if nothing changes."""
        owner = self._owner(line) if "client" in line.sheet.keys else None
        change = record_on(line, kind, owner, self.records.around(kind))
        self._require_first(line.sheet.keys[-1], change.entity, change.label)
        return change if change.after != change.before else None

    def _person_values(self, line: RecordLine) -> dict[str, Any]:
        """Return the values that are no plain text."""
        zone, slack, clickup = (line.cells.get(one) for one in ("timezone", "slack", "clickup"))
        if zone and zone_named(zone).key != zone:
            raise FaultyCell("timezone", message("refused.team.bad_zone", wrong=one_line(zone, 60)))
        if slack and not (slack[0] in "UW" and slack.isalnum() and slack.isupper()):
            raise FaultyCell("slack", message("imports.no_slack_account", text=one_line(slack, 60)))
        if clickup and not (clickup.isascii() and clickup.isdecimal()):
            raise FaultyCell(
                "clickup", message("imports.no_clickup_account", text=one_line(clickup, 60))
            )
        choices = ("access", "employment")
        return {name: line.cells[name].lower() for name in choices if name in line.cells}

    def _brand_values(self, line: RecordLine, before: BrandFacts | None) -> dict[str, Any]:
        """Return the values that are no plain text."""
        values: dict[str, Any] = {}
        if markets := line.cells.get("marketplaces"):
            if not codes_in(markets):
                wrong = message(
                    "refused.brand_records.bad_marketplace", wrong=one_line(markets, 16)
                )
                raise FaultyCell("marketplaces", wrong)
            values["marketplaces"] = codes_in(markets)
        if keywords := line.cells.get("keywords"):
            words = (one_line(word, 200) for word in keywords.replace(";", ",").split(","))
            values["keywords"] = tuple(dict.fromkeys(word for word in words if word))
        return values | self._link(line, before)

    def _link(self, line: RecordLine, before: BrandFacts | None) -> dict[str, Any]:
        """Return the ClickUp space and list that a line names: a list only with its own space."""
        named, board = line.cells.get("space"), line.cells.get("board")
        space = self._space(named) if named else None
        is_new_space = space and not (before and before.space and before.space.id == space.id)
        if not board:
            place = ClickUpPlace(id=space.id, name=space.name) if space else None
            return {"space": place, "board": None} if is_new_space else {}
        if space is None and before and before.space:
            space = self._space(before.space.id)
        usable = [one for one in self.records.spaces if one.classification.takes_brand_work]
        homes = [space] if space else usable
        places = [(one, home) for home in homes for one in self.records.lists.get(home.id, ())]
        chosen = the_one(board, [one for one, _ in places], "board")
        if space is None and before and before.board and before.board.id == chosen.id:
            return {}
        home = next(home for one, home in places if one is chosen)
        return {
            "space": ClickUpPlace(id=home.id, name=home.name),
            "board": ClickUpPlace(id=chosen.id, name=chosen.name),
        }

    def _space(self, name: str) -> SpaceRecord:
        space = the_one(name, self.records.spaces, "space")
        if not space.classification.takes_brand_work:
            raise FaultyCell("space", message("imports.no_brand_space", name=space.name))
        return space

    def _owner(self, line: RecordLine) -> Named:
        """Return the client of a brand's line: one there is, or one of an earlier line."""
        name = one_line(line.cells.get("client", ""), 120)
        if client := called(name, self.records.clients):
            return client.named
        if new := self._new_clients.get(folded(name)):
            return new
        raise FaultyCell("client", message("imports.no_client", name=name))

    def _require_first(self, column: str, *key: str) -> None:
        """Raise FaultyCell if an earlier line is about the same record."""
        identity = tuple(map(folded, key))
        self._seen[identity] += 1
        if self._seen[identity] > 1:
            raise FaultyCell(column, message("imports.repeated", text=one_line(key[-1], 80)))

    def _require_free(self, email: str, after: PersonFacts) -> None:
        """Raise FaultyCell if one of the accounts is somebody else's, or of an earlier line."""
        planned = [
            (change.email, change.after)
            for change in self.changes
            if isinstance(change, AddPerson | ChangePerson) and change.after
        ]
        held = [(one.email.lower(), one.facts) for one in self.records.team]
        for column in ("slack", "clickup"):
            account = getattr(after, column)
            for other, facts in (*held, *planned):
                if account and other != email and getattr(facts, column) == account:
                    words = message("refused.team.account_taken", account=account, name=facts.name)
                    raise FaultyCell(column, words)
