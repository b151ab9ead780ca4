"""What is true in the world: who is who, which channel is whose, where tasks go.

The oracle judges by this and not by what the product believes; the director keeps it in step.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache

from agencyclaw.store.demo_agency import read_clients

INES, TOMAS, SARA_L, SARA_O = "U01INES", "U01TOMAS", "U01SARAL", "U01SARAO"
MIGUEL, YUKI, PAUL, LEO, NOOR = "U01MIG", "U01YUKI", "U01PAUL", "U01LEO", "U01NOOR"
NAMES = {
    INES: "Ines Varga",
    TOMAS: "Tomas Reed",
    SARA_L: "Sara Lindqvist",
    SARA_O: "Sara Okafor",
    MIGUEL: "Miguel Duarte",
    YUKI: "Yuki Tan",
    PAUL: "Paul Brandt",
    LEO: "Leo Ferri",
}
CLICKUP_IDS = {100001: INES, 100002: TOMAS, 100003: SARA_L, 100004: SARA_O, 100005: MIGUEL}
DM, OPS, BRIGHT, GLINTLY, RANDOM = "dm", "C01OPS", "C01BRIGHT", "C01GLINTLY", "C01RANDOM"
CHANNELS = {
    OPS: ("internal", ""),
    BRIGHT: ("client_scoped", "Brightkettle Group"),
    GLINTLY: ("client_scoped", "Glintly Inc"),
}
_TIERS = {INES: "super_admin", TOMAS: "admin", PAUL: "viewer", LEO: "inactive", NOOR: "unlinked"}


@dataclass
class Truth:
    """The standing of people and places at one moment."""

    tiers: dict[str, str]
    clients: dict[str, set[str]]
    channels: dict[str, tuple[str, str]] = field(default_factory=lambda: dict(CHANNELS))
    lists: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    names: dict[str, str] = field(default_factory=lambda: dict(NAMES))
    off: set[str] = field(default_factory=set[str])

    def tier(self, who: str) -> str:
        """Return what a person is; whoever is on no profile is a stranger."""
        return self.tiers.get(who, "unlinked")

    def may_change(self, who: str, channel: str) -> bool:
        """Return whether this person may release a change in this place."""
        scope, _ = self.scope(channel)
        is_able = self.tier(who) in {"member", "admin", "super_admin"}
        return is_able and scope != "unknown" and "create_task" not in self.off

    def is_stranger(self, who: str) -> bool:
        """Return whether nothing may be done for this person."""
        return self.tier(who) in {"unlinked", "inactive", "doubled"}

    def scope(self, channel: str) -> tuple[str, str]:
        """Return a place's scope and client; a DM is internal, an unbound channel unknown."""
        return ("internal", "") if channel.startswith("D") else self._bound(channel)

    def _bound(self, channel: str) -> tuple[str, str]:
        return self.channels.get(channel, ("unknown", ""))

    def sees(self, who: str, channel: str) -> set[str]:
        """Return the clients whose data this person may be shown in this place."""
        if self.is_stranger(who):
            return set()
        own = self.clients.get(who, set())
        active = set(self.lists)
        own = active if self.tier(who) in {"admin", "super_admin"} else own & active
        scope, client = self.scope(channel)
        if scope == "unknown":
            return set()
        return own & {client} if scope == "client_scoped" else own

    def copied(self) -> Truth:
        """Return this moment, kept."""
        return replace(
            self,
            tiers=dict(self.tiers),
            clients={who: set(held) for who, held in self.clients.items()},
            channels=dict(self.channels),
            lists={client: set(held) for client, held in self.lists.items()},
            names=dict(self.names),
            off=set(self.off),
        )


def first_truth() -> Truth:
    """Return the standing of Lanternfish Commerce as it is seeded."""
    return _seeded().copied()


@cache
def _seeded() -> Truth:
    clients: dict[str, set[str]] = {}
    lists: dict[str, set[str]] = {}
    slack = {name: who for who, name in NAMES.items()}
    for client in read_clients():
        if client.get("status", "active") == "active":
            lists[client["name"]] = {b["list"] for b in client["brands"] if "list" in b}
        people = set(client["roles"].values())
        for brand in client["brands"]:
            people |= set(brand.get("roles", {}).values())
        for name in people & slack.keys():
            clients.setdefault(slack[name], set()).add(client["name"])
    # The space alone is known of these; its inbox is the destination.
    lists["Hearthlane"].add("901005000042")
    tiers = {who: _TIERS.get(who, "member") for who in NAMES}
    return Truth(tiers=tiers, clients=clients, lists=lists)
