"""A procedure's category and further names, read from its document or derived from its title."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agencyclaw.domain.people import Value
from agencyclaw.domain.text import folded, one_line

MOST_ALIASES = 20
LONGEST_NAME = 80
# Names stand in front matter or in the first lines: "**Also called:** vouchers, clip coupons".
_HEAD_LINES = 20
_FIELD = re.compile(
    r"^[\s>*_-]*(?P<name>category|aliases|alias|also called|also known as|other names)[*_]*\s*:"
    r"(?P<value>.*)$",
    re.IGNORECASE,
)
_KIND = re.compile(r"\b(?:sop|standard operating procedure|procedure)\b", re.IGNORECASE)
_MARKS = " \t*_`\"'“”‘’[]()."


class Naming(Value):
    """A procedure's category, and its names besides the title."""

    category: str
    aliases: tuple[str, ...] = ()

    def with_name(self, name: str) -> Naming:
        """Return these and another name."""
        return self.model_copy(update={"aliases": (*self.aliases, name)})

    def without_name(self, name: str) -> Naming:
        """Return these without a name."""
        kept = tuple(alias for alias in self.aliases if alias != name)
        return self.model_copy(update={"aliases": kept})


def naming_of(title: str, body: str, parent: str = "") -> Naming:
    """Return the names a document states, else those derived from its place and title.

    `parent` is the title of the page above it. The title is always among the names.
    """
    lines = _labelled_lines(body)
    bare = folded(_KIND.sub(" ", title)) or folded(title)
    category = next(iter(lines["category"]), "") or parent or bare
    named = lines["aliases"][: MOST_ALIASES - 1]
    return Naming(category=category_of(category), aliases=aliases_of([*named, bare]))


def category_of(name: str) -> str:
    """Return a category in its stored form: "Account health" is `account_health`."""
    bare = folded(_KIND.sub(" ", name)) or folded(name)
    return re.sub(r"\W+", "_", bare).strip("_")[:LONGEST_NAME] or "procedure"


def aliases_of(names: Iterable[str]) -> tuple[str, ...]:
    """Return names in their stored form: folded, without duplicates, at most twenty."""
    folds = (folded(one_line(name.strip(_MARKS), LONGEST_NAME)) for name in names)
    return tuple(dict.fromkeys(name for name in folds if name))[:MOST_ALIASES]


def _labelled_lines(body: str) -> dict[str, list[str]]:
    """Read the fields at the head of a document; a list may follow a field's name."""
    fields: dict[str, list[str]] = {"category": [], "aliases": []}
    open_list: list[str] | None = None
    for line in body.splitlines()[:_HEAD_LINES]:
        if field := _FIELD.match(line):
            name = "category" if field["name"].lower() == "category" else "aliases"
            parts = field["value"].replace(";", ",").split(",")
            values = [part.strip(_MARKS) for part in parts if part.strip(_MARKS)]
            fields[name] += values
            open_list = None if values else fields[name]
        elif open_list is not None and (item := _list_item(line)):
            open_list.append(item.strip(_MARKS))
        else:
            open_list = None
    return fields


def _list_item(line: str) -> str:
    """Return the text of a list item, "" for other lines; one with a colon may be a field."""
    bullet, *texts = line.split(maxsplit=1) or [""]
    if bullet not in ("-", "*") or not texts:
        return ""
    may_be_field = ":" in texts[0] and not line[0].isspace()
    return "" if may_be_field else texts[0]
