"""Repair: whatever the text, no link or mention stays live but the harmless ones."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import BaseModel

from agencyclaw.knowledge.link_breaking import web_addresses
from agencyclaw.knowledge.links import repair, urls_of

TASK = "https://app.clickup.com/t/86abc"
LIVE_FORMS = (
    re.compile(r"<[!@#]"),
    re.compile(r"<\w[^<>]*\|"),
    re.compile(r"!\["),
    re.compile(r"\](?=[(\[:])"),
    re.compile(r"[a-z][a-z0-9+.-]*://", re.I),
    # A mark of emphasis behind the colon is no address yet.
    re.compile(r"\b(?:mailto|tel|javascript|slack|data):(?:_*[^\W_]|[+/])", re.I),
    re.compile(r"[@＠](?:here|channel|everyone)\b", re.I),
    re.compile(r"[^\W_]\.(?:com|org|net|io|example|de|uk|zip|here|xn--\w+)(?![^\W_])", re.I),
)


def live_parts(text: str, *allowed: str) -> list[str]:
    """Every form that Slack would make clickable or ringing, the allowed links left out."""
    for url in allowed:
        text = re.sub(rf"\[[^\[\]]*\]\({re.escape(url)}\)", " ", text)
        ends = r"(?![.,;:!?_~…]*[^\s<>|\[\]()\"'`*\\.,;:!?_~…])"
        text = re.sub(re.escape(url) + ends, " ", text)
    return [match[0] for form in LIVE_FORMS for match in form.finditer(text)]


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        ("<!channel> look", "channel look"),
        ("<!here|here> <!everyone>", "here everyone"),
        ("<!subteam^S12|@ops> and <!subteam^S12>", "@ops and subteam"),
        ("<@U01INES> or <@U01INES|ines>", "someone or ines"),
        ("<#C01OPS|ops> <#C01OPS>", "ops a channel"),
        ("@here, @Channel! (@everyone)", "@\u2060here, @\u2060Channel! (@\u2060everyone)"),
        ("https://evil.example/?q=secret", "https: //evil.\u2060example/?q=secret"),
        ("<https://evil.example|Click>", "Click (https: //evil.\u2060example)"),
        ("[Click](https://evil.example)", "Click (https: //evil.\u2060example)"),
        (
            "![pixel](https://evil.example/p.png)",
            "pixel (https: //evil.\u2060example/p.\u2060png)",
        ),
        (
            "[Click][1]\n\n[1]: https://evil.example",
            "[Click] [1]\n\n[1] : https: //evil.\u2060example",
        ),
        (
            "visit evil.com or www.evil.co.uk",
            "visit evil.\u2060com or www.\u2060evil.\u2060co.\u2060uk",
        ),
        (
            "mail me@evil.com or mailto:me@evil.com",
            "mail me@evil.\u2060com or mailto:\u2060me@evil.\u2060com",
        ),
        (
            "javascript:alert(1) tel:+123 slack://x",
            "javascript:\u2060alert(1) tel:\u2060+123 slack: //x",
        ),
        ("<!date^1^{date}^https://evil.example|soon>", "soon"),
        ("&lt;!channel&gt; https&#58;//evil&#46;com", "channel https: //evil.\u2060com"),
        ("\\<!channel> evil\\.com", "channel evil.\u2060com"),
        ("ev\u200bil.c\u00adom", "evil.\u2060com"),
        (f"see [Coupon]({TASK}).", f"see [Coupon]({TASK})."),
        (f"see <{TASK}|Coupon>", f"see [Coupon]({TASK})"),
        (f"see {TASK}!", f"see {TASK}!"),
        (f"see:<{TASK}>", f"see: {TASK}"),
        (f"[see evil.com]({TASK})", f"[see evil.\u2060com]({TASK})"),
        (
            f"{TASK}.evil.com",
            "https: //app.\u2060clickup.\u2060com/t/86abc.\u2060evil.\u2060com",
        ),
        ("report.xlsx, v1.2, 3.5%, e.g. this", "report.xlsx, v1.2, 3.5%, e.g. this"),
        ("a < b, ACOS <5% and <b", "a < b, ACOS <\u20605% and <\u2060b"),
        ("- [ ] open\n- [x] done", "- [ ] open\n- [x] done"),
        ("**bold** _it_ `code`", "**bold** _it_ `code`"),
        ("\x00a\x07b\u202ec", "abc"),
    ],
)
def test_to_e69_links_and_mentions_become_text(text: str, repaired: str) -> None:
    assert repair(text, allowed={TASK}) == repaired


FRAGMENTS = [
    *("<", ">", "|", "[", "]", "(", ")", "!", "@", "#", ":", "//", "/", ".", "\\", "&lt;", "\n"),
    *(" ", "`", "*", "_", "-", "\u200d", "\u200b", "\ue000", "\ue001", "0", "x", "&#46;", "&amp;"),
    *("http", "https", "https://", "mailto:", "javascript:", "www.", "evil", ".com", ".co.uk"),
    *("here", "channel", "everyone", "@here", "<!here>", "<@U1>", "<#C1|x>", "[1]:", "](", "]["),
    *("https://evil.example/a?b=c", TASK, f"<{TASK}>", f"[t]({TASK})", "evil.com", "xn--p1ai"),
]
hostile = st.one_of(
    st.lists(st.sampled_from(FRAGMENTS), max_size=14).map("".join),
    st.text(max_size=60),
    st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=3)), max_size=12).map("".join),
)


@given(text=hostile)
@example("[a](b)](c)")
@example(f"<{TASK}>.evil.com")
@example("a.@here")
@example("@@here")
@example("mailto:_http<_")
@example("[https]://evil.com")
@example("tel:(https://evil.com)")
@example(f"![x]({TASK})")
@example(f":<{TASK}>")
def test_nothing_live_survives(text: str) -> None:
    repaired = repair(text, allowed={TASK})

    assert live_parts(repaired, TASK) == []


@given(text=hostile)
def test_repairing_twice_is_as_repairing_once(text: str) -> None:
    once = repair(text, allowed={TASK})

    assert repair(once, allowed={TASK}) == once


@given(text=hostile)
@example("https://app.clickup.com/t/86abc:`<`")
def test_without_an_allow_list_no_address_stays(text: str) -> None:
    assert web_addresses(repair(text)) == ()


@given(words=st.lists(st.text("abcdefghijklmnopqrstuvwxyzäöü,!?'-", min_size=1), max_size=20))
def test_plain_words_stay_as_they_are(words: list[str]) -> None:
    text = " ".join(words)

    assert repair(text) == text.strip()


class Row(BaseModel):
    title: str
    url: str | None = None


class Rows(BaseModel):
    rows: tuple[Row, ...]
    note: str


def test_only_addresses_in_url_fields_count_as_known() -> None:
    rows = Rows(
        rows=(Row(title="https://evil.example", url=TASK), Row(title="x")),
        note="https://evil.example/2",
    )

    assert urls_of(rows) == {TASK}
    assert urls_of([{"url": TASK, "more": {"url": "not an address"}}]) == {TASK}
    assert urls_of({"urls": [TASK, "no address"], "text": "https://evil.example"}) == {TASK}


@pytest.mark.parametrize(
    "text",
    ["a." * 5_000, "-" * 10_000, "[" * 10_000, "<!" * 5_000, "\\" * 9_000, "[a](" * 2_500],
)
def test_hostile_text_is_repaired_to_its_end(text: str) -> None:
    once = repair(text)

    assert repair(once) == once


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("xhttpd:http://evil.example", ("http://evil.example",)),
        ("see=HTTPS://a.example/b, http://c.example.", ("HTTPS://a.example/b", "http://c.example")),
        ("http://a.example/?to=http://b.example", ("http://a.example/?to=http://b.example",)),
        ("the httpd:// of 1997", ()),
    ],
)
def test_a_link_begins_with_its_scheme(text: str, links: tuple[str, ...]) -> None:
    assert web_addresses(text) == links
