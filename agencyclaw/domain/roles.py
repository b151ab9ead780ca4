"""Role slots: their names, common short names, and who reports to whom."""

from __future__ import annotations

from agencyclaw.domain.names import OneName

ALIASES = {
    "csl": "customer_success_lead",
    "bm": "customer_success_lead",
    "brand_manager": "customer_success_lead",
    "sd": "strategy_director",
    "ppc_strat": "ppc_strategist",
    "ppc_spec": "ppc_specialist",
    "cat_strat": "catalog_strategist",
    "cat_spec": "catalog_specialist",
    "report_spec": "report_specialist",
}


class Role(OneName):
    """A role a person can hold for a client or a brand."""

    slug: str

    @property
    def id(self) -> str:
        """The id a role is stored by."""
        return self.slug

    @property
    def names(self) -> tuple[str, ...]:
        """All names people use for it, including short ones."""
        return (self.name, self.slug, *self.short_names)

    @property
    def short_names(self) -> tuple[str, ...]:
        """The short names people use for it."""
        return tuple(short for short, slug in ALIASES.items() if slug == self.slug)
