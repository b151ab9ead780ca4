"""The benchmarks import what there is; their peers are not installed where tests run."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest
from databases import Cluster

from agencyclaw.store.engine import Database
from benchmarks import turn
from benchmarks.conversation import CONVERSATION
from benchmarks.server import BenchmarkServer
from benchmarks.tools import build_deps, offers

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
OF_OURS = ("agencyclaw", "agencyclaw_exporting", "pydantic_ai_bare")
OURS = ("agencyclaw.", "evals.", "workbench.")


def imported(path: Path) -> list[tuple[str, str]]:
    """Return the names that a file imports from our packages, each with its module."""
    return [
        (node.module, alias.name)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(OURS)
        for alias in node.names
    ]


def is_there(module: str, name: str) -> bool:
    try:
        importlib.import_module(f"{module}.{name}")
    except ModuleNotFoundError:
        return hasattr(importlib.import_module(module), name)
    return True


@pytest.mark.parametrize("path", sorted(BENCHMARKS.rglob("*.py")), ids=lambda path: path.stem)
def test_what_a_benchmark_imports_of_ours_exists(path: Path) -> None:
    assert [one for one in imported(path) if not is_there(*one)] == []


async def test_what_needs_no_peer_answers_a_conversation_in_a_process_of_its_own(
    cluster: Cluster,
) -> None:
    here = [one for one in turn.entrants() if one.name in OF_OURS]
    own, exporting, bare = await turn.measure(
        BenchmarkServer(cluster, None), turn.Size(rounds=1, sessions=1, crowd=1), here
    )
    assert own.line()["spans"] == bare.line()["spans"] == 0
    assert exporting.line()["spans"] > 5
    assert own.beside(bare)["cpu"] > 1


async def test_the_peers_tools_find_what_the_conversation_is_about(agency: Database) -> None:
    exchange = CONVERSATION[0]
    tools = {offer.name: offer.call for offer in offers(await build_deps(agency))}
    found = [await tools[name](args) for name, args in exchange.calls]
    assert exchange.brand in found[0]
    assert exchange.procedure in found[1]
