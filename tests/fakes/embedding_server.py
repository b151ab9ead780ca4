"""An embedding model's service on the wire: OpenAI's protocol, and concepts instead of a model."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web


@dataclass
class EmbeddingServer:
    """Embeds a text by which of the concepts it speaks of: each is a set of words for one thing.

    With a status above 399 it refuses; stalled, it never answers; `odd` is an answer of another
    form; a text that contains `refuses` is refused alone. `asked` keeps every request.
    """

    concepts: Sequence[Sequence[str]]
    status: int = 200
    is_stalled: bool = False
    odd: str = ""
    refuses: str = ""
    asked: list[list[str]] = field(default_factory=list[list[str]])
    _ended: asyncio.Event = field(default_factory=asyncio.Event)

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[str]:
        """Serve on a free port; gives what belongs into OPENAI_BASE_URL."""
        app = web.Application(client_max_size=16 * 2**20)
        app.router.add_post("/v1/embeddings", self._serve)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.5)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        try:
            yield f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        finally:
            self._ended.set()
            await runner.cleanup()

    async def _serve(self, request: web.Request) -> web.Response:
        body: dict[str, Any] = await request.json()
        texts = [body["input"]] if isinstance(body["input"], str) else list(body["input"])
        self.asked.append(texts)
        if self.is_stalled:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._ended.wait(), 30)
        refused = 400 if self.refuses and self.refuses in "\n".join(texts) else self.status
        if refused > 399:
            reply = web.json_response({"error": {"message": "no"}}, status=refused)
        elif self.odd:
            kind = "application/json" if self.odd.startswith(("{", "[")) else "text/html"
            reply = web.Response(text=self.odd, content_type=kind)
        else:
            data = [
                {"object": "embedding", "index": at, "embedding": self._vector(text)}
                for at, text in enumerate(texts)
            ]
            usage = {"prompt_tokens": 1, "total_tokens": 1}
            reply = web.json_response(
                {"object": "list", "data": data, "model": body["model"], "usage": usage}
            )
        reply.force_close()  # the client's pool lives as long as the process
        return reply

    def _vector(self, text: str) -> list[float]:
        said = text.lower()
        return [0.1, *(float(sum(said.count(word) for word in one)) for one in self.concepts)]
