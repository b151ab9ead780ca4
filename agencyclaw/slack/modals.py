"""Opens modals while the trigger of the act that asked for one is still valid."""

from __future__ import annotations

from functools import partial

from agencyclaw.domain.errors import Refused
from agencyclaw.slack.blocks import Block
from agencyclaw.slack.clicks import Press
from agencyclaw.slack.retrying import retry_within
from agencyclaw.slack.web import Method, Web

_TRIGGER_S = 2.0


class Modals:
    """Opens modals and turns their pages."""

    def __init__(self, web: Web) -> None:
        self._web = web

    async def show(self, press: Press, view: Block) -> None:
        """Open a modal for a press, or update the one in which the button was pressed."""
        if press.view is None or press.view.type == "home":
            await self.open(press.trigger_id, view)
            return
        update = partial(self._web.call, Method.UPDATE_VIEW, view_id=press.view.id, view=view)
        await retry_within(update, _TRIGGER_S)

    async def open(self, trigger_id: str, view: Block) -> None:
        """Open a modal while the trigger is valid; a used trigger has opened it already."""
        opening = partial(self._web.call, Method.OPEN_VIEW, trigger_id=trigger_id, view=view)
        try:
            await retry_within(opening, _TRIGGER_S)
        except Refused as refusal:
            if refusal.reason != "exchanged_trigger_id":
                raise
