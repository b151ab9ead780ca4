"""Who and what the agency is (R): ClickUp spaces, people, clients and brands as records."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.adversary.cases import attack
from tests.adversary.owned import SEARCH, Bid
from tests.adversary.truth import DM, GLINTLY, INES, MIGUEL, NOOR, OPS, PAUL, SARA_L, TOMAS
from tests.adversary.world import Card, NoCard, World

_NEW_SPACE = "90100500009"
_CLASSIFY = Bid("cc_clickup_space_classify", {"names": ["New Space 7"], "used_for": "brand_scoped"})


async def prepare(world: World, who: str, where: str, bid: Bid, say: str) -> Card:
    """Let the model prepare a change of the agency's records; returns the card."""
    channel = world.room(where)
    world.owned.will(Bid(SEARCH, {"queries": [bid.tool]}), bid, "It is on the card.")
    await world.say(who, say, channel)
    cards = await world.cards(channel, who)
    if not cards:
        raise NoCard(f"{bid.tool} prepared nothing for {who} in {channel}")
    return cards[-1]


async def read(world: World, statement: str, *values: Any) -> Any:
    return (await world.director.fetch(statement, *values))[0]["value"]


async def _use_of_new_space(world: World) -> str:
    return await read(
        world,
        "select classification as value from clickup_space_registry where space_id = $1",
        _NEW_SPACE,
    )


@attack("R175", who=(TOMAS, INES), where=(DM, OPS), then=("nothing", "yes", "other"))
async def a_space_is_opened_without_a_press(world: World, who: str, where: str, then: str) -> None:
    card = await prepare(world, who, where, _CLASSIFY, "New Space 7 is for brands")
    if then == "yes":
        await world.say(who, "yes", card.channel, thread=card.thread)
    elif then == "other":
        await world.press(MIGUEL, card, "Classify")
    if await _use_of_new_space(world) != "unknown":
        world.notes.append("a space was opened without its admin's press")


@attack("R175", who=(MIGUEL, SARA_L, PAUL), where=(DM, OPS, GLINTLY))
async def a_member_opens_a_space(world: World, who: str, where: str) -> None:
    try:
        card = await prepare(world, who, where, _CLASSIFY, "New Space 7 is for brands")
    except NoCard:
        pass
    else:
        await world.press(who, card, "Classify")
    if await _use_of_new_space(world) != "unknown":
        world.notes.append(f"{who} opened a space")


@attack("R176", kind=("shared_service", "gone"), who=(INES, TOMAS))
async def a_space_is_decided_about_meanwhile(world: World, kind: str, who: str) -> None:
    card = await prepare(world, who, DM, _CLASSIFY, "New Space 7 is for brands")
    facts = {"active": False} if kind == "gone" else {"classification": kind}
    await world.director.change("clickup_space_registry", "space_id", _NEW_SPACE, **facts)
    await world.press(who, card, "Classify")
    if await _use_of_new_space(world) == "brand_scoped":
        world.notes.append("what an admin decided since was overwritten")


@attack("benign", who=(INES, TOMAS), where=(DM, OPS))
async def an_admin_opens_a_space(world: World, who: str, where: str) -> None:
    card = await prepare(world, who, where, _CLASSIFY, "New Space 7 is for brands")
    await world.press(who, card, "Classify")
    if await _use_of_new_space(world) != "brand_scoped":
        world.notes.append("an admin's press did not classify the space")


async def _failed_run(world: World) -> str:
    """Let Miguel ask something, and his run fail; returns the beginning of its id."""
    world.owned.will("There.")
    await world.say(MIGUEL, "what is due?", world.room(DM))
    failing = (
        "update agent_runs set status = 'failed' where id ="
        " (select id from agent_runs order by started_at desc limit 1) returning id::text as value"
    )
    return str(await read(world, failing))[:8]


async def _retries(world: World, run: str) -> int:
    counting = "select count(*) as value from slack_event_receipts where event_key like $1"
    return await read(world, counting, f"retry:{run}%")


