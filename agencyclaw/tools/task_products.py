"""Resolves a task's products: identifiers that somebody stated, or names in the catalog."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agencyclaw.deps import Deps
from agencyclaw.domain.choices import OPTION_LIMIT, Choice, choice, fixed
from agencyclaw.domain.clients import Brand, Client
from agencyclaw.domain.identifiers import (
    find_identifiers,
    is_identifier,
    occurs_alone,
    possible_identifiers,
)
from agencyclaw.domain.messages import message
from agencyclaw.domain.names import Match
from agencyclaw.domain.products import COMMA, Product
from agencyclaw.domain.sops import SopHit
from agencyclaw.domain.text import folded, one_line
from agencyclaw.knowledge.buckets import is_about_products
from agencyclaw.knowledge.fact_checks import FactCheck
from agencyclaw.knowledge.products import (
    ALL_WORDS,
    exact_product,
    identifiers_of,
    match_products,
    resolution_of,
    stems,
    title_words,
    whole_match,
)
from agencyclaw.tools.clients import FoundClient
from agencyclaw.tools.gaps import PENDING, NamedRecords, TaskFlags, TaskRequest
from agencyclaw.tools.names import decide, find_named, pick, was_offered
from agencyclaw.tools.optional import optional
from agencyclaw.tools.results import Ask

MOST_NAMED = 4
# Whoever sees more clients is asked: each one's catalog would be read.
CLIENTS_AT_MOST = 40
WHICH = "Which products is it about? Please give the ASINs or SKUs."


@dataclass(frozen=True)
class TaskProducts:
    """A task's identifiers, and their titles in the catalog, "" for one that it does not have.

    `words` name products without an identifier, which may follow if the task `is_pending`;
    `uncatalogued` are identifiers that the client's catalog does not have.
    """

    identifiers: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    uncatalogued: tuple[str, ...] = ()
    is_pending: bool = False


def with_identifiers(named: NamedRecords, asked: TaskRequest) -> NamedRecords:
    """Return a request with the identifiers in the task's own text where it names no product."""
    if named.identifiers or asked.flags.is_pending:
        return named
    return replace(named, identifiers=find_identifiers(asked.text))


def named_products(requested: Sequence[str] | None) -> tuple[str, ...]:
    """Return what names products in an argument: models send empty texts where there are none."""
    return tuple(text for text in requested or () if _apart(text))


async def settle_products(
    deps: Deps,
    found: FoundClient,
    brand: Brand | None,
    requested: Sequence[str],
    request: TaskRequest,
    check: FactCheck,
) -> TaskProducts | Ask:
    """Return the given products, each from a source; asks about unclear ones."""
    held = await _catalogued(deps, found.client, _split(requested))
    identifiers: list[str] = []
    named: list[Product] = []
    words: list[str] = []
    for item in _items(requested, held):
        known = exact_product(item, held)
        if known or is_identifier(item) or item.upper() in check.card_identifiers:
            identifiers += _identifiers_of(deps, item, known, check)
            continue
        own = [one for one in held if brand is None or one.brand in (None, brand.name)]
        product = _by_name(deps, item, own)
        if isinstance(product, Ask):
            if request.flags.is_about_products and not request.flags.is_pending:
                return product
            words.append(one_line(item, 60))
            continue
        named.append(product)
    found_names = [identifier_of(one) for one in named]
    all_of_them = tuple(dict.fromkeys((*identifiers, *found_names)))
    is_settled = all_of_them or request.flags.is_pending or request.flags.is_insisted
    if not is_settled and request.flags.is_about_products:
        return Ask(question=WHICH, options=(*_named_before(deps, check), fixed(PENDING)))
    titles = _titles(all_of_them, (*held, *named))
    unknown = tuple(dict.fromkeys(one for one in identifiers if not exact_product(one, held)))
    is_remarkable = bool(unknown) and (bool(held) or await _has_catalog(deps, found))
    return TaskProducts(
        all_of_them,
        titles,
        tuple(words),
        unknown if is_remarkable else (),
        is_pending=bool(words) and request.flags.is_pending,
    )


def _named_before(deps: Deps, check: FactCheck) -> tuple[Choice, ...]:
    """Return as a choice the products that were named for another task, which is on no card."""
    held = (one for one in deps.asked_before if all(map(check.holds, one.identifiers)))
    label = ", ".join(next((one.identifiers for one in held), ()))
    return (fixed(label),) if 0 < len(label) <= OPTION_LIMIT else ()


