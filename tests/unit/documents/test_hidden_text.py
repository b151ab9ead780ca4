"""What a file holds and nobody sees: it is left out, and that is said."""

from __future__ import annotations

from base64 import a85encode
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import docx
import pytest
from document_files import a_form, a_pdf, text, write
from docx.enum.style import WD_STYLE_TYPE
from docx.enum.text import WD_COLOR_INDEX
from docx.opc.constants import CONTENT_TYPE as CT
from docx.opc.constants import RELATIONSHIP_TYPE as RT
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
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
        '<p style="color:#fefefe">SECRET</p>',
        '<p style="color:rgb(250,255,245)">SECRET</p>',
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
        '<p class="y">SECRET</p>',
        '<p class="z" style="display:block">SECRET</p>',
        '<div class="outer"><p>SECRET</p></div>',
        '<p style="background:#fff none no-repeat;color:#fff">SECRET</p>',
        '<p style="background:transparent none;color:white">SECRET</p>',
        '<p style="font:0/0 a">SECRET</p>',
        '<p style="color:rgb(100%,100%,100%)">SECRET</p>',
        '<p style="color:hsl(0,0%,100%)">SECRET</p>',
        '<p style="color:snow">SECRET</p>',
        '<p style="position:absolute;left:-100vw">SECRET</p>',
        '<p style="height:0;overflow-y:hidden">SECRET</p>',
        '<p style="clip-path:inset(100%)">SECRET</p>',
        '<p style="/* a: b; */display:none">SECRET</p>',
        """<p style="font-family:'a;b:c';display:none">SECRET</p>""",
        '<p style="font-size:0;font:16px/1">SECRET</p>',
        '<p style="font-size:1e-5px">SECRET</p>',
        f'<p style="color:rgb({"9" * 400},255,255)">SECRET</p>',
        '<div style="font-size:0"><p style="font-size:1e999%">SECRET</p></div>',
        '<p style="background:url(x.png) #fff;background-image:none;color:white">SECRET</p>',
        '<p style="background:url(a), url(b) #fff;background-image:none;color:#fff">SECRET</p>',
        '<p style="color:white;color:">SECRET</p>',
        '<p style="color:white;background:">SECRET</p>',
        r'<p style="c\6flor:whit\65 ">SECRET</p>',
        '<p style="color:white;x:[);color:black;y:]">SECRET</p>',
        '<p style="color:white;x:{;color:black;}">SECRET</p>',
        '<p style="color:white;color:nonsense">SECRET</p>',
        '<p style="color:hwb(0 100% 0%)">SECRET</p>',
        '<p style="color:#ffff">SECRET</p>',
    ],
)
def test_what_a_browser_shows_to_nobody_is_not_read_and_is_counted(hidden: str) -> None:
    head = (
        "<style><!-- @charset 'utf-8'; /* a */ .x { display: none } .y, .b::after { display: none }"
        " .z { display: none !important } .outer { color: red; p { display: none } } --></style>"
    )
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
        '<p class="light" style="background:#000;color:#fff">Seen</p>',
        '<p class="dark" style="color:white">Seen</p>',
        '<table><tr><td bgcolor="white" style="background:black;color:#fff">Seen</td></tr></table>',
        '<p style="background:navy url(x.png) no-repeat;color:#fff">Seen</p>',
        '<p style="height:1em;overflow:hidden">Seen</p>',
        '<p style="height:1px;clip-path:none">Seen</p>',
        '<p style="left:-9999px">Seen</p>',
        '<p style="font:700 14px/1.5 Arial">Seen</p>',
        '<p color="white">Seen</p>',
        '<p style="color:nonsense">Seen</p>',
        '<p style="color:white;background:var(--dark)">Seen</p>',
        '<p style="color:white;background:lab(20% 0 0)">Seen</p>',
        '<p hidden style="display:block">Seen</p>',
        '<p style="background-image:url(x.png);color:#fff">Seen</p>',
        '<p style="background:url(x.png);background-color:#fff;color:#fff">Seen</p>',
        '<p style="float:left;width:200px;margin-left:-100%">Seen</p>',
        '<div style="font-size:0"><p style="font-size:medium">Seen</p></div>',
        '<div style="font-size:0"><p style="font:small-caps medium serif">Seen</p></div>',
    ],
)
def test_what_a_browser_shows_is_read(shown: str) -> None:
    head = (
        "<style>.light { background-color: white } .dark { color: black !important }"
        " .outer { p { display: none } }</style>"
    )
    page = converted(".html", a_page(shown, head))

    assert "Seen" in page.text
    assert page.hidden == 0


