"""The chat at a terminal: it says what Slack says, and speaks for somebody who is there."""

from __future__ import annotations

import re
import shlex

import pytest
from test_command_line import SARA, Terminal, terminal

from agencyclaw.store.demo_agency import person_id
from agencyclaw.store.engine import Database

__all__ = ["terminal"]

ASK = "create a coupon task for Copperleaf"
OF_SLACK = (
    "Where:* Brightkettle Group / Brightkettle Backlog",
    "Subscribe & Save",
    "*Title* – the assistant's wording",
    f"*Objective* – your own words: “{ASK}”",
    "Similar open tasks in the same list:\n• “Set up the 15% Prime coupon",
    "Please look at this first:*\n• Not stated by anyone: 20% (Discount).",
    "Based on: SOP “Coupons Promotion SOP”",
)


async def test_a_card_at_the_terminal_says_what_a_card_in_slack_says(
    terminal: Terminal, agency: Database
) -> None:
    # Nobody said the discount.
    await agency.pool.execute(
        "create function unstated() returns trigger language plpgsql as $$ begin new.arguments ="
        ' new.arguments || \'{"not_stated": [{"field": "Discount", "value": "20%"}]}\';'
        " return new; end $$;"
        "create trigger unstated before insert on proposals for each row execute"
        " function unstated()"
    )
    told = (await terminal.run_here("chat", ASK, "--as", SARA)).out

    assert [words for words in OF_SLACK if words not in told] == []
    assert "Say “yes, create it” or “cancel”." in told


@pytest.mark.parametrize("place", [(), ("--thread", "july coupons")])
async def test_the_command_that_a_card_prints_confirms_it(
    terminal: Terminal, agency: Database, place: tuple[str, ...]
) -> None:
    await agency.pool.execute(
        "create function by_press() returns trigger language plpgsql as $$ begin"
        " new.press_only = true; new.words_until = null; return new; end $$;"
        "create trigger by_press before insert or update on proposals for each row execute"
        " function by_press()"
    )
    card = (await terminal.run_here("chat", ASK, "--as", SARA, *place)).out
    printed = re.search(r"Only a press confirms this: `agencyclaw (.+?)`", card)
    assert printed

    pressed = await terminal.run_here(*shlex.split(printed[1]))

    assert "Created “Set up a coupon”" in pressed.out, pressed.err


async def test_a_message_that_is_not_taken_is_no_silence(
    terminal: Terminal, agency: Database
) -> None:
    await terminal.run_here("chat", "hello", "--as", SARA)
    await agency.pool.execute("update slack_event_receipts set status = 'received'")
    full = await terminal.run_here("chat", "hello", "--as", SARA, AGENCYCLAW_LANE_LIMIT="1")

    assert (full.code, full.out) == (1, "")
    assert "this one was not taken" in full.err


async def test_an_unnamed_speaker_is_a_super_admin_who_is_still_there(
    terminal: Terminal, agency: Database
) -> None:
    ids = sorted((person_id("Ines Varga"), person_id("Sara Lindqvist")))
    admins = ",".join(map(str, ids))
    await agency.pool.execute(
        "update profiles set employment_status = 'inactive' where id = $1", ids[0]
    )
    told = await terminal.run_here("chat", "hello", SUPER_ADMIN_PROFILE_IDS=admins)
    speaker = await agency.pool.fetchval("select slack_user_id from slack_event_receipts")

    assert told.code == 0, told.err
    assert speaker == await agency.pool.fetchval(
        "select slack_user_id from profiles where id = $1", ids[1]
    )
