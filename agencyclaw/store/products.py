"""The product catalog: read for one client, filled from a CSV file."""

from __future__ import annotations

import csv
import io
import unicodedata
from typing import Any, NamedTuple
from uuid import UUID

from agencyclaw.domain.errors import Misconfigured
from agencyclaw.domain.products import Product
from agencyclaw.domain.text import folded, scrub
from agencyclaw.store.engine import Database, Record, raises_records_away

COLUMNS = ("client", "brand", "asin", "sku", "title")
_ROWS_AT_MOST = 2_000
_CELL_LIMIT = 300

# A title is compared as `plain_name` reads it, without accents and other marks on letters.
_COMBINING = "".join(filter(unicodedata.combining, map(chr, range(0x300, 0x3100))))
_FIND = """
select p.id, b.name as brand, p.asin, p.sku, p.title
from catalog_products p left join brands b on b.id = p.brand_id
where p.client_id = $1 and p.active and ($2::uuid is null or p.brand_id = $2)
  and (p.brand_id is null or b.status = 'active')
  and (p.asin like any($3::text[]) or upper(p.sku) like any($3::text[])
    or lower(replace(regexp_replace(normalize(concat_ws(' ', p.title, b.name), nfkd),
      $6, '', 'g'), 'ß', 'ss')) like any($4::text[]))
order by p.title, p.id limit $5
"""
_NAMES = """
select c.id as client_id, c.name as client, b.id as brand_id, b.name as brand
from agency_clients c left join brands b on b.client_id = c.id
  and b.status = 'active'
"""
# A product is known by its ASIN or its SKU, unless the other one differs: an ASIN is sold under
# several SKUs. Of two lines that fit a product, the one that has both of its identifiers counts; of
# two products that fit a line with both, the same or the first with the SKU: the one with the ASIN
# may be another line's. A line that says no more than a product now has adds none.
# Products and lines meet by equal keys alone, so that thousands of a client's take no minutes.
_ADD = """
with new as (
  select distinct on (client_id, brand_id, asin, upper(sku)) *
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[]) with ordinality
    as r(client_id, brand_id, asin, sku, title, line)
  order by client_id, brand_id, asin, upper(sku), line desc
), shares as (
  select p.id, new.line from catalog_products p join new using (client_id, asin)
  union
  select p.id, new.line from catalog_products p join new
    on p.client_id = new.client_id and upper(p.sku) = upper(new.sku)
), likely as (
  select p.id, new.asin, new.sku, new.title, new.line, same.is_both,
    row_number() over (
      partition by new.line order by same.is_both desc, p.sku is null, p.id) as place
  from shares join catalog_products p using (id) join new using (line),
    lateral (select p.asin = new.asin, upper(p.sku) = upper(new.sku)) as equal(asin, sku),
    lateral (select p.asin is not distinct from new.asin
      and upper(p.sku) is not distinct from upper(new.sku)) as same(is_both)
  where p.brand_id is not distinct from new.brand_id
    and coalesce(equal.asin, true) and coalesce(equal.sku, true)
), fits as (
  select distinct on (id) * from likely where place = 1 or asin is null or sku is null
  order by id, is_both desc, line desc
), known as (
  update catalog_products p set title = fits.title, sku = coalesce(fits.sku, p.sku),
    asin = coalesce(fits.asin, p.asin), active = true, updated_at = now()
  from fits where p.id = fits.id returning p.client_id, p.brand_id, p.asin, p.sku
)
insert into catalog_products (client_id, brand_id, asin, sku, title)
select client_id, brand_id, asin, sku, title from new
where array[client_id::text, brand_id::text, asin, upper(sku)] not in (
  select array[client_id::text, brand_id::text, said.asin, said.sku]
  from known k, lateral (
    values (k.asin, upper(k.sku)), (k.asin, null), (null, upper(k.sku))) as said(asin, sku)
)
returning id
"""


class CatalogRow(NamedTuple):
    """One line of a file, with brand and client resolved."""

    client_id: UUID
    brand_id: UUID | None
    asin: str | None
    sku: str | None
    title: str


class ProductReader:
    """Reads the catalog, always within one client."""

    def __init__(self, db: Database) -> None:
        self._db = db

    @raises_records_away
    async def products(
        self,
        client_id: UUID,
        brand_id: UUID | None,
        *,
        tokens: tuple[str, ...],
        words: tuple[str, ...],
    ) -> list[Product]:
        """Return the client's products whose identifier or title matches a token or word.

        Those of archived brands are left out.
        """
        beginnings = [f"{_literal(token)}%" for token in tokens]
        held = [f"%{_literal(word)}%" for word in words]
        rows = await self._db.pool.fetch(
            _FIND, client_id, brand_id, beginnings, held, _ROWS_AT_MOST, f"[{_COMBINING}]"
        )
        return [Product(**row) for row in rows]


async def add_products(db: Database, text: str) -> tuple[int, int]:
    """Insert or update the products of a CSV file; returns how many were new and known.

    Raises Misconfigured, naming the line and the mistake; then nothing is written.
    """
    rows = _read(text, await db.pool.fetch(_NAMES))
    added = await db.pool.fetch(_ADD, *map(list, zip(*rows, strict=True)))
    return len(added), len(rows) - len(added)


def _read(text: str, names: list[Record]) -> list[CatalogRow]:
    reader = csv.DictReader(io.StringIO(text.lstrip("\ufeff")))
    missing = [name for name in ("client", "title") if name not in (reader.fieldnames or ())]
    if missing:
        raise Misconfigured(
            f"The first line must name the columns {', '.join(COLUMNS)}; {missing[0]} is missing."
        )
    try:
        rows = [_row(reader.line_num, line, names) for line in reader]
    except csv.Error as error:
        raise Misconfigured(f"After line {reader.line_num}: {error}. Nothing was added.") from error
    if not rows:
        raise Misconfigured("The file has no products in it.")
    return rows


def _row(number: int, line: dict[str, Any], names: list[Record]) -> CatalogRow:
    value = {key: scrub(str(line.get(key) or "")).strip() for key in COLUMNS}
    too_long = next((key for key, cell in value.items() if len(cell) > _CELL_LIMIT), "")
    # The cells beyond the columns are a list.
    others = ("".join(cell or "").strip() for key, cell in line.items() if key not in COLUMNS)
    asin, sku = value["asin"].upper() or None, value["sku"] or None
    clients = [one for one in names if folded(one["client"]) == folded(value["client"])]
    brands = [one for one in clients if folded(one["brand"] or "") == folded(value["brand"])]
    faults = (
        (any(others), f"it has a cell in none of the columns {', '.join(COLUMNS)}"),
        (bool(too_long), f"the {too_long} is longer than {_CELL_LIMIT} characters"),
        (not clients, f"there is no client “{value['client']}”"),
        (bool(value["brand"]) and not brands, f"this client has no brand “{value['brand']}”"),
        (not value["title"], "the title is missing"),
        (not asin and not sku, "an ASIN or a SKU is needed"),
        (bool(asin) and len(asin or "") != 10, f"“{asin}” is no ASIN: it has ten signs"),
    )
    for is_wrong, what in faults:
        if is_wrong:
            raise Misconfigured(f"Line {number}: {what}. Nothing was added.")
    brand_id = brands[0]["brand_id"] if value["brand"] else None
    return CatalogRow(clients[0]["client_id"], brand_id, asin, sku, value["title"])


def _literal(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
