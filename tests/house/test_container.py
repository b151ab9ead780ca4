"""What can be held of the container file without an engine that builds it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from agencyclaw.settings import Settings

ROOT = Path(__file__).parents[2]
RECIPE = (ROOT / "Containerfile").read_text(encoding="utf-8")
OPERATE = (ROOT / "docs" / "operate.md").read_text(encoding="utf-8")
LINES = RECIPE.replace("\\\n", " ").splitlines()


def said(instruction: str) -> list[str]:
    """What stands behind every line with an instruction."""
    return [line.partition(" ")[2] for line in LINES if line.startswith(f"{instruction} ")]


def environment() -> dict[str, str]:
    return dict(re.findall(r"(\w+)=(\S+)", " ".join(said("ENV"))))


def test_what_is_copied_exists_and_nothing_else_leaves_the_folder() -> None:
    copied = [line.split()[0] for line in said("COPY")]
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()

    assert all((ROOT / source).exists() for source in copied)
    assert "*" in ignored
    assert [line[1:] for line in ignored if line.startswith("!")] == copied


def test_it_has_the_python_that_the_code_is_checked_with() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    image, *_ = said("ARG")

    assert said("FROM") == ["${BASE}"]
    wanted = project["tool"]["basedpyright"]["pythonVersion"]
    assert image.startswith(f"BASE=docker.io/library/python:{wanted}-slim-")


def test_packages_are_the_pinned_ones_and_none_is_built() -> None:
    [install] = [line for line in said("RUN") if "pip install" in line]

    assert "--require-hashes" in install
    assert "--only-binary :all:" in install
    assert "apt-get" not in RECIPE


def test_it_runs_as_nobody_special_and_knows_no_secret() -> None:
    [user] = said("USER")
    order = [line.split()[0] for line in LINES if line and not line.startswith("#")]

    # A number, so that whoever refuses root can see that it is none.
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user)
    assert order.index("USER") > max(at for at, word in enumerate(order) if word == "RUN")
    assert not re.search(r"TOKEN|SECRET|KEY|PASSWORD|DATABASE_URL", RECIPE)


def test_it_listens_where_the_document_and_the_health_check_look() -> None:
    port = environment()["AGENCYCLAW_HTTP_PORT"]
    [check] = said("HEALTHCHECK")

    assert said("EXPOSE") == [port]
    assert f":{port}:{port} " in OPERATE
    assert "AGENCYCLAW_HTTP_PORT" in check
    # HOME is there for accounts that have no name in the image.
    assert all(name.lower() in Settings.model_fields for name in environment() if name != "HOME")


def test_who_stops_it_waits_longer_than_it_takes_to_end() -> None:
    drain = Settings.model_fields["agencyclaw_drain_s"].default
    waits = re.findall(r"(?:TimeoutStopSec=|--stop-timeout[ =])(\d+)", OPERATE)

    assert said("STOPSIGNAL") == ["SIGTERM"]
    assert len(waits) >= 2
    assert all(float(wait) >= 2 * drain for wait in waits)


def test_what_the_example_would_take_from_the_image_is_left_out_of_its_file() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    given = dict(re.findall(r"^(\w+)=(.+)$", example, re.MULTILINE))
    [left_out] = re.findall(r"same lines as `.env.example`, without (.+?):", OPERATE, re.DOTALL)

    taken = {name for name, value in environment().items() if given.get(name, value) != value}
    assert taken == set(re.findall(r"`(\w+)`", left_out))
