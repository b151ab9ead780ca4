"""`python -m evals.conversations --model NAME`: play every conversation with a model that reads."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Sequence
from statistics import median

from evals.conversations.cases import load_conversations
from evals.conversations.playing import PlayedAct, PlayedConversation, play
from evals.databases import running_server
from evals.world import open_ground, silence


def main(argv: Sequence[str] | None = None) -> int:
    """Play and print; whether it went well is for whoever reads the transcripts."""
    parser = argparse.ArgumentParser(prog="python -m evals.conversations", description=__doc__)
    parser.add_argument("--model", required=True, help="provider:name of a model that reads")
    parser.add_argument("--only", default="", help="conversations whose name contains this")
    options = parser.parse_args(argv)
    silence()
    return asyncio.run(_play(options.only, options.model))


async def _play(only: str, model: str) -> int:
    every: list[PlayedConversation] = []
    async with running_server() as postgres, open_ground(postgres.admin_dsn) as ground:
        for conversation in load_conversations(only):
            played = await play(ground, conversation, model)
            every.append(played)
            print(transcript(played), flush=True)
    print(closing_line(every))
    return 0


def transcript(played: PlayedConversation) -> str:
    """Return what was done and seen, with what each turn took."""
    head = f"# {played.conversation.name}: {played.conversation.about}\n"
    return "\n".join([head, *map(_told, played.acts)])


def _told(played: PlayedAct) -> str:
    who = played.act.by or "person"
    figures = (
        f"{played.requests} requests, {played.tokens:,} tokens ({played.first:,} in the first), "
        f"{played.seconds:.1f} s"
    )
    lines = [f"**{who}:** {played.act}", *(f"- attached: {name}" for name in played.act.files)]
    lines += [] if played.was_possible else ["(there is no such button)"]
    lines += [_quoted(text) for text in played.seen] or ["(nothing new was seen)"]
    lines += [f"(sent back: {one})" for one in played.sent_back]
    return "\n".join([*lines, f"({figures})", ""])


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines())


def closing_line(every: Sequence[PlayedConversation]) -> str:
    """Return the last line of a run."""
    acts = [act for one in every for act in one.acts]
    first = [act.first for act in acts if act.first] or [0]
    sent_back = sum(len(act.sent_back) for act in acts)
    absent = sum(not act.was_possible for act in acts)
    silent = sum(not act.seen for act in acts if not act.act.wait_minutes)
    return (
        f"conversations: {len(every)}, {len(acts)} acts, {sent_back} answers sent back,"
        f" {absent} presses of what was not there, {silent} without an answer;"
        f" first requests: median {median(first):,.0f} tokens, maximum {max(first):,}"
    )


if __name__ == "__main__":
    sys.exit(main())