@pytest.mark.parametrize(
    "css",
    [
        ":is(.a, .x:not(.b)) { display: none }",
        '[title="a,b"] { display: none }',
        ".a, body:not(.b) { .x { display: none } }",
        '.a::before { content: "{" } .x { display: none }',
        "@media all { .a::after { content: '}' } .x { display: none } }",
        '.a::before { content: "/*" } .x { display: none } .b { content: "*/" }',
        ".a { background: url(data:image/png;base64,{) } .x { display: none }",
        "@media all { .a { </style><style> .x { display: none }",
        r".md\:a\{ { color: red } .x { display: none }",
        "p/* a */.x { display: none }",
        ".x { display: none } [); .x { display: block } ] {}",
    ],
)
def test_no_sign_in_a_style_sheet_keeps_a_rule_from_hiding(css: str) -> None:
    hidden = f'<p class="x" title="a,b">{SECRET}</p>'
    page = converted(".html", a_page(hidden, f"<style>{css}</style>"))

    assert "90 percent" not in page.text
    assert "Look." in page.text
    assert page.hidden == len(SECRET)


def test_a_long_page_with_the_sheet_of_a_framework_is_read(tmp_path: Path) -> None:
    rules = (f".a{at}, .b{at} p, .c{at}::after {{ color: #333 }}" for at in range(1_500))
    paragraphs = "".join(f"<p class=x>Line {at}</p>" for at in range(1_500))
    hidden = f'<p class="y">{SECRET}</p>'
    head = f"<style>{' '.join(rules)} .y {{ display: none }}</style>"
    body = text(write(tmp_path, "page.html", a_page(paragraphs + hidden, head))).body

    assert "Line 1499" in body
    assert "90 percent" not in body


def test_a_page_with_very_many_declarations_is_read(tmp_path: Path) -> None:
    paragraphs = "".join(f"<p>Line {at}</p>" for at in range(1_000))
    head = f"<style>p {{ {'color: red; ' * 20_000} }}</style>"

    assert "Line 999" in text(write(tmp_path, "page.html", a_page(paragraphs, head))).body


def test_a_sheet_whose_selectors_double_at_each_level_is_refused() -> None:
    with pytest.raises(ValueError, match="nested"):
        convert(".html", a_page("<p>Look.</p>", f"<style>a {{ {'& & { ' * 60}</style>"))


def test_text_in_the_colour_of_the_page_is_not_read() -> None:
    page = converted(".html", f'<body text="#fff"><p>{SECRET}</p></body>'.encode())

    assert "90 percent" not in page.text
    assert page.hidden == len(SECRET)


def hidden_word(change: Callable[[Any], None]) -> ConvertedText:
    document = docx.Document()
    document.add_paragraph("Look.")
    change(document.add_paragraph().add_run(SECRET))
    file = BytesIO()
    document.save(file)
    return converted(".docx", file.getvalue())


def white(run: Any) -> None:
    run.font.color.rgb = RGBColor(255, 255, 255)


def whitish(run: Any) -> None:
    run.font.color.rgb = RGBColor(254, 250, 255)


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


@pytest.mark.parametrize("change", [white, whitish, vanished, tiny, styled, derived])
def test_what_word_shows_to_nobody_is_not_read(change: Callable[[Any], None]) -> None:
    document = hidden_word(change)

    assert "90 percent" not in document.text
    assert "Look." in document.text
    assert document.hidden == len(SECRET)