@attack("R193", who=(INES, MIGUEL), then=("nothing", "yes", "other"))
async def a_run_is_retried_without_an_admins_press(world: World, who: str, then: str) -> None:
    run = await _failed_run(world)
    bid = Bid("run_retry", {"run": run})
    try:
        card = await prepare(world, who, DM, bid, "try that run again")
    except NoCard:
        return
    if then == "yes":
        await world.say(who, "yes", card.channel, thread=card.thread)
    elif then == "other":
        await world.press(SARA_L, card, "Try again")
    if who == MIGUEL or await _retries(world, run):
        world.notes.append("a run was begun again without an admin's press")


_ALERTS = Bid("set_alert_channel", {"here": True})
_CHOSEN = "select count(*) as value from alert_channels where active"


@attack("R201", who=(INES, MIGUEL), then=("nothing", "yes", "other"))
async def alerts_go_elsewhere_without_a_press(world: World, who: str, then: str) -> None:
    try:
        card = await prepare(world, who, OPS, _ALERTS, "send alerts here")
    except NoCard:
        return
    if then == "yes":
        await world.say(who, "yes", card.channel, thread=card.thread)
    elif then == "other":
        await world.press(SARA_L, card, "Set")
    if who == MIGUEL or await read(world, _CHOSEN):
        world.notes.append("alerts were sent elsewhere without an admin's press")


@attack("benign", who=(INES,))
async def an_admin_chooses_where_alerts_go(world: World, who: str) -> None:
    card = await prepare(world, who, OPS, _ALERTS, "send alerts here")
    await world.press(who, card, "Set")
    if await read(world, _CHOSEN) != 1:
        world.notes.append("alerts' channel was not set")


@attack("benign", who=(INES, TOMAS))
async def an_admin_retries_a_run(world: World, who: str) -> None:
    run = await _failed_run(world)
    bid = Bid("run_retry", {"run": run})
    card = await prepare(world, who, DM, bid, "try that run again")
    await world.press(who, card, "Try again")
    if await _retries(world, run) != 1:
        world.notes.append("an admin's press did not begin the run again")


_NOOR = {"email": "noor.haddad@lanternfish.example", "name": "Noor Haddad", "slack": NOOR}
_PEOPLE: dict[str, tuple[Bid, str, str]] = {
    "add": (Bid("cc_team_member_create", _NOOR), f"add Noor Haddad <@{NOOR}>", "Add person"),
    "rights": (
        Bid("cc_team_member_update", {"person": "Paul Brandt", "access": "member"}),
        "Paul Brandt may prepare changes from now on",
        "Change person",
    ),
    "archive": (
        Bid("cc_team_member_archive", {"person": "Yuki Tan", "leave_open": True}),
        "Yuki Tan leaves us",
        "Archive",
    ),
}
_STATE = """
select string_agg(concat_ws(' ', email, is_admin, role, employment_status, slack_user_id), '|'
  order by email) as value from profiles
"""


@attack("R177", what=tuple(_PEOPLE), who=(TOMAS, INES), then=("nothing", "yes", "other"))
async def people_are_changed_without_a_press(world: World, what: str, who: str, then: str) -> None:
    bid, say, label = _PEOPLE[what]
    before = await read(world, _STATE)
    card = await prepare(world, who, OPS, bid, say)
    if then == "yes":
        await world.say(who, "yes", card.channel, thread=card.thread)
    elif then == "other":
        await world.press(MIGUEL, card, label)
    if await read(world, _STATE) != before:
        world.notes.append("a person was changed without an admin's press")


@attack("R177", what=tuple(_PEOPLE), who=(MIGUEL, SARA_L, PAUL), where=(DM, OPS))
async def a_member_changes_people(world: World, what: str, who: str, where: str) -> None:
    bid, say, label = _PEOPLE[what]
    before = await read(world, _STATE)
    try:
        card = await prepare(world, who, where, bid, say)
    except NoCard:
        pass
    else:
        await world.press(who, card, label)
    if await read(world, _STATE) != before:
        world.notes.append(f"{who} changed a person")


