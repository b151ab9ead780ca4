"""What a person may do in a place, and what would change that: the policy, told."""

from __future__ import annotations

from dataclasses import dataclass

from agencyclaw.domain.people import Actor, Surface
from agencyclaw.domain.policy import Allow, Decision, Rule, Switches, decide
from agencyclaw.tools.catalogue import TOOLS


@dataclass(frozen=True)
class Permission:
    """One tool, in words people know, and how it was judged."""

    what: str
    rule: Rule
    decision: Decision

    @property
    def is_allowed(self) -> bool:
        """Whether it may be used."""
        return isinstance(self.decision, Allow)


def permissions(actor: Actor, surface: Surface, switches: Switches) -> list[Permission]:
    """Return every tool that is built, judged as it is when it is offered.

    What is switched off for everybody is in it too: somebody may have asked for it.
    """
    return [
        Permission(_spoken(spec.rule), spec.rule, decide(actor, surface, spec.rule, switches))
        for spec in TOOLS.values()
    ]


def _spoken(rule: Rule) -> str:
    return f"{rule.title[:1].lower()}{rule.title[1:]}"