def test_notes_of_a_word_document_are_read_without_what_is_hidden() -> None:
    document = docx.Document()
    note = (
        f"<w:footnotes {nsdecls('w')}><w:footnote w:id='2'><w:p><w:r><w:t>Seen</w:t></w:r>"
        f"<w:r><w:rPr><w:vanish/></w:rPr><w:t>{SECRET}</w:t></w:r></w:p></w:footnote></w:footnotes>"
    )
    part = Part(
        PackURI("/word/footnotes.xml"), CT.WML_FOOTNOTES, note.encode(), document.part.package
    )
    document.part.relate_to(part, RT.FOOTNOTES)
    reference = parse_xml(f"<w:footnoteReference {nsdecls('w')} w:id='2'/>")
    document.add_paragraph("Look.").add_run()._r.append(reference)
    file = BytesIO()
    document.save(file)
    read = converted(".docx", file.getvalue())

    assert "Seen" in read.text
    assert "90 percent" not in read.text
    assert read.hidden == len(SECRET)


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
        "1 Tz",
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


CROPPED = "/MediaBox[0 0 600 800]/CropBox[0 100 300 790]"
SPOT = "/ColorSpace<</Spot[/Separation/Black/DeviceGray 5 0 R]/Two[/Indexed/DeviceGray 1<FF00>]>>"
SHADING = (
    "/Shading<</Sh<</ShadingType 2/ColorSpace/DeviceGray/Coords[0 600 0 700]/Function 5 0 R>>>>"
)
FUNCTION = "<</FunctionType 2/Domain[0 1]/C0[1]/C1[0]/N 1>>"
LOOKS = (
    "/ExtGState<</Faint<</ca 0.02>>/Half<</ca 0.5>>"
    "/Masked<</SMask<</S/Luminosity/G 6 0 R>>>>"
    "/Small<</Font[5 0 R 0.1]>>>>"
)


@pytest.mark.parametrize(
    "hiding",
    [
        "2 2 2 rg",
        "/Spot cs 0 scn",
        "1 Tr 1 G",
        "/Faint gs",
        "/Small gs",
        "-2000 Ts",
        "0.01 0 0 1 72 600 Tm",
        "1 0 0 1 72 30 Tm",
        "1 g 1 0 0 1 -5 600 Tm",
        "1 0 0 1 -200 796 Tm",
        "ET q 0 0 0 0 re W n BT /F1 12 Tf 1 0 0 1 72 600 Tm",
        "ET q 60 500 20 20 re W n BT /F1 12 Tf 1 0 0 1 72 600 Tm",
        "ET 0 0 1 rg 60 590 m 400 590 l 400 640 l 60 640 l f BT 1 0 0 1 72 600 Tm",
    ],
)
def test_whatever_hides_text_from_a_pages_readers_it_is_not_read(hiding: str) -> None:
    file = a_pdf(
        f"Look.) Tj {hiding} (Secret) Tj (",
        page="/MediaBox[0 0 600 800]/CropBox[0 100 600 800]",
        resources=SPOT + LOOKS,
        objects=(FUNCTION,),
    )
    document = converted(".pdf", file)

    assert document.text.strip() == "Look."
    assert document.hidden == len("Secret")


def test_a_text_that_begins_far_outside_its_line_is_not_read() -> None:
    document = converted(".pdf", a_pdf("Look.) Tj [-900000 (Secret)] TJ ("))

    assert document.text.strip() == "Look."


