"""What the documents say is what the code does."""

from __future__ import annotations

import ast
import builtins
import re
import subprocess
import textwrap
from pathlib import Path

import pytest
import yaml

from agencyclaw.cli.main import build_parser
from agencyclaw.settings import VARIABLES, Settings
from agencyclaw.store.catalogue import install_catalogue
from agencyclaw.store.engine import Database
from agencyclaw.tools import built_skills
from docs.generate import PAGES

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
GUIDES = "\n".join(
    (ROOT / "docs" / name).read_text(encoding="utf-8")
    for name in ("connect.md", "knowledge.md", "terminal.md", "testing.md")
)
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

# Where each command of the README and of the guides is run, and the words that run it there.
EXERCISED = {
    "make demo": ("tests/flow/test_demo.py", "test_make_runs_the_command_that_is_tested_here"),
    "make demo RESET=1": ("tests/flow/test_demo.py", 'demo.start("--reset")'),
    "make test": (".ci/run", "make test"),
    "make lint": (".ci/run", "make lint"),
    "make chaos KILLS=20": (".ci/run", "make chaos KILLS=20"),
    "make schedules SMALL=1": (".ci/run", "make schedules SMALL=1"),
    "make adversary SMALL=1": (".ci/run", "make adversary SMALL=1"),
    "make evals SMALL=1": (".ci/run", "make evals SMALL=1"),
    "make evals MODEL=openai:gpt-5-mini K=3": (
        "tests/evals/test_real_models.py",
        '"--model", "openai-chat:gpt-5-mini", *words',
    ),
    "make setup": ("tests/house/test_documents.py", "test_setup_and_serve_are_what_they_seem"),
    "make serve": ("tests/house/test_documents.py", "test_setup_and_serve_are_what_they_seem"),
    "cp .env.example .env": ("tests/flow/test_command_line.py", "leaves_empty_is_not_set"),
    "agencyclaw chat": ("tests/flow/test_command_line.py", '"chat", text, "--as", SARA'),
    "agencyclaw runs": ("tests/flow/test_command_line.py", 'run_here("runs")'),
    "agencyclaw runs show": ("tests/flow/test_command_line.py", 'run_here("runs", "show", run_id)'),
    "agencyclaw runs export": ("tests/flow/test_command_line.py", '"runs", "export", run_id'),
    "agencyclaw doctor": ("tests/flow/test_demo.py", 'demo.command("doctor")'),
    "agencyclaw seed": ("tests/flow/test_command_line.py", 'run_here("seed", "--configured")'),
    "agencyclaw catalog add": ("tests/flow/test_command_line.py", '"catalog", "add"'),
    "agencyclaw kb add": ("tests/flow/test_command_line.py", '"kb", "add"'),
    "agencyclaw kb approve": ("tests/flow/test_command_line.py", '"kb", "approve"'),
    "agencyclaw kb sync": ("tests/flow/test_command_line.py", '"kb", "sync"'),
    "agencyclaw kb alias": ("tests/flow/test_command_line.py", '"kb", "alias"'),
    "agencyclaw kb gaps": ("tests/flow/test_command_line.py", '"kb", "gaps"'),
    "agencyclaw tidy": ("tests/flow/test_command_line.py", 'run_here("tidy")'),
    "agencyclaw setup": ("tests/flow/test_setup.py", '"setup",'),
    "agencyclaw restored": ("tests/flow/test_operate_document.py", '"agencyclaw", "restored"'),
    "agencyclaw migrate": ("tests/flow/test_command_line.py", 'run_here("migrate")'),
    "agencyclaw migrate --new": ("tests/flow/test_command_line.py", '"migrate", "--new"'),
}


