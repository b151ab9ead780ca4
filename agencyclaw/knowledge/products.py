"""Finds the products that a hint may mean: by identifier, its beginning, or words of the title."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agencyclaw.domain.identifiers import find_identifiers
from agencyclaw.domain.names import plain_name
from agencyclaw.domain.products import MatchReason, Product, ProductMatch, Resolution
from agencyclaw.domain.text import folded

# An identifier or its beginning: letters, digits and the marks between them.
_TOKEN = re.compile(r"[A-Z0-9](?:[A-Z0-9._/-]*[A-Z0-9])?")
_LEAST_PREFIX = 3
_LEAST_STEM = 4
# A word and its plural differ by at most so many letters at the end; a short one only by its "s".
_ENDING = 2
# The certainty of a title that has every word of a hint.
ALL_WORDS = 0.6
# A single word, such as a colour, is not enough to identify a product.
_LEAST_WORDS = 2
_FAMILIES: dict[MatchReason, int] = {
    "exact_asin": 0,
    "exact_sku": 0,
    "prefix_asin": 1,
    "prefix_sku": 1,
    "token_contains_title": 2,
}


def tokens_of(query: str) -> tuple[str, ...]:
    """Return words of a query that may be (the beginning of) an identifier, in upper case.

    Inside a web address only certain identifiers count.
    """
    return tuple(dict.fromkeys((*_TOKEN.findall(query.upper()), *find_identifiers(query))))


def stems(words: Sequence[str]) -> tuple[str, ...]:
    """Return the beginnings that all forms of these words share."""
    return tuple(dict.fromkeys(map(_stem, words)))


def _stem(word: str) -> str:
    is_short_plural = len(word) == _LEAST_STEM and word.endswith("s")
    return word[:-1] if is_short_plural else word[: max(_LEAST_STEM, len(word) - _ENDING)]


def title_words(query: str) -> tuple[str, ...]:
    """Return the words of a query that may occur in a title."""
    return tuple(dict.fromkeys(word for word in plain_name(query).split() if len(word) > 1))


def match_products(query: str, products: Sequence[Product]) -> list[ProductMatch]:
    """Return the products a query may mean, the most certain kind first; deterministic."""
    tokens, words = tokens_of(query), title_words(query)
    matches = [match for product in products if (match := _match(product, tokens, words))]
    matches.sort(
        key=lambda match: (
            _FAMILIES[match.reason],
            -match.confidence,
            folded(match.product.title),
            str(match.product.id),
        )
    )
    return matches


def exact_product(item: str, products: Sequence[Product]) -> Product | None:
    """Return the product with this ASIN or SKU, ignoring case."""
    wanted = item.upper()
    return next((product for product in products if wanted in identifiers_of(product)), None)


def identifiers_of(product: Product) -> tuple[str, ...]:
    """Return a product's ASIN and SKU, as far as it has them, in upper case."""
    return tuple(identifier.upper() for identifier in (product.asin, product.sku) if identifier)


def resolution_of(matches: Sequence[ProductMatch]) -> Resolution:
    """Return how far a hint is resolved.

    One exact identifier settles it, whatever else fits. Without one, the product that fits more of
    the query than every other is likely.
    """
    if not matches:
        return "none"
    exact = [match for match in matches if match.reason in ("exact_asin", "exact_sku")]
    if exact:
        return "exact" if len(exact) == 1 else "ambiguous"
    is_best = len(matches) == 1 or matches[1].confidence < matches[0].confidence
    return "likely" if is_best else "ambiguous"


def whole_match(query: str, matches: Sequence[ProductMatch]) -> Product | None:
    """Return the only product whose title has every word of a query, and several of them.

    Words of its brand don't count: "Copperleaf fan" is one word of a title.
    """
    best = matches[0] if resolution_of(matches) == "likely" else None
    if best is None or best.reason != "token_contains_title" or best.confidence < ALL_WORDS:
        return None
    brand = plain_name(best.product.brand or "").split()
    own = [word for word in title_words(query) if word not in brand]
    return best.product if len(own) >= _LEAST_WORDS else None


def _match(
    product: Product, tokens: tuple[str, ...], words: tuple[str, ...]
) -> ProductMatch | None:
    asin, sku = (product.asin or "").upper(), (product.sku or "").upper()
    if asin and asin in tokens:
        return ProductMatch(product=product, reason="exact_asin", confidence=1.0)
    if sku and sku in tokens:
        return ProductMatch(product=product, reason="exact_sku", confidence=0.98)
    prefixes: tuple[tuple[MatchReason, str], ...] = (("prefix_asin", asin), ("prefix_sku", sku))
    for reason, identifier in prefixes:
        length = max((len(token) for token in tokens if _begins(identifier, token)), default=0)
        if length:
            confidence = round(0.6 + 0.3 * length / len(identifier), 3)
            return ProductMatch(product=product, reason=reason, confidence=confidence)
    return _by_title(product, words)


def _begins(whole: str, token: str) -> bool:
    """Return whether a token may begin an identifier: it has a digit or a mark in it."""
    is_code = any(not char.isalpha() for char in token)
    return is_code and len(token) >= _LEAST_PREFIX and whole.startswith(token)


def _by_title(product: Product, words: tuple[str, ...]) -> ProductMatch | None:
    title = set(plain_name(f"{product.title} {product.brand or ''}").split())
    held = [word for word in words if any(_is_form_of(word, title_word) for title_word in title)]
    if not held or len(held) * 2 < len(words):
        return None
    confidence = round(ALL_WORDS * len(held) / len(words), 3)
    return ProductMatch(product=product, reason="token_contains_title", confidence=confidence)


def _is_form_of(word: str, known: str) -> bool:
    """Return whether two words are equal, or one extends the other as plurals do."""
    shorter, longer = sorted((word, known), key=len)
    if len(shorter) == _LEAST_STEM - 1:
        return longer in (shorter, f"{shorter}s")
    is_stem = len(shorter) >= _LEAST_STEM and len(longer) - len(shorter) <= _ENDING
    return word == known or (is_stem and longer.startswith(shorter))
