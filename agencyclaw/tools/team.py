"""People of the agency as records: looked up, added, changed, linked, archived."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field
from pydantic_ai import RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.clients import Named
from agencyclaw.domain.clock import zone_named
from agencyclaw.domain.errors import NotAllowed, NotFound, Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Tier
from agencyclaw.domain.policy import NEEDS_SUPER_ADMIN
from agencyclaw.domain.quotes import occurs_in
from agencyclaw.domain.team import (
    AddPerson,
    ArchiveAdmin,
    ArchivePerson,
    Archiving,
    ChangeAdmin,
    ChangePerson,
    ClickUpMember,
    HeldSlot,
    PersonFacts,
    PersonUpdate,
    TeamMember,
    concerns_admins,
    email_address,
)
from agencyclaw.domain.text import folded, one_line
from agencyclaw.tools.arguments import Name, NewName, Whom
from agencyclaw.tools.catalogue import proposes, reads
from agencyclaw.tools.clients import listed_clients
from agencyclaw.tools.lacking import Lacking
from agencyclaw.tools.names import as_choices, decide, find_named, written_in
from agencyclaw.tools.optional import optional
from agencyclaw.tools.people import find_member
from agencyclaw.tools.results import Ask, Result, ask_which, shown_names

SHOWN_AT_MOST = 40
Address = Annotated[str, Field(max_length=254)]


class PersonItem(Result):
    """A person of the agency; roles are shown where only one person was found."""

    name: str
    email: str
    rights: str
    at_work: str
    linked_to: tuple[Literal["Slack", "ClickUp"], ...] = ()
    roles: tuple[str, ...] = ()


class PeopleFound(Result):
    """The people that a look-up found."""

    people: tuple[PersonItem, ...] = ()
    total: int
    note: str = ""


@reads(tier=Tier.MEMBER, on_demand=True)
async def cc_team_member_lookup(
    ctx: RunContext[Deps], person: Name | None = None, archived: bool = False
) -> PeopleFound:
    """Look up a colleague (team member): rights, accounts, roles; everybody without a name.

    Args:
        person: A name or e-mail.
        archived: Whether archived people are meant, too.
    """
    deps = ctx.deps
    team = await deps.directory.team()
    people = [one for one in team if archived or one.facts.employment != "inactive"]
    if person and folded(person):
        people = list(find_named(deps, folded(person).removeprefix("@"), people).things)
    slots = await deps.directory.slots_of(people[0].profile_id) if len(people) == 1 else ()
    shown = await _shown_slots(deps, slots)
    note = "" if people else "Nobody of that name is in the team."
    if len(people) > SHOWN_AT_MOST:
        note = f"{SHOWN_AT_MOST} of {len(people)} are shown."
    items = tuple(_item(one, shown) for one in people[:SHOWN_AT_MOST])
    return PeopleFound(people=items, total=len(people), note=note)


async def _shown_slots(deps: Deps, slots: tuple[HeldSlot, ...]) -> tuple[HeldSlot, ...]:
    """Return the roles for clients that this person may see here, without archived brands."""
    visible = [client.id for client in await listed_clients(deps)] if slots else []
    brands = {brand.id for brand in await deps.directory.brands(visible)}
    return tuple(
        slot
        for slot in slots
        if slot.client.id in visible and (slot.brand is None or slot.brand.id in brands)
    )


def _item(person: TeamMember, slots: tuple[HeldSlot, ...]) -> PersonItem:
    accounts: tuple[tuple[Literal["Slack", "ClickUp"], str | None], ...] = (
        ("Slack", person.facts.slack),
        ("ClickUp", person.facts.clickup),
    )
    return PersonItem(
        name=one_line(person.name, 120),
        email=person.email,
        rights=person.facts.access,
        at_work=person.facts.employment,
        linked_to=tuple(name for name, account in accounts if account),
        roles=tuple(slot.spoken for slot in slots),
    )


@proposes(AddPerson, tier=Tier.ADMIN, on_demand=True)
async def cc_team_member_create(
    ctx: RunContext[Deps],
    email: Address,
    name: NewName,
    access: Literal["member", "viewer"] = "member",
    slack: Name | None = None,
    clickup: Name | None = None,
    freelance: bool = False,
) -> AddPerson | Ask:
    """Prepare adding somebody to the team (a new colleague), or bringing an archived one back.

    Args:
        email: Their e-mail.
        name: Their full name.
        access: What they may do; a viewer only reads.
        slack: Their Slack mention or member id, as it was written.
        clickup: Their ClickUp name, e-mail or number, unless the e-mail is the same there.
        freelance: Whether they are a contractor.
    """
    deps = ctx.deps
    address = _address(email)
    stored = next(
        (one for one in await deps.directory.team() if one.email.lower() == address), None
    )
    if stored and stored.facts.employment != "inactive":
        raise Refused(message("refused.team.there_already", name=stored.name), reason="duplicate")
    if stored and stored.is_super and deps.actor.tier < Tier.SUPER_ADMIN:
        raise NotAllowed(NEEDS_SUPER_ADMIN, reason="admin_skill_denied")
    before, lacking = stored.facts if stored else None, Lacking()
    account = lacking.tried(lambda: _slack_id(deps, slack)) if slack else before and before.slack
    called = lacking.tried(lambda: _full_name(name))
    member = await lacking.settle(_clickup_member(deps, clickup or address, is_named=bool(clickup)))
    if called is None or lacking:
        return lacking.as_ask()
    after = PersonFacts(
        name=called,
        access=access,
        employment="contractor" if freelance else "active",
        slack=account,
        clickup=str(member.id) if member else before and before.clickup,
        timezone=before.timezone if before else deps.actor.timezone,
    )
    await require_free(deps, address, after)
    return AddPerson(
        email=address,
        before=before,
        after=after,
        remarks=_account_remarks(member),
    )


@proposes(PersonUpdate, tier=Tier.ADMIN, on_demand=True)
async def cc_team_member_update(
    ctx: RunContext[Deps],
    person: Whom,
    name: NewName | None = None,
    access: Literal["admin", "member", "viewer"] | None = None,
    employment: Literal["active", "contractor"] | None = None,
    slack: Name | None = None,
    clickup: Name | None = None,
    timezone: Name | None = None,
    unlink: Annotated[list[Literal["slack", "clickup"]], Field(max_length=2)] | None = None,
) -> PersonUpdate | Ask:
    """Prepare a change of a colleague: name, rights (make an admin), Slack or ClickUp account.

    Pass only what changes.

    Args:
        person: Who, by name or e-mail.
        name: Their new full name.
        access: What they may do from now on; only a super admin makes or unmakes an admin.
        employment: How they work for the agency.
        slack: Their Slack mention or member id, as it was written.
        clickup: Their ClickUp name, e-mail or number.
        timezone: Such as Europe/Lisbon.
        unlink: Accounts to take off their profile.
    """
    deps = ctx.deps
    lacking, member = Lacking(), None
    found = await lacking.settle(find_teammate(deps, person, "Who should be changed?"))
    if clickup:
        member = await lacking.settle(_clickup_member(deps, clickup, is_named=True))
    values: dict[str, str | None] = dict.fromkeys(unlink or [])
    values |= {"slack": lacking.tried(lambda: _slack_id(deps, slack))} if slack else {}
    values |= {"clickup": str(member.id)} if member else {}
    # The name that they are called by may be part of the old one.
    values |= {"name": lacking.tried(lambda: _full_name(name)), "called": None} if name else {}
    values |= {"access": access} if access else {}
    values |= {"employment": employment} if employment else {}
    values |= {"timezone": lacking.tried(lambda: _zone(timezone))} if timezone else {}
    if found is None or lacking:
        return lacking.as_ask()
    before = found.facts
    after = before.model_copy(update=values)
    if after == before:
        raise Refused(message("refused.records.as_it_is", name=found.name), reason="no_changes")
    await require_free(deps, found.email, after)
    is_admins = concerns_admins(before, after, is_super=found.is_super)
    change = ChangeAdmin if is_admins else ChangePerson
    return change(
        email=found.email,
        before=before,
        after=after,
        remarks=_account_remarks(member),
    )


@proposes(Archiving, tier=Tier.ADMIN, on_demand=True)
async def cc_team_member_archive(
    ctx: RunContext[Deps], person: Whom, successor: Whom | None = None, leave_open: bool = False
) -> Archiving | Ask:
    """Prepare archiving (offboarding) a colleague who leaves; their roles go to somebody else.

    Args:
        person: Who leaves, by name or e-mail.
        successor: Who takes all their roles over.
        leave_open: Whether their roles are to stay open instead.
    """
    deps = ctx.deps
    lacking = Lacking()
    found = await lacking.settle(find_teammate(deps, person, "Who should be archived?"))
    heir = await lacking.settle(_heir(deps, found, successor))
    if found is None:
        return lacking.as_ask()
    if found.profile_id == deps.actor.profile_id:
        raise Refused(message("refused.team.yourself"), reason="yourself")
    slots = await deps.directory.slots_of(found.profile_id)
    if slots and lacking:
        return lacking.as_ask()
    if slots and not heir and not leave_open:
        roles = ", ".join(shown_names(one_line(slot.spoken, 120) for slot in slots))
        question = f"{found.name} holds: {roles}. Who takes these over, or should they stay open?"
        return Ask(question=question)
    archive = ArchiveAdmin if found.is_of_admins else ArchivePerson
    return archive(
        person=found.named,
        slots=slots,
        successor=heir if slots else None,
        employment=found.facts.employment,
    )


async def _heir(
    deps: Deps, leaving: TeamMember | None, successor: str | None
) -> Named | Ask | None:
    """Return who takes the roles over, or the question who; None if nobody was named."""
    if not successor:
        return None
    question = f"Who takes over from {leaving.name}?" if leaving else "Who takes their roles over?"
    heir = await find_member(deps, successor, question)
    if leaving and isinstance(heir, Named) and heir.id == leaving.profile_id:
        raise Refused(message("refused.team.own_successor"), reason="yourself")
    return heir


async def find_teammate(deps: Deps, hint: str, question: str) -> TeamMember | Ask:
    """Return the person at work that a name means; raises NotFound."""
    member = await find_member(deps, hint, question)
    if isinstance(member, Ask):
        return member
    team = await deps.directory.team()
    return next(one for one in team if one.profile_id == member.id)


def _address(text: str) -> str:
    address = email_address(text)
    if address is None:
        raise Refused(
            message("refused.team.bad_email", text=one_line(text, 80)), reason="bad_email"
        )
    return address


def _full_name(text: str) -> str:
    name = one_line(text, 120)
    if not folded(name):
        raise Refused(message("refused.team.blank_name"), reason="blank_name")
    return name


def _zone(name: str) -> str:
    zone = zone_named(name.strip()).key
    if zone != name.strip():
        wrong = one_line(name, 60)
        raise Refused(message("refused.team.bad_zone", wrong=wrong), reason="bad_zone")
    return zone


def _slack_id(deps: Deps, text: str) -> str:
    """Return the id in a mention; raises Refused unless people wrote exactly this id here."""
    account = text.strip().removeprefix("<@").removesuffix(">").partition("|")[0]
    is_written = any(occurs_in(account, text) for text in written_in(deps))
    is_id = account[:1] in ("U", "W") and account.isalnum() and account.isupper()
    if not (is_id and is_written):
        raise Refused(message("refused.team.bad_slack_account"), reason="bad_slack_account")
    return account


async def _clickup_member(deps: Deps, hint: str, *, is_named: bool) -> ClickUpMember | Ask | None:
    """Return who is meant in ClickUp; by an e-mail that nobody named, only its exact owner."""
    if not is_named:
        members = await optional(deps.board.members()) or []
        return next((one for one in members if (one.email or "").lower() == hint), None)
    members = await deps.board.members()
    match = find_named(deps, hint, members)
    if not match.things:
        what = message("refused.team.no_clickup_member", hint=one_line(hint, 60))
        raise NotFound(what, reason="clickup_member_not_found")
    question = ask_which("Which ClickUp account is it?", as_choices("person", match.things))
    return decide(deps, match) or question


async def require_free(deps: Deps, email: str, after: PersonFacts) -> None:
    """Raise Refused if one of the accounts is somebody else's."""
    for other in await deps.directory.team():
        if other.email.lower() == email.lower():
            continue
        for account, theirs in (
            (after.slack, other.facts.slack),
            (after.clickup, other.facts.clickup),
        ):
            if account and account == theirs:
                why = message("refused.team.account_taken", account=account, name=other.name)
                raise Refused(why, reason="account_taken")


def _account_remarks(member: ClickUpMember | None) -> tuple[str, ...]:
    if member is None:
        return ()
    name = one_line(member.full_name, 120)
    return (message("remarks.clickup_account", id=member.id, name=name),)
