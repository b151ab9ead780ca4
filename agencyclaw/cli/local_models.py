"""Finds language models that listen on this machine and speak OpenAI's protocol."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from socket import SHUT_RDWR
from threading import Timer

from pydantic import BaseModel

_HOST = "127.0.0.1"
_SERVERS = {11434: "Ollama", 1234: "LM Studio", 8080: "llama.cpp"}
_PATIENCE_S = 0.3
# Limits for whatever listens there, which may be anything.
_DEADLINE_S = 0.8
_LARGEST_ANSWER = 1 << 16
_SHOWN = 3
# A name becomes part of a command that people copy, and of a notice on the page: nothing in it may
# mean something to a shell, be an address, or call people.
_NAME = re.compile(r"(?!@)(?!.*://)[\w.:/@+-]{1,80}", re.ASCII)


class _ListedModel(BaseModel):
    id: str
    type: object = None


class _ModelList(BaseModel):
    """What a server answers that is asked for its models."""

    data: list[_ListedModel]


@dataclass(frozen=True)
class LocalModels:
    """The models of one server on this machine."""

    server: str
    port: int
    names: tuple[str, ...]

    @property
    def offer(self) -> str:
        """What there is, in one sentence."""
        rest = len(self.names) - _SHOWN
        names = ", ".join(self.names[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
        kind = "model" if len(self.names) == 1 else "models"
        return f"{self.server} listens on this machine with the {kind} {names}."

    @property
    def model(self) -> str:
        """The first of them, as a setting names it."""
        return f"openai-chat:{self.names[0]}"

    @property
    def environment(self) -> dict[str, str]:
        """The variables with which the first of them answers."""
        return {
            "OPENAI_BASE_URL": f"http://{_HOST}:{self.port}/v1",
            "OPENAI_API_KEY": "none",
            "AGENCYCLAW_MODEL": self.model,
        }

    @property
    def command(self) -> str:
        """The command that starts the demo on the first of them."""
        variables = " ".join(f"{name}={value}" for name, value in self.environment.items())
        return f"{variables} make demo"


def find_local_models(servers: Mapping[int, str] = _SERVERS) -> list[LocalModels]:
    """Ask the usual ports, by their servers' names; nothing is changed or switched."""
    models = [LocalModels(server, port, _names_at(port)) for port, server in servers.items()]
    return [local for local in models if local.names]


def _names_at(port: int) -> tuple[str, ...]:
    """Return the models listed there; another service of this machine may be there instead."""
    connection = HTTPConnection(_HOST, port, timeout=_PATIENCE_S)
    try:
        connection.connect()
        # The connection's timeout is for each read; this one is for all of them.
        deadline = Timer(_DEADLINE_S, connection.sock.shutdown, (SHUT_RDWR,))
        deadline.daemon = True
        deadline.start()
        try:
            connection.request("GET", "/v1/models")
            with connection.getresponse() as answer:
                text = answer.read(_LARGEST_ANSWER) if answer.status == 200 else b"{}"
        finally:
            deadline.cancel()
        listed = _ModelList.model_validate_json(text).data
        names = [model.id for model in listed if model.type != "embeddings"]
        return tuple(name for name in names if _NAME.fullmatch(name))
    except (OSError, HTTPException, ValueError):
        return ()
    finally:
        connection.close()
