"""Chooses a process's language models: from settings, or a script that plays one."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from pathlib import Path

from pydantic_ai import Embedder
from pydantic_ai.embeddings import EmbeddingResult, infer_embedding_model
from pydantic_ai.exceptions import AgentRunError, UserError
from yaml import YAMLError

from agencyclaw.agents.main import Models
from agencyclaw.agents.model_call import fault_of, require_model
from agencyclaw.agents.script import play
from agencyclaw.agents.script_file import Script, load_script, script_hash, tour
from agencyclaw.domain.errors import Misconfigured, Unavailable
from agencyclaw.settings import Settings
from agencyclaw.store.engine import Database
from agencyclaw.store.meanings import Meanings

_EMBEDDING = "AGENCYCLAW_EMBEDDING_MODEL"
# What providers' clients raise for an answer of another form than theirs.
_ODD_ANSWER = (AttributeError, TypeError, ValueError)


def choose_models(settings: Settings) -> tuple[Models, str]:
    """Return the models and the label for every run; without a key, the tour's script."""
    if not settings.models:
        path = settings.model.partition(":")[2]
        script = _read_script(Path(path)) if path else tour()
        pace_s = settings.agencyclaw_script_pace_s
        return Models(play(script, pace_s=pace_s)), f"script:{script.name}:{script_hash(script)}"
    for variable, model in settings.models.items():
        # Fail at the start instead of at every message.
        require_model(model, variable=variable)
    models = Models(
        settings.model,
        fast=settings.agencyclaw_model_fast or None,
        frontier=settings.agencyclaw_model_frontier or None,
        judge=settings.agencyclaw_model_fast or settings.model,
    )
    return models, settings.model


class EmbeddingModel:
    """A provider's embedding model; failures raise Unavailable."""

    def __init__(self, embedder: Embedder, name: str) -> None:
        self._embedder = embedder
        self.name = name

    async def of_query(self, text: str) -> Sequence[float]:
        """Return the vector of a question."""
        [vector] = await self._asked(self._embedder.embed_query(text))
        return vector

    async def of_documents(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return the vector of each text."""
        return await self._asked(self._embedder.embed_documents(texts))

    async def _asked(self, asking: Awaitable[EmbeddingResult]) -> Sequence[Sequence[float]]:
        try:
            result = await asking
        except (AgentRunError, UserError, *_ODD_ANSWER) as error:
            raise fault_of(error, self.name, variable=_EMBEDDING) from error
        if len(result.embeddings) != len(result.inputs) or not all(result.embeddings):
            raise Unavailable(f"{self.name} did not return a vector for each text.")
        return result.embeddings


def choose_meanings(settings: Settings, db: Database) -> Meanings | None:
    """Return the search by meaning, None without a model for it; raises Misconfigured."""
    name = settings.embedding_model
    if not name:
        return None
    try:
        embedder = Embedder(infer_embedding_model(name))
    except (UserError, ImportError, ValueError) as error:
        raise fault_of(UserError(str(error)), name, variable=_EMBEDDING) from None
    return Meanings(db, EmbeddingModel(embedder, name))


def _read_script(path: Path) -> Script:
    try:
        return load_script(path)
    except (OSError, ValueError, YAMLError) as error:
        raise Misconfigured(
            f"AGENCYCLAW_MODEL names a script that can't be read: {error}"
        ) from None