@pytest.mark.parametrize(
    "shown",
    [
        "/Spot cs 1 scn 0 -50 Td (Seen) Tj",
        "/Two cs 1 sc 0 -50 Td (Seen) Tj",
        "-73 -50 Td (Seen) Tj",
        # A frame, two rules of one path, and a slanted shape: none of them is behind the text.
        "ET 60 640 400 40 re 62 642 396 36 re f* BT 1 0 0 1 72 650 Tm (Seen) Tj",
        "ET 60 640 400 1 re 60 680 400 1 re f BT 1 0 0 1 72 650 Tm (Seen) Tj",
        "ET 60 640 m 400 640 l 60 600 l f BT 1 0 0 1 300 610 Tm (Seen) Tj",
        # What is painted is clipped, and half of it is seen through.
        "ET q 60 500 400 40 re W n 0 0 600 800 re f Q BT 1 0 0 1 72 650 Tm (Seen) Tj",
        "ET /Half gs 60 640 400 40 re f /Half gs BT 1 0 0 1 72 650 Tm (Seen) Tj",
        # Of what is behind it the colour is unknown.
        "ET q 60 640 400 40 re W n /Sh sh Q BT 1 g 1 0 0 1 72 650 Tm (Seen) Tj",
        "ET q /Masked gs 60 640 400 40 re f Q BT 1 g 1 0 0 1 72 650 Tm (Seen) Tj",
        "ET q 400 0 0 40 60 640 cm BI /W 1 /H 1 /CS /G /BPC 8 ID 0 EI Q"
        " BT 1 g 1 0 0 1 72 650 Tm (Seen) Tj",
        "ET 0 0 0.5 rg 60 660 m 60 690 80 690 90 690 c 390 690 l 400 690 400 670 400 660 c"
        " 400 640 390 640 390 640 c 90 640 l 60 640 60 650 60 660 c f"
        " BT 1 g 1 0 0 1 72 650 Tm (Seen) Tj",
    ],
)
def test_what_a_page_shows_is_read(shown: str) -> None:
    mask = a_form("1 g 60 640 400 40 re f", head="/Group<</S/Transparency/CS/DeviceGray>>")
    resources = SPOT + SHADING + LOOKS
    file = a_pdf(f"Look.) Tj {shown} (", resources=resources, objects=(FUNCTION, mask))
    document = converted(".pdf", file)

    assert document.text.split() == ["Look.", "Seen"]
    assert document.hidden == 0


@pytest.mark.parametrize(
    "shown",
    [
        # Its line, a part of its line, or an earlier text of its line begins outside of the clip.
        "100 500 200 20 re W n BT /F1 12 Tf 1 0 0 1 95 505 Tm (Seen) Tj",
        "100 500 200 20 re W n BT /F1 12 Tf 1 0 0 1 95 505 Tm [(S) -900 (een)] TJ",
        "100 500 200 20 re W n BT /F1 12 Tf 40 Tc 1 0 0 1 40 505 Tm (Seen) Tj",
        "100 500 200 20 re W n BT /F1 12 Tf 0 1 -1 0 110 490 Tm (Seen) Tj",
        "100 500 200 20 re W n BT /F1 -12 Tf -1 0 0 -1 95 505 Tm (Seen) Tj",
        "100 500 200 20 re W n BT /F1 -12 Tf 1 0 0 1 305 512 Tm (Seen) Tj",
        "BT /F1 12 Tf 1 0 0 1 -5 505 Tm (Seen) Tj",
        "BT /F1 12 Tf 1 0 0 1 295 785 Tm (Seen) Tj",
        # White on a ground that begins with the clip, and that is below the end of a line alone.
        "0 0 0.5 rg 100 500 200 20 re W n 100 500 200 20 re f"
        " BT /F1 12 Tf 1 g 1 0 0 1 95 505 Tm (Seen) Tj",
        "0 0 0.5 rg 97 500 200 20 re f BT /F1 12 Tf 1 0 0 1 72 505 Tm (Se) Tj 1 g (en) Tj",
    ],
)
def test_a_text_of_which_a_part_may_be_inside_its_clip_is_read(shown: str) -> None:
    file = a_pdf(f"Look.) Tj ET q {shown} ET Q BT (", page=CROPPED)
    document = converted(".pdf", file)

    assert "".join(document.text.split()) == "Look.Seen"
    assert document.hidden == 0


def test_a_later_text_of_a_line_that_begins_outside_its_clip_is_read() -> None:
    clip = "ET q 100 500 200 20 re W n BT /F1 12 Tf 1 0 0 1 60 505 Tm"
    file = a_pdf(f"Look.) Tj {clip} (Quarterly) Tj ( overview) Tj ET Q BT (")

    assert converted(".pdf", file).text.split() == ["Look.", "Quarterly", "overview"]


