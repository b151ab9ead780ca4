"""Where programs of the model run: there is nothing to take, and no way to stay."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest

from agencyclaw.domain.errors import Misconfigured
from agencyclaw.sandbox.interpreter import Interpreter, ProgramLimits

# One at a time takes long; what is measured here is that they end.
BRIEF = ProgramLimits(seconds=0.2, patience_s=2.0)
INSIDE = Interpreter(limits=BRIEF)
# For what comes to its own end: a machine that is busy takes nothing away from it.
AMPLE = Interpreter(limits=ProgramLimits(seconds=60.0, patience_s=120.0))
SECRET = "hunter2-of-the-house"

OUTWARD = {
    "environ": "import os\nprint(os.environ)",
    "items of environ": "import os\nprint(dict(os.environ.items()))",
    "getenv": "import os\nprint(os.getenv('AGENCYCLAW_CANARY'))",
    "open": "print(open('/proc/self/environ').read())",
    "pathlib": "from pathlib import Path\nprint(Path('/etc/passwd').read_text())",
    "listdir": "import os\nprint(os.listdir('/'))",
    "write": "open('/tmp/owned', 'w').write('x')\nprint('written')",
    "socket": "import socket\nprint(socket.gethostname())",
    "urllib": "import urllib.request\nprint(urllib.request.urlopen('http://127.0.0.1'))",
    "subprocess": "import subprocess\nprint(subprocess.run(['id']))",
    "system": "import os\nprint(os.system('id'))",
    "ctypes": "import ctypes\nprint(ctypes)",
    "import by name": "print(__import__('os').environ)",
    "importlib": "import importlib\nprint(importlib.import_module('os'))",
    "builtins": "print(__builtins__)",
    "globals": "print(globals()['__builtins__'])",
    "subclasses": "print(().__class__.__bases__[0].__subclasses__())",
    "code object": "def f(): pass\nprint(f.__code__)",
    "function globals": "def f(): pass\nprint(f.__globals__)",
    "frames": "import sys\nprint(sys._getframe())",
    "format": "print('{0.__class__.__mro__}'.format(1))",
    "eval": "print(eval(\"__import__('os').environ\"))",
    "getattr": "print(getattr(len, '__self__'))",
}
BOMBS = {
    "a loop": "while True: pass",
    "a long sum": "print(sum(range(10**12)))",
    "a tower": "print(10**10**8)",
    "towers": "x = 9**9**9**9",
    "a shift": "x = 1 << (1 << 40)",
    "a long list": "x = [0] * 10**10",
    "a long text": "x = 'a' * 10**11",
    "a doubling list": "x = [1]\nwhile True: x = x + x",
    "a doubling text": "x = 'a'\nwhile True: x += x",
    "a growing dictionary": "d = {}\ni = 0\nwhile True:\n    d[i] = 'a' * 1000\n    i += 1",
    "deep calls": "def f(n): return f(n + 1)\nf(0)",
    "deep data": "x = []\nfor i in range(10**7): x = [x]\nprint(x)",
    "deep brackets": "x = " + "(" * 100_000,
    "deep signs": "x = " + "-" * 100_000 + "1",
    "a format": "print(f'{1:>{10**10}}')",
    "a percent format": "print('%0999999999d' % 1)",
    "an expression": "import re\nprint(re.match('(a|aa)+$', 'a' * 4000 + 'b'))\nwhile True: pass",
    "a sort": "sorted(range(10**10))",
    "printing": "while True: print('a' * 1000)",
    "a great print": "print('a' * 30_000_000)",
    "a generator": "def g():\n    while True: yield 1\nprint(sum(g()))",
    "caught": "while True:\n    try: x = [0] * 10**10\n    except Exception: x = 1",
}


@pytest.fixture(autouse=True)
def _canary(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENCYCLAW_CANARY", SECRET)


@pytest.mark.parametrize("label", OUTWARD)
async def test_nothing_of_the_outside_can_be_had(label: str) -> None:
    done = await INSIDE.run(OUTWARD[label], {})

    assert done.printed == ""
    assert done.fault
    assert SECRET not in done.fault


async def test_the_process_itself_has_an_empty_environment(tmp_path: Path) -> None:
    # In the place of the interpreter: what it would find if it were broken out of.
    spy = tmp_path / "spy"
    spy.write_text("#!/bin/sh\n/usr/bin/env; echo ended; ulimit -f; ulimit -c; pwd\n")
    spy.chmod(0o755)

    done = await Interpreter(binary=spy).run("", {})

    # What the shell of the spy sets itself.
    own = {"PWD=/", "SHLVL=1", "OLDPWD=/", "_=/usr/bin/env", "SHLVL=0"}
    before, _, after = done.printed.partition("ended\n")
    assert set(before.splitlines()) <= own
    assert after.splitlines() == ["0", "0", "/"]


@pytest.mark.parametrize("label", BOMBS)
async def test_a_bomb_is_ended_and_nothing_of_it_is_left(label: str) -> None:
    done = await INSIDE.run(BOMBS[label], {})

    assert done.printed == ""
    assert done.fault
    assert children() == []


def children() -> list[str]:
    """The interpreters this process still has."""
    pid = os.getpid()
    text = Path(f"/proc/{pid}/task/{pid}/children")
    return [
        child
        for child in (text.read_text().split() if text.exists() else [])
        if "monty" in Path(f"/proc/{child}/comm").read_text()
    ]


async def test_one_that_does_not_obey_its_own_limits_is_killed(tmp_path: Path) -> None:
    deaf = tmp_path / "deaf"
    # It waits without computing, so that only patience can end it.
    deaf.write_text("#!/bin/sh\ntrap '' TERM INT XCPU\nwhile :; do sleep 1; done\n")
    deaf.chmod(0o755)

    done = await Interpreter(binary=deaf, limits=ProgramLimits(patience_s=1.0)).run("", {})

    assert done.fault == "It took too long and was ended."


async def test_the_loop_goes_on_while_a_program_does_not_end() -> None:
    running = asyncio.create_task(AMPLE.run("while True: pass", {}))
    while not children():  # noqa: ASYNC110  (another process has no event to wait for)
        await asyncio.sleep(0.005)
    for _ in range(5):
        await asyncio.sleep(0.01)
    assert not running.done()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_a_run_that_is_stopped_takes_its_program_along() -> None:
    running = asyncio.create_task(AMPLE.run("while True: pass", {}))
    while not children():  # noqa: ASYNC110  (another process has no event to wait for)
        await asyncio.sleep(0.005)
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running

    assert children() == []


async def test_values_arrive_as_they_are_and_what_is_printed_comes_back() -> None:
    values = {"results": {"a": [1, 2.5, None, 'it\'s "ä" \\ \n 漢']}, "earlier": [{"b": True}]}

    done = await AMPLE.run("print(json.dumps([results, earlier]))", values)

    assert json.loads(done.printed) == list(values.values())


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("x = 1\nprint(x / 0)", "ZeroDivisionError: division by zero (line 2)"),
        ("print(results['b'])", "KeyError: b (line 1)"),
        ("x = ", "(line 1)"),
        ("x = 1", "It printed nothing"),
        ("print('a' * 4001)", "It printed too much"),
    ],
)
async def test_what_is_wrong_with_a_program_is_said_with_its_line(code: str, says: str) -> None:
    assert says in (await AMPLE.run(code, {"results": {}})).fault


async def test_too_much_data_is_turned_away() -> None:
    done = await INSIDE.run("print(1)", {"results": "a" * 400_000})

    assert done.fault == "That is too much data for one calculation."


def test_without_its_interpreter_the_start_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match="make sandbox"):
        Interpreter(binary=tmp_path / "gone").require()
