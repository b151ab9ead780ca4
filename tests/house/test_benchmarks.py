"""The benchmarks import what there is; their peers are not installed where tests run."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
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
