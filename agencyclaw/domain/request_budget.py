"""How many requests may be sent to a service within a minute, by all processes together."""

from __future__ import annotations

from dataclasses import dataclass

# A little over a minute: requests do not take equally long to arrive there.
WINDOW_S = 60.5
# Granted requests that were not sent by then are lost.
GRANT_KEPT_S = 5.0


@dataclass(frozen=True)
class Grant:
    """So many requests may be sent now; if none, some may in `wait_s` seconds."""

    requests: int
    wait_s: float = 0.0
