"""What people wrote in a conversation, and whose words each of it is."""

from __future__ import annotations

from collections.abc import Sequence

from agencyclaw.domain.basis import Material, Origin
from agencyclaw.domain.people import Actor
from agencyclaw.domain.receipts import Carried, Incoming
from agencyclaw.store.background import PastRun

# Nobody types more than this: it came from somewhere.
TYPED_LIMIT = 600
_CARRIED: dict[Carried, Origin] = {
    "file": Origin.FILE,
    "forward": Origin.FORWARDED,
    "quote": Origin.QUOTED,
    "code": Origin.PASTED,
}
_PRESSED = "a choice that was pressed"


def materials_of(
    incoming: Incoming, actor: Actor, earlier: Sequence[PastRun]
) -> tuple[Material, ...]:
    """Return this message and those before it that are in sight, with whose words they are."""
    return (
        _chosen(incoming.text)
        if incoming.choice
        else _material(incoming.text, incoming.carries, actor.name, is_own=True),
        *(_of_past(run, actor) for run in earlier if run.said),
    )


def _of_past(run: PastRun, actor: Actor) -> Material:
    if run.was_choice:
        return _chosen(run.said)
    return _material(run.said, run.carries, run.speaker or actor.name, is_own=not run.speaker)


def _chosen(label: str) -> Material:
    """The name of a record is whoever's who named it, and nobody's who pressed its button."""
    return Material(origin=Origin.RECORD, whose=_PRESSED, text=label)


def _material(
    text: str, carries: Sequence[Carried] | None, whose: str, *, is_own: bool
) -> Material:
    origin = _origin(text, carries, is_own=is_own)
    return Material(origin=origin, whose=whose, text=text, taints=origin is not Origin.TYPED)


def _origin(text: str, carries: Sequence[Carried] | None, *, is_own: bool) -> Origin:
    """Where nobody looked what a message holds, nobody knows that it was typed."""
    if not is_own:
        return Origin.OTHERS
    if carries is None:
        return Origin.PASTED
    carried = next((_CARRIED[one] for one in carries if one in _CARRIED), None)
    if carried:
        return carried
    return Origin.PASTED if len(text) > TYPED_LIMIT else Origin.TYPED
