"""What can still be said of an effect that this version cannot read."""

from __future__ import annotations

from agencyclaw.domain.unsupported import UnsupportedEffect


def test_a_long_title_is_cut_visibly() -> None:
    effect = UnsupportedEffect(
        stored={"title": "x" * 300}, prepared_by="create_task", stored_entity="t"
    )

    assert effect.label == "x" * 199 + "…"
