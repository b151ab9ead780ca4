"""The page of `agencyclaw runs --web`: the newest runs, a search, and one run as a whole.

It only reads, and is HTML without a script.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from html import escape
from urllib.parse import urlencode

from aiohttp import web

from agencyclaw.cli.reports import ReportSection, run_sections
from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.text import counted
from agencyclaw.server.local_page import LocalPage
from agencyclaw.server.setup_html import STYLE
from agencyclaw.settings import Settings
from agencyclaw.store.engine import Database
from agencyclaw.store.run_reports import RunSummary, newest_runs

_SHOWN = 200
_FOLDED_CHARS = 300
_STYLE = """
main { max-width: 60rem; } ol { list-style: none; padding: 0; }
li { border-top: 1px solid var(--edge); padding: .5rem 0; } li.below { padding-left: 1.5rem; }
li a { display: block; text-decoration: none; } small { color: var(--soft); }
input[type=search] { width: 100%; padding: .6rem; font: inherit; color: inherit;
  background: var(--page); border: 1px solid var(--edge); border-radius: 6px; }
pre { font: 14px/1.45 ui-monospace, monospace; white-space: pre-wrap; margin: .3rem 0; }
"""
_BACK = '<p><a href="?">All runs</a></p>'


@asynccontextmanager
async def runs_page(db: Database, settings: Settings, port: int) -> AsyncGenerator[str]:
    """Serve the page, and yield its address."""

    async def show(request: web.Request) -> web.StreamResponse:
        if chosen := request.query.get("run"):
            return await _shown_run(db, settings, chosen)
        words = request.query.get("containing", "").strip()
        runs = await newest_runs(db, limit=_SHOWN, containing=words)
        return _page("Runs", _list(runs, words))

    async with LocalPage().serving(port, {"GET": show}) as address:
        yield address


async def _shown_run(db: Database, settings: Settings, run_id: str) -> web.Response:
    try:
        sections = await run_sections(db, run_id, settings)
    except NotFound as error:
        return _page("No such run", f"{_BACK}<p>{escape(str(error))}</p>", status=404)
    return _page("Run", _BACK + "".join(map(_section, sections)))


def _page(title: str, body: str, status: int = 200) -> web.Response:
    html = (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title} · AgencyClaw</title><style>{STYLE}{_STYLE}</style>"
        f"<main><h1>{title}</h1>{body}</main></html>"
    )
    return web.Response(text=html, content_type="text/html", status=status)


def _list(runs: Sequence[RunSummary], words: str) -> str:
    search = (
        '<form method="get"><input type="search" name="containing" aria-label="Search"'
        f' placeholder="Words of a request or answer, a name, an id" value="{escape(words)}">'
        "</form>"
    )
    if not runs:
        return f'{search}<p class="soft">{"None has these words." if words else "No runs yet."}</p>'
    more = f'<p class="soft">The newest {_SHOWN}.</p>' if len(runs) == _SHOWN else ""
    return f"{search}<ol>{''.join(map(_line, runs))}</ol>{more}"


def _line(run: RunSummary) -> str:
    place = ' class="below"' if run.parent_run_id else ""
    facts = (
        f"{run.started_at:%Y-%m-%d %H:%M:%S %Z}",
        run.person or "nobody known",
        run.status,
        counted(run.requests, "request"),
        counted(run.tokens, "token"),
    )
    address = escape(f"?{urlencode({'run': run.id})}")
    return (
        f'<li{place}><a href="{address}">{escape(run.request or "(no words)")}</a>'
        f"<small>{escape(' · '.join(facts))}</small></li>"
    )


def _section(section: ReportSection) -> str:
    url = escape(section.trace_url)
    trace = f'<p><a href="{url}" target="_blank" rel="noreferrer">Its trace</a></p>' if url else ""
    lines = section.lines or ["nothing"]
    return f"<h2>{escape(section.title)}</h2>{''.join(map(_text, lines))}{trace}"


def _text(line: str) -> str:
    if len(line) <= _FOLDED_CHARS:
        return f"<pre>{escape(line)}</pre>"
    begin = escape(line[:_FOLDED_CHARS])
    return f"<details><summary>{begin}…</summary><pre>{escape(line)}</pre></details>"
