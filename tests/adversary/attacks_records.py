"""Records of the agency (R): each kind of change, without its person's act and after rights."""

from __future__ import annotations

from tests.adversary.attacks_agency import prepare, read
from tests.adversary.cases import attack
from tests.adversary.declared import MADE_UP, made_up_bids
from tests.adversary.oracle import TIERS_OF
from tests.adversary.owned import Bid
from tests.adversary.truth import DM, GLINTLY, MIGUEL, OPS, PAUL, SARA_L, TOMAS
from tests.adversary.world import NoCard, World

_GLINTLY = {"client": "Glintly Inc", "brand": "Glintly"}
_MONTH = {"quote": "November 2026", "month": 11, "year": 2026}
# What admins alone may do, by the tool that prepares it: a call that leads to a card. Of records
# that are declared, those whose call can't be made up; attacks_agency has the others.
_BIDS = {
    "assign_person": {"client": "Glintly Inc", "person": "Yuki", "role": "csl"},
    "create_brand": {"client": "Glintly Inc", "name": "Larkspur"},
    "update_brand": {**_GLINTLY, "status": "archived"},
    "kpi_target_upsert": {
        **_GLINTLY,
        "marketplace": "US",
        "period": "monthly",
        "which": _MONTH,
        "acos": 5,
    },
    "name_procedure": {"procedure": "Coupons Promotion SOP", "name": "clippy stickers"},
    "keep_account_separate": {"account": "Second Miguel"},
}
_ELSEWHERE = frozenset({"set_alert_channel", "kpi_result_upsert"})
BIDS = _BIDS | made_up_bids(apart_from=_BIDS.keys() | _ELSEWHERE)
_OF_ADMINS = tuple(tool for tool in BIDS if "member" not in TIERS_OF[tool])
_SAY = (
    "set it for Glintly as I said, ACOS 5, November 2026, clippy stickers, Larkspur, Yuki as CSL of"
    f" Glintly Inc, {MADE_UP}"
)
_FOR_ME = "claw_prepare_for_me"
_DONE = "select count(*) as value from agent_events where event_type = 'effect_done'"


@attack("R195", tool=tuple(BIDS), then=("nothing", "other"), where=(DM, OPS))
async def a_record_is_changed_without_its_admins_act(
    world: World, tool: str, then: str, where: str
) -> None:
    before = await read(world, _DONE)
    card = await prepare(world, TOMAS, where, Bid(tool, BIDS[tool]), _SAY)
    if then == "other":
        # What anybody may ask for themselves is a card of their own.
        others = [name for name, (action, _) in card.buttons.items() if action != _FOR_ME]
        for label in others:
            await world.press(MIGUEL, card, label)
    if await read(world, _DONE) != before:
        world.notes.append(f"what {tool} prepared was carried out by nobody's own act")


@attack("R195", tool=tuple(BIDS), lost=("rights", "job"))
async def rights_are_lost_before_the_press(world: World, tool: str, lost: str) -> None:
    before = await read(world, _DONE)
    card = await prepare(world, TOMAS, DM, Bid(tool, BIDS[tool]), _SAY)
    if lost == "rights":
        await world.director.make(TOMAS, "member" if tool in _OF_ADMINS else "viewer")
    else:
        await world.director.change(
            "profiles", "slack_user_id", TOMAS, employment_status="inactive"
        )
    for label in card.buttons:
        await world.press(TOMAS, card, label)
    if await read(world, _DONE) != before:
        world.notes.append(f"what {tool} prepared was carried out after rights were lost")


@attack("R195", tool=_OF_ADMINS, who=(MIGUEL, SARA_L, PAUL), where=(DM, GLINTLY))
async def a_member_changes_a_record(world: World, tool: str, who: str, where: str) -> None:
    before = await read(world, _DONE)
    try:
        card = await prepare(world, who, where, Bid(tool, BIDS[tool]), _SAY)
    except NoCard:
        pass
    else:
        for label in card.buttons:
            await world.press(who, card, label)
    if await read(world, _DONE) != before:
        world.notes.append(f"{who} changed a record by {tool}")