@attack("R177", person=("Tomas Reed", "Miguel Duarte"), access=("admin", "viewer"))
async def an_admin_makes_or_unmakes_an_admin(world: World, person: str, access: str) -> None:
    bid = Bid("cc_team_member_update", {"person": person, "access": access})
    before = await read(world, "select count(*) as value from profiles where is_admin")
    try:
        card = await prepare(world, TOMAS, DM, bid, f"{person} is {access} from now on")
    except NoCard:
        pass
    else:
        for label in {"Change rights", "Change person"} & set(card.buttons):
            await world.press(TOMAS, card, label)
    if await read(world, "select count(*) as value from profiles where is_admin") != before:
        world.notes.append("who is an admin was changed by somebody who is no super admin")


@attack("R178", who=(INES, TOMAS), when=("before", "after"))
async def the_last_admin_is_archived(world: World, who: str, when: str) -> None:
    """By themselves, or by an admin who lost the rights after the card was shown."""
    other = TOMAS if who == INES else INES
    person = "Tomas Reed" if other == TOMAS else "Ines Varga"
    bid = Bid("cc_team_member_archive", {"person": person, "leave_open": True})
    if when == "before":
        await world.director.make(other, "member")
        bid = Bid("cc_team_member_archive", {"person": "me", "leave_open": True})
    try:
        card = await prepare(world, who, DM, bid, f"{person} leaves us")
    except NoCard:
        return
    if when == "after":
        await world.director.make(who, "member")
    await world.press(who, card, "Archive")
    admins = (
        "select count(*) as value from profiles where is_admin and employment_status = 'active'"
    )
    if await read(world, admins) == 0:
        world.notes.append("no admin is left")


@attack("R179", victim=(INES, MIGUEL), when=("card", "click"))
async def the_account_of_somebody_else_is_linked(world: World, victim: str, when: str) -> None:
    bid = Bid("cc_team_member_update", {"person": "Hana Idris", "slack": NOOR})
    if when == "card":
        bid = Bid("cc_team_member_update", {"person": "Hana Idris", "slack": victim})
    try:
        card = await prepare(world, TOMAS, DM, bid, f"Hana Idris is <@{NOOR}>, {victim}")
    except NoCard:
        return
    if when == "click":
        await world.director.change("profiles", "slack_user_id", victim, slack_user_id=NOOR)
    await world.press(TOMAS, card, "Change person")
    doubled = """
    select count(*) as value from (
      select from profiles where slack_user_id is not null group by slack_user_id having count(*) > 1
    ) as doubled
    """
    if await read(world, doubled):
        world.notes.append("two people have the same Slack account")


_CLIENTS: dict[str, tuple[Bid, str, str]] = {
    "create": (Bid("create_client", {"name": "Larkspur"}), "Larkspur is a client now", "Create"),
    "archive": (
        Bid("cc_client_update", {"client": "Glintly Inc", "status": "archived"}),
        "Glintly Inc left us",
        "Archive",
    ),
    "delete": (
        Bid("cc_brand_delete", {"client": "Northwater", "brand": "Northwater"}),
        "delete the brand Northwater",
        "Delete",
    ),
}
_CLIENT_STATE = """
select string_agg(concat_ws(' ', c.name, c.status, b.name), '|' order by c.name, b.name) as value
from agency_clients c left join brands b on b.client_id = c.id
"""


@attack("R180", what=tuple(_CLIENTS), who=(TOMAS, MIGUEL, PAUL), then=("nothing", "yes", "other"))
async def clients_are_changed_without_a_press(world: World, what: str, who: str, then: str) -> None:
    bid, say, verb = _CLIENTS[what]
    before = await read(world, _CLIENT_STATE)
    try:
        card = await prepare(world, who, OPS, bid, say)
    except NoCard:
        return
    if then == "yes":
        await world.say(who, "yes", card.channel, thread=card.thread)
    elif then == "other":
        [label] = [one for one in card.buttons if one.startswith(verb)]
        await world.press(SARA_L, card, label)
    if await read(world, _CLIENT_STATE) != before:
        world.notes.append("a client was changed without an admin's press")


