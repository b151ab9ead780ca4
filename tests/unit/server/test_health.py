"""What the log says of a neighbour that can't be used."""

from __future__ import annotations

from typing import Any

from agencyclaw.domain.errors import AgencyClawError, Misconfigured, Unavailable
from agencyclaw.server.health import Neighbour

REFUSED = Misconfigured("Set CLICKUP_API_TOKEN to a valid one.")
AWAY = Unavailable("ClickUp is not answering right now.")


async def told(log: list[dict[str, Any]], *answers: AgencyClawError | None) -> list[str]:
    """What is logged while a neighbour answers so, one answer a question."""
    given = iter(answers)

    async def ask() -> None:
        if error := next(given):
            raise error

    clickup = Neighbour("ClickUp", ask, good_s=-1, bad_s=-1)
    for error in answers:
        assert await clickup.is_usable(300) is (error is None)
    assert {line["level"] for line in log} <= {"warning"}
    return [line["message"] for line in log]


async def test_a_neighbour_that_can_not_be_used_is_said_with_the_remedy(
    log: list[dict[str, Any]],
) -> None:
    assert await told(log, REFUSED) == [f"ClickUp is not usable: {REFUSED}"]


async def test_one_trouble_is_one_line_and_a_new_one_or_one_that_comes_back_is_another(
    log: list[dict[str, Any]],
) -> None:
    assert await told(log, None, REFUSED, REFUSED, AWAY, None, AWAY, AWAY) == [
        f"ClickUp is not usable: {REFUSED}",
        f"ClickUp is not usable: {AWAY}",
        f"ClickUp is not usable: {AWAY}",
    ]


async def test_the_line_holds_no_secret(log: list[dict[str, Any]]) -> None:
    [line] = await told(log, Misconfigured("pk_12345678_ABCDEFGHIJKLMNOPQRSTUVWXYZ012345 fails"))
    assert line == "ClickUp is not usable: [removed: looks like a secret] fails"


async def test_a_question_that_broke_leaves_a_neighbour_unusable_until_it_answers() -> None:
    answers = iter((RuntimeError("a bug"), None))

    async def ask() -> None:
        if error := next(answers):
            raise error

    clickup = Neighbour("ClickUp", ask, good_s=-1, bad_s=-1)

    assert await clickup.is_usable(300) is False
    assert await clickup.is_usable(300) is True
