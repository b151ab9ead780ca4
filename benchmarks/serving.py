"""The assistant on a workbench, in its own process, with a model that streams."""

from __future__ import annotations

import asyncio
import sys

from agencyclaw import app
from agencyclaw.agents.main import Models
from agencyclaw.cli import eventloop
from agencyclaw.settings import Settings
from agencyclaw.slack.limits import Pace
from agencyclaw.store.engine import Database
from agencyclaw.telemetry.tracing import configure_tracing
from benchmarks.instant import Kind, model_of


class Unlimited(Pace):
    """Slack takes everything at once, so what is measured is what we do."""

    def has_capacity(self, method: str) -> bool:
        """Return that there is room."""
        del method
        return True

    async def acquire(self, method: str, channel: str = "") -> None:
        """Let a call through."""
        del method, channel


async def serve(url: str, dsn: str, kind: Kind, pause_s: float, *, limited: bool) -> None:
    """Serve until standard input ends.

    The model pauses this many seconds after each word. Calls keep to Slack's limits if `limited`.
    """
    settings = Settings(
        slack_bot_token="xoxb-workbench",
        slack_app_token="xapp-workbench",
        slack_api_url=f"{url}/api/",
        clickup_api_token="pk_workbench",
        clickup_api_url=f"{url}/clickup/api/v2",
        clickup_team_id="90100400001",
        clickup_rate_limit_per_minute=10_000,
        agencyclaw_messages_per_minute=1_000_000,
    )
    configure_tracing(settings, quiet=True)
    models = Models(model_of(kind, pause_s))

    def choose(_: Settings) -> tuple[Models, str]:
        return models, "instant"

    app.choose_models = choose
    db = await Database.open(dsn)
    async with app.assistant(settings, db) as running:
        if not limited:
            running.edge.status.web.pace = Unlimited()
        eventloop.freeze_loaded_objects()
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.read)
    await db.close()


if __name__ == "__main__":
    url, dsn, kind, pause, limits = sys.argv[1:]
    eventloop.run(serve(url, dsn, Kind(kind), float(pause), limited=limits == "limited"))
