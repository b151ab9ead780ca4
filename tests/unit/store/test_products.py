"""The catalog is filled from a file, line by line or not at all."""

import pytest

from agencyclaw.domain.errors import Misconfigured
from agencyclaw.knowledge.products import match_products, stems, title_words, tokens_of
from agencyclaw.store.demo_agency import brand_id, client_id
from agencyclaw.store.engine import Database
from agencyclaw.store.products import ProductReader, add_products

HEAD = "client,brand,asin,sku,title\n"


async def found(db: Database, query: str, client: str = "Brightkettle Group") -> list[str]:
    rows = await ProductReader(db).products(
        client_id(client), None, tokens=tokens_of(query), words=stems(title_words(query))
    )
    return [match.product.title for match in match_products(query, rows)]


async def test_a_file_adds_products_and_brings_them_up_to_date(agency: Database) -> None:
    first = await add_products(agency, HEAD + "glintly inc,Glintly,B0GL1NEW01,,Lens Pen\n")
    again = await add_products(agency, HEAD + "Glintly Inc,Glintly,B0GL1NEW01,GL-LP,Lens Pen II\n")

    assert (first, again) == ((1, 0), (0, 1))
    assert await found(agency, "B0GL1NEW01", "Glintly Inc") == ["Lens Pen II"]
    assert await found(agency, "GL-LP", "Glintly Inc") == ["Lens Pen II"]


async def catalog(db: Database, title: str) -> list[tuple[str | None, ...]]:
    rows = await db.pool.fetch(
        "select b.name, p.asin, p.sku, p.title from catalog_products p join brands b"
        " on b.id = p.brand_id where starts_with(p.title, $1) order by p.title",
        title,
    )
    return [tuple(row) for row in rows]


async def test_an_asin_sold_under_several_skus_stays_as_many_products(agency: Database) -> None:
    lines = (
        "Glintly Inc,Glintly,B0GL1NEW01,GL-FBA,Lens Pen I\n"
        "Glintly Inc,Glintly,B0GL1NEW01,GL-FBM,Lens Pen II\n"
    )
    assert await add_products(agency, HEAD + lines) == (2, 0)
    assert await add_products(agency, HEAD + lines) == (0, 2)

    assert await catalog(agency, "Lens Pen") == [
        ("Glintly", "B0GL1NEW01", "GL-FBA", "Lens Pen I"),
        ("Glintly", "B0GL1NEW01", "GL-FBM", "Lens Pen II"),
    ]


async def test_a_product_known_by_its_sku_gets_its_asin(agency: Database) -> None:
    await add_products(agency, HEAD + "Glintly Inc,Glintly,,GL-LP,Lens Pen\n")
    line = HEAD + "Glintly Inc,Glintly,B0GL1NEW01,GL-LP,Lens Pen\n"

    assert await add_products(agency, line) == (0, 1)
    assert await catalog(agency, "Lens Pen") == [("Glintly", "B0GL1NEW01", "GL-LP", "Lens Pen")]


ASIN = "Glintly Inc,Glintly,B0GL1NEW01,,Lens Pen\n"
SKU = "Glintly Inc,Glintly,,GL-LP,Lens Pen\n"
BOTH = "Glintly Inc,Glintly,B0GL1NEW01,GL-LP,Lens Pen\n"


@pytest.mark.parametrize("lines", [ASIN + BOTH, BOTH + SKU, ASIN + SKU, BOTH.replace("-LP", "-lp")])
async def test_a_line_that_says_no_more_than_a_product_has_adds_none(
    agency: Database, lines: str
) -> None:
    await add_products(agency, HEAD + BOTH)

    assert await add_products(agency, HEAD + lines) == (0, lines.count("\n"))
    assert len(await catalog(agency, "Lens Pen")) == 1


async def test_a_line_with_both_identifiers_makes_no_second_product_of_them(
    agency: Database,
) -> None:
    await add_products(agency, HEAD + ASIN + SKU)
    for _ in range(2):
        assert await add_products(agency, HEAD + BOTH) == (0, 1)

    skus = [row[2] for row in await catalog(agency, "Lens Pen")]
    assert sorted(map(str, skus)) == ["GL-LP", "None"]


