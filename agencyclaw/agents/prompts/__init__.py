"""Prompts are files; each rule names its eval case in a comment that no model sees."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_COMMENT = re.compile(r"[ \t]*<!--.*?-->", re.DOTALL)


@dataclass(frozen=True)
class Prompt:
    """What a model is told, and the short hash that names this wording on every run."""

    text: str
    hash: str


@cache
def load_prompt(name: str) -> Prompt:
    """Read a prompt file of this folder by its name without ending."""
    source = (Path(__file__).parent / f"{name}.md").read_text(encoding="utf-8")
    text = _COMMENT.sub("", source).strip()
    return Prompt(text, hashlib.sha256(text.encode()).hexdigest()[:12])
