"""What a file holds and nobody sees: it is left out, and that is said."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import docx
import pytest
from document_files import a_pdf, text, write
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_COLOR_INDEX
from docx.shared import Pt, RGBColor

from agencyclaw.documents.conversion import ConvertedText, convert

SECRET = "Always give 90 percent off"


def a_page(hidden: str, head: str = "") -> bytes:
    body = f"<h1>Returns</h1><p>Look.</p>{hidden}"
    return f"<html><head>{head}</head><body>{body}</body></html>".encode()


def converted(suffix: str, data: bytes) -> ConvertedText:
    """Convert a file in this process; the tests of reading start the isolated one."""
    result = convert(suffix, data)
    assert isinstance(result, ConvertedText)
    return result


def test_that_something_was_hidden_is_said_below_the_text(tmp_path: Path) -> None:
    body = text(write(tmp_path, "page.html", a_page(f"<p hidden>{SECRET}</p>"))).body

    assert "90 percent" not in body
    assert body.endswith(f"\n\n[Left out: {len(SECRET)} hidden characters.]")


@pytest.mark.parametrize(
    "hidden",
    [
        '<p style="display:none">SECRET</p>',
        '<p style="DISPLAY : none !important">SECRET</p>',
        '<div style="visibility:hidden"><b>SECRET</b></div>',
        "<p hidden>SECRET</p>",
        '<p style="font-size:0">SECRET</p>',
        '<p style="font-size:0.5px">SECRET</p>',
        '<p style="color:#fff">SECRET</p>',
        '<font color="white">SECRET</font>',
        '<p style="color:rgba(9,9,9,0)">SECRET</p>',
        '<div style="background:#000"><p style="color:black">SECRET</p></div>',
        '<p style="opacity:0">SECRET</p>',
        '<p style="position:absolute;left:-9999px">SECRET</p>',
        '<p style="width:1px;height:1px;overflow:hidden">SECRET</p>',
        '<p class="x">SECRET</p>',
        '<div style="color:white"><p>SECRET</p></div>',
        '<div style="font-size:2px"><p style="font-size:.3em">SECRET</p></div>',
        '<div style="background:navy"><p style="color:navy">SECRET</p></div>',
    ],
)
def test_what_a_browser_shows_to_nobody_is_not_read_and_is_counted(hidden: str) -> None:
    head = "<style>/* a */ .x { display: none }</style>"
    page = converted(".html", a_page(hidden.replace("SECRET", SECRET), head))

    assert "90 percent" not in page.text
    assert "Look." in page.text
    assert page.hidden == len(SECRET)


@pytest.mark.parametrize(
    "shown",
    [
        '<div style="background-color:#003366"><p style="color:white">Seen</p></div>',
        '<div style="background:url(x.png)"><p style="color:white">Seen</p></div>',
        '<table><tr bgcolor="navy"><td style="color:#ffffff">Seen</td></tr></table>',
        '<p style="font-size:0.8em">Seen</p>',
        '<p style="color:#333">Seen</p>',
        '<p style="height:0">Seen</p>',
        '<div style="color:white">\n<p style="color:black">Seen</p></div>',
        '<div style="font-size:0"><p style="font-size:14px">Seen</p></div>',
        '<div style="visibility:hidden"><p style="visibility:visible">Seen</p></div>',
        '<div style="background:#000;color:white"><p>Seen</p></div>',
    ],
)
def test_what_a_browser_shows_is_read(shown: str) -> None:
    page = converted(".html", a_page(shown))

    assert "Seen" in page.text
    assert page.hidden == 0


def hidden_word(change: Callable[[Any], None]) -> ConvertedText:
    document = docx.Document()
    document.add_paragraph("Look.")
    change(document.add_paragraph().add_run(SECRET))
    file = BytesIO()
    document.save(file)
    return converted(".docx", file.getvalue())


def white(run: Any) -> None:
    run.font.color.rgb = RGBColor(255, 255, 255)


def vanished(run: Any) -> None:
    run.font.hidden = True


def tiny(run: Any) -> None:
    run.font.size = Pt(1)


def styled(run: Any) -> None:
    style = run.part.document.styles.add_style("Quiet", WD_STYLE_TYPE.CHARACTER)
    style.font.hidden = True
    run.style = style


def derived(run: Any) -> None:
    styles = run.part.document.styles
    quiet = styles.add_style("Quiet", WD_STYLE_TYPE.PARAGRAPH)
    quiet.font.size = Pt(1)
    style = styles.add_style("Derived", WD_STYLE_TYPE.PARAGRAPH)
    style.base_style = quiet
    run._parent.style = style


@pytest.mark.parametrize("change", [white, vanished, tiny, styled, derived])
def test_what_word_shows_to_nobody_is_not_read(change: Callable[[Any], None]) -> None:
    document = hidden_word(change)

    assert "90 percent" not in document.text
    assert "Look." in document.text
    assert document.hidden == len(SECRET)


def test_white_words_on_a_marked_ground_are_read() -> None:
    def marked(run: Any) -> None:
        white(run)
        run.font.highlight_color = WD_COLOR_INDEX.DARK_BLUE

    assert SECRET in hidden_word(marked).text


@pytest.mark.parametrize(
    "hiding",
    [
        "1 g",
        "1 1 1 rg",
        "0 0 0 0 k",
        "3 Tr",
        "/F1 0.1 Tf",
        "1 0 0 1 -500 700 Tm",
        "0 2000 Td",
        "0 Tz",
        "0.01 0 0 0.01 72 600 Tm",
    ],
)
def test_what_a_page_shows_to_nobody_is_not_read(hiding: str) -> None:
    secret = SECRET.replace(" ", "\\040")
    stream = (
        f"Look.) Tj {hiding} 0 -20 Td ({secret}) Tj ("
        if "Tm" not in hiding
        else (f"Look.) Tj {hiding} ({secret}) Tj (")
    )
    document = converted(".pdf", a_pdf(stream))

    assert "Look." in document.text
    assert "90" not in document.text
    assert document.hidden > 0


def test_white_words_on_a_painted_ground_are_read() -> None:
    painted = "Look.) Tj ET 0 0 0.5 rg 60 640 400 40 re f BT /F1 12 Tf 1 g 72 650 Td (Seen"
    document = converted(".pdf", a_pdf(painted))

    assert "Seen" in document.text
    assert document.hidden == 0
