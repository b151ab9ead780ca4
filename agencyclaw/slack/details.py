"""Everything there is to read about one proposed effect, to its last character."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agencyclaw.domain.effects import Preview
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.sops import Source
from agencyclaw.slack.blocks import Block, context, fields, outline, paragraphs, prose, split
from agencyclaw.slack.inert import escaped, is_live, link, one_line

_SHORT = 300
_TIERS = {"sop": "SOP", "internal": "Internal note", "similar_task": "Similar task"}


def headline(proposal: Proposal) -> str:
    """Return what will happen, in one line."""
    return _value(proposal.effect.preview().headline)


def where(proposal: Proposal) -> str:
    """Return where it will happen, in one line."""
    place = proposal.effect.preview().where
    return f"*Where:* {_value(place)}" if place else ""


def detail(
    proposal: Proposal, live_hosts: frozenset[str], *, in_message: bool = True
) -> list[Block]:
    """Return place, fields, body, what is missing and the sources."""
    preview = proposal.effect.preview()
    body = prose(preview.body, live_hosts) if in_message else outline(preview.body)
    blocks = [*paragraphs(where(proposal)), *_fields(preview), *body]
    blocks += paragraphs(_missing(preview))
    blocks += [context(part) for part in split(_sources(preview.sources, live_hosts))]
    return blocks


def in_words(proposal: Proposal) -> str:
    """Return the same without blocks, for when Slack refuses them."""
    preview = proposal.effect.preview()
    lines = [f"*{headline(proposal)}*", where(proposal)]
    lines += [f"{escaped(name)}: {_value(value)}" for name, value in preview.fields]
    lines += [escaped(preview.body), _missing(preview)]
    return "\n".join(line for line in lines if line)


def _fields(preview: Preview) -> Iterator[Block]:
    rows = [(escaped(name), _value(value)) for name, value in preview.fields]
    yield from fields(row for row in rows if len(row[1]) <= _SHORT)
    for name, value in rows:
        if len(value) > _SHORT:
            yield from paragraphs(f"*{name}*\n{value}")


def _missing(preview: Preview) -> str:
    """What the body says already is not said twice."""
    lines = [f"• {_value(item)}" for item in preview.missing if item not in preview.body]
    return "\n".join(["*Still open or assumed:*", *lines]) if lines else ""


def _sources(sources: Sequence[Source], live_hosts: frozenset[str]) -> str:
    lines = [_source(source, live_hosts) for source in sources]
    if len(lines) == 1:
        return f"Based on: {lines[0]}"
    return "\n• ".join(["Based on:", *lines]) if lines else ""


def _source(source: Source, live_hosts: frozenset[str]) -> str:
    title = f"“{one_line(source.title)}”"
    is_clickable = source.url and is_live(source.url, live_hosts)
    shown = link(title, source.url or "") if is_clickable else escaped(title)
    version = f", version {_value(source.version)}" if source.version else ""
    return f"{_TIERS[source.tier]} {shown}{version} ({source.confidence} confidence)"


def _value(text: str) -> str:
    return escaped(one_line(text)) or "–"
