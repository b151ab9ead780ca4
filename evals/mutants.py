"""Wrong ways to act, made from the right one: a case that lets one of them pass tests too little.

Every mutation applies to every case it fits. A case names those that come to the same thing for it
under `equivalent`, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from zlib import crc32

from agencyclaw.agents.script_file import ScriptedCall, ScriptStep
from evals.expected import ExpectedTurn
from evals.plays import Play, Steps

TurnSteps = tuple[ScriptStep, ...]
_CHANGING = "create_task"
_SHARES = 3
_OTHER_CLIENTS = ("Glintly Inc", "Pawtrail", "Hearthlane")
_SIBLINGS = {
    "copperleaf": "Nordvent",
    "nordvent": "Tessera",
    "tessera": "Copperleaf",
    "pawtrail": "Pawtrail Pro",
    "pawtrail pro": "Pawtrail Lite",
    "pawtrail lite": "Pawtrail Pro",
    "hearthlane": "Hearthlane Kids",
    "hearthlane kids": "Hearthlane",
    "rodric": "Rodric Home",
}
_RAMBLING = (
    "Thank you for asking, that is a good question. There are several sides to it, and it depends"
    " on how one looks at it, so let us begin with what the matter is about in general terms."
)
_OTHER_PEOPLE = ("Miguel Duarte", "Tomas Reed")
_EXTRA = {
    "client": "Glintly Inc",
    "title": "Refresh the Glintly storefront banner",
    "objective": "refresh the storefront banner for the spring launch with three new photos",
}


@dataclass(frozen=True)
class Site:
    """One turn of the right script, what is expected of it, and whether its words are changed."""

    steps: TurnSteps
    wanted: ExpectedTurn
    is_worded: bool

    @property
    def tools(self) -> list[str]:
        """The tools that are called, each once, in order."""
        return list(dict.fromkeys(call.tool for step in self.steps for call in step.calls))


Mutation = Callable[[Site], Iterator[tuple[str, TurnSteps]]]


def mutants_of(play: Play) -> Iterator[Play]:
    """Yield a play for every wrong way, the case's own included."""
    gold = play.steps or ()
    for mutant in play.scene.mutants:
        steps = tuple(mutant.turns.get(at, turn) for at, turn in enumerate(gold, start=1))
        yield _as(play, mutant.name, steps)
    yield from _made(play, gold)
    if play.scene.long_thread:
        yield _as(_forgetting(play), "condenses poorly", gold)


def _forgetting(play: Play) -> Play:
    """Condense as a model does that loses what is needed later."""
    thread = play.scene.long_thread
    worse = thread and thread.model_copy(update={"condensed": thread.poorly})
    return play.model_copy(update={"scene": play.scene.model_copy(update={"long_thread": worse})})


def _made(play: Play, gold: Steps) -> Iterator[Play]:
    sites = [number for number, turn in enumerate(gold) if turn]
    expected = iter(play.expected.turns)
    wanted = {
        number: next(expected)
        for number, turn in enumerate(play.scene.turns)
        if turn.say or turn.press or turn.edit
    }
    for number in sites:
        is_worded = play.scene.turn_by_turn or number == sites[-1]
        site = Site(gold[number], wanted[number], is_worded)
        for label, steps in _variants(site, share=crc32(play.case.encode()) + number):
            name = label if len(sites) == 1 else f"{label}, turn {number + 1}"
            if label not in play.scene.equivalent and name not in play.scene.equivalent:
                yield _as(play, name, (*gold[:number], steps, *gold[number + 1 :]))


def _variants(site: Site, share: int) -> Iterator[tuple[str, TurnSteps]]:
    """Yield the wrong ways of one turn.

    What is untrue everywhere is noticed by the same lines everywhere: the cases share it out.
    """
    general = [one for mutate in OF_ANY_WORDS if site.is_worded for one in mutate(site)]
    shared = [one for at, one in enumerate(general) if (at + share) % _SHARES == 0]
    of_words = [one for mutate in OF_WORDS if site.is_worded for one in mutate(site)]
    of_calls = [one for mutate in OF_CALLS for one in mutate(site)]
    yield from (one for one in (*of_calls, *of_words, *shared) if one[1] != site.steps)


def _as(play: Play, name: str, steps: Steps) -> Play:
    return play.model_copy(update={"variant": f"mutant: {name}", "steps": steps})