def blocks(language: str) -> list[str]:
    """The code blocks of the README and of the guides in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README + GUIDES, re.DOTALL | re.MULTILINE)


def commands() -> list[str]:
    """Every line a reader is told to run."""
    return [line for block in blocks("sh") for line in block.splitlines() if line.strip()]


def known(command: str) -> str:
    """The longest entry of the list that a command begins with."""
    bare = command.removeprefix(".venv/bin/")
    fitting = [one for one in EXERCISED if bare == one or bare.startswith(f"{one} ")]
    if command.startswith(("make", "cp")):
        fitting = [one for one in fitting if one == bare]
    return max(fitting, key=len, default="")


@pytest.mark.parametrize("command", commands())
def test_every_command_that_is_told_is_run_somewhere(command: str) -> None:
    file, words = EXERCISED.get(known(command), ("README.md", f"nobody runs {command}"))

    assert words in (ROOT / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("command", [c for c in commands() if "agencyclaw " in c])
def test_every_command_that_is_told_can_be_parsed(command: str) -> None:
    words = re.findall(r'"[^"]*"|\S+', command)[1:]

    build_parser().parse_args([word.strip('"') for word in words])


def test_setup_and_serve_are_what_they_seem() -> None:
    # What was installed before is no reason to leave it out here.
    dry = ["make", "--no-print-directory", "--dry-run", "--always-make"]
    setup, serve = (
        subprocess.run([*dry, name], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        for name in ("setup", "serve")
    )

    assert "requirements.txt" in setup
    assert serve.rstrip().endswith(".venv/bin/agencyclaw serve")


def test_the_tour_is_what_the_script_plays() -> None:
    part = README.partition("### The tour\n")[2].partition("\n## ")[0]
    tour = ROOT / "agencyclaw" / "agents" / "scripts" / "tour.yaml"
    script = yaml.safe_load(tour.read_text(encoding="utf-8"))

    said = [turn["say"][0] for turn in [*script["turns"], *script["admins"]]]
    assert re.findall(r"^- `(.+)`$", part, re.MULTILINE) == said


@pytest.mark.parametrize("name", PAGES)
def test_a_page_that_describes_code_is_up_to_date(name: str) -> None:
    written = (ROOT / name).read_text(encoding="utf-8")

    assert written == PAGES[name](), f"{name} is out of date: run `make docs`"


def test_the_example_of_settings_is_accepted_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    example = re.findall(r"^([A-Z0-9_]+)=(.+)$", PAGES[".env.example"](), re.MULTILINE)
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    plain = Settings()
    for name, value in example:
        monkeypatch.setenv(name, value)

    assert Settings() == plain


def test_every_setting_says_what_it_is() -> None:
    assert [name for name, one in Settings.model_fields.items() if not one.description] == []


def test_the_architecture_shows_every_package() -> None:
    folders = {f"agencyclaw/{p.parent.name}/" for p in (ROOT / "agencyclaw").glob("*/__init__.py")}
    shown = set(re.findall(r"^\| `(\S+)` \|", ARCHITECTURE, re.MULTILINE))

    assert shown == {*folders, "agencyclaw/app.py"}


async def test_the_sql_for_an_agency_of_ones_own_works(database: Database) -> None:
    await install_catalogue(database, built_skills())

    statements = [one for one in blocks("sql")[0].split(";\n") if one.strip()]
    done = [await database.pool.execute(statement) for statement in statements]

    assert set(done) == {"INSERT 0 1"}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(document: Path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", document.read_text(encoding="utf-8"))
    local = [link for link in links if "://" not in link]

    assert [link for link in local if not (document.parent / link).exists()] == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_path_and_target_that_is_named_exists(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    paths = re.findall(r"`((?:agencyclaw|tests|docs|migrations|\.ci)/[\w./-]*)`", text)
    targets = re.findall(r"`make ([\w-]+)", text)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")

    assert [path for path in paths if not (ROOT / path).exists()] == []
    assert [name for name in targets if f"\n{name}:" not in makefile] == []


def test_every_decision_has_a_number_of_its_own_and_stands_in_the_list() -> None:
    pages = sorted(path.name for path in (ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    listed = (ROOT / "docs" / "decisions" / "README.md").read_text(encoding="utf-8")
    entries = re.findall(r"^- \[(\d+)\]\((.+?)\)", listed, re.MULTILINE)

    assert len({name[:4] for name in pages}) == len(pages)
    assert sorted(name for _, name in entries) == pages
    assert all(name.startswith(f"{number}-") for number, name in entries)


def test_the_picture_is_small_enough_to_load() -> None:
    assert 20_000 < (ROOT / "docs" / "picture.png").stat().st_size < 400_000


def test_the_rules_for_changing_the_code_fit_on_a_page() -> None:
    assert len((ROOT / "AGENTS.md").read_text(encoding="utf-8").splitlines()) <= 120


def test_the_guide_calls_only_what_there_is() -> None:
    text = (ROOT / "docs" / "add-a-tool.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^ +```python\n(.*?)^ +```", text, re.M | re.S)
    guide = [node for block in blocks for node in ast.walk(ast.parse(textwrap.dedent(block)))]
    called = {
        node.func.id
        for node in guide
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "agencyclaw").rglob("*.py")]
    code = [node for source in sources for node in ast.walk(ast.parse(source))]
    known = {
        node.name
        for node in (*guide, *code)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.alias)
    }

    assert called
    assert not called - known - vars(builtins).keys()
