"""Rails with a hole in each: a harness that finds none of them proves nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from agencyclaw.agents import verification
from agencyclaw.domain import policy
from agencyclaw.domain.consent import reply
from agencyclaw.domain.policy import Allow, decide
from agencyclaw.domain.proposals import Proposal
from agencyclaw.proposals import consent, execute, propose, task_creation
from agencyclaw.slack import delivery, escaping
from agencyclaw.store import intents, proposal_states, proposals
from agencyclaw.tools import permissions, policy_checks
from tests.adversary.sabotage_consent import CONSENT_SABOTAGES
from tests.adversary.sabotage_messages import MESSAGE_SABOTAGES
from tests.adversary.sabotage_shortcuts import SHORTCUT_SABOTAGES
from tests.adversary.sabotage_threads import THREAD_SABOTAGES

Patch = Callable[[pytest.MonkeyPatch], None]


@dataclass(frozen=True)
class Sabotage:
    """A rail that was taken away, and the classes that run into the hole first."""

    name: str
    hole: Patch
    classes: tuple[str, ...]


def _cut(patch: pytest.MonkeyPatch, module: Any, name: str, *parts: str) -> None:
    """Take parts out of a statement; fails when one is not there any more."""
    statement = getattr(module, name)
    for part in parts:
        if part not in statement:
            raise AssertionError(f"{name} has no {part!r}")
        statement = statement.replace(part, "")
    patch.setattr(module, name, statement)


def _overlook(patch: pytest.MonkeyPatch, reason: str) -> None:
    """Let consent pass that would have been refused for one reason."""
    whole = consent.not_theirs

    def is_about(receipt: Any, who: Any, proposal: Any) -> Any:
        verdict = whole(receipt, who, proposal)
        return None if verdict and verdict.reason == reason else verdict

    patch.setattr(consent, "not_theirs", is_about)


def _late_is_fine(patch: pytest.MonkeyPatch) -> None:
    late = (" and received_at < words_until", "select received_at < expires_at and (")
    _cut(patch, proposal_states, "_CONFIRM", late[0])
    whole = proposal_states._CONFIRM
    patch.setattr(proposal_states, "_CONFIRM", whole.replace(late[1], "select true and ("))
    patch.setattr(reply, "_is_over", lambda *_: False)


def _anybody_may_press(patch: pytest.MonkeyPatch) -> None:
    _cut(patch, proposal_states, "_CONFIRM", " and actor_profile_id = $2")
    _overlook(patch, "wrong_actor")


def _fingerprints_of_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Proposal, "is_untouched", property(lambda _: True))
    patch.setattr(consent, "_was_drawn_for", lambda *_: True)


def _nothing_is_judged_again(patch: pytest.MonkeyPatch) -> None:
    async def unchanged(self: Any, proposal: Any) -> None:
        return None

    patch.setattr(execute.Executor, "_judge_again", unchanged)
    patch.setattr(task_creation.TaskCreation, "changed_since", unchanged)


def _any_place_will_do(patch: pytest.MonkeyPatch) -> None:
    anywhere = proposal_states._CONFIRM.replace("place = $4", "$4::text is not null")
    patch.setattr(proposal_states, "_CONFIRM", anywhere)
    _overlook(patch, "forged_click")

    async def fresh(*_: Any) -> bool:
        return False

    patch.setattr(consent.Consent, "_is_stale", fresh)


def _executed_twice(patch: pytest.MonkeyPatch) -> None:
    again = proposals._EXECUTE.replace("('confirmed', 'executing')", "('confirmed', 'done')")
    patch.setattr(proposals, "_EXECUTE", again)

    async def send(self: Any, proposal: Any) -> Any:
        begun = await self._intents.begin(proposal, proposal.effect)
        return await self._send(proposal, begun)

    patch.setattr(task_creation.TaskCreation, "carry_out", send)


def _sent_again_unseen(patch: pytest.MonkeyPatch) -> None:
    async def look(self: Any, proposal: Any) -> Any:
        return await self.send_again(proposal)

    patch.setattr(task_creation.TaskCreation, "look", look)
    patch.setattr(intents, "REQUESTS_AT_MOST", 9)


def _text_is_left_live(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(escaping, "rewritten", lambda text, _: text)
    patch.setattr(escaping, "break_links", lambda text, *_: text)
    patch.setattr(verification, "repair", lambda text, **_: text)


def _links_are_unfurled(patch: pytest.MonkeyPatch) -> None:
    whole = delivery.Deliverer._send

    async def send(self: Any, row: Any, part: int, **content: Any) -> Any:
        call = self._web.call

        class Loud:
            async def call(_, method: Any, **given: Any) -> Any:
                return await call(method, **given | {"unfurl_links": True, "unfurl_media": True})

        quiet, self._web = self._web, Loud()
        try:
            return await whole(self, row, part, **content)
        finally:
            self._web = quiet

    patch.setattr(delivery.Deliverer, "_send", send)


def _the_gate_lets_all_pass(patch: pytest.MonkeyPatch) -> None:
    def allow(*given: Any, **more: Any) -> Allow:
        return Allow(meta=decide(*given, **more).meta)

    for module in (policy_checks, policy, permissions):
        patch.setattr(module, "decide", allow)
    # What was decided before is not asked for.
    patch.setattr(permissions, "_decided", permissions._decided.__wrapped__)


def _drafts_without_end(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(propose, "DRAFTS_PER_RUN", 10_000)


SABOTAGES = (
    Sabotage("consent is taken after its time", _late_is_fine, ("B19",)),
    Sabotage("anybody may press", _anybody_may_press, ("B16", "C47")),
    Sabotage("fingerprints are of nothing", _fingerprints_of_nothing, ("B26", "B14")),
    Sabotage("nothing is judged again at execution", _nothing_is_judged_again, ("B24", "B25")),
    Sabotage("any place will do", _any_place_will_do, ("B18", "B15")),
    Sabotage("an effect is executed twice", _executed_twice, ("B20", "B21")),
    Sabotage("a request is repeated without a look", _sent_again_unseen, ("B20",)),
    Sabotage("links are left live", _text_is_left_live, ("E68", "E69")),
    Sabotage("mentions are left live", _text_is_left_live, ("E66",)),
    Sabotage("links are unfurled", _links_are_unfurled, ("benign",)),
    Sabotage("the gate lets everything pass", _the_gate_lets_all_pass, ("C39", "C44")),
    Sabotage("there is no end to drafts", _drafts_without_end, ("A7",)),
    *(
        Sabotage(*one)
        for one in (*CONSENT_SABOTAGES, *THREAD_SABOTAGES, *MESSAGE_SABOTAGES, *SHORTCUT_SABOTAGES)
    ),
)


@contextmanager
def sabotaged(sabotage: Sabotage) -> Iterator[None]:
    """Take a rail away for a while."""
    with pytest.MonkeyPatch.context() as patch:
        sabotage.hole(patch)
        yield
