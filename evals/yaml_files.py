"""YAML files, read by the parser in C: ours are many and long."""

from pathlib import Path
from typing import Any

import yaml


def read_named(folder: Path, only: str) -> list[dict[str, Any]]:
    """Return the files of a folder whose name contains a word, each with its `name`."""
    paths = [path for path in sorted(folder.glob("*.yaml")) if only in path.stem]
    return [{"name": path.stem, **read_yaml(path)} for path in paths]


def read_yaml(path: Path) -> Any:
    """Return what a file holds."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
