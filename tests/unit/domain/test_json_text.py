"""JSON texts made the short way are those made the long way."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agencyclaw.domain.text import canonical_json, clean_json, dump_clean

_TRICKY = 'ab \n\t\r\\"/bfru\x00\x08\x0c\x7f\x85\u200b\u200de\u0301\u212b\ufeff\U000e0041é'
_texts = st.text(alphabet=_TRICKY, max_size=8) | st.text(max_size=8)
_values = st.recursive(
    _texts | st.integers() | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_texts, inner, max_size=3),
    max_leaves=8,
)


@given(value=_values)
def test_a_dump_is_clean_however_it_was_made(value: Any) -> None:
    assert dump_clean(value) == json.dumps(clean_json(value), ensure_ascii=False)


@given(value=st.dictionaries(st.text(alphabet="ab", max_size=3), _texts, max_size=4))
def test_canonical_json_is_normal_and_sorted(value: dict[str, str]) -> None:
    normal = {key: unicodedata.normalize("NFC", text) for key, text in value.items()}

    assert canonical_json(value) == json.dumps(
        normal, sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
