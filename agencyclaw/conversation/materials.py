"""The texts available when a run begins, and whose words each one contains."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast
from uuid import UUID

from agencyclaw.agents.situation import created_links
from agencyclaw.agents.stored_parts import parts_of, results_of
from agencyclaw.domain.choices import Choice
from agencyclaw.domain.field_sources import COMPOSED, QUOTE_LIMIT, Material, Origin
from agencyclaw.domain.messages import message
from agencyclaw.domain.people import Actor
from agencyclaw.domain.proposals import Proposal, ProposalState
from agencyclaw.domain.quotes import Quoted
from agencyclaw.domain.receipts import Incoming
from agencyclaw.domain.recent import RecentCache
from agencyclaw.domain.thread import Carried
from agencyclaw.domain.unsupported import UnsupportedEffect
from agencyclaw.knowledge.fact_checks import as_marked
from agencyclaw.knowledge.link_breaking import web_addresses
from agencyclaw.knowledge.links import urls_of
from agencyclaw.store.background import Background, PastRun
from agencyclaw.store.interrupted_runs import read_arguments
from agencyclaw.tools.context import KnownOfPlace
from agencyclaw.tools.sources import brings_prose, shown_by

# A longer text counts as pasted.
TYPED_LIMIT = 600
_CARRIED: dict[Carried, Origin] = {
    "file": Origin.FILE,
    "forward": Origin.FORWARDED,
    "quote": Origin.QUOTED,
    "code": Origin.PASTED,
}
_NOT_TYPED = frozenset({Origin.FILE, Origin.FORWARDED, Origin.QUOTED, Origin.PASTED})
_PRESSED = message("materials.pressed")
_ON_RECORD = message("materials.on_record")
_FOUND = message("materials.found")


@dataclass(frozen=True)
class RunTexts:
    """The texts and links in what a run's tools returned, and what its model marked as pasted."""

    materials: tuple[Material, ...]
    pasted: tuple[Quoted, ...]
    links: frozenset[str]


# A finished run does not change, so its texts are taken from the stored contents once.
RunTextsCache = RecentCache[UUID, RunTexts]


def materials_of(
    incoming: Incoming, actor: Actor, before: Background, known: RunTextsCache
) -> tuple[Material, ...]:
    """Return this message, the earlier ones of this conversation, and what its cards contain."""
    here = incoming.place.thread_ts
    return (
        _chosen(incoming.text)
        if incoming.choice
        else _material(incoming.text, incoming.carries, actor.name, is_own=True),
        *(
            _seen_from(here, run.thread_ts, material)
            for run in before.runs
            for material in _of_past_run(run, actor, known.get(run.run_id, partial(_texts, run)))
        ),
        *(
            _seen_from(here, proposal.place.thread_ts, material)
            for proposal in before.proposals
            for material in of_card(proposal)
        ),
        *_of_summary(before),
    )


def _seen_from(here: str, thread_ts: str, material: Material) -> Material:
    return material.model_copy(update={"is_elsewhere": thread_ts != here})


def known_links(before: Background, known: RunTextsCache) -> frozenset[str]:
    """Return what an answer may link to: what this person's earlier runs read, and created tasks.

    So are the links of answers that stand in this conversation: everybody here can follow them.
    """
    own = (known.get(run.run_id, partial(_texts, run)) for run in before.runs if run.is_own)
    posted = (web_addresses(run.reply) for run in before.runs)
    return created_links(before.proposals).union(*(texts.links for texts in own), *posted)


def on_record(known: KnownOfPlace) -> tuple[Material, ...]:
    """Return what every run is told about the place's client."""
    return _record(_ON_RECORD, known.text, taints=known.has_prose)


def found_by_watch(text: str) -> tuple[Material, ...]:
    """Return what a watch found, of which something is to be prepared."""
    return _record(_FOUND, text, taints=True)


def _record(whose: str, text: str, *, taints: bool) -> tuple[Material, ...]:
    return (Material(origin=Origin.RECORD, whose=whose, text=text, taints=taints),) if text else ()


def offered_to(before: Background) -> tuple[tuple[Choice, ...], ...]:
    """Return the choices that this person was shown here, reply by reply, the last one first."""
    return tuple(run.offered for run in reversed(before.runs) if not run.speaker)


