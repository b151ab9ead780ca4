"""Where an identifier stands in a text, whatever the script and the marks around it."""

from __future__ import annotations

import pytest

from agencyclaw.domain.identifiers import find_identifiers, occurs_alone, possible_identifiers

ASIN, SKU = "B08XYZ1234", "CL-GP-BK"


@pytest.mark.parametrize(
    "text",
    [
        "the coupon of b08xyz1234.",
        "_B08XYZ1234_, please",
        "B08XYZ1234-Coupon anlegen",
        "B08XYZ1234のクーポンを作成して",
        "商品B08XYZ1234，谢谢",
        "상품 B08XYZ1234에 쿠폰",
        "(ASIN:B08XYZ1234)",
    ],
)
def test_an_asin_is_found_where_it_stands_in_any_language(text: str) -> None:
    assert find_identifiers(text) == (ASIN,)
    assert occurs_alone(ASIN, text)


@pytest.mark.parametrize(
    "text", ["B08XYZ12345", "AB08XYZ1234", "B08XYZ1234ß", "B08XYZ1234_US", "old_B08XYZ1234"]
)
def test_a_part_of_a_longer_name_is_no_asin(text: str) -> None:
    assert find_identifiers(text) == ()
    assert not occurs_alone(ASIN, text)


@pytest.mark.parametrize("text", ["_CL-GP-BK_", "CL-GP-BKの価格", "cl-gp-bk.", "상품 CL-GP-BK를"])
def test_a_sellers_identifier_is_found_where_it_stands(text: str) -> None:
    assert occurs_alone(SKU, text)
    assert SKU in possible_identifiers(text)


@pytest.mark.parametrize("text", ["CL-GP-BK-2", "X-CL-GP-BK", "CL-GP-BK2", "CL-GP-BK.5"])
def test_a_sellers_identifier_is_no_part_of_a_longer_one(text: str) -> None:
    assert not occurs_alone(SKU, text)
