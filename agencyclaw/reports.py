"""What a run saw, called, proposed and cost, as text or JSON."""

from __future__ import annotations

import json
from typing import Any

from agencyclaw.domain.errors import NotFound
from agencyclaw.domain.text import cut
from agencyclaw.store.engine import Database
from agencyclaw.store.run_reports import RunReport, newest_runs, read_run


async def list_runs(db: Database, *, as_json: bool) -> str:
    """Return the newest runs, a line each."""
    rows = await newest_runs(db, limit=30)
    if as_json:
        return _json(rows)
    if not rows:
        return "No runs yet."
    return "\n".join(_run_line(row) for row in rows)


async def show_run(db: Database, prefix: str, *, as_json: bool) -> str:
    """Return one run whole; raises NotFound when none, or several, begin like this."""
    report = await read_run(db, prefix)
    if report is None:
        raise NotFound(f"There is no single run that begins with {prefix}.", reason="not_found")
    return _json(report.as_json()) if as_json else _page(report)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2, default=str)


def _run_line(row: dict[str, Any]) -> str:
    return (
        f"{str(row['id'])[:8]}  {row['started_at']:%Y-%m-%d %H:%M:%S}  {row['status']:<10} "
        f"{row['requests']:>2} requests {row['tokens']:>6} tokens  {row['person'] or '-'}: "
        f"{cut(row['said'] or '', 60)!r}"
    )


def _answer(run: dict[str, Any]) -> str:
    output: dict[str, Any] = run["output_payload"] or {}
    return str(output.get("text") or run["error_message"] or "nothing")


def _page(report: RunReport) -> str:
    run = report.run
    lines = [
        f"Run {run['id']} ({run['run_type']}, {run['status']})",
        f"  {run['person']} in {run['place']}, {run['started_at']:%Y-%m-%d %H:%M:%S %Z}",
        f"  model {run['input_payload'].get('model')}, prompt "
        f"{run['input_payload'].get('prompt_hash')}, trace {run['trace_id']}",
        "",
        "Saw",
        f"  {run['said']}",
        "",
        "Called",
    ]
    lines += [
        f"  {e['event_type']:<13}{e['skill_id']}: {e['payload_summary']}" for e in report.events
    ]
    lines += [
        "",
        "Answered",
        f"  {_answer(run)}",
    ]
    lines += ["", "Proposed"]
    lines += [f"  {p['state']}: {p['title']} {p['url'] or ''}".rstrip() for p in report.proposals]
    lines += ["", "Cost"]
    lines += [
        f"  {u['model']}: {u['prompt_tokens']} in, {u['completion_tokens']} out, "
        f"{'price unknown' if u['cost_usd'] is None else format(u['cost_usd'], '.4f') + ' USD'}"
        for u in report.usage
    ]
    return "\n".join(lines)
