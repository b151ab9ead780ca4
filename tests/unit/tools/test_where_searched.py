"""Where was searched: one sentence for all searches of an answer."""

from __future__ import annotations

from inline_snapshot import snapshot

from agencyclaw.tools.results import Searched, where_searched


def test_searches_of_one_place_are_told_once_with_all_their_times() -> None:
    here, ops = "this conversation", "#ops"
    searches = [
        Searched(where=here, when="since Mon 24 Nov 2025"),
        Searched(where=here, when="any time"),
        Searched(where=ops, when="any time"),
        Searched(where=here, when="any time"),
    ]

    assert where_searched(searches) == snapshot(
        "Looked at: this conversation, since Mon 24 Nov 2025 and any time; #ops, any time."
    )
    assert where_searched([]) == ""
