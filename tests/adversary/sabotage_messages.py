"""Rails of searching with a hole in each: where messages may be shown, and whose words they are."""

from __future__ import annotations

import pytest

from agencyclaw.conversation import place_messages
from agencyclaw.domain.field_sources import Material, Origin
from agencyclaw.tools import sources


def _whatever_is_found_is_shown(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(place_messages, "may_show", lambda *_: True)


def _what_is_found_was_typed(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sources, "_of_others", lambda said: Material(origin=Origin.TYPED, text=said.text))


MESSAGE_SABOTAGES = (
    ("whatever is found is shown", _whatever_is_found_is_shown, ("N166",)),
    ("what is found counts as typed by the asker", _what_is_found_was_typed, ("N167",)),
)