def _of_past_run(run: PastRun, actor: Actor, texts: RunTexts) -> Iterator[Material]:
    if run.request and run.was_choice:
        yield _chosen(run.request)
    elif run.request:
        whose = run.speaker or actor.name
        request = _material(run.request, run.carries, whose, is_own=not run.speaker)
        yield as_marked(request, texts.pasted)
    yield from texts.materials


def _texts(run: PastRun) -> RunTexts:
    links = frozenset(url for _, content in _returned(run) for url in urls_of(content))
    return RunTexts(tuple(_brought(run)), tuple(_pasted_quotes(run)), links)


def _brought(run: PastRun) -> Iterator[Material]:
    for tool, content in _returned(run):
        yield from shown_by(tool, content)
    if any(brings_prose(tool, content) for tool, content in _returned(run)):
        # The history cuts it, but keeps whole the answers that rest on it.
        yield Material(origin=Origin.RECORD, text="", taints=True)


def _pasted_quotes(run: PastRun) -> Iterator[Quoted]:
    """Yield the quotes that the model of an earlier turn marked as pasted."""
    for part in parts_of(run.contents):
        if part.get("part_kind") == "tool-call":
            yield from _pasted_in(read_arguments(part.get("args")))


def _pasted_in(node: object) -> Iterator[Quoted]:
    """Yield the pasted quotes in a call's arguments, at any depth."""
    if isinstance(node, dict):
        fields = cast("dict[str, object]", node)
        if fields.get("source") == "pasted" and fields.get("quote"):
            yield Quoted(quote=str(fields["quote"])[:QUOTE_LIMIT], source="pasted")
        node = list(fields.values())
    if isinstance(node, list):
        for item in cast("list[object]", node):
            yield from _pasted_in(item)


def _returned(run: PastRun) -> Iterator[tuple[str, object]]:
    for part in results_of(run.contents):
        if part.get("tool_kind") != "tool-search":
            yield str(part.get("tool_name")), part.get("content")


def of_card(proposal: Proposal) -> Iterator[Material]:
    """Return the texts of others that an open card contains; a revision keeps their origin."""
    if proposal.state is not ProposalState.OPEN or isinstance(proposal.effect, UnsupportedEffect):
        return
    written = proposal.effect.prose()
    for source in proposal.effect.field_sources:
        if source.needs_press and source.field in written:
            # The text around a quoted part is the assistant's or a procedure's.
            is_part = source.is_part or source.field == COMPOSED
            text = source.quote if is_part else written[source.field]
            yield Material(origin=source.origin, whose=source.whose, text=text, taints=True)


def _of_summary(before: Background) -> Iterator[Material]:
    """Return a summary as material of unknown authors."""
    if before.summary:
        yield Material(origin=Origin.ASSISTANT, text=before.summary.text, taints=True)


def _chosen(label: str) -> Material:
    """Return a record's label, which the person who pressed it did not write."""
    return Material(origin=Origin.RECORD, whose=_PRESSED, text=label)


def material_of(text: str, carries: Sequence[Carried], whose: str) -> Material:
    """Return a person's own message, as it is quoted from a thread."""
    return _material(text, carries, whose, is_own=True)


def is_pasted(run: PastRun) -> bool:
    """Return whether an earlier message contained more than typed words."""
    is_own = not run.speaker
    return not run.was_choice and _origin(run.request, run.carries, is_own=is_own) in _NOT_TYPED


def _material(
    text: str, carries: Sequence[Carried] | None, whose: str, *, is_own: bool
) -> Material:
    origin = _origin(text, carries, is_own=is_own)
    return Material(origin=origin, whose=whose, text=text, taints=origin is not Origin.TYPED)


def _origin(text: str, carries: Sequence[Carried] | None, *, is_own: bool) -> Origin:
    """Return where a text came from; `carries` is None if Slack did not say what a message has."""
    if not is_own:
        return Origin.OTHERS
    if carries is None:
        return Origin.PASTED
    carried = next((_CARRIED[kind] for kind in carries if kind in _CARRIED), None)
    if carried:
        return carried
    return Origin.PASTED if len(text) > TYPED_LIMIT else Origin.TYPED
