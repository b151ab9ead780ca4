"""No text of a stranger becomes a link or a mention."""

import html
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agencyclaw.domain.choices import OPTION_LIMIT, choice
from agencyclaw.domain.receipts import Note
from agencyclaw.domain.text import clean, one_line
from agencyclaw.knowledge.link_breaking import WORD_JOINER, break_links
from agencyclaw.knowledge.secrets import redacted
from agencyclaw.slack.answers import build_answer
from agencyclaw.slack.blocks import split
from agencyclaw.slack.escaping import (
    LIVE_HOSTS,
    escape,
    escaped,
    escaped_with_names,
    is_live,
    link,
    markdown,
)
from workbench.slack.limits import (
    MARKDOWN_LIMIT,
    PAYLOAD_LIMIT,
    UPDATE_TEXT_LIMIT,
    check_blocks,
    count_markdown,
    count_text,
)

HOSTILE = [
    "https://evil.example/?q=secret",
    "see https://evil.example/?q=secret, please",
    "<https://evil.example/?q=secret|your task>",
    "[your task](https://evil.example/?q=secret)",
    "![](https://evil.example/pixel.png)",
    "[your task][1]\n\n[1]: https://evil.example/?q=secret",
    "[your task](<https://evil.example/a b>)",
    "evil.example/?q=secret",
    "EVIL.EXAMPLE",
    "`https://evil.example/`",
    "\\`[x](https://evil.example/)\\`",
    "https://app.clickup.com@evil.example/",
    "https://app.clickup.com.evil.example/",
    "https://evil.example/app.clickup.com",
    "https://lanternfish.slack.com/archives/C1",
    "https://app.clickup.com:8443/t/1",
    "https://app.clickup.com./t/1",
    "https://xn--pp-rmc.clickup.com/t/1",
    "http://app.clickup.com/t/1",
    "[x](https://app.clickup.com\\@evil.example/)",
    "mailto:ines@evil.example",
    "tel:+351000000",
    "slack://channel?id=C1",
    "[x](javascript:alert(1))",
    "<!date^1392734382^{date}^https://evil.example/|x>",
]
LIVE = re.compile(
    r"""https?://|\]\(|\]:|<[@#!a-z]|\w\.(?:example|com)\b|(?:mailto|tel|slack|javascript):[\w+/]""",
    re.IGNORECASE,
)


def test_a_comment_is_no_mention_and_loses_no_word() -> None:
    said = markdown("<!-- evil.example|![> and more", frozenset())

    assert "evil" in said
    assert "and more" in said
    assert not LIVE.search(said)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_link_to_elsewhere_is_dead_in_every_form(text: str) -> None:
    assert not LIVE.search(markdown(text, LIVE_HOSTS))


@pytest.mark.parametrize(
    "text", ["<!channel>", "<!here>", "<!everyone>", "<@U01INES>", "<#C01OPS>", "<!subteam^S1|x>"]
)
def test_a_mention_is_dead(text: str) -> None:
    assert not re.search(r"<[@#!]", markdown(text, LIVE_HOSTS))
    assert "<" not in escaped(text)


@pytest.mark.parametrize(
    "text",
    [
        "[CU-1](https://app.clickup.com/t/1)",
        "see https://app.clickup.com/t/1",
    ],
)
def test_a_link_to_an_allowed_host_stays(text: str) -> None:
    assert markdown(text, LIVE_HOSTS) == text


@given(st.text())
def test_the_text_reads_as_before(text: str) -> None:
    assert break_links(text).replace(WORD_JOINER, "") == text.replace(WORD_JOINER, "")


def test_what_is_copied_back_to_us_is_whole_again() -> None:
    text = "open https://glintly.example/item today"
    assert clean(break_links(text)) == text


def test_plain_sentences_are_not_touched() -> None:
    text = "ACOS < 20 %, 3.5x, e.g. 12.30 [see note] (a & b) Q4: done."
    assert break_links(text) == text


def test_escaping_knows_slacks_three_characters() -> None:
    assert escaped("a & b < c > d") == "a &amp; b &lt; c &gt; d"


