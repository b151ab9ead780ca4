"""The catalogue of messages: nothing is said that is not in it, nothing in it is left unsaid."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from agencyclaw.domain.effects import Effect
from agencyclaw.domain.messages.en import SENTENCES
from agencyclaw.domain.messages.en.labels import LABELS
from agencyclaw.domain.records import SetRecord
from agencyclaw.tools import TOOLS, ToolSpec
from tests.house.spoken import Spoken, read_modules

PACKAGE = Path(__file__).parents[2] / "agencyclaw"
CATALOGUE = PACKAGE / "tools" / "catalogue.py"


def step_of(spec: ToolSpec) -> str:
    """The key of what people read while a tool runs; those of records may share theirs."""
    own = f"steps.{spec.name}"
    is_record = spec.effect and issubclass(spec.effect, SetRecord)
    return "steps.a_record" if is_record and own not in SENTENCES else own


def said() -> Iterator[tuple[str, set[str]]]:
    """Every key that code asks for, with the parts it brings along."""
    yield from ((step_of(spec), set[str]()) for spec in TOOLS.values())
    for path in PACKAGE.rglob("*.py"):
        if path == CATALOGUE:  # asks for the sentences of all tools
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "message":
                [key] = node.args
                assert isinstance(key, ast.Constant), f"{path.name}: keys are written out"
                yield str(key.value), {str(one.arg) for one in node.keywords}


def test_every_message_is_in_the_catalogue_with_the_parts_it_is_given() -> None:
    missing = {key for key, _ in said()} - SENTENCES.keys()
    assert not missing, f"add to a file of agencyclaw/domain/messages/en: {missing}"
    wrong = [key for key, parts in said() if parts_of(SENTENCES[key]) != parts]

    assert not wrong, f"give each message the parts that its sentence has: {wrong}"


def test_the_catalogue_holds_nothing_that_nobody_says() -> None:
    labels = {f"label.{text}" for _, text in literals(PACKAGE)}
    wanted = {key for key, _ in said()} | (labels & set(LABELS))

    unsaid = sorted((set(SENTENCES) | set(LABELS)) - wanted)
    assert not unsaid, f"nobody says these of agencyclaw/domain/messages/en: {unsaid}"


def test_no_sentence_stands_twice_in_the_catalogue() -> None:
    """Tools may share what is read while they run, and a label may be a sentence's only word."""
    apart = ("steps.", "label.")
    keys: dict[str, list[str]] = {}
    for key, sentence in SENTENCES.items():
        if not key.startswith(apart):
            keys.setdefault(sentence, []).append(key)

    assert not [several for several in keys.values() if len(several) > 1]


# What these packages write is read by people; a model reads what tools return.
SPEAKING = ("conversation", "proposals", "slack", "domain", "agents", "knowledge")
# What a model reads: prompts, history, faults of its calls and answers.
FOR_A_MODEL = {
    *("agents/found_tools.py", "agents/history.py", "agents/judge.py", "agents/past_results.py"),
    "agents/past_answers.py",
    *("agents/policies/escalation.py", "agents/policies/limits.py", "agents/replay.py"),
    *("agents/situation.py", "agents/thread.py", "knowledge/checks.py", "knowledge/context.py"),
    *("knowledge/fact_checks.py", "knowledge/grounding.py", "knowledge/programs.py"),
}
# For whoever installs it or reads the log, for no person in Slack.
FOR_OPERATORS = {
    *("slack/checkup.py", "slack/connection.py", "slack/edge.py", "slack/retrying.py"),
    *(
        "slack/web.py",
        "slack/member_lifecycle.py",
        "slack/limits.py",
        "slack/channels.py",
        "slack/access.py",
        "slack/members.py",
    ),
    *("slack/threads.py", "slack/status.py", "slack/lost_streams.py", "slack/delivery.py"),
    *(
        "slack/forwarding.py",
        "slack/streaming.py",
        "conversation/queue.py",
    ),
    *("conversation/running.py", "store/retention.py", "conversation/turn.py"),
    *("proposals/consent_by_word.py", "agents/model_call.py", "agents/prompts/__init__.py"),
}
# Read by code or by a model: forms of words, patterns, statements, notes of what was sent.
NO_SENTENCES = {
    *("domain/consent/words.py", "domain/naming.py", "domain/days.py"),
    *("domain/periods.py", "knowledge/secrets.py"),
    *("domain/tasks.py", "domain/addresses.py", "domain/clock.py", "slack/messages.py"),
    "proposals/consent.py",
}
LEFT_WHERE_THEY_ARE = {
    "yes, go ahead": "the word that confirms, from the closed list",
    "yes, create it": "the same",
    "link CLIENT|BRAND": "how a command is typed",
    "remember [CLIENT|BRAND:] …": "how a command is typed",
    "consent press|words|default …": "how a command is typed",
    "String should have": "pydantic's own words, which are replaced",
    "no due date": "a bucket that a model is told",
    "a number is needed, not true or false": "the same, of an argument",
    "view of another form": "an error of ours, for the log",
    "Not found out:  .": "what a child's record has, for an operator",
    "Catalog and account health": "a kind of work, as the procedures name it",
    "a thread of others": "why a message was left alone, for the log",
}
LABEL = re.compile(r"[A-Z][a-z]+(?:[ -][A-Za-z]+)?")
# Modules whose literals of this form nobody in Slack reads, and the literals of others.
WITHOUT_LABELS = FOR_OPERATORS | FOR_A_MODEL
NO_LABELS = {
    "Held": "a type variable",
    "Key": "another",
    "Sales": "the name of a figure, as reports have it",
    "My clients": "a prompt, sent as typed text",
    "Person": "a heading of a file that is imported",
    "Authorization": "a header",
    "Effect": "a type",
    "Failed": "an outcome, for traces",
    "Answered": "the same",
    "Please give": "replaces pydantic's own words",
}


