"""Windows over Slack: opened while the press that asked for one may still open it."""

from __future__ import annotations

from functools import partial
from typing import Any

from agencyclaw.domain.errors import Refused
from agencyclaw.slack.clicks import Press
from agencyclaw.slack.patience import patiently
from agencyclaw.slack.web import Method, Web

_TRIGGER_S = 2.0


class Windows:
    """Opens and turns the pages of windows."""

    def __init__(self, web: Web) -> None:
        self._web = web

    async def show(self, press: Press, view: dict[str, Any]) -> None:
        """Open a window for a press, or turn the page of the one that was pressed in."""
        if press.view is None:
            await self.open(press, view)
            return
        again = partial(self._web.call, Method.UPDATE_VIEW, view_id=press.view.id, view=view)
        await patiently(again, _TRIGGER_S)

    async def open(self, press: Press, view: dict[str, Any]) -> None:
        """Open a window while the trigger lives; one that is used up has opened it."""
        ask = partial(self._web.call, Method.OPEN_VIEW, trigger_id=press.trigger_id, view=view)
        try:
            await patiently(ask, _TRIGGER_S)
        except Refused as refusal:
            if refusal.reason != "exchanged_trigger_id":
                raise
