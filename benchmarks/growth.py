"""Measures what grows with the agency: search, the context pack, history, lanes."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

from agencyclaw.domain.sops import Sop, SopHit
from agencyclaw.domain.tasks import TaskRow
from agencyclaw.knowledge.context import ClientMaterial, build_pack
from agencyclaw.store.engine import Database
from agencyclaw.store.knowledge import KnowledgeReader
from benchmarks.figures import percentile
from benchmarks.server import BenchmarkServer
from benchmarks.turn import OWN, Entrant

SIZES = (1_000, 10_000, 100_000)
_QUERIES = (
    "set up a 20% coupon for the garlic press",
    "what do we do with stranded inventory",
    "n-gram analysis of search terms",
    "placement bid adjustments for a campaign",
    "review the listing images before the launch",
    "policy violation appeal",
    # A mail as people pass it on: what it asks for stands in one of its sentences.
    "Hi all, I had the call with Brightkettle this morning, and they were in a good mood. The"
    " new photos have arrived, and Priya likes the third one best. They asked when the trade fair"
    " is and whether we send somebody. Their colleague in the warehouse is ill until Thursday, so"
    " nobody picks anything up before. By the way, some of the candles cannot be bought any more"
    " although there are eighty of them in the warehouse, what do we do about stranded units like"
    " these? The invoice of August still shows the old address. Tomas, please send me the slides"
    " of last week. And let us talk about the plan for December when you are back. Best, Sara",
)
# Words in the proportions of a language: few are in every text, most are rare.
_FILL = """
insert into playbook_sops (clickup_doc_id, clickup_page_id, name, category, content_md)
select 'bench', 'page-' || n, 'Procedure ' || n || ' ' || string_agg(w, ' ' order by k)
    filter (where k <= 3), 'bench_' || n % 50, string_agg(w, ' ' order by k)
from generate_series($1::int, $2::int) as n,
  lateral (
    select k, 'word' || floor(exp(ln(20000) * random()))::int
      || case when (n + k) % 97 = 0 then ' coupon' when (n + k) % 89 = 0 then ' inventory'
         when (n + k) % 83 = 0 then ' campaign review' else '' end as w
    from generate_series(1, 120) as k where n = n
  ) as words
group by n
"""


async def measure_knowledge(server: BenchmarkServer) -> dict[str, dict[str, float]]:
    """Search among ever more procedures, with the reader the tool uses."""
    db = await Database.open(await server.database())
    figures: dict[str, dict[str, float]] = {}
    have = 0
    for size in SIZES:
        await db.pool.execute(_FILL, have + 1, size, timeout=600)
        await db.pool.execute("analyze playbook_sops")
        have = size
        figures[str(size)] = await _timed(KnowledgeReader(db), 40)
    await db.close()
    return figures


async def _timed(reader: KnowledgeReader, times: int) -> dict[str, float]:
    walls: list[float] = []
    for number in range(times * len(_QUERIES)):
        began = time.perf_counter()
        await reader.find_sops(_QUERIES[number % len(_QUERIES)], limit=3)
        walls.append(time.perf_counter() - began)
    return _spread(walls[len(_QUERIES) :])


def _spread(walls: list[float]) -> dict[str, float]:
    return {
        "p50_ms": round(percentile(walls, 50) * 1000, 2),
        "p99_ms": round(percentile(walls, 99) * 1000, 2),
    }


def measure_packs() -> dict[str, dict[str, float]]:
    """Build the context pack of a client with ever more tasks, and a tenth as many procedures."""
    figures: dict[str, dict[str, float]] = {}
    for size in SIZES[:2]:
        material = ClientMaterial(active=_tasks(size), sops=_hits(size // 10))
        walls: list[float] = []
        for _ in range(20):
            began = time.perf_counter()
            build_pack(material)
            walls.append(time.perf_counter() - began)
        figures[str(size)] = _spread(walls)
    return figures


def _tasks(count: int) -> tuple[TaskRow, ...]:
    start = date(2026, 1, 1)
    return tuple(
        TaskRow(
            id=str(number),
            name=f"Task {number}",
            status="to do",
            due=start + timedelta(days=number % 700),
            updated=datetime(2026, 1, 1, tzinfo=UTC),
            url=f"https://app.clickup.com/t/{number}",
        )
        for number in range(count)
    )


def _hits(count: int) -> tuple[SopHit, ...]:
    return tuple(
        SopHit(
            sop=Sop(
                id=UUID(int=number),
                title=f"Procedure {number}",
                category="coupons",
                aliases=(),
                body="",
                version="1",
                synced_at=None,
            ),
            match="text",
            score=number / count,
        )
        for number in range(count)
    )


async def measure_turns(server: BenchmarkServer) -> dict[str, dict[str, float]]:
    """Time turns in the demo agency, and again with ten times as much data around them."""
    figures: dict[str, dict[str, float]] = {}
    for factor in (1, 10, 100):
        dsn = await server.database()
        await _enlarge(dsn, factor)
        entrant = Entrant(f"times {factor}", OWN)
        await entrant.open(dsn)
        await entrant.ask("series", ["WARM1", "WARM2"])
        series = await entrant.ask("series", [f"G{number}" for number in range(6)])
        await entrant.close()
        figures[f"times {factor}"] = {
            **_spread(series["walls"]),
            "cpu_ms": round(series["cpu_s"] / len(series["walls"]) * 1000, 2),
        }
    return figures


async def _enlarge(dsn: str, factor: int) -> None:
    """Add clients, brands, procedures, and a past of runs, messages and deliveries elsewhere."""
    if factor == 1:
        return
    db = await Database.open(dsn)
    for statement in _MORE:
        await db.pool.execute(statement, factor, timeout=600)
    await db.pool.execute("analyze")
    await db.close()


_MORE = (
    """
