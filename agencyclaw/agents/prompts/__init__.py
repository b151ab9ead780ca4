"""Loads prompt files; each rule names its eval case in a comment that no model sees."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from agencyclaw.domain.errors import Misconfigured

_FOLDER = Path(__file__).parent
_COMMENT = re.compile(r"[ \t]*<!--.*?-->", re.DOTALL)
PROMPTS = ("main", "planner", "research", "summary", "judge")


@dataclass(frozen=True)
class Prompt:
    """A prompt, and the short hash that identifies its wording on every run."""

    text: str
    hash: str


@cache
def load_prompt(name: str) -> Prompt:
    """Read a prompt file of this folder by its name; raises Misconfigured if it is missing."""
    path = _FOLDER / f"{name}.md"
    try:
        source = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        source = ""
    text = _COMMENT.sub("", source).strip()
    if not text:
        raise Misconfigured(f"The prompt {path} is missing, empty or unreadable: install it again.")
    return Prompt(text, hashlib.sha256(text.encode()).hexdigest()[:12])


def require_prompts() -> None:
    """Raise Misconfigured unless every prompt exists."""
    for name in PROMPTS:
        load_prompt(name)
