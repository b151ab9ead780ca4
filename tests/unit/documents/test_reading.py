"""Files as text: what is read, what is refused, and that nothing hostile gets further."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from document_files import a_pdf, text, write
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from agencyclaw.documents import conversion, reading
from agencyclaw.documents.conversion import MOST_BYTES, UnreadableFile
from agencyclaw.documents.reading import PART, DocumentText, read_document, split


def reason(path: Path) -> str:
    found = read_document(path)
    assert isinstance(found, UnreadableFile)
    return found.reason


def test_markdown_is_titled_by_its_heading(tmp_path: Path) -> None:
    found = text(write(tmp_path, "notes.md", "# Returns playbook\n\nLook at each parcel.\x00"))

    assert found == DocumentText("Returns playbook", "# Returns playbook\n\nLook at each parcel.")


def test_without_a_heading_the_name_of_the_file_is_the_title(tmp_path: Path) -> None:
    assert text(write(tmp_path, "returns_play-book.txt", "Look.")).title == "returns play book"


def test_old_encodings_are_read_and_unknown_ones_refused(tmp_path: Path) -> None:
    assert text(write(tmp_path, "a.txt", "Crème".encode("cp1252"))).body == "Crème"
    assert text(write(tmp_path, "b.txt", "Crème".encode("utf-16"))).body == "Crème"
    assert "UTF-8" in reason(write(tmp_path, "c.txt", b"\x81\x8d\x00\x9d"))


def test_html_becomes_markdown_without_its_scripts(tmp_path: Path) -> None:
    page = "<h1>Returns</h1><script>steal()</script><ul><li>Look</li></ul><img src=x onerror=y>"
    found = text(write(tmp_path, "page.html", page))

    assert found.title == "Returns"
    assert "Look" in found.body
    assert "steal" not in found.body
    assert "onerror" not in found.body


def test_word_keeps_headings_and_tables(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_heading("Returns", 1)
    document.add_paragraph("Look at each parcel.")
    table = document.add_table(rows=1, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "Grade", "A"
    document.save(str(tmp_path / "returns.docx"))
    found = text(tmp_path / "returns.docx")

    assert found.title == "Returns"
    assert "Look at each parcel." in found.body
    assert "| Grade | A |" in found.body


@pytest.mark.parametrize(
    "around",
    [
        "<w:ins w:id='1' w:author='Ines'>RUN</w:ins>",
        "<w:sdt><w:sdtContent>RUN</w:sdtContent></w:sdt>",
        "<w:smartTag w:element='x'>RUN</w:smartTag>",
    ],
)
def test_what_was_inserted_or_filled_into_a_word_document_is_read(
    tmp_path: Path, around: str
) -> None:
    document = docx.Document()
    run = "<w:r><w:t> each parcel.</w:t></w:r>"
    inside = parse_xml(f"<w:p {nsdecls('w')}>{around.replace('RUN', run)}</w:p>")
    document.add_paragraph("Look at")._p.append(inside[0])
    document.save(str(tmp_path / "a.docx"))

    assert text(tmp_path / "a.docx").body == "Look at each parcel."


def test_a_filled_part_of_a_word_document_is_read_where_it_is_a_block(tmp_path: Path) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("Look at each parcel.")._p
    block = parse_xml(f"<w:sdt {nsdecls('w')}><w:sdtContent/></w:sdt>")
    paragraph.addprevious(block)
    block[0].append(paragraph)
    document.save(str(tmp_path / "a.docx"))

    assert text(tmp_path / "a.docx").body == "Look at each parcel."


def test_word_keeps_lists_and_whole_cells(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("Open it", style="List Number")
    document.add_paragraph("Look inside", style="List Number")
    table = document.add_table(rows=2, cols=2)
    table.cell(0, 0).text, table.cell(0, 1).text = "Grade", "Why"
    table.cell(1, 0).text = "A\nB"
    table.cell(1, 1).add_table(1, 1).cell(0, 0).text = "Nested"
    document.save(str(tmp_path / "a.docx"))
    body = text(tmp_path / "a.docx").body

    assert "1. Open it\n2. Look inside" in body
    assert "| A B |" in body
    assert "Nested" in body


def test_a_cell_over_several_rows_leaves_the_other_cells_in_their_columns(tmp_path: Path) -> None:
    document = docx.Document()
    table = document.add_table(rows=3, cols=3)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "Who"
    table.cell(1, 0).merge(table.cell(2, 0)).text = "Ada"
    table.cell(1, 1).text, table.cell(2, 2).text = "Monday", "5 hours"
    document.save(str(tmp_path / "hours.docx"))

    rows = text(tmp_path / "hours.docx").body.splitlines()
    assert [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows[2:]] == [
        ["Ada", "Monday", ""],
        ["Ada", "", "5 hours"],
    ]


@pytest.mark.parametrize("span", ["0", "-1", "x", "9" * 5_000])
def test_a_cell_over_an_odd_number_of_rows_is_read(tmp_path: Path, span: str) -> None:
    page = f"<table><tr><td rowspan={span}>Ada</td></tr><tr><td>Ben</td></tr></table>"
    body = text(write(tmp_path, "page.html", page)).body

    assert "Ada" in body
    assert "Ben" in body


def test_names_and_figures_are_read_as_they_are_written(tmp_path: Path) -> None:
    document = docx.Document()
    document.add_paragraph("AMZ_UK_2024: 3 * 5")
    document.save(str(tmp_path / "names.docx"))

    assert text(tmp_path / "names.docx").body == "AMZ_UK_2024: 3 * 5"


@pytest.mark.parametrize(("code", "read"), [("D83DDE00", "\U0001f600"), ("D83D", "\ufffd")])
def test_a_rare_character_of_a_pdf_is_read(tmp_path: Path, code: str, read: str) -> None:
    codes = f"begincmap 1 begincodespacerange <00><FF> endcodespacerange 1 beginbfchar <41><{code}>"
    stream = f"{codes} endbfchar endcmap"
    file = a_pdf(
        "Look: ) Tj /F2 12 Tf (A) Tj (",
        fonts="/F2<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode 5 0 R>>",
        objects=(f"<</Length {len(stream)}>>\nstream\n{stream}\nendstream",),
    )

    assert text(write(tmp_path, "rare.pdf", file)).body == f"Look: {read}"


def test_the_text_of_a_pdf_is_read(tmp_path: Path) -> None:
    assert (
        "Look at each parcel" in text(write(tmp_path, "a.pdf", a_pdf("Look at each parcel"))).body
    )


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.exe", b"MZ", "can't be read"),
        ("a.pdf", b"%PDF-1.4 nothing more", "damaged"),
        ("a.docx", b"PK\x03\x04 nothing more", "damaged"),
        ("a.md", b" \n\t ", "no text"),
        ("a.txt", b"x" * (MOST_BYTES + 1), "larger than"),
        ("b.txt", b"word " * 300_000, "please split it"),
    ],
)
def test_what_can_t_be_used_is_refused_with_a_reason(
    tmp_path: Path, name: str, data: bytes, said: str
) -> None:
    assert said in reason(write(tmp_path, name, data))


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    path = tmp_path / "bomb.docx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(11):
            archive.writestr(f"word/{number}.xml", b"0" * 10 * 1024 * 1024)

    assert path.stat().st_size < 1024 * 1024
    assert "unpacks to far more" in reason(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert "can't be opened" in reason(tmp_path / "gone.md")


def test_a_long_document_is_cut_at_its_headings() -> None:
    body = "# Manual\n\nHello.\n\n" + "".join(
        f"## Chapter {n}\n\n" + f"Words of chapter {n}.\n\n" * 150 for n in range(4)
    )
    parts = split(DocumentText("Manual", body))

    assert [part.title for part in parts][:2] == ["Manual", "Manual: Chapter 0"]
    assert all(len(part.body) <= PART for part in parts)
    assert sum(part.body.count("Words of chapter 3.") for part in parts) == 150


FENCED = """\
{fence}sh
# Delete everything
{other}
# Then count
{fence}
"""


@pytest.mark.parametrize(("fence", "other"), [("```", "~~~"), ("~~~~", "~~~")])
def test_a_comment_in_code_begins_no_part(fence: str, other: str) -> None:
    code = FENCED.format(fence=fence, other=other)
    body = f"# Manual\n\n{code}\n## Chapter ##\n\n{'Words. ' * 1_000}"

    parts = split(DocumentText("Manual", body))

    assert {part.title for part in parts} == {"Manual", "Manual: Chapter"}
    assert parts[0].body == f"# Manual\n\n{code}".strip()


def test_a_comment_in_code_is_no_title(tmp_path: Path) -> None:
    body = "```sh\n# Delete everything\n```\n\n# Returns"

    assert text(write(tmp_path, "a.md", body)).title == "Returns"


def test_one_endless_paragraph_is_cut_too() -> None:
    parts = split(DocumentText("Endless", "x" * (PART * 3)))

    assert [len(part.body) for part in parts] == [PART, PART, PART]


@pytest.mark.parametrize("name", ["a.md", "a.html"])
def test_a_link_is_refused_and_not_followed(tmp_path: Path, name: str) -> None:
    write(tmp_path, f"secret-{name}", "<p>password: tulip</p>")
    link = tmp_path / name
    link.symlink_to(tmp_path / f"secret-{name}")

    assert "it is a link" in reason(link)


def test_what_is_swapped_for_a_link_at_the_last_moment_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "a.md"
    link.symlink_to(write(tmp_path, "secret.md", "password: tulip"))
    monkeypatch.setattr(Path, "is_symlink", lambda _: False)

    assert "can't be opened" in reason(link)


def test_a_pipe_or_a_folder_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "folder.pdf").mkdir()

    assert "no ordinary file" in reason(tmp_path / "pipe.md")
    assert "no ordinary file" in reason(tmp_path / "folder.pdf")


Converter = Callable[[str], Path]


@pytest.fixture
def converter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Converter:
    """Put a script of the test in the converter's place, and return a file for it."""

    def put(script: str) -> Path:
        monkeypatch.setattr(conversion, "__file__", str(write(tmp_path, "converter.py", script)))
        return write(tmp_path, "page.html", "<p>Look at each parcel.</p>")

    return put


