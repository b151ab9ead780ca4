"""Describes one proposed effect in full: as blocks, and in one text where Slack refuses them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from agencyclaw.domain.field_sources import FieldSource, Origin
from agencyclaw.domain.messages import localized, message
from agencyclaw.domain.proposals import Proposal
from agencyclaw.domain.sops import Source, SourceTier
from agencyclaw.slack.blocks import Block, context, fields, outline, paragraphs, prose, split
from agencyclaw.slack.escaping import escaped, is_live, link, one_line

_SHORT = 300
_FOLDED = message("details.folded")
_ORIGINS: dict[Origin, Callable[[str], str]] = {
    Origin.TYPED: lambda _: message("origin.typed"),
    Origin.PROCEDURE: lambda whose: message("origin.procedure", whose=whose),
    Origin.PASTED: lambda whose: message("origin.pasted", whose=whose),
    Origin.QUOTED: lambda whose: message("origin.quoted", whose=whose),
    Origin.FORWARDED: lambda whose: message("origin.forwarded", whose=whose),
    Origin.FILE: lambda whose: message("origin.file", whose=whose),
    Origin.OTHERS: lambda whose: message("origin.others", whose=whose),
    Origin.RECORD: lambda whose: message("origin.record", whose=whose),
    Origin.DOCUMENT: lambda whose: message("origin.document", whose=whose),
    Origin.OFFERED: lambda whose: message("origin.offered", whose=whose),
    Origin.PLACE: lambda _: message("origin.place"),
    Origin.ASSISTANT: lambda _: message("origin.assistant"),
}
# The same for the person who brought the text themselves.
_OWN_ORIGINS = {
    Origin.PASTED: message("origin.own_pasted"),
    Origin.QUOTED: message("origin.own_quoted"),
    Origin.FORWARDED: message("origin.own_forwarded"),
    Origin.FILE: message("origin.own_file"),
}
_TIERS: dict[SourceTier, str] = {
    "sop": "SOP",
    "internal": "Internal note",
    "similar_task": "Similar task",
    "external": "External document",
}


def headline(proposal: Proposal) -> str:
    """Return what will happen, in one line."""
    return _value(proposal.effect.preview().headline)


def headline_in_list(proposal: Proposal) -> str:
    """Return the headline with its clients, to tell brands of equal names apart in a list."""
    title = proposal.effect.preview().headline
    unnamed = [client.name for client in proposal.effect.clients if client.name not in title]
    return f"{_value(title)} ({_value(', '.join(unnamed))})" if unnamed else _value(title)


def _where(proposal: Proposal) -> str:
    """Return where it will happen, in one line."""
    place = proposal.effect.preview().where
    return message("built.where", place=_value(place)) if place else ""


def detail(
    proposal: Proposal, live_hosts: frozenset[str], *, in_message: bool = True
) -> list[Block]:
    """Return place, warnings, fields, text, its origins, what is missing, similar and sources."""
    preview = proposal.effect.preview()
    return [
        *paragraphs(_where(proposal)),
        *paragraphs(_warnings(proposal)),
        *_fields(proposal),
        *_text(proposal, live_hosts, in_message=in_message),
        *text_origins(proposal),
        *paragraphs(_missing(proposal)),
        *_small(_similar(preview.similar, live_hosts)),
        *_small(_sources(preview.sources, live_hosts)),
    ]


def _small(text: str) -> list[Block]:
    return [context(part) for part in split(text)]


def is_folded(proposal: Proposal) -> bool:
    """Return whether a card leaves its text to a modal; third parties' text is always on it."""
    holds_others = any(source.needs_press for source in proposal.effect.field_sources)
    return proposal.effect.preview().is_folded and not holds_others


def _text(proposal: Proposal, live_hosts: frozenset[str], *, in_message: bool) -> list[Block]:
    body = proposal.effect.preview().body
    if is_folded(proposal):
        return [context(_FOLDED)] if body else []
    return prose(body, live_hosts) if in_message else outline(body)


def text_origins(proposal: Proposal) -> list[Block]:
    """Return where each text comes from: a verbatim quote, or the assistant's wording."""
    return _small("\n".join(_source_lines(proposal)))


