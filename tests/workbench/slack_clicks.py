"""A card with two buttons, and an app that remembers what was done to it."""

import re
from typing import Any

from slack_app import Heard, button, echo_app, section
from slack_bolt.async_app import AsyncApp

from workbench.fixture import Bench

CARD = [
    section("Create a task?"),
    {
        "type": "actions",
        "block_id": "proposal",
        "elements": [
            button("Create task", action_id="create", value="p1:1", style="primary"),
            button("Cancel", action_id="cancel", value="p1:1"),
        ],
    },
]


ANY_CLICK = re.compile("create|cancel|confirm|go|pick")
NO_CLICK = re.compile("(?!)")


def clicked(
    bench: Bench, payloads: list[dict[str, Any]], takes: re.Pattern[str] = ANY_CLICK
) -> AsyncApp:
    """Remembers everything, and takes the clicks that are not the test's own."""
    app = echo_app(bench, Heard())

    @app.middleware
    async def remember(body, next) -> None:
        payloads.append(body)
        await next()

    @app.action(takes)
    async def take(ack) -> None:
        await ack()

    @app.view({"type": "view_closed", "callback_id": "form"})
    async def closed(ack) -> None:
        await ack()

    return app
