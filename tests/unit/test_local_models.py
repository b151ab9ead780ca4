"""Models on this machine: found by asking the usual ports, and only offered."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from socket import create_server, socket
from threading import Thread
from time import sleep

import pytest

from agencyclaw.cli.demo_hints import page_hints
from agencyclaw.cli.local_models import LocalModels, find_local_models
from agencyclaw.settings import SCRIPTED
from agencyclaw.store.demo_agency import agency_rows


@contextmanager
def served(status: int, body: str, location: str = "") -> Generator[int]:
    """A server on this machine that answers everything alike; yields its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            if location:
                self.send_header("Location", location)
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextmanager
def dripping() -> Generator[int]:
    """A server that goes on as long as anybody listens, and would list a model in the end."""
    body = listing("llama").encode()

    def drip(listener: socket) -> None:
        with listener.accept()[0] as heard, suppress(OSError):
            length = len(body) + 40
            heard.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % length)
            for _ in range(40):
                heard.sendall(b" ")
                sleep(0.1)
            heard.sendall(body)

    with create_server(("127.0.0.1", 0)) as listener:
        thread = Thread(target=drip, args=(listener,))
        thread.start()
        yield listener.getsockname()[1]
        thread.join()


def listing(*names: str) -> str:
    return json.dumps({"object": "list", "data": [{"id": name} for name in names]})


def test_a_server_that_lists_models_is_offered_with_the_command_that_uses_it() -> None:
    with served(200, listing("llama3.2:3b", "a", "b", "c")) as port:
        [found] = find_local_models({port: "Ollama", 1: "nobody"})

    assert found.offer == (
        "Ollama listens on this machine with the models llama3.2:3b, a, b and 1 more."
    )
    assert found.command == (
        f"OPENAI_BASE_URL=http://127.0.0.1:{port}/v1 OPENAI_API_KEY=none "
        "AGENCYCLAW_MODEL=openai-chat:llama3.2:3b make demo"
    )


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (200, "<html>a web site</html>"),
        (200, "[]"),
        (200, '{"data": [1]}'),
        (200, '{"data": {"id": "x"}}'),
        (200, listing()),
        (200, listing("x; rm -rf ~", "$(id)", "two\nlines")),
        (200, listing("http://elsewhere.example/x", "@here")),
        (200, "[" * 50_000),
        (404, listing("llama")),
    ],
)
def test_what_lists_no_models_is_not_offered(status: int, body: str) -> None:
    with served(status, body) as port:
        assert find_local_models({port: "llama.cpp"}) == []


def test_a_model_that_the_server_calls_one_for_embeddings_is_not_offered() -> None:
    body = {"data": [{"id": "nomic", "type": "embeddings"}, {"id": "llama3", "type": "llm"}]}
    with served(200, json.dumps(body)) as port:
        [found] = find_local_models({port: "LM Studio"})

    assert found.names == ("llama3",)


def test_an_answer_that_comes_byte_by_byte_is_not_waited_for() -> None:
    with dripping() as port:
        assert find_local_models({port: "llama.cpp"}) == []


def test_nothing_leads_to_another_machine() -> None:
    with served(200, listing("llama")) as other:
        elsewhere = f"http://127.0.0.1:{other}/v1/models"
        with served(302, "", location=elsewhere) as port:
            assert find_local_models({port: "Ollama"}) == []


def test_the_page_says_which_model_answers_and_what_else_there_is() -> None:
    local = [LocalModels("Ollama", 11434, ("llama3.2",))]
    scripted, real = page_hints(SCRIPTED, local), page_hints("openai-chat:gpt-5-mini", [])

    assert real == {"notice": "The language model openai-chat:gpt-5-mini answers here."}
    assert scripted["notice"].startswith("No language model is connected: a script answers")
    assert "Ollama listens on this machine with the model llama3.2." in scripted["notice"]
    assert set(scripted["tour"]) < set(scripted["known"])
    assert scripted["models"]["found"] == [
        {"label": "llama3.2 of Ollama", "model": "openai-chat:llama3.2"}
    ]


def test_an_agency_of_ones_own_is_offered_no_sentence_about_the_tours() -> None:
    hints = page_hints(SCRIPTED, [], is_own=True)
    clients = [str(one["name"]) for one in agency_rows()["agency_clients"]]
    brands = [str(one["name"]) for one in agency_rows()["brands"]]

    offered = [*hints["tour"], *hints["admins"]]
    assert "what can you do" in offered
    words = {name.split()[0] for name in (*clients, *brands, "Copperleaf")}
    assert not [one for one in offered for word in words if word in one]