def _titles(identifiers: Sequence[str], products: Sequence[Product]) -> tuple[str, ...]:
    """Return the title of each identifier; nothing if there is none at all."""
    known = [exact_product(one, products) for one in identifiers]
    return tuple(one.title if one else "" for one in known) if any(known) else ()


async def brand_of_products(
    deps: Deps, found: FoundClient, requested: Sequence[str], flags: TaskFlags, check: FactCheck
) -> Brand | None:
    """Return the one brand that the catalog has all given products under that it has.

    Naming a product names its brand. A similar name counts only if that product is asked about. An
    identifier that the catalog lacks names none, and leaves the others theirs.
    """
    held = await _catalogued(deps, found.client, _split(requested))
    items = _items(requested, held)
    is_asked = flags.is_about_products and not flags.is_pending
    meant = [_meant(deps, one, held, check, is_asked=is_asked) for one in items]
    names = {one.brand for products in meant for one in products}
    unknown = [is_identifier(one) and not exact_product(one, held) for one in items]
    is_one = len(names) == 1 and all(map(any, zip(meant, unknown, strict=True)))
    brands = [one for one in found.brands if is_one and one.name in names and one.is_mapped]
    return brands[0] if len(brands) == 1 else None


def _meant(
    deps: Deps, item: str, held: Sequence[Product], check: FactCheck, *, is_asked: bool
) -> tuple[Product, ...]:
    """Return the products an item may mean; an identifier nobody stated means none."""
    known = exact_product(item, held)
    if known or is_identifier(item):
        if known is None:
            return ()
        was_named = check.holds(item) or was_offered(deps, "product", known, just_now=False)
        return (known,) if was_named else ()
    named = find_named(deps, item, held)
    if certain := _of_every_word(named, item, held):
        return (certain,)
    return named.things if named.is_sure or is_asked else ()


async def clients_having(
    deps: Deps, clients: Sequence[Client], brand: str | None, requested: Sequence[str]
) -> list[Client]:
    """Return the clients whose brand and products these can be; none if neither is named.

    A product counts by its identifier, or if its title has every word of what it was called. One
    that no catalog has leaves it to a named brand; without that, an identifier to the others.
    """
    items = _split(requested)
    is_brand_named = bool(brand and folded(brand))
    if brand and is_brand_named:
        match = find_named(deps, brand, await deps.directory.brands([one.id for one in clients]))
        owners = [one.client_id for one in match.things if match.is_sure]
        clients = [one for one in clients if one.id in owners]
    elif not items or len(clients) > CLIENTS_AT_MOST:
        return []
    held = await asyncio.gather(*(_catalogued(deps, one, items) for one in clients))
    every = [one for products in held for one in products]
    items = _items(requested, every)
    if is_brand_named:
        known_items = [one for one in items if _is_in(one, every)]
    else:
        known = (one for one in items if not is_identifier(one) or exact_product(one, every))
        known_items = list(known) or items
    return [
        client
        for client, products in zip(clients, held, strict=True)
        if all(_is_in(item, products) for item in known_items)
    ]


def _is_in(item: str, products: Sequence[Product]) -> bool:
    return _closeness(item, products) >= ALL_WORDS


def _closeness(item: str, products: Sequence[Product]) -> float:
    """Return the confidence of the product that fits best, 0 if none does."""
    best = match_products(item, products)
    return best[0].confidence if best else 0.0


def is_of_products(request: TaskRequest, procedure: SopHit | None) -> bool:
    """Return whether work is about single products: a promotion is, and so are some procedures."""
    is_about_them = request.flags.is_about_products or bool(request.promotion)
    return is_about_them or is_about_products(procedure)


async def unused_identifiers(
    deps: Deps, found: FoundClient, used: Sequence[str], texts: Sequence[str]
) -> tuple[str, ...]:
    """Return the message's identifiers that no part of the task has."""
    words = possible_identifiers(deps.request)
    held = await _catalogued(deps, found.client, words) if words else []
    known = {one for product in held for one in identifiers_of(product)}
    mentioned = (*find_identifiers(deps.request), *(word for word in words if word in known))
    whole = "\n".join((*used, *texts))
    same = {one for product in held for one in _all_if_any(product, used)}
    unused = (one for one in mentioned if one not in same and not occurs_alone(one, whole))
    return tuple(dict.fromkeys(unused))


def identifier_of(product: Product) -> str:
    """Return the identifier that a task uses for a catalog product."""
    return (product.asin or product.sku or "").upper()


