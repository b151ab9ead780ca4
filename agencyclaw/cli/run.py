"""Runs one command with its settings, telemetry and event loop."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Coroutine
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

import logfire

from agencyclaw.cli import eventloop
from agencyclaw.cli.running_demo import (
    demo_database,
    demo_environment,
    demo_home,
    demo_settings,
)
from agencyclaw.settings import Settings, load_settings, unknown_settings
from agencyclaw.telemetry.tracing import configure_tracing

if TYPE_CHECKING:
    from opentelemetry.sdk.metrics.export import MetricReader


Command = Callable[[Settings, argparse.Namespace], Coroutine[Any, Any, int]]


def run(options: argparse.Namespace) -> int:
    """Run one command to its end and return its exit code."""
    settings = load_settings(_overrides(options))
    serves = options.command == "serve"
    readers = _readers() if serves and settings.agencyclaw_http_port else []
    configure_tracing(settings, quiet=not serves, readers=readers)
    if serves:
        for warning in unknown_settings():
            logfire.warn("setting ignored", why=warning)
    with eventloop.without_collection():
        # Only here, and with it only what this command needs.
        command = cast(Command, import_module(f"agencyclaw.cli.{options.command}").run)
    return eventloop.run(command(settings, options))


def _readers() -> list[MetricReader]:
    from opentelemetry.exporter.prometheus import PrometheusMetricReader

    return [PrometheusMetricReader(scope_info_enabled=False)]


def _overrides(options: argparse.Namespace) -> dict[str, object]:
    """Use the running demo if nothing else is configured, without touching real data."""
    settings = load_settings()
    if options.command == "serve":
        # Never mix fictional clients and their admins with real ones.
        return demo_settings() if options.demo_agency else {}
    if settings.clickup_api_token or options.command == "setup":
        return {}
    is_sync = options.command == "kb" and options.action == "sync"
    if options.command in {"chat", "doctor"} or is_sync:
        return demo_environment(settings)
    is_there = not settings.database_url and demo_home(settings).exists()
    return demo_database(settings) if is_there else {}
