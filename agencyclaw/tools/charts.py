"""Puts a bar chart below the answer, drawn by code from the rows of a report."""

from __future__ import annotations

from collections.abc import Sequence

from agencyclaw.deps import Deps
from agencyclaw.domain.messages import message
from agencyclaw.domain.sheets import Sheet, SheetColumn

BARS_AT_MOST = 30


def add_chart(
    deps: Deps, title: str, label: SheetColumn, unit: str, bars: Sequence[tuple[str, float]]
) -> str:
    """Add a chart of labels and numbers to the answer, and return what to say of it.

    The first ones are kept, so the largest or latest come first; days are then drawn in order.
    """
    if deps.sheets is None:
        return "There are no charts where there is no Slack."
    if not bars:
        return "There is nothing to draw."
    left_out = len(bars) - BARS_AT_MOST
    kept = bars[:BARS_AT_MOST]
    shown = sorted(kept) if label.is_day else kept
    deps.sheets.add(
        Sheet(
            title=title,
            format="png",
            columns=(label, SheetColumn(title=unit)),
            rows=tuple((name, f"{number:.12g}") for name, number in shown),
            remarks=(message("answer.chart_is_full", left_out=left_out),) if left_out > 0 else (),
        )
    )
    return "The chart comes right below your answer, which need not repeat its numbers."
