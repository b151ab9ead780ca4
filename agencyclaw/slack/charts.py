"""Draws a list of labels and numbers as a bar chart, in a process of its own.

The library holds the interpreter while it draws, for seconds the first time, and keeps what it
needed. That process has no environment and gets the rows alone.
"""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from agencyclaw.domain.errors import Refused
from agencyclaw.domain.messages import message
from agencyclaw.domain.sheets import Sheet

NOT_DRAWN = "not_drawn"
_PROGRAM = Path(__file__).with_name("chart_program.py")
_SECONDS = 60.0
_ALT_CHARS = 1_000
_COLOUR, _WIDTH_PX, _HEIGHT_PX, _BAR_PX, _LABEL_PX = "#0f5257", 560, 260, 28, 220


async def drawn(sheet: Sheet) -> bytes:
    """Return the PNG of a chart; raises Refused if it can't be drawn."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-I", "-B", str(_PROGRAM)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env={},
        cwd="/",
    )
    try:
        async with asyncio.timeout(_SECONDS):
            picture, _ = await process.communicate(json.dumps(specification(sheet)).encode())
    except TimeoutError:
        picture = b""
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    if not picture:
        raise Refused(message("delivery.chart_not_drawn", title=sheet.title), reason=NOT_DRAWN)
    return picture


def alt_text(sheet: Sheet) -> str:
    """Return what the chart shows in words, for who does not see it."""
    unit = sheet.columns[1].title
    return f"{sheet.title}. {unit}: {'; '.join(': '.join(row) for row in sheet.rows)}"[:_ALT_CHARS]


def specification(sheet: Sheet) -> dict[str, Any]:
    """Return the chart in Vega-Lite's grammar: bars side by side for days, else one below another.

    It brings its own white ground, so that it can be read in dark and light.
    """
    label, unit = sheet.columns
    by_day = label.is_day
    names = {
        "field": "label",
        "type": "nominal",
        "sort": None,
        "title": label.title if by_day else None,
        "axis": {"labelLimit": _LABEL_PX, "labelAngle": -40 if by_day else 0},
    }
    numbers = {"field": "number", "type": "quantitative", "title": unit.title}
    written = {"type": "text", "dy": -8} if by_day else {"type": "text", "align": "left", "dx": 4}
    return {
        "background": "white",
        "padding": 12,
        "title": {"text": sheet.title, "anchor": "start"},
        "width": _WIDTH_PX,
        "height": _HEIGHT_PX if by_day else {"step": _BAR_PX},
        "data": {"values": [{"label": name, "number": float(n)} for name, n in sheet.rows]},
        "encoding": {"x": names, "y": numbers} if by_day else {"y": names, "x": numbers},
        "layer": [
            {"mark": {"type": "bar", "color": _COLOUR}},
            {"mark": written, "encoding": {"text": {"field": "number"}}},
        ],
        "config": {"view": {"stroke": None}},
    }
