"""Checks that ClickUp and the models accept our settings: for the start, `/readyz` and `doctor`."""

from __future__ import annotations

from agencyclaw.agents.model_call import call_model
from agencyclaw.domain.errors import Misconfigured, NotFound, Refused
from agencyclaw.settings import Settings
from agencyclaw.task_board import clickup_client, clickup_reader


async def check_models(settings: Settings) -> None:
    """Ask every configured model for one word; raises Misconfigured or Unavailable."""
    for model, variable in {model: name for name, model in settings.models.items()}.items():
        await call_model(model, variable=variable)


async def check_clickup(settings: Settings) -> None:
    """Ask ClickUp for our workspace; raises Misconfigured or Unavailable."""
    settings.require_clickup()
    client = clickup_client(settings)
    try:
        await clickup_reader(settings, client).spaces()
    except NotFound as error:
        raise Misconfigured(
            f"{error} CLICKUP_TEAM_ID is {settings.clickup_team_id}: set it to the id of the "
            "workspace that CLICKUP_API_TOKEN belongs to."
        ) from error
    except Refused as error:
        raise Misconfigured(str(error)) from error
    finally:
        await client.aclose()