@pytest.mark.parametrize("place", ["95 530", "95 470", "310 505", "50 505"])
def test_a_line_that_misses_its_clip_is_not_read(place: str) -> None:
    clip = f"ET q 100 500 200 20 re W n BT /F1 12 Tf 1 0 0 1 {place} Tm"
    document = converted(".pdf", a_pdf(f"Look.) Tj {clip} (Se) Tj (en) Tj ET Q BT ("))

    assert document.text.strip() == "Look."
    assert document.hidden == len("Seen")


GLYPH = "BT /F1 40 Tf 1 0 0 1 100 500 Tm (o) Tj ET"


@pytest.mark.parametrize(
    "ground",
    [
        "20 w 90 508 m 190 508 l S",
        "20 w 90 508 m 190 508 l 190 600 l S",
        "20 w 90 508 m 140 600 l 190 508 l s",
        "20 w 90 508 m 140 600 l 190 508 l h S",
        "20 w 1 g 90 508 100 60 re B",
        "/Thick gs 90 508 100 60 re S",
        "q 10 0 0 10 0 0 cm 2 w 9 50.8 m 19 50.8 l S Q",
        # A ring: the text is on its lower edge.
        "20 w 160 560 m 160 590 130 610 107 610 c 80 610 55 590 55 560 c"
        " 55 530 80 508 107 508 c 130 508 160 530 160 560 c S",
        GLYPH,
        GLYPH.replace("(o)", "0 Tc (o)").replace("100 500", "104 498"),
    ],
)
def test_white_words_on_an_outline_or_on_a_large_letter_are_read(ground: str) -> None:
    words = "BT /F1 12 Tf 1 g 1 0 0 1 106 505 Tm (Seen) Tj"
    thick = "/ExtGState<</Thick<</LW 20>>>>"
    document = converted(".pdf", a_pdf(f"Look.) Tj ET {ground} {words} (", resources=thick))

    assert "Seen" in document.text
    assert document.hidden == 0


@pytest.mark.parametrize(
    "beside",
    [
        "50 450 300 100 re S",
        "BT /F1 12 Tf 1 0 0 1 68 505 Tm (Before) Tj 33 0 Td (it) Tj ET",
        "BT /F1 12 Tf 1 0 0 1 72 519 Tm (Above it) Tj ET",
        "/Faint gs 20 w 90 508 m 190 508 l S",
        "BT /F1 40 Tf 3 Tr 1 0 0 1 100 500 Tm (o) Tj ET 0 Tr",
    ],
)
def test_white_words_in_a_frame_or_beside_other_words_are_not_read(beside: str) -> None:
    looks = "/ExtGState<</Faint<</CA 0.02>>>>"
    words = "BT /F1 12 Tf 1 g 1 0 0 1 108 505 Tm (Secret) Tj"
    document = converted(".pdf", a_pdf(f"Look.) Tj ET {beside} {words} (", resources=looks))

    assert "Look." in document.text
    assert "Secret" not in document.text
    assert document.hidden >= len("Secret")


WHITE_PICTURE = "q 400 0 0 40 60 640 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \xff EI Q"


@pytest.mark.parametrize(
    "hidden",
    [
        "1 0 0 1 72 650 Tm (Secret) Tj ET 1 g 60 640 400 40 re f BT",
        f"1 0 0 1 72 650 Tm (Secret) Tj ET {WHITE_PICTURE} BT",
        f"ET {WHITE_PICTURE} BT 1 g 1 0 0 1 72 650 Tm (Secret) Tj",
        "3 Tr 1 0 0 1 72 700 Tm (Secret) Tj",
    ],
)
def test_what_is_painted_over_white_on_a_white_picture_or_not_painted_is_not_read(
    hidden: str,
) -> None:
    document = converted(".pdf", a_pdf(f"Look.) Tj {hidden} ("))

    assert "Secret" not in document.text
    assert "Look." in document.text


def test_white_words_that_touch_visible_ones_are_read() -> None:
    document = converted(".pdf", a_pdf("Look.) Tj 1 g 1 0 0 1 74 700 Tm (Seen) Tj ("))

    assert "S" in document.text.replace("Look.", "")


