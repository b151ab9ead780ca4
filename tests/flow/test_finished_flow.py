"""What was finished: by the day it was finished, of whoever's clients the person may see."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from acting import INES, YUKI, ScriptedModel, calls, minded
from stage import whole_text

from agencyclaw.store.engine import Database
from workbench.fixture import Bench

ASK = "what did we finish for Brightkettle in the last seven days?"
FIND = calls("search_tools", queries=["finished tasks"])


async def test_finished_tasks_come_latest_first_and_no_open_one_with_them(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        FIND, calls("finished_tasks", client="Brightkettle", window="last_n_days", days=7), "Three."
    )
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, ASK))

    seen = mind.heard()
    titles = ("Refill the Nordvent FBA", "Close the duplicate ASIN", "Send the Brightkettle Octo")
    places = [seen.index(title) for title in titles]
    assert places == sorted(places)
    assert '"total":3' in seen
    assert "Tower Fan" not in seen
    assert f'"done":"{datetime.now(UTC).date() - timedelta(days=2)}"' in seen
    assert "By the day they were finished. Archived ones are not in it." in seen


async def test_what_was_finished_before_the_time_is_not_in_it(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        FIND, calls("finished_tasks", client="Brightkettle", window="last_n_days", days=3), "One."
    )
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, ASK))

    assert '"total":1' in mind.heard()


async def test_where_nothing_was_finished_it_says_so(bench: Bench, agency: Database) -> None:
    mind = ScriptedModel(FIND, calls("finished_tasks", client="Roderick"), "None.")
    async with minded(bench, agency, mind) as stage:
        await stage.reply(INES, await stage.say(INES, ASK))

    assert "No finished task is in what was asked for (last week, " in mind.heard()


MAIL = """Hier ist ein Entwurf:

> Betreff: Status der Woche
>
> Hallo zusammen, erledigt haben wir:
> - Refill the Nordvent FBA shipment to CA
> - Close the duplicate ASIN of the Copperleaf Garlic Press
> - Send the Brightkettle October report
>
> Viele Grüße"""


async def test_a_status_mail_in_german_is_a_draft_made_from_what_was_finished(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(
        FIND, calls("finished_tasks", client="Brightkettle", window="last_n_days", days=7), MAIL
    )
    async with minded(bench, agency, mind) as stage:
        said = "Schreib eine Status-Mail an Brightkettle über das in sieben Tagen Erledigte"
        reply = await stage.reply(INES, await stage.say(INES, said))

        shown = whole_text(reply)
        for line in MAIL.splitlines():
            assert line.removeprefix(">").strip() in shown
        assert await stage.proposals() == []
        assert await stage.bench.log(target="clickup", operation="create_comment") == []


async def test_nobody_sees_what_was_finished_for_a_client_that_is_not_theirs(
    bench: Bench, agency: Database
) -> None:
    mind = ScriptedModel(FIND, calls("finished_tasks", client="Brightkettle"), "I can't see it.")
    async with minded(bench, agency, mind) as stage:
        await stage.reply(YUKI, await stage.say(YUKI, ASK))

    assert "duplicate ASIN" not in mind.heard()
    assert await bench.log(target="clickup", operation="list_tasks") == []
