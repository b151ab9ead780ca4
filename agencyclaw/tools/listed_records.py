"""Lists records of any declared kind, as far as this person may see them here."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.changes import ClientChange
from agencyclaw.domain.clients import Client
from agencyclaw.domain.clock import day_of
from agencyclaw.domain.days import spoken_day
from agencyclaw.domain.errors import WrongPlace
from agencyclaw.domain.people import Tier
from agencyclaw.domain.policy import Answering, Rule, Shows, answered_in, decide
from agencyclaw.domain.record_kinds import LISTED_RECORDS
from agencyclaw.domain.records import SetRecord, StoredRecord
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.arguments import Name
from agencyclaw.tools.brands import note_place_of
from agencyclaw.tools.catalogue import reads
from agencyclaw.tools.clients import every_client, find_client, reach_of
from agencyclaw.tools.policy_checks import require_allowed
from agencyclaw.tools.results import Ask, Listing, Result

SHOWN_AT_MOST = 50
AnyStored = StoredRecord[SetRecord[Any]]
LISTED = {kind.record.plural: kind for kind in LISTED_RECORDS}


def _known(plural: str) -> str:
    if plural not in LISTED:
        raise ValueError(f"one of {', '.join(LISTED)}")
    return plural


Listed = Annotated[str, AfterValidator(_known), Field(json_schema_extra={"enum": [*LISTED]})]


class RecordRow(Result):
    """A record: whom and what it is of, what it holds, and who recorded that when."""

    fields: dict[str, str]
    recorded: str


class RecordList(Listing):
    """Records of a kind, in the order of whom and what they are of."""

    records: tuple[RecordRow, ...]
    total: int
    note: str = ""


@reads(tier=Tier.MEMBER, on_demand=True)
async def list_records(
    ctx: RunContext[Deps], what: Listed, client: Name | None = None
) -> RecordList | Ask:
    """List all recorded entries of one kind, of a client or of all whom this person may see.

    Args:
        what: Which records.
        client: What the person called the client; leave out for all.
    """
    deps, kind = ctx.deps, LISTED[what]
    _require_readable(deps, kind)
    scope = await _clients(deps, client) if issubclass(kind, ClientChange) else (list[Client](), "")
    if isinstance(scope, Ask):
        return scope
    clients, reach = scope
    stored = await deps.directory.records(kind, [one.id for one in clients])
    own = [one for one in stored if one.key.person_id in (None, deps.actor.profile_id)]
    if "brand" in kind.record.key and not (client and folded(client)):
        own = await _of_place(deps, clients, own)
    # By their positions: thousands of records are not compared with one another.
    newest = sorted(range(len(own)), key=lambda at: own[at].since, reverse=True)[:SHOWN_AT_MOST]
    is_cut = len(newest) < len(own)
    return RecordList(
        records=tuple(_row(deps, own[at]) for at in sorted(newest)),
        total=len(own),
        note=f"The {SHOWN_AT_MOST} that were recorded last are shown." if is_cut else "",
        reach=reach,
    )


def _require_readable(deps: Deps, kind: type[SetRecord[Any]]) -> None:
    """Raise NotAllowed or WrongPlace unless this person may read such records, and here.

    What only admins may see, and what is a person's own, is shown in their direct messages alone.
    """
    tier = kind.readers()
    is_own = kind.person_id is not SetRecord.person_id
    shows = Shows.NOTES if is_own or tier >= Tier.ADMIN else Shows.OURS
    rule = Rule(deps.calling, changes=False, tier=tier, scope=kind.scope, shows=shows)
    require_allowed(decide(deps.actor, deps.surface, rule))
    if answered_in(deps.surface, rule) is not Answering.HERE:
        raise WrongPlace(answered_in(deps.surface, rule).value)


async def _clients(deps: Deps, named: str | None) -> tuple[list[Client], str] | Ask:
    """Return the named client, else all that may be listed, and how far that reaches.

    Raises NotFound if there is none.
    """
    if named and folded(named):
        found = await find_client(deps, named)
        return found if isinstance(found, Ask) else ([found.client], "")
    clients = await every_client(deps)
    return clients, await reach_of(deps, clients)


async def _of_place(deps: Deps, clients: list[Client], records: list[AnyStored]) -> list[AnyStored]:
    """Return the records of the brand that this place is for; all if it is for none."""
    brands = await deps.directory.brands([one.id for one in clients])
    own = next((brand for brand in brands if brand.id == deps.scope.brand_id), None)
    if own is None:
        return records
    note_place_of(deps, own)
    return [one for one in records if one.key.of_brand == own.named]


def _row(deps: Deps, one: AnyStored) -> RecordRow:
    rows = (*one.key.facts, *one.held.rows())
    since = spoken_day(day_of(one.since, deps.actor.zone))
    return RecordRow(
        fields={label: one_line(text, 240) for label, text in rows},
        recorded=", ".join(filter(None, (one_line(one.by, 120), since))),
    )