CHINESE = (
    "<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-H"
    "/DescendantFonts[6 0 R]>>",
    "<</Type/Font/Subtype/CIDFontType0/BaseFont/STSong-Light/DW 1000/FontDescriptor 7 0 R"
    "/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>>>",
    "<</Type/FontDescriptor/FontName/STSong-Light/Flags 6/FontBBox[0 -200 1000 800]>>",
)


@pytest.mark.parametrize(("mode", "read"), [("0 Tr", ["你世"]), ("3 Tr", [])])
def test_text_in_a_font_that_is_not_there_is_read_unless_it_is_not_painted(
    mode: str, read: list[str]
) -> None:
    words = f"{mode} /F2 12 Tf 1 0 0 1 72 600 Tm <4F604E16> Tj"
    document = converted(".pdf", a_pdf(f"Look.) Tj {words} (", fonts="/F2 5 0 R", objects=CHINESE))

    assert document.text.split() == ["Look.", *read]


def test_letters_that_a_file_draws_itself_are_read_whatever_their_unit_is() -> None:
    font = "/F2<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]"
    font += (
        "/CharProcs<</a 5 0 R>>/Encoding<</Differences[97/a]>>/FirstChar 97/LastChar 97/Widths[9]>>"
    )
    drawing = "9 0 0 0 8 8 d1 0 0 8 8 re f"
    letter = f"<</Length {len(drawing)}>>\nstream\n{drawing}\nendstream"
    words = "/F2 0.9 Tf 0 -50 Td (a) Tj"
    document = converted(".pdf", a_pdf(f"Look.) Tj {words} (", fonts=font, objects=(letter,)))

    assert document.text.split() == ["Look.", "a"]


@pytest.mark.parametrize("is_form", [False, True])
def test_what_a_file_says_that_a_text_reads_as_is_not_taken_for_what_is_drawn(
    is_form: bool,
) -> None:
    content = "/Span<</ActualText(Secret)>>BDC BT /F1 12 Tf 72 600 Td (Seen) Tj ET EMC"
    form = a_form(content, head="/Matrix[.5 0 0 .5 100 100]")
    file = a_pdf(
        "Look.) Tj ET /Fm Do BT (" if is_form else f"Look.) Tj ET {content} BT (",
        resources="/XObject<</Fm 5 0 R>>",
        objects=(form,),
    )

    assert converted(".pdf", file).text.split() == ["Look.", "Seen"]


def test_a_hyphen_at_the_end_of_a_line_stays() -> None:
    document = converted(".pdf", a_pdf("A well-) Tj 0 -14 Td (known seller"))

    assert document.text == "A well-\nknown seller"


@pytest.mark.parametrize("page", ["/MediaBox[0 0 14400 14400]", "/Rotate 90/MediaBox[0 0 600 800]"])
def test_a_poster_and_a_turned_page_are_read_without_what_is_hidden(page: str) -> None:
    document = converted(".pdf", a_pdf("Look.) Tj 1 g 0 -50 Td (Secret) Tj (", page=page))

    assert document.text.strip() == "Look."
    assert document.hidden == len("Secret")


@pytest.mark.parametrize("box", ["[600 800 0 0]", "[0 800 600 0]"])
def test_a_page_may_begin_at_any_corner(box: str) -> None:
    assert converted(".pdf", a_pdf("Look.", page=f"/MediaBox{box}")).text == "Look."


def test_a_page_that_is_cropped_to_nothing_is_not_read() -> None:
    page = "/MediaBox[0 0 600 800]/CropBox[1000 1000 1200 1300]"

    assert converted(".pdf", a_pdf("Look", page=page)).text == ""


def test_a_blank_that_nobody_sees_is_no_hidden_text() -> None:
    assert converted(".pdf", a_pdf("Look.) Tj 3 Tr ( ")).hidden == 0


TEXT = "BT /F1 12 Tf 72 600 Td (Twice) Tj ET"


