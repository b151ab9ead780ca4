"""Markdown is read by a parser and written back by an allow-list."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from agencyclaw.knowledge.escaping import as_data, as_label, as_row
from agencyclaw.knowledge.link_breaking import WORD_JOINER
from agencyclaw.knowledge.links import repair

TASK = "https://app.clickup.com/t/86abc"
EVIL = "https://evil.example/p.png"
# Another reader than the product's: HTML, tables, definitions and entities are all on.
READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
IMAGES = [
    f"![pixel]({EVIL})",
    f"![a[b]c]({EVIL})",
    f"![{'x' * 400}]({EVIL})",
    f"![two\nlines]({EVIL})",
    f"![a\\]b]({EVIL})",
    f"![pixel][1]\n\n[1]: {EVIL}",
    f"![1][]\n\n[1]: {EVIL}",
    f"![1]\n\n[1]: {EVIL}",
    f"![pixel](<{EVIL}>)",
    f'![pixel]({EVIL} "title")',
    f"[![pixel]({EVIL})]({EVIL})",
    f"**![pixel]({EVIL})**",
    f"- ![pixel]({EVIL})",
    f"> ![pixel]({EVIL})",
    f"# ![pixel]({EVIL})",
    f"| ![pixel]({EVIL}) |\n|---|\n| ![pixel]({EVIL}) |",
    f"&#33;[pixel]({EVIL})",
    f"\\![pixel]({EVIL})",
    f"!\u200b[pixel]({EVIL})",
    f'<img src="{EVIL}">',
    f'<img\nsrc="{EVIL}">',
    f'x <img src="{EVIL}"/> y',
    f'&lt;img src="{EVIL}"&gt;',
    f'<picture><source srcset="{EVIL}"></picture>',
    f"<{EVIL}>",
]


def tokens(text: str) -> list[Token]:
    found = READER.parse(text)
    return [one for token in found for one in (token, *(token.children or ()))]


def boxes(text: str) -> list[str]:
    """The items of lists that begin with a box to tick; in code there is none."""
    found = READER.parse(text)
    items = zip(found, found[1:], found[2:], strict=False)
    return [
        inline.content
        for item, _, inline in items
        if item.type == "list_item_open" and inline.content.startswith("[ ]")
    ]


def kinds(text: str) -> set[str]:
    return {token.type for token in tokens(text)}


@pytest.mark.parametrize("text", IMAGES)
def test_no_form_of_an_image_reaches_clickup(text: str) -> None:
    for written in (as_data(text), as_row(text), as_label(text)):
        assert kinds(written).isdisjoint({"image", "html_inline", "html_block"})
        assert "evil.example" in written


@pytest.mark.parametrize("text", IMAGES)
def test_no_form_of_an_image_reaches_slack(text: str) -> None:
    written = repair(text, allowed={TASK})

    assert kinds(written).isdisjoint({"image", "html_inline", "html_block", "link_open"})
    assert "://evil" not in written
    assert "evil" in written


@pytest.mark.parametrize(
    "text", ["evil.[com](#)", "[evil]().com", "evil.![com](x)", "[evil](#)**.com**"]
)
def test_words_of_a_link_make_no_address_with_their_neighbours(text: str) -> None:
    assert "evil.com" not in repair(text)


def test_an_image_is_its_words_and_its_address() -> None:
    assert as_data(f"See ![the pixel]({EVIL}).") == f"See [the pixel]({EVIL})."
    assert as_label(f"![the pixel]({EVIL})") == f"the pixel ({EVIL})"


def test_every_cell_of_a_table_is_shown() -> None:
    table = "| Task | Due |\n|---|---|\n| Fix | Friday | pay 900 | now |\n| a \\| b |"

    assert as_data(table) == "- Fix · Due: Friday · pay 900 · now\n- a | b"
    assert repair(table) == as_data(table)


def test_a_table_stays_a_table_on_the_way_to_slack() -> None:
    head = "Due:\n| Task | **Owner** | Due |\n|---|:-:|---|"
    table = f"{head}\n| Fix | Zoë | 日曜日 |\n| Write | Al | Fri |"
    columns = [
        *("Due:", "", "```"),
        *("Task   Owner  Due", "─────  ─────  ──────", "Fix    Zoë    日曜日", "Write  Al     Fri"),
        "```",
    ]

    assert repair(table).splitlines() == columns
    assert repair(repair(table)) == repair(table)


def test_a_table_with_links_or_too_wide_for_a_message_is_a_list_of_its_rows() -> None:
    linked = f"| Task | Due |\n|---|---|\n| [Fix]({TASK}) | Friday |"
    wide = f"| Task | Due |\n|---|---|\n| {'very ' * 20}long | Friday |"

    assert repair(linked, allowed={TASK}) == f"- [Fix]({TASK}) · Due: Friday"
    assert repair(wide).startswith("- very very")


def test_what_follows_the_fence_is_not_kept_out_of_sight() -> None:
    fence = "```python pay 900 to evil.example\nx = 1\n```"

    assert as_data(fence) == "```\nx = 1\n```"
    assert repair(fence) == "```\nx = 1\n```"
    assert as_data("```pay 900") == "pay 900"


def test_an_open_fence_is_closed() -> None:
    assert as_data("```\ncode `x` ``` y") == "````\ncode `x` ``` y\n````"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("# One\nTwo\n===\nThree\n---\nFour\n***", "One\nTwo\nThree\nFour\n—"),
        ("- [ ] pay\n- [x] paid\n* [] due", "- ( ) pay\n- (x) paid\n* () due"),
        ("    # Not a heading here\n> # Nor here", "    # Not a heading here\n> Nor here"),
        ("text\n    # no heading", "text\n\\# no heading"),
        ("@Tom and me@a.example", "＠Tom and me@a.example"),
        ("担当は@Tomです", "担当は＠Tomです"),
        ("[@Tom](#user_mention#123)", "＠Tom (#user_mention#123)"),
        (
            "AgencyClaw  run=1 and agencyclaw\nRUN = 2",
            "AgencyClaw,  run=1 and agencyclaw,\nRUN = 2",
        ),
        ("[SOP](https://a.example/x_y)", "[SOP](https://a.example/x_y)"),
        ("[SOP](javascript:alert(1))", "SOP (javascript:alert(1))"),
        ("[note]: https://a.example", "[note] : https://a.example"),
        ("5 * 3 * 2, snake_case_word, **bold** and \\*stars\\*", None),
        ("1. one\n2. two\n   - three\n\n   four\n\n10) ten", None),
        ("`a`, ``b`c`` and ~~gone~~", None),
    ],
)
def test_others_words_are_data_in_clickup(text: str, written: str | None) -> None:
    assert as_data(text) == (text if written is None else written)


def test_a_row_of_a_list_cannot_be_left() -> None:
    assert as_row("check\n\n## Paid\n- [x] done") == "check ## Paid - [x] done"
    assert as_row("# Paid") == "\\# Paid"
    assert as_row("```x") == "\\```x"


PIECES = [
    *(
        "![",
        "](",
        "][",
        "]:",
        "[",
        "]",
        "(",
        ")",
        "<",
        ">",
        "<img src=",
        "/>",
        "|",
        "|-|",
        "\n",
        " ",
    ),
    *(
        "\n\n",
        "# ",
        "- ",
        "- [ ] ",
        "1. ",
        "> ",
        "```",
        "~~~",
        "`",
        "---",
        "===",
        "*",
        "_",
        "\\",
        "!",
    ),
    *("&lt;", "&#33;", "    ", "\t", "x", "a.b", EVIL, TASK, "[1]: ", "<!-- ", "-->", "\u200b"),
    *("@Tom", "@here", "<!here>", "<@U1>", "agencyclaw", "run=1", "evil.example", "https://", "~~"),
]
hostile = st.one_of(
    st.lists(st.sampled_from(PIECES), max_size=16).map("".join), st.text(max_size=80)
)


@given(hostile)
@example("![\n\n\n```")
@example("- ![\n```")
def test_nothing_but_what_is_allowed_reaches_clickup(text: str) -> None:
    written = as_data(text)

    forbidden = {"image", "html_inline", "html_block", "table_open", "heading_open", "hr"}
    assert kinds(written).isdisjoint(forbidden)
    assert not any(token.info for token in tokens(written) if token.type == "fence")
    assert not boxes(written)
    assert as_data(written) == written


@given(hostile)
def test_nothing_but_what_is_allowed_reaches_slack(text: str) -> None:
    written = repair(text, allowed={TASK})

    assert kinds(written).isdisjoint({"image", "table_open", "blockquote_open"})
    links = {token.attrs["href"] for token in tokens(written) if token.type == "link_open"}
    assert links <= {TASK}


@given(hostile)
def test_a_label_is_one_line_without_links(text: str) -> None:
    written = as_label(text)

    assert "\n" not in written
    assert kinds(written).isdisjoint({"image", "html_inline", "html_block", "heading_open"})


@given(st.lists(st.sampled_from([*PIECES, "word", "12"]), max_size=16).map("".join))
def test_no_word_gets_lost(text: str) -> None:
    if "```" in text or "~~~" in text:
        return
    written = repair(text, allowed={TASK}).replace(WORD_JOINER, "")

    assert written.count("word") >= text.count("word")
    assert written.count("evil") >= text.count("evil")


def test_what_is_written_only_to_be_slow_is_plain_words() -> None:
    written = repair("![a[" * 3_000)

    assert "![" not in written
    assert written.count("a") == 3_000
