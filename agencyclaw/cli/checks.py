"""Checks that ClickUp and the models accept our settings: for the start, `/readyz` and `doctor`."""

from __future__ import annotations

from agencyclaw.agents.model_call import call_model
from agencyclaw.domain.errors import Misconfigured, Refused
from agencyclaw.domain.text import counted
from agencyclaw.settings import Settings
from agencyclaw.task_board import clickup_client, clickup_reader


async def check_models(settings: Settings) -> None:
    """Ask every configured model for one word; raises Misconfigured or Unavailable."""
    for model, variable in {model: name for name, model in settings.models.items()}.items():
        await call_model(model, variable=variable)


async def check_clickup(settings: Settings) -> str:
    """Return who we are in our workspace of ClickUp; raises Misconfigured or Unavailable."""
    settings.require_clickup()
    client = clickup_client(settings)
    reader = clickup_reader(settings, client)
    remedy = ""
    try:
        me = await reader.whoami()
        remedy = (
            f" CLICKUP_TEAM_ID is {settings.clickup_team_id}: set it to the id of the workspace"
            " that CLICKUP_API_TOKEN belongs to."
        )
        spaces = await reader.spaces()
    except (Misconfigured, Refused) as error:
        raise Misconfigured(f"{error}{remedy}") from error
    finally:
        await client.aclose()
    return f"signed in as {me.name or me.id}, {counted(len(spaces), 'space')} visible"
