"""Writes docs/threat-model.md: prose from here, tables from the catalogue, so that it can't rot."""

from __future__ import annotations

from pathlib import Path

from tests.adversary.classes import CLASSES, GROUPS, OUTCOMES, AttackClass
from tests.adversary.oracle import INVARIANTS
from tests.adversary.sabotage import SABOTAGES

PAGE = Path(__file__).parents[2] / "docs" / "threat-model.md"

_OPENING = """# Threat model

<!-- Written by `make threat-model` from tests/adversary; a test fails when they differ. -->

**Give the attacker the model.** Every change still needs the right person's own act on the true text
of what will happen: a press, or, in a direct message, a plain yes right below the card. It happens
once, in the right place, and nothing leaves any other way. No rail below rests on what a model says
or was told, and a label that a model wrote is never a button.

The promise is tested without a language model. `make adversary` puts a model into the assistant
that does whatever the attacker wants, plays people, bots, other workspaces, failing neighbours and
a world that changes between card and click, and judges every run, harmless ones too, by ledgers:
what reached ClickUp and Slack, what the tables say, what the telemetry holds. It then takes rails
away, one at a time, and has to notice each. `FULL=1` plays every combination.

## What is judged after every run
"""

_RAILS = """
## What must be noticed when it is missing
"""

_CLOSING = """
## What this does not cover

- Whoever can write to the database, or holds the tokens, is inside: a changed proposal is noticed
  by its fingerprint, a changed fingerprint is not.
- A person who confirms without reading has confirmed. The card shows all of it, in a fixed order, or
  says that the whole text is one press away; what rests on others' words is shown in full.
- An approved procedure is trusted as much as what a person typed: orders in it lead to a card like
  any other, which a plain yes may confirm. Approving one takes an admin's press.
- Whose words a text rests on is found by runs of equal characters. A model that rewords a stranger's
  text leaves "the assistant's wording" on the card, which takes a press as long as such text was in
  sight of that run.
- What all people together may cost: messages a minute are limited per person, and so are calls of
  a tool where an admin says so, but nothing adds up the money.
- That an answer is *right* is no part of this; the evals ask that.
- Where programs of the model are switched on: whoever broke out of the interpreter would be a process
  of the assistant's account, with its network, though without its environment. And a program that
  builds a figure out of the data's own numbers on purpose is not told from one that reckons.
- Guides are the operator's own text: who can write to their folder, can tell the assistant how to
  word things, and still change nothing without a person's consent.
- Reads are judged by the ClickUp lists that were read and by marked data in what was said, not row
  by row in the database.
"""


def render() -> str:
    """Return the page."""
    return (
        "\n".join([_OPENING, _oracles(), _RAILS, _sabotages(), _groups(), _CLOSING]).rstrip() + "\n"
    )


def _oracles() -> str:
    rows = [f"| {name} | {one.__name__.replace('_', ' ')} |" for name, one in INVARIANTS.items()]
    return "\n".join(["| | invariant |", "|---|---|", *rows])


def _sabotages() -> str:
    rows = [f"- {one.name}" for one in SABOTAGES]
    return "\n".join(rows)


def _groups() -> str:
    parts = [f"\n## {letter}. {title}\n\n{_table(letter)}" for letter, title in GROUPS.items()]
    legend = "; ".join(f"**{name}** {words}" for name, words in OUTCOMES.items())
    return "\n".join(["\n## The catalogue", "", f"Outcomes: {legend}.", *parts])


def _table(letter: str) -> str:
    rows = [_row(one) for one in CLASSES if one.id.startswith(letter)]
    head = ["| | attack | outcome | rail | held by |", "|---|---|---|---|---|"]
    return "\n".join([*head, *rows])


def _row(one: AttackClass) -> str:
    proof = f"`{one.test}`" if one.test else "nothing yet" if one.expected == "OPEN" else "harness"
    return f"| {one.id} | {one.title} | {one.expected} | {one.rail} | {proof} |"


def main() -> None:
    """Write the page."""
    PAGE.write_text(render(), encoding="utf-8")


if __name__ == "__main__":
    main()