def test_a_form_is_read_where_it_is_seen_and_not_where_it_is_hidden() -> None:
    file = a_pdf(
        "Look.) Tj ET /Fm Do q 3 Tr 1 0 0 1 0 -50 cm /Fm Do Q BT (",
        resources="/XObject<</Fm 5 0 R>>",
        objects=(a_form(TEXT),),
    )
    document = converted(".pdf", file)

    assert document.text.split() == ["Look.", "Twice"]
    assert document.hidden == len("Twice")


@pytest.mark.parametrize("deep", [1, 9, 12])
def test_no_form_is_too_deep_inside_others_to_hide_something(deep: int) -> None:
    inner = [a_form("/Fm Do", f"/XObject<</Fm {6 + at} 0 R>>") for at in range(deep - 1)]
    file = a_pdf(
        "Look.) Tj ET /Fm Do BT (",
        resources="/XObject<</Fm 5 0 R>>",
        objects=(*inner, a_form(f"3 Tr {TEXT}")),
    )
    document = converted(".pdf", file)

    assert document.text.strip() == "Look."
    assert document.hidden == len("Twice")


def test_a_form_that_draws_itself_hides_nothing() -> None:
    secret = TEXT.replace("600", "500").replace("Twice", "Secret")
    hiding = a_form(f"{TEXT} /Fm Do 3 Tr {secret}", "/XObject<</Fm 5 0 R>>")
    file = a_pdf("Look.) Tj ET /Fm Do BT (", resources="/XObject<</Fm 5 0 R>>", objects=(hiding,))
    document = converted(".pdf", file)

    assert document.text.split() == ["Look.", "Twice"]
    assert document.hidden == len("Secret")


CODES = (
    "1 begincodespacerange <0000><FFFF> endcodespacerange 2 beginbfchar <0001><0053> <0002><004F>"
)


@pytest.mark.parametrize("is_form", [False, True])
def test_text_in_the_codes_of_a_font_stays_readable_beside_hidden_text(is_form: bool) -> None:
    cmap = f"begincmap {CODES} endbfchar endcmap"
    font = "<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/Identity-H/ToUnicode 6 0 R"
    descendant = "/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/X>>]>>"
    content = "BT /F2 12 Tf 72 600 Td <000100020001> Tj 3 Tr <0002> Tj ET"
    form = a_form(content).replace("/F1<<", "/F2 5 0 R/F1<<")
    file = a_pdf(
        "Look.) Tj ET /Fm Do BT (" if is_form else f"Look.) Tj ET {content} BT (",
        fonts="/F2 5 0 R",
        resources="/XObject<</Fm 7 0 R>>",
        objects=(
            font + descendant,
            f"<</Length {len(cmap)}>>\nstream\n{cmap}\nendstream",
            form,
        ),
    )
    document = converted(".pdf", file)

    assert document.text.split() == ["Look.", "SOS"]
    assert document.hidden == 1


def test_a_group_is_as_faint_as_it_is_drawn() -> None:
    form = a_form(f"/Whole gs {TEXT}", "/ExtGState<</Whole<</ca 1>>>>", "/Group<</S/Transparency>>")
    file = a_pdf(
        "Look.) Tj ET /Faint gs /Fm Do BT (",
        resources=f"/XObject<</Fm 5 0 R>>{LOOKS.replace('5 0 R', '/F1')}",
        objects=(form,),
    )

    assert converted(".pdf", file).text.strip() == "Look."


def test_a_form_in_an_unusual_encoding_loses_what_is_hidden_alone() -> None:
    encoded = a85encode(f"3 Tr {TEXT}".encode()).decode() + "~>"
    form = a_form(encoded).replace("/Subtype", "/Filter/ASCII85Decode/Subtype", 1)
    file = a_pdf("Look.) Tj ET /Fm Do BT (", resources="/XObject<</Fm 5 0 R>>", objects=(form,))

    assert converted(".pdf", file).text.strip() == "Look."


def test_white_words_on_a_painted_ground_are_read() -> None:
    painted = "Look.) Tj ET 0 0 0.5 rg 60 640 400 40 re f BT /F1 12 Tf 1 g 72 650 Td (Seen"
    document = converted(".pdf", a_pdf(painted))

    assert "Seen" in document.text
    assert document.hidden == 0
