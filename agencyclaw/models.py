"""Which language models a process uses: those that settings name, or a script that plays one."""

from __future__ import annotations

from pathlib import Path

from yaml import YAMLError

from agencyclaw.agents.main import Models
from agencyclaw.agents.model_call import require_model
from agencyclaw.agents.script import Script, load_script, play, script_hash, tour
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.settings import SCRIPTED, Settings


def choose_models(settings: Settings) -> tuple[Models, str]:
    """Return the models and the label for every run; without a key, the tour's script."""
    name, _, path = settings.model.partition(":")
    if name == SCRIPTED:
        script = _read_script(Path(path)) if path else tour()
        return Models(play(script)), f"script:{script.name}:{script_hash(script)}"
    for variable, model in settings.models.items():
        # Refused at the start is what would otherwise fail at every message.
        require_model(model, variable=variable)
    models = Models(
        settings.model,
        fast=settings.agencyclaw_model_fast or None,
        frontier=settings.agencyclaw_model_frontier or None,
        judge=settings.agencyclaw_model_fast or settings.model,
    )
    return models, settings.model


def _read_script(path: Path) -> Script:
    try:
        return load_script(path)
    except (OSError, ValueError, YAMLError) as error:
        raise Misconfigured(
            f"AGENCYCLAW_MODEL names a script that can't be read: {error}"
        ) from None
