"""`/metrics` in Prometheus' text format.

Events of this process are measured where they happen, with logfire's instruments. The state of the
whole deployment is counted in the database, so every process reports the same.
"""

from __future__ import annotations

from collections.abc import Iterator

import logfire
from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric

from agencyclaw.store.engine import TROUBLE
from agencyclaw.store.stats import Stats, StatsSnapshot


class Metrics:
    """Writes this process's measurements and the deployment's counts."""

    def __init__(self, stats: Stats) -> None:
        self._stats = stats

    async def show(self, _: web.Request) -> web.Response:
        """Answer a scrape; without a database it has only this process's measurements."""
        text = generate_latest(REGISTRY)
        try:
            counted = CollectorRegistry()
            counted.register(_CountsCollector(await self._stats.count()))
            text += generate_latest(counted)
        except TROUBLE as error:
            logfire.warn("metrics without the database", error=type(error).__name__)
        return web.Response(body=text, headers={"Content-Type": CONTENT_TYPE_LATEST})


class _CountsCollector:
    """Gives the deployment's counts to the Prometheus client."""

    def __init__(self, counts: StatsSnapshot) -> None:
        self._counts = counts

    def collect(self) -> Iterator[Metric]:
        """Yield the metric families."""
        counts = self._counts
        jobs = GaugeMetricFamily(
            "agencyclaw_jobs", "Jobs that are due or running", labels=["task", "state"]
        )
        for row in counts.jobs:
            for state in ("waiting", "running"):
                jobs.add_metric([row["task"], state], row[state])
        yield jobs
        yield GaugeMetricFamily(
            "agencyclaw_oldest_receipt_seconds",
            "Age of the oldest message or click that is not handled yet",
            value=counts.oldest_s,
        )
        yield _family(
            "agencyclaw_receipts", "Receipts of the last hour", counts.receipts, "status", "reason"
        )
        yield _family(
            "agencyclaw_deliveries", "Deliveries not sent", counts.deliveries, "state", "kind"
        )
        yield _family("agencyclaw_proposals", "Proposals", counts.proposals, "state")


def _family(name: str, description: str, rows: list[dict[str, str]], *labels: str) -> Metric:
    """Return a gauge with the number of each row, by these of its columns."""
    family = GaugeMetricFamily(name, description, labels=labels)
    for row in rows:
        family.add_metric([row[label] for label in labels], float(row["number"]))
    return family
