"""The page a person sees who follows a task's link."""

import sys
from collections.abc import AsyncGenerator
from types import FrameType
from typing import Any

import pytest
from clickup_stand import WEDNESDAY, Stand, ms, open_stand

from workbench.clickup.markdown import to_html, to_plain


@pytest.fixture
async def stand() -> AsyncGenerator[Stand]:
    async with open_stand() as stand:
        yield stand


async def page_of(stand: Stand, **body: Any) -> str:
    task = await stand.create(**body)
    answer = await stand.http.get(task["url"], headers={"Authorization": ""})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
    return answer.text


async def test_the_link_of_a_task_leads_to_a_page_with_all_that_matters(stand: Stand) -> None:
    page = await page_of(
        stand,
        name="Create the coupon",
        assignees=[100003, 100005],
        due_date=ms(WEDNESDAY),
        priority=2,
        markdown_content="## Goal\n- [x] draft\n- [ ] check [SOP](https://lanternfish.example/s)",
    )
    for shown in (
        "<h1>Create the coupon</h1>",
        "Brightkettle Group / Brightkettle Backlog",
        ">to do</span>",
        "Sara Lindqvist, Miguel Duarte",
        "Wednesday, 25 November 2026",
        "<dd>High</dd>",
        "<h3>Goal</h3>",
        '<input type="checkbox" disabled checked> draft',
        '<a href="https://lanternfish.example/s" target="_blank" rel="noopener noreferrer">SOP</a>',
    ):
        assert shown in page


async def test_an_empty_task_says_so(stand: Stand) -> None:
    page = await page_of(stand)
    for shown in ("Nobody yet", "No due date", "No description"):
        assert shown in page


async def test_whatever_a_task_says_stays_text(stand: Stand) -> None:
    evil = '<script>alert("x")</script>'
    task = await stand.create(name=evil, markdown_content=f"# {evil}\n- {evil}\n`{evil}`\n{evil}")
    await stand.http.post(f"/task/{task['id']}/comment", json={"comment_text": evil})
    await stand.http.post(f"/task/{task['id']}/tag/%3Cscript%3E")
    answer = await stand.http.get(task["url"])
    assert "<script" not in answer.text
    assert answer.text.count("&lt;script&gt;") == 8
    assert "default-src 'none'" in answer.headers["content-security-policy"]


async def test_a_literal_description_is_not_read_as_markdown(stand: Stand) -> None:
    assert '<p class="plain"># not a heading</p>' in await page_of(
        stand, description="# not a heading"
    )


async def test_a_task_that_is_gone_has_a_page_that_says_so(stand: Stand) -> None:
    answer = await stand.http.get(f"{stand.origin}/t/86b000000")
    assert answer.status_code == 404
    assert "This task does not exist" in answer.text


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("# A", "<h2>A</h2>"),
        ("a\nb\n\nc", "<p>a<br>b</p>\n<p>c</p>"),
        ("- a\n  - b\n- c", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"),
        ("1. a\n\n2. b", "<ol><li>a</li><li>b</li></ol>"),
        ("- a\n1. b", "<ul><li>a</li></ul><ol><li>b</li></ol>"),
        ("[x] a", "<p>[x] a</p>"),
        ("- `[x] a`", "<ul><li><code>[x] a</code></li></ul>"),
        ("- a\n\ntext", "<ul><li>a</li></ul><p>text</p>"),
        ("**a *b* c** ~~d~~", "<p><strong>a <em>b</em> c</strong> <s>d</s></p>"),
        ("snake_case_name and 2 * 3 * 4", "<p>snake_case_name and 2 * 3 * 4</p>"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
        ("[x](javascript:alert)", "<p>[x](javascript:alert)</p>"),
        ('[x](https://a.b/"onmouseover=1)', None),
        ("> quoted", "<blockquote>quoted</blockquote>"),
        ("---", "<hr>"),
        ("```\n<b> **x**\n```", "<pre><code>&lt;b&gt; **x**</code></pre>"),
        ("```\nunclosed", "<pre><code>unclosed</code></pre>"),
    ],
)
def test_markdown_becomes_safe_html(markdown: str, html: str | None) -> None:
    made = to_html(markdown)
    if html is None:
        assert '"onmouseover' not in made
    else:
        assert made.replace("\n", "") == html.replace("\n", "")


@pytest.mark.parametrize("mark", ["[", "**", "`", "_a", "*a ", "[a](", "> ", "- ", "~~"])
def test_what_follows_a_long_run_of_marks_is_still_shown(mark: str) -> None:
    text = f"{mark * 20_000}\n\nthe end"
    assert to_plain(text).endswith("the end")
    assert "the end" in to_html(text)


def test_pictures_and_addresses_become_links_of_safe_schemes_only() -> None:
    made = to_html("![x](https://a.b/p.png) https://a.b/c_d_e. [y](ftp://a.b) <b>&lt;</b>")
    assert "<img" not in made
    assert made.count("<a href=") == made.count('rel="noopener noreferrer"') == 2
    assert "[y](ftp://a.b) &lt;b&gt;&lt;&lt;/b&gt;" in made


def test_plain_text_keeps_the_lines_of_its_source() -> None:
    text = "# A\r\n\na `b\nc` d\n\n- [ ] e\n\n> f\n---\n"
    assert to_plain(text) == "A\n\na b c d\n\ne\n\nf\n---"


def test_plain_text_keeps_words_and_loses_targets() -> None:
    text = "## Goal\n1. see [the **SOP**](https://a.b)\n- [x] `B0CF7GARL1`\nhttps://a.b/c_d_e"
    assert to_plain(text) == "Goal\nsee the SOP\nB0CF7GARL1\nhttps://a.b/c_d_e"


@pytest.mark.parametrize("line", ["[x] a", "# [ ] a", "> [x] a", "- `[x] a`", "- b\n\n  [x] a"])
def test_what_is_no_checkbox_on_the_page_is_none_in_plain_text(line: str) -> None:
    assert to_plain(line).endswith("] a")
    assert "checkbox" not in to_html(line)


@pytest.mark.parametrize("end", [".", ",", "!", '"', "?)", ".)."])
def test_an_address_ends_before_the_marks_of_its_sentence(end: str) -> None:
    assert 'href="https://a.b/c?d=1"' in to_html(f"see https://a.b/c?d=1{end}")


def test_many_lines_of_a_paragraph_take_as_long_as_several_times_a_few() -> None:
    few, many = (cost_of("[a](https://b.c)\n" * lines) for lines in (500, 5_000))
    assert many < 12 * few


def cost_of(markdown: str) -> int:
    """Count the calls that the page of a text takes, which no other process slows down."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        to_html(markdown)
    finally:
        sys.setprofile(None)
    return calls
