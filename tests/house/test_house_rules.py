"""The project's rules, checked against the source."""

from __future__ import annotations

import ast
import json
import re
import statistics
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "agencyclaw"
WORKBENCH = ROOT / "workbench"
SOURCES = sorted([*PACKAGE.rglob("*.py"), *WORKBENCH.rglob("*.py")])
BANNED_NAMES = {"utils", "util", "helpers", "helper", "manager", "common", "misc", "base", "core"}
# Where everything must be caught: a job must not die of it, an answer or report not be lost.
CATCH_ALL = {
    "conversation/queue.py",
    "conversation/running.py",
    "conversation/firings.py",
    "conversation/turn.py",
    "conversation/watching.py",
    "proposals/execute.py",
    "cli/doctor.py",
    "agents/policies/journal.py",
    "agents/policies/run_policies.py",
    "agents/research.py",
    "slack",
    "tools/gate.py",
    "workbench",
}


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(tree(path)))


def functions() -> Iterator[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for path in SOURCES:
        for node in nodes(path):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield path, node


def place(path: Path, node: ast.AST) -> str:
    return f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 0)}"


def size(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def test_functions_are_small() -> None:
    sizes = sorted(size(node) for _, node in functions())
    long = [place(path, node) for path, node in functions() if size(node) > 60]

    assert not long
    assert statistics.median(sizes) <= 9
    assert sizes[int(len(sizes) * 0.9)] <= 30


def test_files_are_small() -> None:
    sizes = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}

    long = [str(path) for path, lines in sizes.items() if lines > 400]
    assert not long, f"over 400 lines: split {long} by subject"
    assert statistics.median(sizes.values()) <= 120


def test_every_function_says_what_it_returns() -> None:
    silent = [place(path, node) for path, node in functions() if node.returns is None]

    assert not silent


def test_every_module_says_what_it_is() -> None:
    silent = [str(path) for path in SOURCES if not ast.get_docstring(tree(path))]

    assert not silent


def test_names_mean_something() -> None:
    bad = [str(path) for path in SOURCES if path.stem in BANNED_NAMES]

    assert not bad


def test_no_two_files_of_tests_have_one_name() -> None:
    """Pytest imports them by their names alone, and would collect none."""
    paths: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        paths.setdefault(path.name, []).append(str(path.relative_to(ROOT)))

    assert [alike for alike in paths.values() if len(alike) > 1] == []


def test_everything_is_caught_only_where_it_must_be() -> None:
    found = [
        place(path, node)
        for path in SOURCES
        for node in nodes(path)
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or getattr(node.type, "id", "") in {"Exception", "BaseException"})
        and not any(
            str(path.relative_to(ROOT)).removeprefix("agencyclaw/").startswith(place)
            for place in CATCH_ALL
        )
    ]

    assert not found


def test_no_error_is_swallowed_by_a_gathering() -> None:
    found = [
        place(path, node)
        for path in SOURCES
        for node in nodes(path)
        if isinstance(node, ast.keyword) and node.arg == "return_exceptions"
    ]

    assert not found, "catch the errors that may pass by name; wait for cancelled tasks with `wait`"


def test_what_is_pure_waits_for_nothing() -> None:
    found = [
        place(path, node)
        for path in SOURCES
        if path.relative_to(PACKAGE.parent).parts[1] in ("domain", "knowledge")
        for node in nodes(path)
        if isinstance(node, ast.AsyncFunctionDef | ast.Await)
    ]

    assert not found


def test_a_line_of_the_log_names_only_values_that_it_is_given() -> None:
    found = [
        place(path, node)
        for path in SOURCES
        for node in nodes(path)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).startswith("logfire.")
        and node.args
        and isinstance(template := node.args[0], ast.Constant)
        and not set(re.findall(r"{(\w+)}", str(template.value)))
        <= {keyword.arg for keyword in node.keywords}
    ]

    assert not found