def _recast(
    steps: TurnSteps, tool: str, change: Callable[[dict[str, Any]], dict[str, Any] | None]
) -> TurnSteps:
    """Change the arguments of a tool's first call."""
    is_done = False
    out: list[ScriptStep] = []
    for step in steps:
        calls: list[ScriptedCall] = []
        for call in step.calls:
            args = change(dict(call.args)) if call.tool == tool and not is_done else None
            is_done = is_done or args is not None
            calls.append(call if args is None else ScriptedCall(tool=tool, args=args))
        out.append(step.model_copy(update={"calls": calls}))
    return tuple(out)


def _drop(site: Site) -> Iterator[tuple[str, TurnSteps]]:
    """Leave a look-up or a proposal out, and say the same."""
    for tool in site.tools:
        kept: list[ScriptStep] = []
        for step in site.steps:
            calls = [call for call in step.calls if call.tool != tool]
            if calls or not step.calls:
                kept.append(step.model_copy(update={"calls": calls}))
        yield f"drops {tool}", tuple(kept)


def _other_client(site: Site) -> Iterator[tuple[str, TurnSteps]]:
    for tool in site.tools:

        def change(args: dict[str, Any]) -> dict[str, Any] | None:
            if not args.get("client"):
                return None
            taken = f"{args['client']} {args.get('brand', '')}".lower()
            other = next(name for name in _OTHER_CLIENTS if name.split()[0].lower() not in taken)
            return {name: v for name, v in args.items() if name != "brand"} | {"client": other}

        yield f"wrong client in {tool}", _recast(site.steps, tool, change)


def _other_brand(site: Site) -> Iterator[tuple[str, TurnSteps]]:
    for tool in site.tools:

        def change(args: dict[str, Any]) -> dict[str, Any] | None:
            other = _SIBLINGS.get(str(args.get("brand", "")).lower())
            return args | {"brand": other} if other else None

        yield f"wrong brand in {tool}", _recast(site.steps, tool, change)


def _other_window(site: Site) -> Iterator[tuple[str, TurnSteps]]:
    def window(args: dict[str, Any]) -> dict[str, Any] | None:
        other = "this_month" if args.get("window", "this_week") != "this_month" else "any_time"
        return args | {"window": other, "days": 3}

    def date_kind(args: dict[str, Any]) -> dict[str, Any] | None:
        return args | {"date_kind": "updated" if args.get("date_kind", "due") == "due" else "due"}

    yield "wrong window", _recast(site.steps, "list_tasks", window)
    yield "wrong date kind", _recast(site.steps, "list_tasks", date_kind)


def _other_top(site: Site) -> Iterator[tuple[str, TurnSteps]]:
    def change(args: dict[str, Any]) -> dict[str, Any] | None:
        return args | {"top": args["top"] + 2} if args.get("top") else None

    yield "wrong number", _recast(site.steps, "list_tasks", change)


def _other_person(site: Site) -> Iterator[tuple[str, TurnSteps]]:
    for tool in site.tools:

        def change(args: dict[str, Any]) -> dict[str, Any] | None:
            if not args.get("assignee"):
                return None
            taken = str(args["assignee"]).lower()
            other = next(name for name in _OTHER_PEOPLE if name.split()[0].lower() not in taken)
            return args | {"assignee": other}

        yield f"wrong person in {tool}", _recast(site.steps, tool, change)


_DETAILS = ("start", "due", "promotion", "assignee", "identifiers_pending")


def _forgetful(site: Site) -> Iterator[tuple[str, TurnSteps]]:
    for name in _DETAILS:

        def change(args: dict[str, Any], name: str = name) -> dict[str, Any] | None:
            return {key: v for key, v in args.items() if key != name} if name in args else None

        yield f"forgets {name}", _recast(site.steps, _CHANGING, change)


def _loses_products(site: Site) -> Iterator[tuple[str, TurnSteps]]:
    """Leave the identifiers out, in the other arguments too, and call them pending."""

    def change(args: dict[str, Any]) -> dict[str, Any] | None:
        given = args.get("product_identifiers")
        if not given:
            return None
        kept = {name: v for name, v in args.items() if name != "product_identifiers"}
        for name, text in kept.items():
            for item in given:
                kept[name] = text.replace(item, "") if isinstance(text, str) else text
        return kept | {"identifiers_pending": True}

    yield "loses the products", _recast(site.steps, _CHANGING, change)


def _other_day(site: Site) -> Iterator[tuple[str, TurnSteps]]:
    for name in ("start", "due"):

        def change(args: dict[str, Any], name: str = name) -> dict[str, Any] | None:
            return args | {name: _much_later(args[name])} if args.get(name) else None

        yield f"wrong {name}", _recast(site.steps, _CHANGING, change)


