"""The lane engine's own connection to Postgres."""

from __future__ import annotations

from procrastinate import App, PsycopgConnector


def queue_app(dsn: str, *, max_size: int = 6) -> App:
    """Return an unopened procrastinate app on the given database."""
    return App(
        connector=PsycopgConnector(
            conninfo=dsn,
            min_size=2,
            max_size=max_size,
            # Postgres may be away for a while: ask afresh instead of waiting ever longer.
            timeout=3.0,
            reconnect_timeout=3.0,
            kwargs={"application_name": "agencyclaw queue"},
        )
    )
