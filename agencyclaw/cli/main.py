"""The command line: setup, demo, serve, chat, migrate, seed, catalog, results, runs, kb …"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from agencyclaw.domain.errors import AgencyClawError, Misconfigured, Unavailable

FAILED = 1
CONFIGURATION = 2
UNAVAILABLE = 3
_HIGHEST_PORT = 65_535
_KB = ["add", "list", "approve", "retire", "sync", "alias", "gaps", "settle"]


def build_parser() -> argparse.ArgumentParser:
    """Return the parser for all commands; heavy imports wait until one is chosen."""
    parser = argparse.ArgumentParser(prog="agencyclaw", description=__doc__)
    run = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    demo = run.add_parser("demo", help="run everything on this machine, in a browser")
    demo.add_argument("--reset", action="store_true", help="delete its data first")
    demo.add_argument("--port", type=_port, default=8750, help="the page's port, or the next free")
    setup = run.add_parser("setup", help="connect Slack, ClickUp and a model; set up your agency")
    setup.add_argument("--page", action="store_true", help="ask in a browser on this machine")
    setup.add_argument("--port", type=_port, default=0, help="the page's port; by default any free")
    setup.add_argument("--until-eof", action="store_true", help="end when standard input ends")
    serve = run.add_parser("serve", help="run the assistant on your Slack and ClickUp")
    serve.add_argument("--http", action="store_true", help="receive Slack's events over HTTP")
    serve.add_argument("--demo-agency", action="store_true", help="serve the fictional agency")
    serve.add_argument("--fresh", action="store_true", help="empty the embedded database first")
    serve.add_argument("--until-eof", action="store_true", help="end when standard input ends")
    chat = run.add_parser("chat", help="talk to the assistant in this terminal")
    chat.add_argument("text", nargs="?", default="")
    chat.add_argument("--press", metavar="KEY", default="", help="confirm the card with this key")
    chat.add_argument(
        "--as", dest="person", default="", help="who writes: a Slack user id or e-mail"
    )
    chat.add_argument("--thread", default="main", help="a name for the conversation")
    chat.add_argument("--json", action="store_true", help="print the replies as JSON")
    migrate = run.add_parser("migrate", help="bring the database to the newest schema")
    migrate.add_argument("--new", metavar="WHAT", help="write a migration from the table classes")
    seed = run.add_parser("seed", help="load the fictional agency Lanternfish Commerce")
    seed.add_argument("--configured", action="store_true", help="load it into your own database")
    seed.add_argument("--remove", action="store_true", help="remove it and what belongs to it")
    run.add_parser("restored", help="reconcile state after restoring a backup")
    run.add_parser("tidy", help="delete what is past its retention time")
    runs = run.add_parser("runs", help="what runs saw, called, proposed and cost")
    runs.add_argument("do", nargs="?", choices=["show", "export"], help="show one, or export it")
    runs.add_argument("id", nargs="?", help="a run's id or its beginning")
    runs.add_argument("--json", action="store_true", help="print as JSON")
    runs.add_argument("--to", metavar="FILE", help="write the exported case to this file")
    runs.add_argument("--web", action="store_true", help="show them in a browser on this machine")
    runs.add_argument("--port", type=_port, default=0, help="the page's port; by default any free")
    runs.add_argument("--until-eof", action="store_true", help="end when standard input ends")
    catalog = run.add_parser("catalog", help="the product catalog")
    catalog.add_argument("act", choices=["add"], help="add products, or bring them up to date")
    catalog.add_argument("file", help="a CSV file: client, brand, asin, sku, title")
    results = run.add_parser("results", help="import brands' KPI results")
    results.add_argument("act", choices=["import"], help="record all lines of a file, or none")
    results.add_argument("file", help="a CSV file: client, brand, marketplace, period, figures")
    results.add_argument("--key", default="", help="the delivery's name; each is accepted once")
    kb = run.add_parser("kb", help="manage procedures and documents; list gaps")
    kb.add_argument("action", choices=_KB)
    kb.add_argument("name", nargs="?", default="", help="a file, a folder, or a name from the list")
    kb.add_argument("aliases", nargs="*", help="for alias: the names it is found by from now on")
    kb.add_argument(
        "--external", action="store_true", help="for add: not the agency's own, least trusted"
    )
    kb.add_argument("--add", action="store_true", help="for alias: keep the names it has")
    kb.add_argument("--category", default="", help="for alias: move it to this category")
    kb.add_argument("--dry-run", action="store_true", help="for sync: show only what would change")
    run.add_parser("doctor", help="check each setting and say how to mend it")
    return parser


def _port(text: str) -> int:
    """Read a port; 0 is any free one."""
    if not text.isdecimal() or int(text) > _HIGHEST_PORT:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to {_HIGHEST_PORT}")
    return int(text)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code.

    1 if it failed, 2 for bad settings, 3 if a service is away; only then may a retry help.
    """
    options = build_parser().parse_args(argv)
    try:
        code = _run(options)
        sys.stdout.flush()
        return code
    except Misconfigured as error:
        print(f"agencyclaw: {error}", file=sys.stderr)
        return CONFIGURATION
    except AgencyClawError as error:
        print(f"agencyclaw: {error}", file=sys.stderr)
        return UNAVAILABLE if isinstance(error, Unavailable) else FAILED
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read the output has enough, as `head` does; Python would try again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


def _run(options: argparse.Namespace) -> int:
    if options.command == "demo":
        from agencyclaw.cli.demo import run_demo

        return run_demo(reset=options.reset, first_port=options.port)
    from agencyclaw.cli import run

    return run.run(options)
