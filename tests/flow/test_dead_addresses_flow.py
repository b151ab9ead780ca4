"""An address of any Slack workspace is as dead as a stranger's, wherever somebody's words stand."""

from __future__ import annotations

import pytest
from acting import SARA_L, Acting, create, offer, text, turn
from stage import whole_text

from agencyclaw.knowledge.link_breaking import WORD_JOINER

HOSTS = ("slack.com", "app.slack.com", "lanternfish.slack.com", "a.b.enterprise.slack.com")


@pytest.mark.parametrize("host", HOSTS)
async def test_no_address_at_slack_is_live_on_a_card_in_home_in_an_answer_or_on_a_receipt(
    acting: Acting, host: str
) -> None:
    title = f"Copy https://{host}/archives/C1 to the banner"
    ask = f"make the task: <https://{host}/archives/C1|see> [the plan](https://{host}/x) {host}/y"
    making = create(title=title, objective=f"Copy [the plan](https://{host}/x) {host}/y")
    stage = await acting(turn(ask, making, text(f"See [it](https://{host}/z) on the card.")))

    root = await stage.say(SARA_L, ask)
    card = await offer(stage, SARA_L, root)
    await stage.bench.open_home(SARA_L)
    home = await stage.bench.until(lambda: stage.bench.home(SARA_L))
    await stage.press(SARA_L, card, "Create task")
    await stage.reply_with(SARA_L, root, "Created “")
    await stage.settled()

    replies = await stage.replies(SARA_L, root)
    for shown in (card, home, *replies):
        words = whole_text(shown)
        assert host in words.replace(WORD_JOINER, "")
        assert host not in words
