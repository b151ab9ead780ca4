"""Checks the quoted facts of a task request and resolves its days."""

from __future__ import annotations

from dataclasses import replace

from agencyclaw.domain.task_requests import FACTS, Promotion, QuotedPromotion, TaskFact
from agencyclaw.knowledge.fact_checks import FactCheck
from agencyclaw.tools.gaps import QuotedTask, TaskRequest


def settle_facts(request: TaskRequest, quoted: QuotedTask, check: FactCheck) -> TaskRequest:
    """Return the request with the facts that their quotes support."""
    facts = [(one, check.text(FACTS[one.about], one)) for one in quoted.facts]
    # A task's days may be counted from its promotion's.
    promotion = _promotion(quoted.promotion, check)
    start = check.day("Start", quoted.start, end=quoted.due)
    return replace(
        request,
        start=start,
        due=check.day("Due", quoted.due, start=start),
        promotion=promotion,
        facts=tuple(TaskFact(about=one.about, value=value) for one, value in facts if value),
        marketplace=check.text("Marketplace", quoted.marketplace),
    )


def _promotion(quoted: QuotedPromotion | None, check: FactCheck) -> Promotion | None:
    if quoted is None:
        return None
    starts = check.day("Starts", quoted.starts, end=quoted.ends, or_words=True)
    return Promotion(
        type=quoted.type,
        discount=check.text("Discount", quoted.discount),
        price=check.text("Price", quoted.price),
        starts=starts,
        starts_when=check.quote("Starts", quoted.starts),
        ends=check.day("Ends", quoted.ends, start=starts, or_words=True),
        ends_when=check.quote("Ends", quoted.ends),
        budget=check.text("Budget", quoted.budget),
    )
