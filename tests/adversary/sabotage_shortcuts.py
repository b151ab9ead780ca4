"""Rails of shortcuts with a hole in each: who may use them where."""

from __future__ import annotations

import pytest

from agencyclaw.domain.people import Access
from agencyclaw.slack.access import Conversations


def _everybody_sees_everything(patch: pytest.MonkeyPatch) -> None:
    async def access(*_: object) -> Access:
        return Access.SHARED

    patch.setattr(Conversations, "access", access)


SHORTCUT_SABOTAGES = (("everybody sees every conversation", _everybody_sees_everything, ("O169",)),)