def test_no_sql_is_built_from_pieces() -> None:
    verb = re.compile(r"\b(select|insert|update|delete)\b.*\b(from|into|set|where)\b", re.I | re.S)
    found = [
        place(path, node)
        for path in (PACKAGE / "store").rglob("*.py")
        for node in nodes(path)
        if isinstance(node, ast.JoinedStr) and verb.search(ast.unparse(node))
    ]

    assert not found


# What these tell is good for nothing but how long something took ...
STOPWATCHES = {
    *("perf_counter", "perf_counter_ns", "process_time", "process_time_ns"),
    *("getrusage", "timeit", "default_timer"),
}
# ... and these are, where one reading is taken from another. A loop of the test's own is no clock.
CLOCKS = re.compile(r"((time\.)?(monotonic|time|thread_time)(_ns)?|.*loop(\(\))?\.time)\(\)")
# They play for long and report figures; nothing of theirs is asserted.
PLAYERS = {"adversary", "chaos", "schedules", "soak"}


def times_something(node: ast.AST) -> bool:
    """Whether this reads a stop watch, or takes one reading of a clock from another."""
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name) | ast.alias(name=name):
            return name in STOPWATCHES
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            return any(CLOCKS.fullmatch(ast.unparse(side)) for side in (left, right))
        case _:
            return False


@pytest.mark.parametrize(
    "code",
    [
        "time.perf_counter()",
        "from time import perf_counter as now",
        "import timeit",
        "resource.getrusage(0)",
        "assert time.monotonic() - began < 2",
        "took = time.time() - began",
        "asyncio.get_running_loop().time() - began",
        "loop.time() - began",
        "time.monotonic_ns() - began",
    ],
)
def test_what_times_is_noticed(code: str) -> None:
    assert any(times_something(node) for node in ast.walk(ast.parse(code)))


@pytest.mark.parametrize(
    "code", ["ends = time.monotonic() + PATIENCE", "f(times=3)", "day.time() - began", "now - day"]
)
def test_what_does_not_time_is_let_be(code: str) -> None:
    assert not any(times_something(node) for node in ast.walk(ast.parse(code)))


def test_no_test_times_anything() -> None:
    tests = ROOT / "tests"
    timed = [
        place(path, node)
        for path in sorted(tests.rglob("*.py"))
        if path.relative_to(tests).parts[0] not in PLAYERS or path.name.startswith("test_")
        for node in nodes(path)
        if times_something(node)
    ]

    assert not timed, "how fast it is belongs into benchmarks/"


def test_the_environment_is_read_in_one_place() -> None:
    allowed = {"settings.py", "demo.py", "doctor.py"}
    found = [
        place(path, node)
        for path in SOURCES
        if path.name not in allowed and "workbench" not in path.parts
        for node in nodes(path)
        if isinstance(node, ast.Attribute) and ast.unparse(node) in {"os.environ", "os.getenv"}
    ]

    assert not found


def test_every_setting_is_documented() -> None:
    from agencyclaw.settings import Settings

    documented = set(
        re.findall(r"^([A-Z0-9_]+)=", (ROOT / ".env.example").read_text(encoding="utf-8"), re.M)
    )
    missing = {name.upper() for name in Settings.model_fields} - documented

    assert not missing


def test_no_file_names_a_host_it_was_downloaded_from() -> None:
    for name in (
        "requirements.txt",
        "requirements-dev.txt",
        "requirements-uv.txt",
        "requirements-sandbox.txt",
    ):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert "://" not in text
        assert "--index-url" not in text


@pytest.mark.parametrize("name", ["README.md", "docs/flow.md", "docs/add-a-tool.md"])
def test_every_path_a_document_names_exists(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    rooms = r"(?:slack|lanes|agents|tools|effects|knowledge|clickup|store|domain|deps)"
    named = re.findall(rf"`(?:agencyclaw/)?({rooms}/[\w/.-]+\.(?:py|md|yaml|json))`", text)

    assert not [path for path in named if not (PACKAGE / path).exists()]


def test_the_manifest_is_json() -> None:
    manifests = [*ROOT.glob("slack-manifest.json"), *PACKAGE.rglob("manifest.json")]

    assert manifests
    json.loads(manifests[0].read_text(encoding="utf-8"))