insert into agency_clients (name)
select c.name || ' ' || n from agency_clients c, generate_series(2, $1::int) as n
""",
    """
insert into brands (client_id, name, clickup_space_id, clickup_list_id)
select c.id, 'Brand ' || c.name || ' ' || n, 's' || n, 'l' || n
from agency_clients c, generate_series(1, 2) as n
where c.name ~ ' \\d+$' and $1::int > 1
""",
    """
insert into playbook_sops (clickup_doc_id, clickup_page_id, name, category, content_md)
select 'bench', s.id::text || n, s.name || ' ' || n, s.category || '_' || n, s.content_md
from playbook_sops s, generate_series(2, $1::int) as n
""",
    """
insert into slack_event_receipts (event_key, event_source, event_type, team_id, channel_id,
  thread_ts, slack_ts, is_direct, slack_user_id, lane, status, received_at)
select 'past' || n, 'events', 'message', 'T01BENCH', 'DPAST' || n % 200, '1.0', n::text, true,
  'U01INES', 'T01BENCH:DPAST' || n % 200, 'done', now() - make_interval(mins => n)
from generate_series(1, 500 * $1::int) as n
""",
    """
with talks as (
  insert into playbook_sessions (team_id, place, slack_user_id)
  select 'T01BENCH', 'T01BENCH:DPAST' || n, 'U01INES' from generate_series(0, 199) as n
  returning id, place
)
insert into agent_runs (run_key, team_id, place, channel_id, thread_ts, source, trace_id, status,
  session_id, started_at)
select 'past' || n, 'T01BENCH', place, 'DPAST' || n % 200, '1.0', 'events', 'past', 'completed',
  talks.id, now() - make_interval(mins => n)
from generate_series(1, 500 * $1::int) as n join talks on place = 'T01BENCH:DPAST' || n % 200
""",
    """
insert into agent_messages (run_id, role, content)
select r.id, 'user', jsonb_build_object('text', repeat('what was said ', 40))
from agent_runs r, generate_series(1, 4) as n where $1::int > 0
""",
    """
insert into outbox (key, kind, team_id, channel_id, thread_ts, body, state, created_at)
select 'past' || n, 'notice', 'T01BENCH', 'DPAST' || n % 200, '1.0', '{"text": "told"}', 'sent',
  now() - make_interval(mins => n)
from generate_series(1, 500 * $1::int) as n
""",
)
