"""YAML files, read by the parser in C: ours are many and long."""

from pathlib import Path
from typing import Any

import yaml


def read_yaml(path: Path) -> Any:
    """Return what a file holds."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
