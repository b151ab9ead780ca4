"""The kinds of work that a task brief knows, by the category of its procedure."""

from __future__ import annotations

from enum import StrEnum

from agencyclaw.domain.sops import SopHit
from agencyclaw.domain.task_requests import PromotionType


class Bucket(StrEnum):
    """Four kinds of work; each has its own section in a brief."""

    PPC = "PPC optimization"
    PROMOTIONS = "Promotions"
    CATALOG = "Catalog and account health"
    GENERIC = "Generic operations"


_PROMOTED: dict[str, PromotionType] = {"coupons": "coupon", "price_discounts": "price_discount"}
_CATEGORIES: dict[Bucket, tuple[str, ...]] = {
    Bucket.PPC: (
        "ngram",
        "npat",
        "hv_kw",
        "hv_pat",
        "placement_bid",
        "campaign_target",
        "pacvue_rules",
        "portfolio_budgets",
    ),
    Bucket.PROMOTIONS: tuple(_PROMOTED),
    Bucket.CATALOG: (
        "policy_violations",
        "product_compliance",
        "search_suppressed",
        "stranded_inventory",
        "fba_restock",
    ),
}
_BUCKETS = {name: bucket for bucket, names in _CATEGORIES.items() for name in names}


def is_about_products(hit: SopHit | None) -> bool:
    """Return whether work by this procedure is about single products."""
    buckets = (Bucket.PROMOTIONS, Bucket.CATALOG)
    return hit is not None and bucket_of(hit.sop.category) in buckets


def bucket_of(category: str) -> Bucket:
    """Return the bucket of a procedure's category; unknown ones are generic."""
    return _BUCKETS.get(category.strip().lower(), Bucket.GENERIC)


def promotion_of(category: str) -> PromotionType | None:
    """Return the kind of promotion that a procedure of this category sets up."""
    return _PROMOTED.get(category.strip().lower())


def spoken(category: str, title: str = "") -> str:
    """Return a category as a person reads it, with the upper case of the procedure's title."""
    written = {word.casefold(): word for word in title.split()}
    words = " ".join(written.get(word, word) for word in category.replace("_", " ").split())
    return words[:1].upper() + words[1:]
