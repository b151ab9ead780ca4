"""Finds figures in arguments without a source: sent back to the model once, then on the card."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Any, get_args, get_type_hints

from pydantic import BaseModel
from pydantic_ai import ModelRetry, RunContext

from agencyclaw.deps import Deps
from agencyclaw.domain.changes import Change
from agencyclaw.domain.field_sources import UnsupportedFact
from agencyclaw.domain.proposals import ProposalState, corrects, takes_place_of
from agencyclaw.domain.quotes import NotVerbatim, Quoted, is_among
from agencyclaw.domain.task_creation import CreateTask
from agencyclaw.domain.task_fields import CHOICES, FieldValue
from agencyclaw.knowledge.fact_checks import FactCheck
from agencyclaw.knowledge.figures import readings
from agencyclaw.knowledge.grounding import reckoned
from agencyclaw.tools.arguments import nested
from agencyclaw.tools.catalogue import TOOLS
from agencyclaw.tools.sources import fact_check

_SENT_BACK = (
    "Not prepared yet, because nobody wrote this and no tool returned it: {listed} Leave it out,"
    " correct it, or quote it where it stands; then call again. What is passed again stands on the"
    " card as not stated by anyone."
)


class SentBack(ModelRetry):
    """A call is to be made again, because figures in it have no source."""


def unsupported_figures(
    ctx: RunContext[Deps], arguments: Mapping[str, Any], effect: Change
) -> tuple[UnsupportedFact, ...]:
    """Return a call's figures that no message or result has, by argument.

    Not checked are quoted facts, which have their own check, and names, which are resolved to
    records. Days that code resolved and names of changed records and of chosen options are known,
    and so is what a text itself works out from known figures.
    """
    check = fact_check(ctx)
    days = (f"{day:%d %m %Y}" for day in (check.today, *nested(date, effect)))
    chosen = (one.shown for one in nested(FieldValue, effect) if one.kind in CHOICES)
    own = (effect.owner, *days, *chosen, *_on_cards(ctx.deps))
    near = (str(check.today.year), str(check.today.year + 1))
    written = _written(TOOLS[ctx.deps.calling].function)
    return tuple(
        UnsupportedFact(field=name.replace("_", " ").capitalize()[:40], value=figure[:120])
        for name, value in arguments.items()
        if name in written
        for text in _texts(value)
        for figure in _without_source(check, text, near if isinstance(value, date) else own)
    )


def _without_source(check: FactCheck, text: str, own: Sequence[str]) -> Iterator[str]:
    """Yield a text's figures that occur in no source and that it does not work out from any."""
    unstated = check.unstated_numbers(text, *own)
    known = reckoned(text, [one.text for one in (*check.talk, *check.results)]) if unstated else ()
    yield from (figure for figure in unstated if not any(map(known.__contains__, readings(figure))))


def _on_cards(deps: Deps) -> Iterator[str]:
    """Return the texts of the waiting cards a call is about where all figures were stated."""
    for one in deps.revised:
        is_waiting = one.state is ProposalState.OPEN and isinstance(one.effect, CreateTask)
        if is_waiting and not one.effect.unsupported_facts:
            yield from one.effect.prose().values()


def kept_of_cards(deps: Deps, effect: Change) -> Iterator[UnsupportedFact]:
    """Yield what nobody stated on the cards that an effect corrects, as far as it keeps that."""
    written = effect.prose()
    for one in deps.revised:
        if takes_place_of(effect, one) or corrects(effect, one):
            old = one.effect.prose()
            kept = "\n".join(text for name, text in old.items() if text in written.get(name, ""))
            yield from (fact for fact in one.effect.unsupported_facts if is_among(fact.value, kept))


def send_back(ctx: RunContext[Deps], unstated: Sequence[UnsupportedFact]) -> None:
    """Raise SentBack for figures the model was not told about in this run."""
    deps = ctx.deps
    missing = {(deps.calling, one.field, one.value): one for one in unstated}
    if ctx.last_attempt or missing.keys() <= deps.sent_back:
        return
    deps.sent_back.update(missing)
    raise SentBack(_SENT_BACK.format(listed=" ".join(map(_described, missing.values()))))


def _described(one: UnsupportedFact) -> str:
    why = f" ({one.why})" if one.why else ""
    return f"{one.field}: “{one.value}”{why}."


@cache
def _written(of: Callable[..., Any]) -> frozenset[str]:
    """Return the arguments of a tool, or fields of one, that are written as they are given."""
    hints = get_type_hints(of, include_extras=True)
    return frozenset(name for name, hint in hints.items() if not _is_marked(hint))


def _is_marked(hint: Any) -> bool:
    return isinstance(hint, NotVerbatim) or any(map(_is_marked, get_args(hint)))


def _texts(value: Any) -> Iterator[str]:
    """Return the pieces of text in an argument; a day includes its year."""
    match value:
        case str():
            yield value
        case bool() | None | Quoted():
            return
        case int() | float() | Decimal():
            yield f"{Decimal(str(value)).normalize():f}"
        case date():
            yield str(value.year)
        case BaseModel():
            written = _written(type(value))
            yield from _texts([part for name, part in vars(value).items() if name in written])
        case list() | tuple():
            for part in value:  # pyright: ignore[reportUnknownVariableType]
                yield from _texts(part)
        case _:
            return
