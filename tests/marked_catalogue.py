"""A pytest plugin: another language for the messages, whose every sentence can be told apart.

It has to be loaded before the code, which takes some sentences when it is imported.
"""

from __future__ import annotations

from agencyclaw.domain.messages.en import SENTENCES

OPENING, CLOSING = "⟦", "⟧"

SENTENCES.update({key: f"{OPENING}{text}{CLOSING}" for key, text in SENTENCES.items()})