def test_the_converter_is_given_the_file_and_nothing_else(
    converter: Converter, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = """
import json, os, sys
open_now = []
for number in range(3, 256):
    try:
        os.fstat(number)
        open_now.append(number)
    except OSError:
        pass
seen = {"env": sorted(os.environ), "open": open_now, "where": os.getcwd(), "args": sys.argv[1:]}
print(json.dumps({"text": json.dumps(seen | {"file": sys.stdin.read()})}))
"""
    monkeypatch.setenv("CLICKUP_API_TOKEN", "pk_secret")
    path = converter(script)
    inherited = os.open(path, os.O_RDONLY)
    os.set_inheritable(inherited, True)
    try:
        seen = json.loads(text(path).body)
    finally:
        os.close(inherited)

    # Python may set this one itself, where nothing says which letters are used.
    assert set(seen.pop("env")) <= {"LC_CTYPE"}
    assert seen == {
        "open": [],
        "where": "/",
        "args": [".html"],
        "file": "<p>Look at each parcel.</p>",
    }


def test_the_converter_can_write_nothing_and_take_little(
    converter: Converter, tmp_path: Path
) -> None:
    script = f"""
import json, resource, runpy, sys
ours = runpy.run_path({conversion.__file__!r})
ours["_give_up_rights"]()
seen = []
try:
    with open({str(tmp_path / "written")!r}, "w") as file:
        file.write("x")
except OSError:
    seen.append("no file")
try:
    bytearray(2 * 1024 * 1024 * 1024)
except MemoryError:
    seen.append("no memory")
seen.append(resource.getrlimit(resource.RLIMIT_NPROC)[1])
seen.append(resource.getrlimit(resource.RLIMIT_CPU)[1])
print(json.dumps({{"text": json.dumps(seen)}}))
"""
    assert json.loads(text(converter(script)).body) == ["no file", "no memory", 0, 30]


@pytest.mark.parametrize(
    "script",
    [
        "print('x' * 100_000_000)",
        "print('[' * 100_000)",
        "print('[]')",
        """print('{"text": 5}')""",
        """print('{"text": "ok", "path": "/etc/passwd"}')""",
        "import os; os.kill(os.getpid(), 11)",
        "",
    ],
)
def test_what_a_captured_converter_says_is_presumed_to_be_nothing(
    converter: Converter, script: str
) -> None:
    assert "damaged" in reason(converter(script))


def test_a_converter_that_does_not_end_is_ended_with_all_it_began(
    converter: Converter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "SECONDS", 0.5)
    script = "import subprocess; subprocess.run(['sleep', '1000'])"

    assert "took longer" in reason(converter(script))
