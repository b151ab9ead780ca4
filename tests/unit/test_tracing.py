"""Telemetry says what failed and where; not in the words of those it failed for."""

from __future__ import annotations

from collections.abc import Generator

import logfire
import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from agencyclaw.domain.errors import Refused
from agencyclaw.settings import Settings
from agencyclaw.spans import traced
from agencyclaw.telemetry.tracing import _without_words, configure_tracing

# Put together here, so that the line of source in the trace does not hold it.
PRIVATE = " ".join(("what", "a", "person", "wrote"))


@pytest.fixture
def spans() -> tuple[logfire.Logfire, InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    local = logfire.configure(
        local=True,
        send_to_logfire=False,
        console=False,
        advanced=logfire.AdvancedOptions(exception_callback=_without_words),
        additional_span_processors=[SimpleSpanProcessor(exporter)],
    )
    return local, exporter


def fail(tracer: logfire.Logfire, error: Exception) -> None:
    with pytest.raises(type(error)), tracer.span("work"):
        raise error


def test_a_fault_of_others_is_recorded_without_its_words(
    spans: tuple[logfire.Logfire, InMemorySpanExporter],
) -> None:
    tracer, exporter = spans
    fail(tracer, RuntimeError(PRIVATE))

    *_, span = exporter.get_finished_spans()
    [event] = span.events
    assert event.attributes is not None
    assert event.attributes["exception.type"] == "RuntimeError"
    assert "test_tracing.py" in str(event.attributes["exception.stacktrace"])
    assert PRIVATE not in span.to_json()


@pytest.mark.parametrize("is_group", [False, True], ids=["a cause", "parts of a group"])
def test_what_a_fault_came_of_is_recorded_by_type_and_place_too(
    spans: tuple[logfire.Logfire, InMemorySpanExporter], is_group: bool
) -> None:
    tracer, exporter = spans
    try:
        int(PRIVATE)
    except ValueError as error:
        fault = RuntimeError(PRIVATE)
        fault.__cause__ = error
        fail(tracer, ExceptionGroup(PRIVATE, [error]) if is_group else fault)

    *_, span = exporter.get_finished_spans()
    stack = str((span.events[0].attributes or {})["exception.stacktrace"])
    assert "int(PRIVATE)\n" in stack
    assert "\nValueError\n" in stack
    assert PRIVATE not in span.to_json()


def test_a_fault_of_ours_keeps_its_words_but_no_secret(
    spans: tuple[logfire.Logfire, InMemorySpanExporter],
) -> None:
    tracer, exporter = spans
    fail(tracer, Refused("Not with xoxb-1234567890-abcdef.", reason="r"))

    *_, span = exporter.get_finished_spans()
    assert "Not with [removed: looks like a secret]." in span.to_json()
    assert "xoxb-" not in span.to_json()


@pytest.fixture
def configured() -> Generator[None]:
    yield
    logfire.configure(send_to_logfire=False, console=False)


@pytest.mark.usefixtures("configured")
def test_no_span_is_built_where_nothing_receives_spans() -> None:
    configure_tracing(Settings(), quiet=True)
    with logfire.span("turn") as span:
        assert not span.is_recording()
        # A run is found by its trace all the same.
        assert logfire.get_context()["traceparent"]


@pytest.mark.usefixtures("configured")
def test_a_step_costs_no_span_where_nothing_receives_them_and_its_error_passes() -> None:
    configure_tracing(Settings(), quiet=True)

    with pytest.raises(LookupError), traced("tool", tool="search_kb"):
        raise LookupError

    with traced("tool") as span:
        span.set_attribute("outcome", "ok")
        assert "traceparent" not in logfire.get_context()


@pytest.mark.usefixtures("configured")
def test_a_received_span_names_the_code_that_it_is_about() -> None:
    exporter = InMemorySpanExporter()
    logfire.configure(
        send_to_logfire=False,
        console=False,
        additional_span_processors=[SimpleSpanProcessor(exporter)],
    )
    with traced("tool"):
        pass

    [span] = exporter.get_finished_spans()
    assert span.attributes is not None
    assert str(span.attributes["code.filepath"]).endswith("test_tracing.py")


@pytest.mark.usefixtures("configured")
@pytest.mark.parametrize(
    "settings",
    [
        {"otel_exporter_otlp_endpoint": "http://127.0.0.1:9"},
        {"otel_exporter_otlp_traces_endpoint": "http://127.0.0.1:9/v1/traces"},
    ],
)
def test_every_span_is_built_where_something_may_receive_it(settings: dict[str, str]) -> None:
    configure_tracing(Settings(**settings), quiet=True)
    with logfire.span("turn") as span:
        assert span.is_recording()


@pytest.mark.usefixtures("configured")
def test_a_processor_receives_spans_and_logs() -> None:
    exporter = InMemorySpanExporter()
    configure_tracing(Settings(), quiet=True, processors=[SimpleSpanProcessor(exporter)])
    with logfire.span("turn"):
        logfire.info("turn ended")

    assert [span.name for span in exporter.get_finished_spans()] == ["turn ended", "turn"]


@pytest.mark.usefixtures("configured")
@pytest.mark.parametrize("assigned", ["OPENAI_API_KEY=hunter2", "OPENAI_API_KEY = hunter2"])
def test_the_name_of_a_setting_is_kept_and_a_value_assigned_to_it_is_not(assigned: str) -> None:
    exporter = InMemorySpanExporter()
    configure_tracing(Settings(), quiet=True, processors=[SimpleSpanProcessor(exporter)])
    logfire.warn("refused", why="OPENAI_API_KEY is refused.")
    logfire.warn("refused", why=assigned)

    name, value = (str((span.attributes or {})["why"]) for span in exporter.get_finished_spans())
    assert name == "OPENAI_API_KEY is refused."
    assert "hunter2" not in value