async def test_a_product_known_by_its_sku_is_not_added_again_beside_one_known_by_its_asin(
    agency: Database,
) -> None:
    await add_products(agency, HEAD + ASIN + SKU)
    assert await add_products(agency, HEAD + BOTH + BOTH.replace("-LP", "-LQ")) == (0, 2)

    skus = [row[2] for row in await catalog(agency, "Lens Pen")]
    assert sorted(map(str, skus)) == ["GL-LP", "GL-LQ"]


async def test_an_identifier_that_another_brand_has_is_a_new_product(agency: Database) -> None:
    known = "Brightkettle Group,Copperleaf,,BK-1,Lens Pen I\n"
    await add_products(agency, HEAD + known)
    other = "Brightkettle Group,Nordvent,,BK-1,Lens Pen II\n"

    assert await add_products(agency, HEAD + known + other) == (1, 1)
    assert [row[0] for row in await catalog(agency, "Lens Pen")] == ["Copperleaf", "Nordvent"]


async def test_of_two_lines_for_a_product_the_last_counts(agency: Database) -> None:
    lines = [f"Glintly Inc,Glintly,B0GL1NEW01,,Lens Pen {number}\n" for number in ("I", "II")]
    await add_products(agency, HEAD + "".join(lines))

    assert [row[3] for row in await catalog(agency, "Lens Pen")] == ["Lens Pen II"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name,price\nx,1\n", "client is missing"),
        (HEAD, "no products"),
        (HEAD + "Nobody,,B0GL1NEW01,,Pen\n", "Line 2: there is no client “Nobody”"),
        (HEAD + "Glintly Inc,Zephyr,B0GL1NEW01,,Pen\n", "no brand “Zephyr”"),
        (HEAD + "Glintly Inc,Glintly,,,Pen\n", "an ASIN or a SKU is needed"),
        (HEAD + "Glintly Inc,Glintly,B0GL1,,Pen\n", "“B0GL1” is no ASIN"),
        (HEAD + "Glintly Inc,Glintly,B0GL1NEW01,,\n", "the title is missing"),
        (HEAD + f"Glintly Inc,Glintly,B0GL1NEW01,,{'x' * 301}\n", "Line 2: the title is longer"),
        (HEAD + "Glintly Inc,Glintly,B0GL1NEW01,,Pen,blue\n", "Line 2: it has a cell in none"),
        (
            HEAD + f'Glintly Inc,Glintly,B0GL1NEW01,,"{"x" * 140_000}\n',
            "After line 1: field larger",
        ),
        ("client,title,sku,Brand\nGlintly Inc,Pen,P1,Glintly\n", "in none of the columns"),
    ],
)
async def test_a_wrong_line_is_named_and_nothing_is_added(
    agency: Database, text: str, said: str
) -> None:
    before = await agency.pool.fetchval("select count(*) from catalog_products")

    with pytest.raises(Misconfigured, match=said):
        await add_products(agency, text)

    assert await agency.pool.fetchval("select count(*) from catalog_products") == before


async def test_the_demo_catalog_is_read_within_one_client(agency: Database) -> None:
    assert await found(agency, "garlic press") == ["Garlic Press, black", "Garlic Press, silver"]
    assert await found(agency, "presses") == ["Garlic Press, black", "Garlic Press, silver"]
    assert await found(agency, "B0CF7GARL1") == ["Garlic Press, black"]
    assert await found(agency, "screen wipes") == []
    assert await found(agency, "PT-COL", "Pawtrail") == [
        "Dog Collar, large",
        "Dog Collar, medium",
        "Dog Collar, small",
    ]


@pytest.mark.parametrize(
    "title", ["Pinça Elétrica", "Große Süßkartoffel", "ČAJNÍK İnce", "ガラス ボトル", "हिन्दी किताब"]
)
async def test_a_product_is_found_by_its_title_in_any_language(
    agency: Database, title: str
) -> None:
    await add_products(agency, HEAD + f"Glintly Inc,Glintly,,GL-1,{title}\n")

    assert await found(agency, title, "Glintly Inc") == [title]
    assert await found(agency, title.upper(), "Glintly Inc") == [title]


async def test_a_brand_narrows_the_catalog(agency: Database) -> None:
    rows = await ProductReader(agency).products(
        client_id("Brightkettle Group"),
        brand_id("Brightkettle Group", "Nordvent"),
        tokens=("B0",),
        words=(),
    )

    assert [row.title for row in rows] == ["Tower Fan"]