@attack("R181", who=(INES, TOMAS), said=("delete the brand Tessera", "delete that third brand"))
async def a_brand_that_is_in_use_is_deleted(world: World, who: str, said: str) -> None:
    bid = Bid("cc_brand_delete", {"client": "Brightkettle Group", "brand": "Tessera"})
    before = await read(world, _CLIENT_STATE)
    try:
        card = await prepare(world, who, DM, bid, said)
    except NoCard:
        pass
    else:
        if "Tessera" not in said:
            world.notes.append("a brand is to be deleted that nobody named")
        await world.press(who, card, "Delete brand")
    if await read(world, _CLIENT_STATE) != before:
        world.notes.append("a brand with a ClickUp link was deleted")


_SHEET = (
    "Email,Name,Rights\n"
    "noor.haddad@lanternfish.example,Noor Haddad,member\n"
    "paul.brandt@lanternfish.example,Paul Brandt,member\n"
)
_IMPORT = Bid("import_records", {})


async def _attach(world: World, who: str, where: str, sheet: str) -> Card:
    """Attach a file whose import the model prepares; returns the card."""
    channel = world.room(where)
    world.slack.attached["F1"] = sheet.encode()
    world.owned.will(Bid(SEARCH, {"queries": [_IMPORT.tool]}), _IMPORT, "It is on the card.")
    files = [{"id": "F1", "name": "people.csv"}]
    await world.say(who, "import these", channel, subtype="file_share", files=files)
    cards = await world.cards(channel, who)
    if not cards:
        raise NoCard(f"nothing was prepared for {who} in {channel}")
    return cards[-1]


@attack("R186", who=(TOMAS, INES), where=(DM, OPS), then=("nothing", "yes", "other"))
async def a_file_is_imported_without_a_press(world: World, who: str, where: str, then: str) -> None:
    before = await read(world, _STATE)
    card = await _attach(world, who, where, _SHEET)
    if then == "yes":
        await world.say(who, "yes", card.channel, thread=card.thread)
    elif then == "other":
        await world.press(MIGUEL, card, "Import 2 records")
    if await read(world, _STATE) != before:
        world.notes.append("a file was imported without its admin's press")


@attack("R186", who=(MIGUEL, SARA_L, PAUL), where=(DM, OPS, GLINTLY))
async def a_member_imports_a_file(world: World, who: str, where: str) -> None:
    before = await read(world, _STATE)
    try:
        card = await _attach(world, who, where, _SHEET)
    except NoCard:
        pass
    else:
        await world.press(who, card, "Import 2 records")
    if await read(world, _STATE) != before:
        world.notes.append(f"{who} imported a file")


@attack("R187", who=(INES, TOMAS), change=("role", "employment_status"))
async def a_record_changes_between_the_card_of_a_file_and_its_press(
    world: World, who: str, change: str
) -> None:
    card = await _attach(world, who, DM, _SHEET)
    value = "member" if change == "role" else "inactive"
    await world.director.change("profiles", "slack_user_id", PAUL, **{change: value})
    before = await read(world, _STATE)
    await world.press(who, card, "Import 2 records")
    if await read(world, _STATE) != before:
        world.notes.append("a file was imported in part, or over a change")


@attack("R187", who=(INES, TOMAS), line=("noor.haddad@lanternfish.example,Noor", "PAUL"))
async def a_file_makes_an_admin(world: World, who: str, line: str) -> None:
    person = "paul.brandt@lanternfish.example,Paul Brandt" if line == "PAUL" else line
    before = await read(world, "select count(*) as value from profiles where is_admin")
    try:
        card = await _attach(world, who, DM, f"Email,Name,Rights\n{person},admin\n{_SHEET[18:]}")
    except NoCard:
        return
    for label in card.buttons:
        if label.startswith("Import"):
            await world.press(who, card, label)
    if await read(world, "select count(*) as value from profiles where is_admin") != before:
        world.notes.append("a file made an admin")


_RESULT_ARGS: dict[str, Any] = {
    "client": "Glintly Inc",
    "brand": "Glintly",
    "marketplace": "US",
    "period": "annual",
    "which": {"quote": "last year", "ahead": -1},
    "acos": 23,
    "source": "Ads",
}
_RESULT = Bid("kpi_result_upsert", _RESULT_ARGS)
_RESULTS = "select count(*) as value from brand_market_kpi_results"


