"""An installation that lacks permissions: admins see which, and what needs one says so."""

from __future__ import annotations

import pytest
from acting import INES, MIGUEL, OPS, SARA_L, Acting, ScriptedModel, creating, minded, offer
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo
from stage import Stage, whole_text

from agencyclaw.store.engine import Database
from agencyclaw.tools import TOOLS
from workbench.fixture import Bench

ASK = "make the task"
LACKING = "Slack doesn't allow me all that I need"


async def home_of(stage: Stage, user: str, words: str) -> str:
    """What a person's Home tab says, once it says this."""
    await stage.bench.open_home(user)

    async def shown() -> str:
        home = whole_text(await stage.bench.home(user) or {})
        return home if words in home else ""

    return await stage.bench.until(shown)


async def test_home_names_to_admins_what_the_installation_lacks(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    await stage.bench.change_install(lacks=["channels:history", "im:write"])

    seen = await home_of(stage, INES, LACKING)
    of_member = await home_of(stage, MIGUEL, "Waiting for you")

    assert "threads of public channels, and a plain yes in them (`channels:history`)" in seen
    assert "beginning a direct message: /claw ask" in seen
    assert "install the app again" in seen
    assert "users:read" not in seen
    assert LACKING not in of_member


async def test_home_says_no_more_of_it_once_the_app_is_installed_again(acting: Acting) -> None:
    stage = await acting(creating(ASK))
    await stage.bench.change_install(lacks=["im:write"])
    await home_of(stage, INES, LACKING)

    await stage.bench.change_install()
    await stage.say(INES, ASK)

    async def is_mended() -> bool:
        await stage.bench.open_home(INES)
        return LACKING not in whole_text(await stage.bench.home(INES) or {})

    await stage.bench.until(is_mended)


@pytest.mark.parametrize("in_thread", [True, False])
async def test_a_plain_yes_that_may_not_be_judged_is_told_to_press_and_why(
    acting: Acting, in_thread: bool
) -> None:
    stage = await acting(creating(ASK))
    root = await stage.say(SARA_L, ASK)
    card = await offer(stage, SARA_L, root)
    await stage.bench.change_install(lacks=["channels:history"])

    await stage.say(SARA_L, "yes, create it", thread=root if in_thread else None)

    async def is_told() -> bool:
        return any("I'm not allowed to read" in one for one in await stage.whispers(SARA_L))

    await stage.bench.until(is_told)
    await stage.settled()
    assert await stage.creates_sent() == 0
    assert [one["state"] for one in await stage.proposals()] == ["open"]
    await stage.press(SARA_L, card, "Create task")
    await stage.reply_with(SARA_L, root, "Created “")


async def test_a_question_that_may_not_go_on_in_direct_messages_is_told_where_it_was_typed(
    acting: Acting,
) -> None:
    stage = await acting(creating(ASK))
    await stage.bench.change_install(lacks=["im:write"])

    await stage.bench.command(OPS, SARA_L, "/claw", "ask make the task")

    async def is_told() -> bool:
        shown = await stage.whispers(SARA_L)
        return any("I'm not allowed to begin direct messages" in one for one in shown)

    await stage.bench.until(is_told)
    await stage.settled()
    assert await stage.proposals() == []


async def test_the_model_is_told_what_the_person_may_not_but_an_admin_may(
    bench: Bench, agency: Database
) -> None:
    told: list[str] = []

    async def answer(_: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        told.append(info.instructions or "")
        return ModelResponse(parts=[TextPart("An admin can.")])

    async with minded(bench, agency, ScriptedModel(answer)) as stage:
        for who in (MIGUEL, INES):
            await stage.reply(who, await stage.say(who, "change a brand for me"))

    members, admins = told
    title = TOOLS["update_brand"].title.lower()
    assert title in members
    assert title not in admins
