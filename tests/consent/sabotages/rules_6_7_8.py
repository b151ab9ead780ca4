"""Choosing, evidence, today's facts: the oracle without one clause of rules 6, 7 and 8."""

from __future__ import annotations

from dataclasses import replace

from tests.consent.facts import Asked
from tests.consent.oracle import Oracle
from tests.consent.transcript import Button, Field, Press


class AllTicked(Oracle):
    """6: nothing is ticked beforehand"""

    def pressed(self, press: Press) -> Asked:
        asked = super().pressed(press)
        return asked if asked.proposals else replace(asked, proposals=self.shown_on(asked.card))

    def rule_6_not_chosen(self, asked: Asked) -> bool:
        ticking = asked.press is not None and asked.press.button is Button.SELECTED
        return not ticking and super().rule_6_not_chosen(asked)


class NoDialog(Oracle):
    """6: [Create all N] opens a dialog"""

    def rule_6_listed(self, asked: Asked) -> bool:
        return True


class ShorterDialog(Oracle):
    """6: that lists them"""

    def rule_6_listed(self, asked: Asked) -> bool:
        return asked.press is not None and bool(asked.press.listed)


class OneForAll(Oracle):
    """6: one button, one proposal"""

    def rule_6_not_chosen(self, asked: Asked) -> bool:
        single = asked.press is not None and asked.press.button is Button.CONFIRM
        return not single and super().rule_6_not_chosen(asked)


class FoldedForgotten(Oracle):
    """7: a card with anything folded"""

    def rule_7_folded(self, asked: Asked) -> bool:
        return False


class QuotesUnchecked(Oracle):
    """7: code checks that the quote stands in its source"""

    def rule_7_quoted(self, field: Field) -> bool:
        return 0 < len(field.quote) <= 200


class QuotesOfAnyLength(Oracle):
    """7: of at most 200 characters"""

    def rule_7_quoted(self, field: Field) -> bool:
        return bool(field.quote) and field.quote in field.held


class OldFacts(Oracle):
    """8: judged again with today's facts"""

    def rule_8_not_allowed(self, asked: Asked) -> bool:
        return False


class GuestsMay(Oracle):
    """8: full membership"""

    def rule_8_not_allowed(self, asked: Asked) -> bool:
        return bool(asked.names & self.transcript.forbidden)


class TiersForgotten(Oracle):
    """8: tier, assignment, mapping, switches"""

    def rule_8_not_allowed(self, asked: Asked) -> bool:
        nobody = replace(self.transcript, forbidden=frozenset())
        return Oracle(nobody).rule_8_not_allowed(asked)


class SlackUnasked(Oracle):
    """8: if Slack can't be asked, the act waits"""

    def rule_8_waits(self, asked: Asked) -> bool:
        return False


class NeverReleased(Oracle):
    """8: after ten minutes it is released"""

    def rule_8_released(self, asked: Asked) -> bool:
        return False