async def _catalogued(deps: Deps, client: Client, items: Sequence[str]) -> list[Product]:
    """Return the catalog's products for identifiers and names; none if it can't be read."""
    if not items:
        return []
    tokens = tuple(one.upper() for one in items if " " not in one)
    named = [one for one in items if " " in one or one.isalpha()]
    words = stems([word for one in named for word in title_words(one)])
    return await _read(deps, client, tokens, words)


async def _has_catalog(deps: Deps, found: FoundClient) -> bool:
    """Return whether the client has any product on record; False if that can't be read."""
    return bool(await _read(deps, found.client, ("",), ()))


async def _read(
    deps: Deps, client: Client, tokens: tuple[str, ...], words: tuple[str, ...]
) -> list[Product]:
    read = deps.catalog.products(client.id, None, tokens=tokens, words=words)
    return await optional(read) or []


def _identifiers_of(deps: Deps, item: str, known: Product | None, check: FactCheck) -> list[str]:
    """Return an item's identifiers; one that nobody stated and no question offered was made up."""
    if check.holds(item):
        return [item.upper()]
    if known and was_offered(deps, "product", known, just_now=False):
        is_answer = was_offered(deps, "product", known, just_now=True)
        pick(deps, "Product identifiers", known.full_name, just_now=is_answer)
        return [item.upper()]
    called = identifiers_of(known) if known else (item.upper(),)
    check.left_out.append(message("remarks.product_left_out", identifier=called[0]))
    return []


def _by_name(deps: Deps, item: str, products: Sequence[Product]) -> Product | Ask:
    """Return the one product of this name, or a question if none or several have it."""
    named = find_named(deps, item, products)
    if product := decide(deps, named) or _of_every_word(named, item, products):
        return product
    # What is no name of a product may be words of its title, as they are for a look-up.
    likely = named.things or _of_words(item, products)
    if not likely:
        shown = one_line(item, 60)
        question = (
            f"“{shown}” doesn't look like an ASIN or SKU, and the catalog has no product of that"
            " name. Which identifiers are meant?"
        )
        return Ask(question=question, options=(fixed(PENDING),))
    choices = [choice("product", one.id, one.full_name) for one in likely[:MOST_NAMED]]
    question = WHICH if len(choices) > 1 else f"Is “{one_line(item, 60)}” this product?"
    if len(likely) > len(choices):
        question += f" Of {len(likely)} that fit “{one_line(item, 60)}”, these fit best."
    return Ask(question=question, options=(*choices, fixed(PENDING)))


def _of_every_word(named: Match[Product], item: str, products: Sequence[Product]) -> Product | None:
    """Return the only product whose title has every word, as a look-up does; not of namesakes."""
    return None if named.is_sure else whole_match(item, match_products(item, products))


def _of_words(item: str, products: Sequence[Product]) -> tuple[Product, ...]:
    """Return what a look-up of these words would find: the one that fits best, else all."""
    found = match_products(item, products)
    best = found[:1] if resolution_of(found) == "likely" else found
    return tuple(one.product for one in best)


def _all_if_any(product: Product, used: Sequence[str]) -> tuple[str, ...]:
    """Return all identifiers of a product if the task has one of them."""
    names = identifiers_of(product)
    return names if any(one in used for one in names) else ()


def _items(requested: Sequence[str], held: Sequence[Product]) -> list[str]:
    """Return what was asked for; words that describe a product are none beside its identifier."""
    return [
        item
        for text in requested
        for item in _apart(text)
        if not _describes(item, find_identifiers(text), held)
    ]


def _describes(item: str, beside: Sequence[str], held: Sequence[Product]) -> bool:
    """Return whether words fit none of the products better than one identified beside them."""
    identified = [one for one in (exact_product(each, held) for each in beside) if one]
    closeness = 0.0 if is_identifier(item) else _closeness(item, identified)
    return closeness > 0 and closeness >= _closeness(item, held)


def _split(requested: Sequence[str]) -> list[str]:
    return [item for text in requested for item in _apart(text)]


def _apart(text: str) -> list[str]:
    """Split a text into several items: nothing of it is left if it is blank.

    Between commas there is a product each: its certain identifiers, or words. A text without such
    identifiers stays whole.
    """
    parts = [part for part in re.split(r"[,;\s]+", text) if part]
    if all(map(is_identifier, parts)):
        return parts
    certain = find_identifiers(text)
    if not certain:
        return [text.strip()]
    clauses = (one.strip() for one in re.split(rf"{COMMA.pattern}|[;\n]", text))
    words = ", ".join(one for one in clauses if one and not find_identifiers(one))
    return [*certain, *([words] if words else [])]
