"""The same cases on a model behind the wire: how often it passes, what it costs, what got worse."""

from __future__ import annotations

import asyncio
import io
import logging
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

import logfire
import pytest
from fakes.gold_model import reply_of
from fakes.openai_server import Json, OpenAIServer, Reply
from pydantic_ai import models

from agencyclaw.agents.script_file import Script, ScriptedTurn
from evals.__main__ import main
from evals.report import Report, read_report
from evals.subjects import Subject, load_subjects

pytestmark = pytest.mark.usefixtures("may_ask")

CASES = """
name: wired
cases:
  - name: always-looked-up
    inputs: &inputs
      person: Sara Okafor
      turns:
        - say: how many tasks are due this week for Glintly?
          gold:
            - list_tasks: {client: Glintly Inc, window: this_week, date_kind: due}
            - "${list_tasks.total} open tasks of Glintly are due this week."
    metadata: {proves: [prompt]}
    expected_output:
      turns: [{calls: [{list_tasks: {client: Glintly}}], facts: [due this week], asks: false}]
  - name: sometimes-looked-up
    inputs:
      person: Sara Okafor
      turns:
        - say: who is on the Casa Mundo team?
          gold:
            - get_client_context: {client: Casa Mundo}
            - "${get_client_context.text}"
    metadata: {proves: [prompt]}
    expected_output:
      turns: [{calls: [{get_client_context: {client: Casa Mundo}}], facts: [Sara Okafor]}]
"""


@dataclass
class Moody:
    """Plays gold, except that it answers some questions from memory, every so many times."""

    subject: Subject
    forgets: str
    every: int
    asked: Counter[str] = field(default_factory=Counter[str])

    def __call__(self, body: Json) -> Reply:
        said = body["messages"][-1]
        is_first = said["role"] == "user" and self.forgets in str(said["content"])
        self.asked["forgetful"] += is_first
        if is_first and self.asked["forgetful"] % self.every == 0:
            return "Sara Okafor, I think."
        return reply_of(self._script(), body)

    def _script(self) -> Script:
        turns = [turn for case in self.subject.cases for turn in case.inputs.turns if turn.gold]
        scripted = [ScriptedTurn(say=[turn.say], steps=list(turn.gold)) for turn in turns]
        return Script(name="gold", otherwise="I have no line for this.", turns=scripted)


@pytest.fixture
def cases(tmp_path: Path) -> Path:
    file = tmp_path / "wired.yaml"
    file.write_text(CASES, encoding="utf-8")
    return file


@pytest.fixture
def may_ask(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Models may be asked, and telemetry is afterwards as it was."""
    monkeypatch.setattr(models, "ALLOW_MODEL_REQUESTS", True)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-key")
    engine = logging.getLogger("procrastinate")
    level = engine.level
    yield
    engine.setLevel(level)
    logfire.configure(send_to_logfire=False, console=False)


async def play(cases: Path, *words: str) -> tuple[int, str]:
    """`python -m evals` within this process; its exit code and what it printed."""
    out = io.StringIO()
    given = (str(cases), "--reports", str(cases.parent / "kept"))
    with redirect_stdout(out):
        asked = asyncio.to_thread(main, [*given, "--model", "openai-chat:gpt-5-mini", *words])
        code = await asyncio.wait_for(asked, 120)
    return code, out.getvalue()


async def play_on_a_model(cases: Path, every: int, *words: str) -> tuple[int, str]:
    """The same on a model that forgets every so many times."""
    server = OpenAIServer(Moody(load_subjects([cases])[0], "Casa Mundo", every))
    async with server.running() as address:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("OPENAI_BASE_URL", address)
            return await play(cases, "--repeat", "2", *words)


def kept(cases: Path) -> list[Report]:
    return [read_report(path) for path in sorted((cases.parent / "kept").glob("*.json"))]


async def test_a_model_is_played_k_times_and_compared(cases: Path) -> None:
    code, first = await play_on_a_model(cases, 99)
    assert (code, "2 cases, 2 passed, pass^1 1.00, pass^2 1.00" in first) == (0, True), first

    code, second = await play_on_a_model(cases, 2, "--baseline", "last")
    assert (code, "2 cases, 1 passed, pass^1 0.75, pass^2 0.50" in second) == (1, True), second
    assert "sometimes-looked-up passes less often (1/2, was 2/2)" in second
    assert "no call get_client_context" in second

    before, after = kept(cases)
    assert before.model == "openai-chat:gpt-5-mini"
    looked_up = after.cases["always-looked-up"]
    assert (looked_up.runs, looked_up.passed_runs, looked_up.tokens) == (2, 2, 450.0)
    assert looked_up.cost_usd is not None
    assert looked_up.cost_usd > 0
    assert looked_up.seconds > 0
    assert after.proved_by_a_model_only == ("always-looked-up", "sometimes-looked-up")


async def test_a_model_that_cannot_be_reached_fails_its_cases(
    cases: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")

    _, out = await play(cases, "--repeat", "1")

    assert "2 cases, 0 passed" in out