def _other_terms(site: Site) -> Iterator[tuple[str, TurnSteps]]:
    """Give a promotion another start, another discount, and a start that is the task's instead."""

    def later(args: dict[str, Any]) -> dict[str, Any] | None:
        terms, starts = _terms(args)
        changed = terms | {"starts": _much_later(starts)}
        return args | {"promotion": changed} if starts else None

    def misplaced(args: dict[str, Any]) -> dict[str, Any] | None:
        terms, starts = _terms(args)
        kept = {name: value for name, value in terms.items() if name != "starts"}
        return args | {"promotion": kept, "start": starts} if starts else None

    yield "wrong start of the promotion", _recast(site.steps, _CHANGING, later)
    yield "starts the task with the promotion", _recast(site.steps, _CHANGING, misplaced)


def _terms(args: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a call's promotion and its start; empty where it has none."""
    terms: dict[str, Any] = args.get("promotion") or {}
    return terms, terms.get("starts") or {}


def _much_later(day: dict[str, Any]) -> dict[str, Any]:
    return day | {"day": {"kind": "in", "count": 45}}


def _insistent(site: Site) -> Iterator[tuple[str, TurnSteps]]:
    def change(args: dict[str, Any]) -> dict[str, Any] | None:
        return None if args.get("create_anyway") else args | {"create_anyway": True}

    yield "insists unasked", _recast(site.steps, _CHANGING, change)


def _repeats(site: Site) -> Iterator[tuple[str, TurnSteps]]:
    """Propose the same once more, and the same under another title."""
    for step in site.steps:
        for call in step.calls:
            if call.tool == _CHANGING:
                at = site.steps.index(step) + 1
                title = f"{call.args.get('title', 'Task')} (second copy)"
                twin = ScriptedCall(tool=_CHANGING, args=dict(call.args) | {"title": title})
                again, other = ScriptStep(calls=[call]), ScriptStep(calls=[twin])
                yield "repeats the proposal", (*site.steps[:at], again, *site.steps[at:])
                yield "proposes a twin", (*site.steps[:at], other, *site.steps[at:])
                return


def _extra(site: Site) -> Iterator[tuple[str, TurnSteps]]:
    step = ScriptStep(calls=[ScriptedCall(tool=_CHANGING, args=dict(_EXTRA))])
    yield "proposes what nobody asked for", (*site.steps[:-1], step, site.steps[-1])


def _needless(site: Site) -> Iterator[tuple[str, TurnSteps]]:
    if site.wanted.quiet:
        step = ScriptStep(calls=[ScriptedCall(tool="lookup_client")])
        yield "looks up needlessly", (step, *site.steps)


def _ending(site: Site, change: Callable[[str], str]) -> TurnSteps:
    """Change every text that may be the answer."""
    return tuple(
        step.model_copy(update={"text": change(step.text)}) if step.text else step
        for step in site.steps
    )


def _says(site: Site) -> Iterator[tuple[str, TurnSteps]]:
    """Add what must not be said, or say nothing that counts."""
    yield "claims creation", _ending(site, lambda text: f"{text}\n\nI've created the task.")
    yield (
        "invents a procedure",
        _ending(site, lambda text: f"{text}\n\nThat is what the Listing Launch SOP says."),
    )
    yield "only promises", _ending(site, lambda _: "Let me check that for you.")
    yield "shows internals", _ending(site, lambda text: f"{text} (from list_tasks)")
    if site.wanted.asks is False:
        yield "asks needlessly", _ending(site, lambda text: f"{text} Which client do you mean?")


def _questions(site: Site) -> Iterator[tuple[str, TurnSteps]]:
    if site.wanted.asks:
        silent = _ending(site, lambda _: "Fine, then the first one it is.")
        yield "asks no question", silent
        if site.wanted.questions == 1:
            more = " And who should do it? And by when?"
            yield "asks everything at once", _ending(site, lambda text: text + more)


def _vague(site: Site) -> Iterator[tuple[str, TurnSteps]]:
    if site.wanted.point:
        yield "buries the point", _ending(site, lambda text: f"{_RAMBLING}\n\n{text}")
    if site.wanted.facts or site.wanted.cites:
        vague = "I had a look, and it is all there."
        yield "stays vague", _ending(site, lambda text: f"{vague}{'?' if '?' in text else ''}")


OF_CALLS: tuple[Mutation, ...] = (
    _drop,
    _other_client,
    _other_brand,
    _other_window,
    _other_top,
    _other_person,
    _forgetful,
    _loses_products,
    _other_day,
    _other_terms,
    _insistent,
    _repeats,
    _needless,
)
OF_WORDS: tuple[Mutation, ...] = (_questions, _vague)
OF_ANY_WORDS: tuple[Mutation, ...] = (_extra, _says)