@pytest.mark.parametrize("package", ["domain", "proposals", "slack", "conversation"])
def test_every_label_of_one_or_two_words_is_in_the_catalogue(package: str) -> None:
    left = [
        f"{path.relative_to(PACKAGE)}:{line}: {text}"
        for path in sorted((PACKAGE / package).rglob("*.py"))
        if "messages" not in path.parts and str(path.relative_to(PACKAGE)) not in WITHOUT_LABELS
        for line, text in literals(path)
        if LABEL.fullmatch(text) and f"label.{text}" not in LABELS and text not in NO_LABELS
    ]

    assert not left, "\n".join(("list in domain/messages/en/labels.py:", *left))


def test_how_every_change_ends_is_in_the_catalogue() -> None:
    ends = {kind.done for kind in get_args(get_args(Effect)[0])}

    assert not ends - {label.removeprefix("label.") for label in LABELS}


def literals(path: Path) -> Iterator[tuple[int, str]]:
    """Yield every literal text of a module, or of all in a folder, with its line."""
    for module in [path] if path.is_file() else path.rglob("*.py"):
        if "messages" in module.parts:
            continue
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.lineno, node.value


THREE_WORDS = re.compile(r"[A-Za-z][\w'’]*(?:[^\w]+[A-Za-z][\w'’]*){2}")
FOR_A_LOG_OR_A_MODEL = {
    *("warn", "info", "exception", "error", "debug", "span", "counter", "metric_counter"),
    *("metric_histogram", "metric_gauge", "compile", "Broken", "message", "cast", "LookupError"),
    *("create_task", "ModelRetry", "Issue"),
}


@pytest.mark.parametrize("package", SPEAKING)
def test_no_sentence_that_people_read_stands_outside_the_catalogue(package: str) -> None:
    left = [
        f"{path.relative_to(PACKAGE)}:{line}: {text}"
        for path in sorted((PACKAGE / package).rglob("*.py"))
        if "messages" not in path.parts
        and str(path.relative_to(PACKAGE)) not in FOR_OPERATORS | NO_SENTENCES | FOR_A_MODEL
        for line, text in sentences_of(ast.parse(path.read_text(encoding="utf-8")))
        if text.strip() not in LEFT_WHERE_THEY_ARE
    ]

    assert not left, "\n".join(left)