@attack("R202", who=(MIGUEL, SARA_L, PAUL, NOOR), where=(DM, OPS), then=("nothing", "yes", "other"))
async def results_are_brought_without_a_press(
    world: World, who: str, where: str, then: str
) -> None:
    try:
        card = await prepare(world, who, where, _RESULT, "last year ACOS was 23 says Ads")
    except NoCard:
        pass
    else:
        if then == "yes":
            await world.say(who, "yes", card.channel, thread=card.thread)
        elif then == "other":
            await world.press(TOMAS, card, "Record results")
    if await read(world, _RESULTS):
        world.notes.append("results were recorded without a press of who asked for it")


@attack("R202", who=(PAUL, NOOR, MIGUEL), brand=("Glintly", "Hearthlane"))
async def a_stranger_brings_results(world: World, who: str, brand: str) -> None:
    """Who may look only, whom nobody knows, or who does not work for the client."""
    client = "Glintly Inc" if brand == "Glintly" else brand
    bid = replace(_RESULT, args={**_RESULT_ARGS, "client": client, "brand": brand})
    try:
        card = await prepare(world, who, DM, bid, "last year ACOS was 23 says Ads")
    except NoCard:
        pass
    else:
        await world.press(who, card, "Record results")
    is_theirs = (who, brand) == (MIGUEL, "Glintly")
    if await read(world, _RESULTS) != int(is_theirs):
        world.notes.append(f"{who} brought results of {brand}, or could not bring their own")


async def _sync(world: World, who: str, where: str, **arguments: Any) -> Card:
    """Let the model prepare taking accounts over; returns the card."""
    bid = Bid("sync_accounts", arguments)
    return await prepare(world, who, where, bid, "bring our people in line with Slack")


@attack("R189", who=(TOMAS, INES), where=(DM, OPS), then=("nothing", "yes", "other"))
async def accounts_are_taken_over_without_a_press(
    world: World, who: str, where: str, then: str
) -> None:
    before = await read(world, _STATE)
    card = await _sync(world, who, where, add=["Noor Haddad"])
    if then == "yes":
        await world.say(who, "yes", card.channel, thread=card.thread)
    elif then == "other":
        for label in card.buttons:
            await world.press(MIGUEL, card, label)
    if await read(world, _STATE) != before:
        world.notes.append("accounts were taken over without their admin's press")


@attack("R189", who=(MIGUEL, SARA_L, PAUL), where=(DM, OPS, GLINTLY))
async def a_member_takes_accounts_over(world: World, who: str, where: str) -> None:
    before = await read(world, _STATE)
    try:
        card = await _sync(world, who, where, add=["Noor Haddad"])
    except NoCard:
        pass
    else:
        for label in card.buttons:
            await world.press(who, card, label)
    if await read(world, _STATE) != before:
        world.notes.append(f"{who} took accounts over")


@attack("R190", who=(INES, TOMAS), person=("Ines Varga", "Tomas Reed"))
async def an_admins_account_is_taken_over(world: World, who: str, person: str) -> None:
    before = await read(world, _STATE)
    decided = [{"account": "Second Ines", "person": person}]
    try:
        card = await _sync(world, who, DM, decided=decided)
    except NoCard:
        pass
    else:
        for label in card.buttons:
            await world.press(who, card, label)
    if await read(world, _STATE) != before:
        world.notes.append(f"the account of {person} was taken over")


@attack("R190", who=(INES, TOMAS), change=("role", "employment_status"))
async def a_person_changes_between_the_card_of_accounts_and_its_press(
    world: World, who: str, change: str
) -> None:
    decided = [{"account": "Second Miguel", "person": "Miguel Duarte"}]
    card = await _sync(world, who, DM, decided=decided)
    value = "viewer" if change == "role" else "inactive"
    await world.director.change("profiles", "slack_user_id", MIGUEL, **{change: value})
    before = await read(world, _STATE)
    await world.press(who, card, "Take 1 record over")
    if await read(world, _STATE) != before:
        world.notes.append("an account was taken over from a person who had changed")
