"""What a task request lacks, as questions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from agencyclaw.domain.choices import OPTION_LIMIT, fixed
from agencyclaw.domain.days import spoken_day
from agencyclaw.domain.messages import message
from agencyclaw.domain.names import plain_name
from agencyclaw.domain.quotes import Fact, QuotedDay
from agencyclaw.domain.sops import SopHit
from agencyclaw.domain.task_requests import (
    ChosenProcedure,
    Promotion,
    QuotedFact,
    QuotedPromotion,
    TaskFact,
    TaskField,
)
from agencyclaw.domain.text import cut, folded, one_line
from agencyclaw.tools.results import Ask

PENDING = message("remarks.pending")
ANYWAY = message("remarks.anyway")
TITLE_LIMIT = 80
SHORTEST_TITLE = 3
# An objective says something if it has so many words beside the title and the client's names: "new
# task for Glintly" has one.
_SUBSTANCE = 2


@dataclass(frozen=True)
class TaskFlags:
    """What was said about the request itself.

    `is_about_products`: about single products; `is_pending`: their identifiers follow;
    `is_insisted`: the person wants it although something is missing.
    """

    is_about_products: bool = False
    is_pending: bool = False
    is_insisted: bool = False


@dataclass(frozen=True)
class TaskRequest:
    """A task as it was requested, with checked facts and resolved days.

    `cleared` are the fields that are to go from the task it replaces.
    """

    title: str
    objective: str
    details: str = ""
    flags: TaskFlags = TaskFlags()
    replaces: str = ""
    replaces_of: str = ""
    cleared: Sequence[TaskField] = ()
    start: date | None = None
    due: date | None = None
    promotion: Promotion | None = None
    facts: tuple[TaskFact, ...] = ()
    marketplace: str = ""

    @property
    def text(self) -> str:
        """Everything that was said about the task."""
        return "\n".join(part for part in (self.title, self.objective, self.details) if part)

    @property
    def is_thin(self) -> bool:
        """Whether there is a title and nothing else: whatever was said of it is enough."""
        return not (self.objective.strip() or self.details.strip() or self.facts or self.promotion)

    def about_products(self, *, is_so: bool) -> TaskRequest:
        """Return it as being about single products, or not."""
        return replace(self, flags=replace(self.flags, is_about_products=is_so))

    def is_only_titled(self, names: Iterable[str]) -> bool:
        """The same where the objective is little more than the title and these names."""
        known = {word for one in (self.title, *names) for word in plain_name(one).split()}
        added = set(plain_name(self.objective).split()) - known
        return replace(self, objective="").is_thin if len(added) < _SUBSTANCE else self.is_thin


@dataclass(frozen=True)
class NamedRecords:
    """The records a request names, in the model's words."""

    client: str
    brand: str | None
    assignee: str | None
    identifiers: Sequence[str]
    procedure: ChosenProcedure | None


@dataclass(frozen=True)
class QuotedTask:
    """The facts of a task request with their quotes, unchecked."""

    promotion: QuotedPromotion | None = None
    facts: Sequence[QuotedFact] = ()
    marketplace: Fact | None = None
    start: QuotedDay | None = None
    due: QuotedDay | None = None


def ask_title(request: TaskRequest, owner: str) -> Ask | None:
    """Ask for a title if there is none; offer one if there are words for it."""
    if len(folded(request.title)) >= SHORTEST_TITLE:
        return None
    if idea := one_line(request.objective, TITLE_LIMIT).rstrip(" .!?…"):
        question = f"What should the task for {owner} be called? I suggest: “{idea}”."
        return Ask(question=question)
    idea = cut(f"To be specified for {owner}", OPTION_LIMIT)
    question = (
        f"In a few words: what is to be done for {owner}? I'll word the title. Or take “{idea}” as"
        " the title for now."
    )
    return Ask(question=question, options=(fixed(idea),))


def ask_dates(request: TaskRequest, today: date) -> Ask | None:
    """Ask about days that make no sense."""
    promotion = request.promotion
    starts, ends = (promotion.starts, promotion.ends) if promotion else (None, None)
    past = (
        (request.due, "When is the task due?"),
        (request.start, "When should it start?"),
        (ends, "When does the promotion end?"),
    )
    for day, question in past:
        if day and day < today:
            return Ask(question=f"{day:%A %d %B %Y} is already past. {question}")
    if request.start and request.due and request.due < request.start:
        return Ask(
            question=f"It would be due on {spoken_day(request.due)}, before it starts on"
            f" {spoken_day(request.start)}. Which days do you mean?"
        )
    if starts and ends and ends < starts:
        return Ask(
            question=f"The promotion would end on {spoken_day(ends)}, before it starts on"
            f" {spoken_day(starts)}. Which days do you mean?"
        )
    return None


def ask_substance(closest: SopHit | None, earlier: str | None) -> Ask:
    """Ask what is to be done if neither a procedure nor the person says it.

    A procedure that is only the closest of those that do not fit is no help.
    """
    found = "I found no procedure for this."
    if closest and closest.is_ground:
        found = f"I found no procedure for exactly this; the closest is “{closest.sop.title}”."
    if earlier:
        found += f" There was an earlier task “{one_line(earlier, 80)}”."
    question = f"{found} What should be done, and how will we know that it's finished?"
    return Ask(question=question, options=(fixed(ANYWAY),))
