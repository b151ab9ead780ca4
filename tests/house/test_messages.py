"""The catalogue of messages: nothing is said that is not in it, nothing in it is left unsaid."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

from agencyclaw.domain.messages.en import SENTENCES

PACKAGE = Path(__file__).parents[2] / "agencyclaw"


def said() -> Iterator[tuple[str, set[str]]]:
    """Every key that code asks for, with the parts it brings along."""
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "message":
                [key] = node.args
                assert isinstance(key, ast.Constant), f"{path.name}: keys are written out"
                yield str(key.value), {str(one.arg) for one in node.keywords}


def test_every_message_is_in_the_catalogue_with_the_parts_it_is_given() -> None:
    wrong = [key for key, parts in said() if parts_of(SENTENCES[key]) != parts]

    assert not wrong


def test_the_catalogue_holds_nothing_that_nobody_says() -> None:
    assert set(SENTENCES) == {key for key, _ in said()}


def parts_of(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}
