"""LangGraph's ready-made agent with its Postgres checkpointer, in its default durability."""

from __future__ import annotations

import warnings
from typing import Any
from uuid import uuid4

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun, CallbackManagerForLLMRun
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.prebuilt import create_react_agent
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

from agencyclaw.agents.prompts import load_prompt
from agencyclaw.store.engine import Database
from benchmarks.conversation import exchange_for
from benchmarks.tools import Offer, build_deps, offers


class InstantChat(BaseChatModel):
    """Answers at once, from the conversation's plan."""

    @property
    def _llm_type(self) -> str:
        return "instant"

    def bind_tools(self, tools: Any, **_: Any) -> InstantChat:
        """The plan knows its tools."""
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=_respond(messages))])

    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=_respond(messages))])


def _respond(messages: list[BaseMessage]) -> AIMessage:
    said = next(m.content for m in reversed(messages) if isinstance(m, HumanMessage))
    exchange = exchange_for(str(said))
    if isinstance(messages[-1], ToolMessage):
        return AIMessage(exchange.answer)
    calls = [{"name": n, "args": a, "id": f"call_{uuid4().hex}"} for n, a in exchange.calls]
    return AIMessage("", tool_calls=calls)


class LangGraphPostgres:
    """A compiled graph and a checkpointer on a pool of its own."""

    def __init__(self, db: Database, pool: Any, graph: Any) -> None:
        self._db = db
        self._pool = pool
        self._graph = graph

    @classmethod
    async def open(cls, dsn: str) -> LangGraphPostgres:
        """Make the checkpointer's tables and compile the graph."""
        db = await Database.open(dsn)
        pool = AsyncConnectionPool(
            dsn,
            min_size=2,
            max_size=8,
            open=False,
            kwargs={"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row},
        )
        await pool.open()
        saver = AsyncPostgresSaver(pool)
        await saver.setup()
        tools = [_tool(offer) for offer in offers(await build_deps(db))]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            graph = create_react_agent(
                InstantChat(), tools, prompt=load_prompt("main").text, checkpointer=saver
            )
        return cls(db, pool, graph)

    def exported(self) -> int:
        """Nothing is traced."""
        return 0

    async def start(self) -> None:
        """Nothing runs between turns."""

    async def turn(self, session: str, said: str) -> None:
        """Answer one message."""
        await self._graph.ainvoke({"messages": [HumanMessage(said)]}, _config(session))

    async def rest(self) -> None:
        """Nothing is left to do after a turn."""

    async def answers(self, session: str) -> list[str]:
        """Return what was answered in a session, read from the checkpoint."""
        state = await self._graph.aget_state(_config(session))
        messages = state.values["messages"]
        return [m.content for m in messages if isinstance(m, AIMessage) and m.content]

    async def stop(self) -> None:
        """Nothing runs between turns."""

    async def close(self) -> None:
        """Close both pools."""
        await self._pool.close()
        await self._db.close()


def _config(session: str) -> dict[str, Any]:
    return {"configurable": {"thread_id": session}}


def _tool(offer: Offer) -> StructuredTool:
    async def call(**args: Any) -> str:
        return await offer.call(args)

    return StructuredTool.from_function(
        coroutine=call, name=offer.name, description=offer.description, args_schema=offer.schema
    )
