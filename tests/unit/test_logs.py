"""Every line of the log has the same form, whoever wrote it, and no secret."""

from __future__ import annotations

import json
import logging
import re
import time
import warnings
from collections.abc import Generator
from datetime import UTC, datetime

import logfire
import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from agencyclaw.conversation.turn_log import log_turn
from agencyclaw.domain.receipts import Incoming, Receipt, ReceiptKind
from agencyclaw.settings import Settings, unknown_settings
from agencyclaw.spans import logged
from agencyclaw.telemetry.logs import configure_logs
from agencyclaw.telemetry.tracing import configure_tracing
from tests.fakes.ports import a_place


@pytest.fixture
def root() -> Generator[None]:
    """Leave Python's logging as it was."""
    log, ours = logging.getLogger(), logging.getLogger("agencyclaw")
    handlers, level, own = log.handlers, log.level, ours.level
    yield
    log.handlers, log.level = handlers, level
    ours.setLevel(own)
    logging.captureWarnings(False)
    logfire.configure(send_to_logfire=False, console=False)


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return capsys.readouterr().err.splitlines()


@pytest.mark.usefixtures("root")
def test_our_lines_and_others_have_the_same_form(capsys: pytest.CaptureFixture[str]) -> None:
    configure_tracing(Settings(agencyclaw_log_format="json"))
    logfire.info("turn ended", run="r1", ms=12)
    logfire.warn("ClickUp is not usable: {why}", why="Set CLICKUP_API_TOKEN to a valid one.")
    logging.getLogger("slack_bolt.App").error("token xoxb-1234567890-abcdef\nis wrong")
    logging.getLogger("aiohttp").info("chatter")
    with logfire.span("a span is no line"):
        pass

    first, second, third = [json.loads(line) for line in lines(capsys)]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", first.pop("time"))
    assert first == {
        "level": "info",
        "from": "agencyclaw",
        "message": "turn ended",
        "run": "r1",
        "ms": 12,
    }
    assert second["message"] == "ClickUp is not usable: Set CLICKUP_API_TOKEN to a valid one."
    assert (third["level"], third["from"]) == ("error", "slack_bolt.App")
    assert "xoxb-" not in third["message"]


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x0b", "\x85", "\u2028"])
@pytest.mark.parametrize("where", ["message", "fact"])
def test_nothing_that_is_logged_begins_a_line_of_its_own(
    capsys: pytest.CaptureFixture[str], where: str, end: str
) -> None:
    configure_tracing(Settings())
    forged = f"quiet{end}2026-11-30T00:00:00.000Z"
    if where == "message":
        logging.getLogger("aiohttp").error(forged)
    else:
        logged("turn ended", why=forged)

    [line] = lines(capsys)
    assert "quiet" in line


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize("level", ["info", "warning"])
def test_a_line_is_the_same_whether_or_not_something_receives_spans(
    capsys: pytest.CaptureFixture[str], level: str
) -> None:
    settings = Settings(agencyclaw_log_format="json", agencyclaw_log_level=level)
    received = InMemorySpanExporter()
    written: list[dict[str, object]] = []
    for processors in ([], [SimpleSpanProcessor(received)]):
        configure_tracing(settings, processors=processors)
        logged("turn ended", run="r1", ms=12, said="xoxb-1234567890-abcdef")
        written += [json.loads(line) for line in lines(capsys)]

    assert [span.name for span in received.get_finished_spans()] == ["turn ended"]
    assert len(written) == (2 if level == "info" else 0)
    for line in written:
        assert line.keys() == {"time", "level", "from", "message", "run", "ms", "said"}
        assert (line["level"], line["from"]) == ("info", "agencyclaw")
        assert line["message"] == "turn ended"
        assert (line["run"], line["ms"]) == ("r1", 12)
        assert "xoxb-" not in str(line["said"])


@pytest.mark.usefixtures("root")
def test_a_line_of_text_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("text", "info")
    logging.getLogger("asyncio").warning("slow\ncallback")
    logging.getLogger("agencyclaw").info("told", extra={"facts": {"a": "b c", "n": 1}})

    slow, told = lines(capsys)
    assert slow.endswith(" warning asyncio slow ⏎ callback")
    assert told.endswith(' info agencyclaw told a="b c" n=1')


@pytest.mark.usefixtures("root")
def test_a_warning_of_python_is_a_line_like_others(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("text", "info")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("that is going away", DeprecationWarning, stacklevel=1)

    [line] = lines(capsys)
    assert " warning py.warnings " in line
    assert "DeprecationWarning: that is going away" in line


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize(
    "why",
    [
        "ClickUp does not accept our token (OAUTH_019). Set CLICKUP_API_TOKEN to a valid one.",
        "SLACK_BOT_TOKEN is refused by Slack (auth.test: invalid_auth).",
        "agents.sessions.setStatus: Slack asks to wait 3 s",
        "chat.postMessage: not_authed",
    ],
)
def test_codes_of_services_are_no_secrets_and_the_remedy_stays(
    capsys: pytest.CaptureFixture[str], why: str
) -> None:
    configure_tracing(Settings())
    logfire.warn("{name} is not usable: {why}", name="It", why=why)
    logfire.warn("undeliverable", error=f"{why} password=hunter2")

    kept, scrubbed = lines(capsys)
    assert f"It is not usable: {why}" in kept
    assert "hunter2" not in scrubbed


@pytest.mark.usefixtures("root")
@pytest.mark.parametrize("name", ["authorization", "password", "api_key"])
def test_a_value_under_the_name_of_a_secret_is_removed_whatever_it_says(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    configure_tracing(Settings())
    logfire.warn("refused", **{name: "hunter2"}, why="auth.test: invalid_auth")

    [line] = lines(capsys)
    assert "hunter2" not in line
    assert "auth.test: invalid_auth" in line


@pytest.mark.usefixtures("root")
def test_a_level_keeps_the_rest_away(capsys: pytest.CaptureFixture[str]) -> None:
    configure_tracing(Settings(agencyclaw_log_level="warning"))
    logfire.info("turn ended")
    logfire.warn("a warning with a key sk-abcdefghijklmnopqrstuvwx")

    [line] = lines(capsys)
    assert " warning agencyclaw " in line
    assert "sk-abc" not in line


def test_a_setting_that_is_none_is_named_with_a_guess(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENCYCLAW_MODLE", "x")
    monkeypatch.setenv("AGENCYCLAW_FRIDGE", "x")
    monkeypatch.setenv("AGENCYCLAW_HOME", "x")

    assert unknown_settings() == [
        "AGENCYCLAW_FRIDGE is no setting and changes nothing. See .env.example.",
        "AGENCYCLAW_MODLE is no setting and changes nothing. Did you mean AGENCYCLAW_MODEL?",
    ]


@pytest.mark.usefixtures("root")
def test_a_secret_in_an_errors_words_is_no_part_of_a_turns_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    incoming = Incoming(
        key="message:1",
        source="events",
        kind=ReceiptKind.MESSAGE,
        place=a_place(),
        slack_ts="1.0",
        slack_user_id="U01INES",
    )
    receipt = Receipt(id=1, incoming=incoming, received_at=datetime.now(UTC))
    configure_tracing(Settings())
    log_turn("turn waits", receipt, time.monotonic(), why="Slack refused password=hunter2")

    [line] = lines(capsys)
    assert "turn waits" in line
    assert "hunter2" not in line
