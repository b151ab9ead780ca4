"""The fault plan: what fails next, how often, and where."""

from dataclasses import asdict, dataclass
from fnmatch import fnmatchcase
from typing import Any, Literal, get_args

Target = Literal["slack", "clickup", "socket"]
Kind = Literal[
    "duplicate",
    "reorder",
    "drop_ack",
    "rate_limited",
    "error_before",
    "error_after",
    "hang_before",
    "hang_after",
    "reset_before",
    "reset_after",
    "html",
    "disconnect",
    "list_lag",
    "unauthorized",
    "expired_stream",
    "unshared",
]

_SOCKET_KINDS = frozenset({"duplicate", "reorder", "drop_ack", "disconnect"})
_CLICKUP_KINDS = frozenset({"list_lag"})
_SLACK_KINDS = frozenset({"expired_stream", "hang_before", "unshared"})
_HTTP_KINDS = frozenset(get_args(Kind)) - _SOCKET_KINDS - _CLICKUP_KINDS - _SLACK_KINDS
KINDS_OF: dict[Target, frozenset[str]] = {
    "slack": _HTTP_KINDS | _SLACK_KINDS,
    "clickup": _HTTP_KINDS | _CLICKUP_KINDS,
    "socket": _SOCKET_KINDS,
}


@dataclass
class Fault:
    """One planned fault.

    `method` narrows it: a Slack method, an event or interaction type on the socket, a ClickUp
    operation; shell wildcards work. `expired_stream` expires the stream that a call is about to
    append to or stop; `unshared` accepts a file and shows it to nobody; `hang_before` delays the
    work of a call, which is done even if the caller has given up.
    `delay_s` is the time to hang, to lag, to wait (Retry-After), or, for `disconnect`, how long
    after sending the envelope the socket closes (0: before it).
    """

    target: Target
    kind: Kind
    method: str | None = None
    times: int = 1
    delay_s: float | None = None

    def fits(self, target: str, method: str, kinds: tuple[str, ...]) -> bool:
        return (
            self.target == target
            and (self.method is None or fnmatchcase(method, self.method))
            and (not kinds or self.kind in kinds)
        )


class Faults:
    """The faults still to happen, in the order they were planned."""

    def __init__(self) -> None:
        self._planned: list[Fault] = []

    def add(self, fault: Fault) -> None:
        if fault.kind not in KINDS_OF.get(fault.target, frozenset()):
            raise ValueError(f"there is no fault {fault.kind!r} for the target {fault.target!r}")
        if fault.times < 1:
            raise ValueError("`times` must be at least 1")
        if fault.delay_s is not None and fault.delay_s < 0:
            raise ValueError("`delay_s` must not be negative")
        self._planned.append(fault)

    def take(self, target: Target, method: str, *kinds: Kind) -> Fault | None:
        """Return the fault planned for this call, if any, and count it.

        With `kinds`, only faults of these kinds are considered.
        """
        for fault in self._planned:
            if fault.fits(target, method, kinds):
                self._count_down(fault)
                return fault
        return None

    def _count_down(self, fault: Fault) -> None:
        fault.times -= 1
        if fault.times == 0:
            self._planned.remove(fault)

    def planned(self) -> list[dict[str, Any]]:
        return [asdict(fault) for fault in self._planned]

    def clear(self) -> None:
        self._planned.clear()
