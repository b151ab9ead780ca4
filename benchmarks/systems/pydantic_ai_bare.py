"""pydantic-ai alone: the loop and the tools, history in memory, nothing stored. The floor."""

from __future__ import annotations

from pydantic_ai import Agent, FunctionToolset, Tool
from pydantic_ai.messages import ModelMessage

from agencyclaw.agents.prompts import load_prompt
from agencyclaw.deps import Deps
from agencyclaw.store.engine import Database
from agencyclaw.tools.catalogue import TOOLS
from benchmarks.instant import instant_model
from benchmarks.tools import build_deps


class PydanticAIBare:
    """An agent and a dict of message lists."""

    def __init__(self, db: Database, deps: Deps) -> None:
        self._db = db
        self._deps = deps
        self._histories: dict[str, list[ModelMessage]] = {}
        self._answers: dict[str, list[str]] = {}
        toolset = FunctionToolset[Deps]([Tool[Deps](spec.function) for spec in TOOLS.values()])
        self._agent = Agent[Deps, str](
            instant_model(),
            deps_type=Deps,
            instructions=load_prompt("main").text,
            toolsets=[toolset],
        )

    @classmethod
    async def open(cls, dsn: str) -> PydanticAIBare:
        """Connect the tools' readers."""
        db = await Database.open(dsn)
        return cls(db, await build_deps(db))

    def exported(self) -> int:
        """Nothing is traced."""
        return 0

    async def start(self) -> None:
        """Nothing runs between turns."""

    async def turn(self, session: str, said: str) -> None:
        """Answer one message."""
        result = await self._agent.run(
            said, deps=self._deps, message_history=self._histories.get(session)
        )
        self._histories[session] = result.all_messages()
        self._answers.setdefault(session, []).append(result.output)

    async def rest(self) -> None:
        """Nothing is left to do after a turn."""

    async def answers(self, session: str) -> list[str]:
        """Return what was answered in a session."""
        return self._answers[session]

    async def stop(self) -> None:
        """Nothing runs between turns."""

    async def close(self) -> None:
        """Close the tools' readers."""
        await self._db.close()
