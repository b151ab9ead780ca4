"""`python -m workbench --port N --data FILE`: the workbench as a process of its own."""

import argparse
import asyncio
import json
import os
import secrets
import signal
import socket
import sqlite3
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from aiohttp import web

from workbench.clock import MachineClock
from workbench.seed import is_empty, seed, seed_talk
from workbench.server import build_app
from workbench.storage import Storage

_HOST = "127.0.0.1"


@dataclass
class Options(argparse.Namespace):
    """The command line's options."""

    port: int = 0
    fd: int | None = None
    data: str = ":memory:"
    retry_delays: tuple[float, ...] = (0.0, 60.0, 300.0)
    ack_timeout: float = 3.0
    reset: bool = False
    until_eof: bool = False


def read_options(arguments: Sequence[str]) -> Options:
    parser = argparse.ArgumentParser(prog="workbench", description=__doc__)
    parser.add_argument("--port", type=int, help="0 takes any free one (the default)")
    parser.add_argument("--fd", type=int, help="the descriptor of a socket that listens already")
    parser.add_argument("--data", metavar="FILE", help="where to keep it; in memory by default")
    parser.add_argument("--retry-delays", type=_seconds, metavar="S,S,S")
    parser.add_argument("--ack-timeout", type=float, metavar="S")
    parser.add_argument("--reset", action="store_true", help="start afresh")
    parser.add_argument("--until-eof", action="store_true", help="end when standard input ends")
    return parser.parse_args(arguments, namespace=Options())


def _seconds(text: str) -> tuple[float, ...]:
    return tuple(float(part) for part in text.split(",") if part.strip())


def open_storage(options: Options) -> Storage:
    if options.data != ":memory:":
        path = Path(options.data)
        path.parent.mkdir(parents=True, exist_ok=True)
        # Messages are private: only the owner may read the file.
        path.touch(mode=0o600)
        path.chmod(0o600)
    storage = Storage(options.data)
    if options.reset:
        storage.wipe()
    if is_empty(storage):
        seed(storage, MachineClock())
        seed_talk(storage, MachineClock())
    return storage


async def serve(options: Options) -> None:
    """Serve until a signal; a line of JSON on standard output reports the port when ready."""
    stop = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stop.set)
    if options.until_eof:
        asyncio.get_running_loop().add_reader(sys.stdin.fileno(), _stop_at_eof, stop)
    storage = open_storage(options)
    token = secrets.token_urlsafe(24)
    app = build_app(
        storage,
        retry_delays=options.retry_delays,
        ack_timeout=options.ack_timeout,
        token=token,
    )
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=2.0)
    await runner.setup()
    try:
        await web.SockSite(runner, _listening(options)).start()
        ready = {"port": runner.addresses[0][1], "token": token}
        sys.stdout.write(json.dumps(ready) + "\n")
        sys.stdout.flush()
        await stop.wait()
    finally:
        await runner.cleanup()
        storage.close()


def _listening(options: Options) -> socket.socket:
    if options.fd is not None:
        return socket.socket(fileno=options.fd)
    return socket.create_server((_HOST, options.port))


def _stop_at_eof(stop: asyncio.Event) -> None:
    """Stop when standard input ends, because the parent process is gone."""
    if not os.read(sys.stdin.fileno(), 4096):
        asyncio.get_running_loop().remove_reader(sys.stdin.fileno())
        stop.set()


def main() -> int:
    options = read_options(sys.argv[1:])
    try:
        asyncio.run(serve(options))
    except (OSError, sqlite3.Error) as problem:
        sys.stderr.write(f"the workbench cannot start: {problem}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
