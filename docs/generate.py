"""Write the pages of docs that describe code, and `.env.example`: `make docs`."""

from __future__ import annotations

import argparse
import inspect
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from agencyclaw.cli.main import build_parser
from agencyclaw.conversation.commands import SUBCOMMANDS
from agencyclaw.settings import PROVIDER_VARIABLES, Settings
from agencyclaw.store.catalogue import skill_rows
from agencyclaw.tools import TOOLS, ToolSpec, built_skills

ROOT = Path(__file__).parents[1]
_NOTE = "<!-- Written by `make docs` from the code; a test fails when they differ. -->"
_SECTIONS = {
    "slack_bot_token": "Slack",
    "clickup_api_token": "ClickUp",
    "database_url": "Database and files",
    "agencyclaw_model": "Language model",
    "agencyclaw_concurrency": "Limits",
    "agencyclaw_http_host": "HTTP",
    "super_admin_profile_ids": "People",
    "logfire_token": "Telemetry",
}


def configuration() -> str:
    """Return the page of settings: one table a section."""
    parts = [
        "# Configuration",
        _NOTE,
        "All of it comes from the environment, or from `.env`; [`.env.example`](../.env.example) "
        "has the same names. A bad value is refused at start, by its name, and a name with "
        "`AGENCYCLAW_` that nothing reads is logged.",
    ]
    for title, rows in _sections():
        lines = [f"| `{name}` | {_code(default)} | {what} |" for name, default, what in rows]
        parts += [f"## {title}", "\n".join(["| variable | default | what it is |", _RULE, *lines])]
    return _page(parts)


def example() -> str:
    """Return `.env.example`: every setting with its default, or empty."""
    parts = ["# Everything that is read from the environment. Copy to .env; empty is not set."]
    for title, rows in _sections():
        lines = [f"# --- {title} ---"]
        for name, default, what in rows:
            lines += [f"# {_plain(what)}", f"{name}={'' if _is_ours(default) else default}"]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def commands() -> str:
    """Return the page of commands: at the terminal, and typed in Slack."""
    parts = ["# Commands", _NOTE, "## In Slack"]
    typed = [f"| `/claw {_cell(one.usage)}` | {_cell(one.what)} |" for one in SUBCOMMANDS.values()]
    parts += ["\n".join(["| typed | what it does |", "|---|---|", *typed])]
    parts += [
        "In a direct message the whole messages `help`, `new` and `stop` are commands, too.",
        "## At the terminal",
        "A command ends with 0, with 1 where it found something wrong, with 2 for a bad setting "
        "and with 3 for what can't be reached.",
    ]
    for name, parser in _parsers():
        parts += [f"### agencyclaw {name}", f"{_sentence(parser[0])}", _arguments(parser[1])]
    return _page(part for part in parts if part)


def tools() -> str:
    """Return the page of tools and skills."""
    parts = ["# Tools and skills", _NOTE, _TOOLS]
    for title, is_wanted in _KINDS.items():
        rows = [_tool(spec) for _, spec in sorted(TOOLS.items()) if is_wanted(spec)]
        parts += [f"## {title}", "\n".join([_TOOL_HEAD, "|---|---|---|---|", *rows])]
    skills = sorted(skill_rows(built_skills()), key=lambda row: row["id"])
    cases = _eval_cases()
    rows = [_skill(row, cases) for row in skills]
    head = "| skill | tool | what it is | for | built | eval cases in |\n|---|---|---|---|---|---|"
    return _page([*parts, "## Skills", _SKILLS, "\n".join([head, *rows])])


PAGES: dict[str, Callable[[], str]] = {
    "docs/configuration.md": configuration,
    "docs/commands.md": commands,
    "docs/tools.md": tools,
    ".env.example": example,
}
_RULE = "|---|---|---|"
_TOOL_HEAD = "| tool | a person reads | for | what the model is told first |"
_TOOLS = (
    "What the model may call. A tool that prepares a change returns an effect; nothing is written "
    "before a person's own act. Those marked *on demand* are found by searching and cost nothing "
    "before. [How to add one](add-a-tool.md)."
)
_SKILLS = (
    "The skills of the product requirements, the tool that serves each, and the eval cases "
    "(files of `evals/datasets`) that call it."
)
_KINDS: dict[str, Callable[[ToolSpec], bool]] = {
    "Look something up": lambda spec: not spec.rule.changes,
    "Prepare a change": lambda spec: spec.rule.changes,
}


