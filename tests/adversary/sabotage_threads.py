"""Rails of threads with a hole in each: whose words they are, who was spoken to, what is gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from agencyclaw.agents import thread, verification
from agencyclaw.agents.policies.run_policies import RunPolicies
from agencyclaw.conversation import endings, threads
from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.domain.thread import ThreadPost
from agencyclaw.slack.thread_reader import ThreadReader
from tests.adversary.sabotage_consent import _nothing


def _everybody_is_the_requester(patch: pytest.MonkeyPatch) -> None:
    """What stands in a thread counts as typed by whoever calls."""
    whole = threads.line_of

    def line_of(post: ThreadPost, actor: Any, names: Any) -> Any:
        line = whole(post, actor, names)
        typed = Material(origin=Origin.TYPED, whose=actor.name, text=line.text)
        return replace(line, material=typed)

    patch.setattr(threads, "line_of", line_of)


def _a_thread_is_no_material(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(thread.QuotedThread, "materials", property(lambda _: ()))


def _everybody_is_a_colleague(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(threads, "_named", lambda post, _: post.name)


def _further_lines_look_like_others(patch: pytest.MonkeyPatch) -> None:
    whole = thread.quoted

    def quoted(line: Any, zone: Any) -> str:
        return whole(line, zone).replace("\n    ", "\n")

    patch.setattr(thread, "quoted", quoted)


def _silence_is_always_on_offer(patch: pytest.MonkeyPatch) -> None:
    async def every(_: Any, __: Any, tool_defs: list[Any]) -> list[Any]:
        return tool_defs

    patch.setattr(RunPolicies, "prepare_output_tools", every)
    patch.setattr(verification, "_silence", lambda _, silence: silence)


def _a_silent_run_keeps_its_drafts(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(endings, "drop_drafts", _nothing)


def _a_silent_run_shows_no_card(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(endings, "shown_again", lambda *_, **__: endings.ShownAgain())


def _threads_are_read_together(patch: pytest.MonkeyPatch) -> None:
    """What was read in one thread is told in every other."""
    whole, read = ThreadReader.posts, dict[str, ThreadPost]()

    async def posts(self: ThreadReader, place: Any, *, until: str) -> Sequence[ThreadPost]:
        read.update({one.ts: one for one in await whole(self, place, until=until)})
        return [read[ts] for ts in sorted(read)]

    patch.setattr(ThreadReader, "posts", posts)


def _what_was_read_is_kept(patch: pytest.MonkeyPatch) -> None:
    """A message stays in its thread as it was first read, whatever became of it."""
    whole, read = ThreadReader.posts, dict[str, dict[str, ThreadPost]]()

    async def posts(self: ThreadReader, place: Any, *, until: str) -> Sequence[ThreadPost]:
        kept = read.setdefault(place.thread_ts, {})
        for one in await whole(self, place, until=until):
            kept.setdefault(one.ts, one)
        return [kept[ts] for ts in sorted(kept)]

    patch.setattr(ThreadReader, "posts", posts)


THREAD_SABOTAGES = (
    (
        "words of a thread are its reader's own",
        _everybody_is_the_requester,
        ("M156", "M157", "M158", "M159"),
    ),
    ("a thread is no material", _a_thread_is_no_material, ("M161", "M157", "M158")),
    ("everybody in a thread is a colleague", _everybody_is_a_colleague, ("M156", "M164")),
    ("further lines look like others' words", _further_lines_look_like_others, ("M164",)),
    ("silence is always on offer", _silence_is_always_on_offer, ("M162",)),
    ("a silent run keeps what it drafted", _a_silent_run_keeps_its_drafts, ("M162",)),
    ("a silent run shows no card", _a_silent_run_shows_no_card, ("M162",)),
    ("threads are read together", _threads_are_read_together, ("M163",)),
    ("what was read is kept", _what_was_read_is_kept, ("M165",)),
)
