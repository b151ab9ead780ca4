"""What the demo's page shows above the conversation, and what it offers there."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from agencyclaw.cli.demo_processes import OwnAgency, SetupProcess
from agencyclaw.cli.local_models import LocalModels
from agencyclaw.domain.text import counted
from agencyclaw.settings import SCRIPTED

_SCRIPT_NOTICE = (
    "No language model is connected: a script answers, and knows only the sentences of the tour. "
    "Everything else here is real."
)
OWN_NOTICE = "This is the agency that you set up."


def page_hints(
    model: str, local: Sequence[LocalModels], *, remark: str = "", is_own: bool = False
) -> dict[str, Any]:
    """Return what the page says of the model, and the sentences and models that it offers.

    In one's own agency, only sentences that name nothing of the tour's.
    """
    if model != SCRIPTED:
        return {"notice": f"{remark} The language model {model} answers here.".strip()}
    from agencyclaw.agents.script_file import tour

    script = tour()
    found = [{"label": f"{one.names[0]} of {one.server}", "model": one.model} for one in local]
    offers = [models.offer for models in local]
    return {
        "notice": " ".join(filter(None, (remark, _SCRIPT_NOTICE, *offers))),
        "tour": [turn.say[0] for turn in script.turns if turn.anywhere or not is_own],
        "admins": [turn.say[0] for turn in script.admins if turn.anywhere or not is_own],
        "known": [line for turn in script.known for line in turn.say],
        "models": {"found": found, "takes_key": True},
    }


def clock_hints(ahead: timedelta) -> dict[str, Any]:
    """Return how far the clock of what comes by itself is ahead, and how far it can be moved."""
    steps = {"An hour later": timedelta(hours=1), "A day later": timedelta(days=1)}
    if ahead:
        steps["Back to now"] = -ahead
    return {
        "clock": {
            "shows": f"What comes by itself is {_spoken(ahead)} ahead." if ahead else "",
            "steps": [
                {"label": label, "ahead": str(int((ahead + step).total_seconds()))}
                for label, step in steps.items()
            ],
        }
    }


def _spoken(ahead: timedelta) -> str:
    numbers = {"day": ahead.days, "hour": ahead.seconds // 3_600}
    return " and ".join(counted(number, noun) for noun, number in numbers.items() if number)


def agency_hints(own: OwnAgency, setup: SetupProcess | None, *, is_own: bool) -> dict[str, Any]:
    """Return which agency is worked for, and where the page of setup is while it runs."""
    return {
        "agency": {
            "shown": "own" if is_own else "tour",
            "has_own": own.is_set_up,
            "setup": (setup.address or "starting") if setup else "",
        }
    }
