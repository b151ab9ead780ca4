"""`agencyclaw chat`: sends a message or a press through the whole pipeline, without Slack."""

from __future__ import annotations

import argparse
import json

from agencyclaw.app import terminal
from agencyclaw.cli.database import open_with_tools
from agencyclaw.domain.errors import Misconfigured
from agencyclaw.server.terminal import TerminalLine, press, talk
from agencyclaw.settings import Settings


async def run(settings: Settings, options: argparse.Namespace) -> int:
    """Send a message, or press a button, and print what comes back; returns the exit code."""
    if bool(options.press) == bool(options.text.strip()):
        raise Misconfigured(
            'Say something, or press a card: agencyclaw chat "what can you do", or --press KEY'
        )
    async with open_with_tools(settings) as db, terminal(settings, db) as services:
        act, words = (press, options.press) if options.press else (talk, options.text)
        lines = await act(
            services,
            words,
            person=options.person,
            thread=options.thread,
            super_admins=settings.super_admin_profile_ids,
        )
    _print_lines(lines, as_json=options.json)
    return 0


def _print_lines(lines: list[TerminalLine], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps([line.as_json() for line in lines], ensure_ascii=False, indent=2))
        return
    for line in lines:
        print(line.text, end="\n\n")
