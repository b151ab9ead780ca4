"""What a script can use of the messages quoted in the model's prompts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelRequest, UserPromptPart

from agencyclaw.domain.text import cut

# A quoted message, and how the blocks of quoted messages begin.
_MESSAGE = re.compile(r"^- (.+?) \(\d\d-\d\d \d\d:\d\d\): (.+)$", re.MULTILINE)
_BLOCKS = {"thread": "The thread", "meant": "The message"}
_BEGINNING = 80


def prompts(messages: Sequence[ModelMessage]) -> list[str]:
    """Return all user content."""
    parts = [
        part
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, UserPromptPart)
    ]
    return [
        str(content)
        for part in parts
        for content in ([part.content] if isinstance(part.content, str) else part.content)
    ]


def quoted_in(messages: Sequence[ModelMessage]) -> dict[str, Any]:
    """Return the messages of the thread, and those on which a shortcut was used, latest last.

    Of each its first line only.
    """
    blocks = "\n\n".join(prompts(messages)).split("\n\n")
    return {
        name: [
            {"who": who, "text": text, "beginning": cut(text, _BEGINNING)}
            for block in blocks
            if block.startswith(f"[{opening}")
            for who, text in _MESSAGE.findall(block)
        ]
        for name, opening in _BLOCKS.items()
    }
