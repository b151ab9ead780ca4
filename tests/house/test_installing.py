"""Where only pip knows the registry, nobody reads of uv; where both fail, everybody does."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOISY = "sh -c 'echo no such registry >&2; false'"


@pytest.mark.parametrize("target", [".venv/.project", ".venv/.runtime", ".venv/.dev"])
@pytest.mark.parametrize(("pip", "code", "said"), [("true", 0, ""), ("false", 2, "no such")])
def test_only_what_nobody_could_install_is_complained_of(
    tmp_path: Path, target: str, pip: str, code: int, said: str
) -> None:
    wanted = ("requirements-uv.txt", "requirements.txt", "requirements-dev.txt", "pyproject.toml")
    for name in (*wanted, ".venv/.uv"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    make = ["make", "--no-print-directory", "-f", str(ROOT / "Makefile"), "-C", str(tmp_path)]
    done = subprocess.run(
        [*make, f"UV={NOISY}", f"PIP={pip}", target], capture_output=True, text=True
    )

    assert done.returncode == code
    assert said in done.stderr if said else done.stderr == ""
