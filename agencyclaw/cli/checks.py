"""Checks that ClickUp and the models accept our settings: for the start, `/readyz` and `doctor`."""

from __future__ import annotations

from agencyclaw.agents.model_call import call_model
from agencyclaw.domain.errors import Misconfigured, Refused
from agencyclaw.domain.text import counted
from agencyclaw.settings import Settings
from agencyclaw.task_board import open_clickup


async def check_models(settings: Settings) -> str:
    """Ask every configured model for one word, and return how each answered; raises as one does."""
    variables = {model: name for name, model in settings.models.items()}
    return "; ".join([await check_model(model, name) for model, name in variables.items()])


async def check_model(model: str, variable: str = "AGENCYCLAW_MODEL") -> str:
    """Return what an answer of this model took; raises Misconfigured or Unavailable."""
    called = await call_model(model, variable=variable)
    price = "price unknown" if called.cost_usd is None else f"{called.cost_usd:.6f} USD"
    tokens = f"{called.prompt_tokens} tokens in, {called.completion_tokens} out"
    return f"{model} answered ({tokens}, {price})"


async def check_clickup(settings: Settings) -> str:
    """Return who we are in our workspace of ClickUp; raises Misconfigured or Unavailable."""
    settings.require_clickup()
    remedy = ""
    try:
        async with open_clickup(settings) as reader:
            me = await reader.whoami()
            remedy = (
                f" CLICKUP_TEAM_ID is {settings.clickup_team_id}: set it to the id of the workspace"
                " that CLICKUP_API_TOKEN belongs to."
            )
            spaces = await reader.spaces()
    except (Misconfigured, Refused) as error:
        raise Misconfigured(f"{error}{remedy}") from error
    return f"signed in as {me.name or me.id}, {counted(len(spaces), 'space')} visible"