def _source_lines(proposal: Proposal) -> list[str]:
    return [_source_line(source, proposal.actor_name) for source in proposal.effect.field_sources]


def _source_line(source: FieldSource, requester: str) -> str:
    named = _value(source.whose) if source.whose else message("built.somebody")
    whose = _ORIGINS[source.origin](named)
    if source.whose == requester:
        whose = _OWN_ORIGINS.get(source.origin, whose)
    if source.origin is Origin.ASSISTANT and source.whose:
        whose = message("origin.assistant_after", whose=_read_texts(source.whose, requester))
    if source.origin is Origin.OFFERED and not source.whose:
        whose = message("origin.offered_before")
    if source.is_mixed:
        whose = message("origin.mixed")
    if source.reading:
        whose = message("origin.reading", reading=_value(source.reading), whose=whose)
    if source.is_part:
        whose = message("origin.part", whose=whose)
    quote = f": “{_value(source.quote)}”" if source.quote else ""
    return f"*{escaped(localized(source.field))}* – {whose}{quote}"


def _read_texts(named: str, requester: str) -> str:
    """Return what shaped a wording; what the requester brought themselves is called theirs."""
    for origin, own in _OWN_ORIGINS.items():
        named = named.replace(_ORIGINS[origin](requester), own)
    return _value(named)


def without_blocks(proposal: Proposal) -> str:
    """Return the description without blocks, for when Slack refuses them."""
    preview = proposal.effect.preview()
    lines = [
        f"*{headline(proposal)}*",
        _where(proposal),
        _warnings(proposal),
        *(f"{escaped(localized(name))}: {_value(value)}" for name, value in preview.fields),
        escaped(preview.body),
        *_source_lines(proposal),
        _missing(proposal),
        _similar(preview.similar, frozenset()),
        _sources(preview.sources, frozenset()),
    ]
    return "\n".join(line for line in lines if line)


def _fields(proposal: Proposal) -> Iterator[Block]:
    preview = proposal.effect.preview()
    shown = (*preview.fields, *(preview.unfolded if is_folded(proposal) else ()))
    rows = [(escaped(localized(name)), _value(value)) for name, value in shown]
    yield from fields(row for row in rows if len(row[1]) <= _SHORT)
    for name, value in rows:
        if len(value) > _SHORT:
            yield from paragraphs(f"*{name}*\n{value}")


def _warnings(proposal: Proposal) -> str:
    return _listed(message("details.look_first"), proposal.effect.warnings)


def _missing(proposal: Proposal) -> str:
    """Return what is missing, unless the body that the card shows says it already."""
    preview = proposal.effect.preview()
    shown_body = "" if is_folded(proposal) else preview.body
    missing = [item for item in preview.missing if item not in shown_body]
    return _listed(message("details.open_points"), missing)


def _listed(title: str, items: Sequence[str]) -> str:
    lines = [f"• {_value(item)}" for item in items]
    return "\n".join([f"*{title}*", *lines]) if lines else ""


def _sources(sources: Sequence[Source], live_hosts: frozenset[str]) -> str:
    lines = [_source(source, live_hosts) for source in sources]
    if len(lines) == 1:
        return message("built.based_on_one", source=lines[0])
    return "\n• ".join([message("built.based_on"), *lines]) if lines else ""


def _similar(tasks: Sequence[Source], live_hosts: frozenset[str]) -> str:
    lines = [_titled(task, live_hosts) for task in tasks]
    return "\n• ".join([message("details.similar_open_task"), *lines]) if lines else ""


def _source(source: Source, live_hosts: frozenset[str]) -> str:
    version = message("built.version", version=_value(source.version)) if source.version else ""
    shown = _titled(source, live_hosts)
    return f"{localized(_TIERS[source.tier])} {shown}{version}"


def _titled(source: Source, live_hosts: frozenset[str]) -> str:
    title = f"“{one_line(source.title)}”"
    is_clickable = source.url and is_live(source.url, live_hosts)
    return link(title, source.url or "") if is_clickable else escaped(title)


def _value(text: str) -> str:
    return escaped(one_line(text)) or "–"