def sentences_of(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Literals of three words and more, without docstrings and what is for logs and audits."""
    if isinstance(tree, ast.Expr) and isinstance(tree.value, ast.Constant):
        return
    if isinstance(tree, ast.Call) and name_of(tree.func) in FOR_A_LOG_OR_A_MODEL:
        return
    if isinstance(tree, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else " " for part in tree.values]
        yield from read(tree.lineno, "".join(map(str, parts)))
        nested = (part for part in tree.values if isinstance(part, ast.FormattedValue))
        for one in nested:
            yield from sentences_of(one.value)
        return
    if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
        yield from read(tree.lineno, tree.value)
    for child in ast.iter_child_nodes(tree):
        yield from sentences_of(child)


def read(line: int, text: str) -> Iterator[tuple[int, str]]:
    if THREE_WORDS.search(text) and " " in text.strip():
        yield line, text


def name_of(func: ast.expr) -> str:
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")


def test_what_people_read_of_a_tool_while_it_runs_is_in_the_catalogue() -> None:
    titles = {spec.name: spec.title for spec in TOOLS.values()}

    assert titles == {spec.name: SENTENCES[step_of(spec)] for spec in TOOLS.values()}


REFUSALS = {"Refused", "NotFound", "NotAllowed"}


def test_no_tool_words_a_refusal_outside_the_catalogue() -> None:
    left = [
        f"{path.name}:{node.lineno}"
        for path in sorted((PACKAGE / "tools").rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and name_of(node.func) in REFUSALS
        and isinstance(node.args[0], ast.Constant | ast.JoinedStr)
    ]

    assert not left


# A word beside a value: what two words and a value say is a sentence, too.
BUILT = re.compile(r"(?:^|[\s“*])[A-Za-z’']{2,}(?:[.:]?\s|[.:”]*$)")
BUILT_FOR_NOBODY = {
    *("Bearer \0", "action \0", "payload \0", "event \0", "shortcut \0", "forget \0"),
    *("\0: no address", "\0: not shown"),
    "\0 · for \0 · \0",  # The marker of a created task, by which it is found again.
    "clickup tasks:\0",  # The lock of several tasks.
    "\0 characters",
}


@pytest.mark.parametrize("package", ["conversation", "proposals", "slack", "domain"])
def test_no_sentence_is_built_of_words_and_values_outside_the_catalogue(package: str) -> None:
    left = [
        f"{path.relative_to(PACKAGE)}:{line}: {text}"
        for path in sorted((PACKAGE / package).rglob("*.py"))
        if "messages" not in path.parts
        and str(path.relative_to(PACKAGE)) not in FOR_OPERATORS | NO_SENTENCES | FOR_A_MODEL
        for line, text in built_in(ast.parse(path.read_text(encoding="utf-8")))
        if text not in BUILT_FOR_NOBODY
    ]

    assert not left, "\n".join(left)


def built_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Texts of words and values, a value as a zero, without what is for logs."""
    if isinstance(tree, ast.Call) and name_of(tree.func) in FOR_A_LOG_OR_A_MODEL:
        return
    if isinstance(tree, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.Constant) else "\0" for part in tree.values]
        text = "".join(map(str, parts))
        if "\0" in text and BUILT.search(text):
            yield tree.lineno, text
    for child in ast.iter_child_nodes(tree):
        yield from built_in(child)


# Commands of the terminal and errors for the log, which nobody reads in Slack; layouts of dates.
NOT_IN_SLACK = ("cli/", "exports/", "documents/", "store/", "slack/", "agents/thread.py")
# A helper that asks takes it, and a model puts it into its own words.
QUESTION = "Who should be taken off"
LAYOUT = re.compile(r"%[a-zA-Z]|\\b")


def test_refusals_and_remarks_take_their_words_from_the_catalogue_whoever_words_them() -> None:
    found = Spoken(read_modules(PACKAGE)).outside()
    left = {
        f"{path.relative_to(PACKAGE)}:{line}: {text}"
        for path, node in found
        if not str(path.relative_to(PACKAGE)).startswith(NOT_IN_SLACK)
        for line, text in sentences_of(node)
        if not LAYOUT.search(text) and not text.startswith(QUESTION)
    }

    assert not left, "\n".join(sorted(left))


HELPERS = """
from agencyclaw.tools.planted_words import why
TOO_MANY = "There are too many of them"
def near(name):
    text = f"It is near to {name}"
    return text + "."
def ask(name):
    raise Refused(why(name), reason="x")
def bound():
    raise NotFound(TOO_MANY, reason="x")
def shown():
    return Listing(reach=near("x"), note="only a model reads this")
def asks():
    raise Refused(Ask(question="which one is it"), reason="x")
"""
WORDS = 'def why(name):\n    return message("a") if name else "Nothing of that name is there"'


def test_a_sentence_that_is_built_is_noticed() -> None:
    planted = ast.parse('say(f"{it} by {name}.")\nf"card:{it}"\nwarn(f"{it} by {name}")')

    assert [text for _, text in built_in(planted)] == ["\0 by \0."]


def test_words_that_a_helper_or_a_constant_has_are_noticed(tmp_path: Path) -> None:
    tools = tmp_path / "agencyclaw" / "tools"
    tools.mkdir(parents=True)
    (tools / "planted.py").write_text(HELPERS, encoding="utf-8")
    (tools / "planted_words.py").write_text(WORDS, encoding="utf-8")

    found = Spoken(read_modules(tmp_path / "agencyclaw")).outside()

    assert {text for _, node in found for _, text in sentences_of(node)} == {
        "There are too many of them",
        "Nothing of that name is there",
        "It is near to  ",
    }


def test_a_sentence_outside_is_noticed() -> None:
    planted = ast.parse('"""Doc of it."""\nsay(f"I did {it} for you.")\nwarn("not for you at all")')

    assert [text for _, text in sentences_of(planted)] == ["I did   for you."]


def parts_of(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}
