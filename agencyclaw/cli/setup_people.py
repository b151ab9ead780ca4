"""Who the agency is: the first super admin, and the people of Slack and ClickUp."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

from agencyclaw.cli.setup_accounts import Connecting
from agencyclaw.cli.setup_changes import SetupChanges
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.domain.reconciling import Conflict, Reconciliation, reconcile
from agencyclaw.domain.team import AddPerson
from agencyclaw.domain.text import counted
from agencyclaw.slack.checkup import read_people
from agencyclaw.store.directory import DirectoryReader
from agencyclaw.store.engine import Database
from agencyclaw.store.first_admin import create_first_admin, has_people

_NO_SUPER_ADMIN = (
    "There are people in the database, and nobody at work among SUPER_ADMIN_PROFILE_IDS."
    " Put the id of an admin there, and run this again: {admins}."
)
_WHY: dict[Conflict, str] = {
    "several_profiles": "several profiles fit",
    "conflicting_slack_id": "their profile has another Slack account",
    "conflicting_clickup_id": "their profile has another ClickUp account",
    "no_email": "the account shows no e-mail",
}


async def set_up_people(connecting: Connecting, db: Database) -> SetupChanges:
    """Create the first super admin if nobody is there, and add and link who is chosen.

    Returns the changes that this person may make from now on.
    """
    asking = connecting.asking
    asking.title("People")
    if not await has_people(db.pool):
        found = await _compare(connecting, db)
        await _create_first(connecting, db, found.new)
    changes = await SetupChanges.by(asking, db, connecting.settings.super_admin_profile_ids)
    if changes is None:
        raise Misconfigured(_NO_SUPER_ADMIN.format(admins=await _admins(db)))
    asking.say(f"You are {changes.actor.name}, super admin.")
    found = await _compare(connecting, db)
    await _add(changes, found.new)
    await _link(changes, found)
    return changes


async def _admins(db: Database) -> str:
    """Return the admins at work with the ids of their profiles."""
    team = await DirectoryReader(db).team()
    admins = [f"{one.name} {one.profile_id}" for one in team if one.facts.is_admin_at_work]
    return ", ".join(admins) or "there is none"


async def _compare(connecting: Connecting, db: Database) -> Reconciliation:
    settings = connecting.settings
    slack = await read_people(settings.slack_bot_token, settings.slack_api_url)
    async with connecting.reader() as reader:
        members, me = await reader.members(), await reader.whoami()
    others = [member for member in members if member.id != me.id]
    return reconcile(slack, others, await DirectoryReader(db).team())


async def _create_first(connecting: Connecting, db: Database, people: Sequence[AddPerson]) -> None:
    """Ask who sets this up; they become super admin, by an id that `.env` has first."""
    in_slack = [person for person in people if person.after and person.after.slack]
    if not in_slack:
        raise Misconfigured(
            "Slack shows no full member with an e-mail. Does the app have users:read.email?"
        )
    lines = [_line(one) for one in in_slack]
    chosen = await connecting.asking.choose_one("Which of them are you", lines)
    known = connecting.settings.super_admin_profile_ids
    profile_id = min(known) if known else uuid4()

    def keep_id() -> None:
        """Keep the id before the profile is there: who has one is never without rights."""
        if not known:
            connecting.keep({"SUPER_ADMIN_PROFILE_IDS": str(profile_id)})

    await create_first_admin(db, profile_id, in_slack[chosen], announce=keep_id)


def _line(person: AddPerson) -> str:
    facts = person.after
    held = (("Slack", facts.slack), ("ClickUp", facts.clickup)) if facts else ()
    accounts = [name for name, account in held if account]
    return f"{person.label}, {person.email} ({' and '.join(accounts)})"


async def _add(changes: SetupChanges, people: Sequence[AddPerson]) -> None:
    if not people:
        return
    asking = changes.asking
    count = counted(len(people), "person", "people")
    asking.say(f"\n{count} of Slack or ClickUp without a profile:")
    lines = [_line(one) for one in people]
    chosen = await asking.choose("Who may use the assistant", lines)
    readers: set[int] = set()
    if chosen:
        picked = [lines[at] for at in chosen]
        readers = set(await asking.choose("Who of them may only read", picked))
    for order, at in enumerate(chosen):
        person = people[at]
        access = "viewer" if order in readers else "member"
        after = person.after and person.after.model_copy(update={"access": access})
        await changes.carry_out(person.model_copy(update={"after": after}))


async def _link(changes: SetupChanges, found: Reconciliation) -> None:
    asking = changes.asking
    for link in found.links:
        asking.say()
        differing = link.before.changes(link.after) if link.before and link.after else ()
        fields = "; ".join(f"{name}: {value}" for name, value in differing)
        if await asking.confirm(f"Link the accounts of {link.label} ({fields})"):
            await changes.carry_out(link)
    if found.review:
        asking.say("\nNothing was done about these, because the rules do not decide:")
    for one in found.review:
        belongs = f": {', '.join(one.candidates)}" if one.candidates else ""
        asking.say(f"  {one.name} ({one.account}): {_WHY[one.why]}{belongs}")