def _sections() -> list[tuple[str, list[tuple[str, str, str]]]]:
    found: list[tuple[str, list[tuple[str, str, str]]]] = []
    for name, field in Settings.model_fields.items():
        if title := _SECTIONS.get(name):
            found.append((title, []))
        row = (name.upper(), _default(field.default), _cell(field.description or ""))
        found[-1][1].append(row)
    model = next(rows for title, rows in found if title == "Language model")
    model += [(name, "", what) for name, what in PROVIDER_VARIABLES.items()]
    return found


def _default(value: Any) -> str:
    match value:
        case None | "":
            return ""
        case bool():
            return str(int(value))
        case tuple() | frozenset():
            return ",".join(f"{item:g}" for item in value)
        case float():
            return f"{value:g}"
        case Path():
            return f"~/{value.relative_to(Path.home())}"
        case _:
            return str(value)


def _is_ours(default: str) -> bool:
    """Whether a default is better left to the code than copied: addresses and folders."""
    return default.startswith(("https://", "~/"))


def _parsers() -> list[tuple[str, tuple[str, argparse.ArgumentParser]]]:
    choices = next(
        one for one in build_parser()._actions if isinstance(one, argparse._SubParsersAction)
    )
    helped = {one.dest: one.help or "" for one in choices._choices_actions}
    return [(name, (helped[name], parser)) for name, parser in choices.choices.items()]


def _arguments(parser: argparse.ArgumentParser) -> str:
    lines = [
        f"- `{_usage(one)}` {one.help or ''}".rstrip()
        for one in parser._actions
        if not isinstance(one, argparse._HelpAction)
    ]
    return "\n".join(lines)


def _usage(argument: argparse.Action) -> str:
    if argument.option_strings:
        value = "" if argument.nargs == 0 else f" {argument.metavar or argument.dest.upper()}"
        return f"{argument.option_strings[0]}{value}"
    if argument.choices:
        return " | ".join(str(one) for one in argument.choices)
    return argument.dest.upper()


def _tool(spec: ToolSpec) -> str:
    first = (inspect.getdoc(spec.function) or "").partition("\n\n")[0].replace("\n", " ")
    name = f"`{spec.name}`" + (" *on demand*" if spec.is_on_demand else "")
    return f"| {name} | {spec.title} | {spec.rule.tier.name.lower()} | {_cell(first)} |"


def _eval_cases() -> dict[str, str]:
    """Return the text of each file of eval cases, by its name."""
    files = sorted((ROOT / "evals" / "datasets").glob("*.yaml"))
    return {path.stem: path.read_text(encoding="utf-8") for path in files}


def _skill(row: dict[str, Any], cases: dict[str, str]) -> str:
    tool = f"`{row['tool_name']}`" if row["tool_name"] else ""
    is_built = "yes" if row["implemented_in_code"] else "no"
    # A step with one call names its tool first; one with several has a list of them.
    calls = (f"- {row['tool_name']}:", f"{{tool: {row['tool_name']},")
    called_in = ", ".join(
        name for name, text in cases.items() if tool and any(call in text for call in calls)
    )
    what = f"{row['name']} | {row['min_tier']} | {is_built} | {called_in}"
    return f"| `{row['id']}` | {tool} | {what} |"


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}." if text else ""


def _plain(text: str) -> str:
    """Return a description without Markdown."""
    text = re.sub(r"\[([^\]]*)\]\(([^)]*)\)", r"\1 (docs/\2)", text)
    return text.replace("`", "").replace("*", "")


def _page(parts: Iterable[str]) -> str:
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    for name, render in PAGES.items():
        (ROOT / name).write_text(render(), encoding="utf-8")
