"""What leaves by the side doors: spans, log lines, and connections to strangers."""

from __future__ import annotations

import ipaddress
import logging
import sys
from collections.abc import Callable
from typing import Any

from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor

from agencyclaw.telemetry.tracing import configure_tracing
from tests.adversary.world import settings


class Telemetry:
    """Nothing is watched."""

    def forget(self) -> None:
        """Start the ledger of a new run."""

    def text(self) -> str:
        """Return all that was written since."""
        return ""

    def sockets(self) -> list[str]:
        """Return the strangers that were spoken to since."""
        return []


class Spans(SpanProcessor):
    """Keeps the text of every span that ends."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def on_end(self, span: ReadableSpan) -> None:
        status = span.status.description or ""
        self.lines.append(f"{span.name} {dict(span.attributes or {})} {status}")
        for event in span.events:
            self.lines.append(f"{event.name} {dict(event.attributes or {})}")


class Lines(logging.Handler):
    """Keeps every log line."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


class Watch(Telemetry):
    """Watches spans, log lines and sockets of this process; one per process."""

    def __init__(self) -> None:
        self._spans = Spans()
        self._log = Lines()
        self._strangers: list[str] = []
        configure_tracing(settings(), quiet=True, processors=[self._spans])
        logging.getLogger().addHandler(self._log)
        sys.addaudithook(_hook(self._strangers))

    def forget(self) -> None:
        self._spans.lines.clear()
        self._log.lines.clear()
        self._strangers.clear()

    def text(self) -> str:
        return "\n".join([*self._spans.lines, *self._log.lines])

    def sockets(self) -> list[str]:
        return list(self._strangers)


def _hook(strangers: list[str]) -> Callable[[str, tuple[Any, ...]], None]:
    def hear(event: str, args: tuple[Any, ...]) -> None:
        if event == "socket.connect" and not _is_near(args[1]):
            strangers.append(str(args[1]))
        elif event == "socket.getaddrinfo" and not _is_near((args[0],)):
            strangers.append(f"the name {args[0]}")

    return hear


def _is_near(address: Any) -> bool:
    """Unix sockets and this machine; the database server is one of them."""
    if not isinstance(address, tuple):
        return True
    host = str(address[0])
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host in {"localhost", "None", ""}
