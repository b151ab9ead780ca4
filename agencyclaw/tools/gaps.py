"""What a task request lacks, as one question at a time."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from agencyclaw.deps import Deps
from agencyclaw.domain.choices import OPTION_LIMIT, choice, fixed
from agencyclaw.domain.products import Product
from agencyclaw.domain.search_keys import telling, words_of
from agencyclaw.domain.sops import SopHit
from agencyclaw.domain.tasks import find_identifiers, needs_identifier, says_nothing
from agencyclaw.domain.text import cut, folded, one_line
from agencyclaw.knowledge.phrases import first_sentence, without_command, without_deferral
from agencyclaw.tools.results import Ask

PENDING = "Create it with the identifiers pending"
ANYWAY = "Create it anyway"
TITLE_LIMIT = 80
SUBSTANCE = 3
MOST_NAMED = 4
WHOLE = 6

_VAGUE = re.compile(
    r"(?:a |the |my |new |another |some |one |clickup |quick )*"
    r"(?:task|tasks|ticket|todo|to do|something|stuff|thing|things|title|untitled|tbd|test)"
    r"(?: for \S+(?: \S+){0,2})?"
)
_GIVEN = re.compile(r"[A-Z0-9](?:[A-Z0-9._/-]{2,22})[A-Z0-9]")
_NEARLY_ASIN = re.compile(r"B0[A-Z0-9]{0,14}")


@dataclass(frozen=True)
class Wish:
    """A task as it was asked for, in the arguments' own words."""

    title: str
    request: str
    details: str = ""
    start: date | None = None
    due: date | None = None
    identifiers: tuple[str, ...] = ()
    is_pending: bool = False
    is_insisted: bool = False
    replaces: str = ""

    @property
    def text(self) -> str:
        """Everything that was said of the task."""
        return "\n".join(part for part in (self.title, self.request, self.details) if part)


def ask_title(wish: Wish, said: str, owner: str) -> Ask | None:
    """Ask for a title when there is none that says something; offer one where words exist."""
    title = folded(wish.title)
    if len(title) >= 3 and not says_nothing(wish.title) and not _VAGUE.fullmatch(title):
        return None
    for text in (wish.details, wish.request, said):
        if idea := _title_from(text):
            question = f"What should the task for {owner} be called? I suggest: “{idea}”."
            return Ask(question=question)
    question = f"In a few words: what is to be done for {owner}? I'll word the title."
    return _ask_for_less(owner) if says_nothing(said) else Ask(question=question)


def _ask_for_less(owner: str) -> Ask:
    """Somebody who only presses on is offered a way on instead of the same question again."""
    idea = cut(f"To be specified for {owner}", OPTION_LIMIT)
    question = (
        f"So far I don't know what is to be done for {owner}. Tell me in a few words, or take"
        f" “{idea}” as the title for now."
    )
    return Ask(question=question, options=(fixed(idea),))


def _title_from(text: str) -> str:
    words = first_sentence(without_command(without_deferral(text)), TITLE_LIMIT).rstrip(" .!?…")
    if says_nothing(words) or _VAGUE.fullmatch(folded(words)) or len(_telling(words)) < 2:
        return ""
    return words[0].upper() + words[1:]


def _telling(text: str) -> frozenset[str]:
    return frozenset(words_of(telling(text)))


def ask_dates(deps: Deps, wish: Wish) -> Ask | None:
    """Ask about days that cannot be meant."""
    today = deps.today
    if wish.due and wish.due < today:
        return Ask(question=f"{wish.due:%A %d %B %Y} is already past. When is the task due?")
    if wish.start and wish.start < today:
        return Ask(question=f"{wish.start:%A %d %B %Y} is already past. When should it start?")
    if wish.start and wish.due and wish.due < wish.start:
        return Ask(
            question=f"It would be due on {wish.due:%d %B %Y}, before it starts on"
            f" {wish.start:%d %B %Y}. Which days do you mean?"
        )
    return None


def read_identifiers(wish: Wish, named: Sequence[Product] = ()) -> tuple[str, ...] | Ask:
    """Return the products the work is about, or ask; vague words are never products.

    `named` are those of the catalog that the request names: one is meant, of several none is taken.
    """
    given = [one for item in wish.identifiers for one in _apart(item)]
    wrong = [item for item in given if not _is_identifier(item)]
    if wrong:
        return Ask(
            question=f"“{one_line(wrong[0], 40)}” doesn't look like an ASIN or SKU."
            " Which identifiers are meant?",
            options=(fixed(PENDING),),
        )
    capitals = (item.upper() for item in given)
    found = tuple(dict.fromkeys((*capitals, *find_identifiers(wish.text))))
    if not found and len(named) == 1:
        return (identifier_of(named[0]),)
    if found or wish.is_pending or wish.is_insisted or not lacks_identifiers(wish):
        return found
    question = "Which products is it about? Please give the ASINs or SKUs."
    shown = [
        choice("product", identifier_of(one), f"{identifier_of(one)} {one_line(one.title, 50)}")
        for one in named[:MOST_NAMED]
    ]
    return Ask(question=question, options=(*shown, fixed(PENDING)))


def identifier_of(product: Product) -> str:
    """Return what a task calls a product of the catalog by."""
    return (product.asin or product.sku or "").upper()


def lacks_identifiers(wish: Wish) -> bool:
    """Return whether the work is about products of which none is identified."""
    return needs_identifier(wish.text) and not find_identifiers(wish.text)


def _apart(item: str) -> list[str]:
    """Several in one text are several; words are not taken apart."""
    parts = [part for part in re.split(r"[,;\s]+", item) if part]
    return parts if all(map(_is_identifier, parts)) else [item.strip()]


def _is_identifier(item: str) -> bool:
    if find_identifiers(item) == (item.upper(),):
        return True
    item = item.upper()
    has_both = any(char.isdigit() for char in item) and any(char.isalpha() for char in item)
    return has_both and bool(_GIVEN.fullmatch(item)) and not _NEARLY_ASIN.fullmatch(item)


def ask_together(asks: Sequence[Ask]) -> Ask:
    """Ask for all that is missing in one message; the first choices among it are its buttons."""
    if len(asks) == 1:
        return asks[0]
    on_buttons = next((ask for ask in asks if ask.options), asks[0])
    lines = [
        f"{number}. {ask.question if ask is on_buttons else _with_options(ask)}"
        for number, ask in enumerate(asks, start=1)
    ]
    question = "\n".join(["To prepare the task I need to know:", *lines])
    return Ask(question=question, options=on_buttons.options)


def _with_options(ask: Ask) -> str:
    unsaid = [one.label for one in ask.options if one.label not in ask.question]
    return f"{ask.question} ({' / '.join(unsaid)})" if unsaid else ask.question


def is_thin(wish: Wish) -> bool:
    """Return whether there is a title and nothing more to go by.

    A good title says much of the request again, so a long request counts as it is.
    """
    if wish.details.strip():
        return False
    asked, title = _telling(without_command(wish.request)), _telling(wish.title)
    return len(asked) < WHOLE and len(asked - title) < SUBSTANCE


def ask_substance(closest: SopHit | None, earlier: str | None) -> Ask:
    """Ask what is to be done when no procedure says it and the person did not."""
    found = "I found no procedure for this."
    if closest:
        found = f"I found no procedure for exactly this; the closest is “{closest.sop.title}”."
    if earlier:
        found += f" There was an earlier task “{one_line(earlier, 80)}”."
    question = f"{found} What should be done, and how will we know that it's finished?"
    return Ask(question=question, options=(fixed(ANYWAY),))
