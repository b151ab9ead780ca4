"""openai-agents with its SQLAlchemy session on asyncpg; its tracing, which phones home, is off."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any, cast
from uuid import uuid4

import asyncpg
from agents import Agent, FunctionTool, Runner, set_tracing_disabled
from agents.extensions.memory import SQLAlchemySession
from agents.items import ModelResponse
from agents.models.interface import Model
from agents.usage import Usage
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from agencyclaw.agents.prompts import load_prompt
from agencyclaw.store.engine import Database
from benchmarks.conversation import exchange_for
from benchmarks.tools import Offer, build_deps, offers


class InstantModel(Model):
    """Answers at once, from the conversation's plan."""

    async def get_response(self, *args: Any, **kwargs: Any) -> ModelResponse:
        """Return the calls first, the answer once their results are there."""
        items = cast("list[dict[str, Any]]", kwargs.get("input", args[1] if len(args) > 1 else []))
        exchange = exchange_for(next(i["content"] for i in reversed(items) if _is_said(i)))
        if items[-1].get("type") == "function_call_output":
            return ModelResponse(
                output=[_message(exchange.answer)], usage=Usage(), response_id=None
            )
        calls = [_call(name, call_args) for name, call_args in exchange.calls]
        return ModelResponse(output=list(calls), usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        """Nobody streams here."""
        raise NotImplementedError


def _is_said(item: dict[str, Any]) -> bool:
    return item.get("role") == "user"


def _message(text: str) -> ResponseOutputMessage:
    content = ResponseOutputText(text=text, type="output_text", annotations=[])
    return ResponseOutputMessage(
        id=f"msg_{uuid4().hex}",
        type="message",
        role="assistant",
        status="completed",
        content=[content],
    )


def _call(name: str, args: dict[str, Any]) -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        id=f"fc_{uuid4().hex}",
        call_id=f"call_{uuid4().hex}",
        type="function_call",
        name=name,
        arguments=json.dumps(args),
    )


class OpenAIAgents:
    """An agent and one SQLAlchemy engine."""

    def __init__(self, db: Database, engine: AsyncEngine, agent: Agent[None]) -> None:
        self._db = db
        self._engine = engine
        self._agent = agent

    @classmethod
    async def open(cls, dsn: str) -> OpenAIAgents:
        """Make the session's tables and build the agent."""
        set_tracing_disabled(True)
        db = await Database.open(dsn)
        # The engine gets its connections as the assistant does: the address names a socket folder.
        engine = create_async_engine(
            "postgresql+asyncpg://", async_creator=lambda: asyncpg.connect(dsn), pool_size=8
        )
        await _session(engine, "setup", create_tables=True).get_items()
        agent = Agent[None](
            name="agencyclaw",
            instructions=load_prompt("main").text,
            model=InstantModel(),
            tools=[_tool(offer) for offer in offers(await build_deps(db))],
        )
        return cls(db, engine, agent)

    def exported(self) -> int:
        """Nothing is traced."""
        return 0

    async def start(self) -> None:
        """Nothing runs between turns."""

    async def turn(self, session: str, said: str) -> None:
        """Answer one message."""
        await Runner.run(self._agent, said, session=_session(self._engine, session))

    async def rest(self) -> None:
        """Nothing is left to do after a turn."""

    async def answers(self, session: str) -> list[str]:
        """Return what was answered in a session, read from its table."""
        items = cast("list[dict[str, Any]]", await _session(self._engine, session).get_items())
        return [i["content"][0]["text"] for i in items if i.get("role") == "assistant"]

    async def stop(self) -> None:
        """Nothing runs between turns."""

    async def close(self) -> None:
        """Close the engine and the tools' readers."""
        await self._engine.dispose()
        await self._db.close()


def _session(
    engine: AsyncEngine, session: str, *, create_tables: bool = False
) -> SQLAlchemySession:
    """The assistant has a table called agent_messages already, so these get names of their own."""
    return SQLAlchemySession(
        session,
        engine=engine,
        create_tables=create_tables,
        sessions_table="peer_sessions",
        messages_table="peer_messages",
    )


def _tool(offer: Offer) -> FunctionTool:
    async def invoke(_: Any, arguments: str) -> str:
        return await offer.call(json.loads(arguments))

    return FunctionTool(
        name=offer.name,
        description=offer.description,
        params_json_schema=offer.schema,
        on_invoke_tool=invoke,
        strict_json_schema=False,
    )