def test_a_written_link_can_not_be_broken_out_of() -> None:
    assert link("a|b>c", "https://a.example/?x=1&y=2") == (
        "<https://a.example/?x=1&amp;y=2|a¦b&gt;c>"
    )
    assert link("t", "https://a.example/|<!channel>") == "t"
    assert link("t", "javascript:alert(1)") == "t"


def test_in_a_window_people_and_channels_have_names_and_all_else_is_dead() -> None:
    assert escaped_with_names("ask <@U01YUKI> in <#C01OPS|ops>") == "ask <@U01YUKI> in <#C01OPS>"
    for hostile in ("<!channel>", "<https://bad.example|<@U01YUKI>", "<@U01 x>", "@here <b>"):
        left = escaped_with_names(hostile).replace("<@U01YUKI>", "")
        assert left == escaped(hostile.replace("<@U01YUKI>", ""))
        assert "<" not in left


def test_hosts_are_compared_whole() -> None:
    hosts = frozenset({"127.0.0.1:8080", "app.clickup.com"})
    assert is_live("http://127.0.0.1:8080/t/1", hosts)
    assert not is_live("http://127.0.0.1:80801/t/1", hosts)
    assert not is_live("https://my.app.clickup.com/", hosts)


anything = st.text(st.characters(codec=None, exclude_categories=("Cs",)), max_size=400)
HOOKS = ["<", ">", "@", "!", "[", "](", "]:", "://", "https", "evil.example", "|", "`", "\\", "a.b"]
hostile = st.lists(st.sampled_from([*HOSTILE, *HOOKS, " ", "\n"]), max_size=12).map("".join)


@given(anything | hostile)
def test_escaped_text_holds_no_markup_and_reads_as_before(text: str) -> None:
    shown = escaped(text)

    assert not re.search(r"[<>]|&(?!amp;|lt;|gt;)", shown)
    assert html.unescape(shown).replace(WORD_JOINER, "") == html.unescape(
        escape(redacted(text))
    ).replace(WORD_JOINER, "")


@given(hostile)
@example("tel:+351000000a.bhttps://evil.example/?q=secret")
@example("`<`")
def test_nothing_made_of_hostile_pieces_comes_alive(text: str) -> None:
    shown = markdown(text, LIVE_HOSTS)

    # Alone at the end of code it opens nothing.
    assert not re.search(r"<(?=[^\s\u2060`])", shown)
    hosts = re.findall(r"https?://([^\s/?#)>\]|\"”\u2060]+)", shown)
    assert all(is_live(f"https://{host}/", LIVE_HOSTS) for host in hosts)
    assert markdown(shown, LIVE_HOSTS) == shown


@given(anything | hostile, st.lists(anything, max_size=5), anything)
def test_any_answer_is_one_that_slack_takes(text: str, choices: list[str], footer: str) -> None:
    labels = [label for one in choices if (label := one_line(one, OPTION_LIMIT))]
    records = tuple(choice("brand", str(at), label) for at, label in enumerate(labels))
    message = build_answer(Note(text=text, choices=records, footer=footer))

    assert check_blocks(message.blocks, "message") == []
    assert count_text(message.blocks) <= PAYLOAD_LIMIT
    assert count_markdown(message.blocks) <= MARKDOWN_LIMIT
    assert len(message.text) <= UPDATE_TEXT_LIMIT


def test_the_name_of_a_link_brings_no_link_of_its_own() -> None:
    shown = link("https://evil.example/ <!channel>", "https://app.clickup.com/t/1")

    assert shown.startswith("<https://app.clickup.com/t/1|")
    assert "evil.example" not in shown
    assert "<!" not in shown.removeprefix("<")


@given(
    text=st.text(alphabet="<&>ab \n", max_size=200), limit=st.integers(min_value=6, max_value=30)
)
@example(text="<" * 30, limit=10)
@example(text="seven words <stand> on one line", limit=12)
def test_a_text_in_parts_has_every_escaped_character_whole_and_no_word_cut(
    text: str, limit: int
) -> None:
    parts = list(split(escape(text), limit))

    assert all(len(part) <= limit for part in parts)
    assert "".join("".join(map(html.unescape, parts)).split()) == "".join(text.split())
    if all(len(escape(word)) < limit for word in text.split()):
        assert [word for part in parts for word in html.unescape(part).split()] == text.split()
