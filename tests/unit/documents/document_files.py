"""Files as people upload them, and what is read of them."""

from __future__ import annotations

from pathlib import Path

from agencyclaw.documents.reading import DocumentText, read_document


def write(folder: Path, name: str, data: bytes | str) -> Path:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def text(path: Path) -> DocumentText:
    found = read_document(path)
    assert isinstance(found, DocumentText)
    return found


def a_pdf(
    words: str,
    *,
    page: str = "",
    fonts: str = "",
    resources: str = "",
    objects: tuple[str, ...] = (),
) -> bytes:
    """The smallest file with a line of text that a reader accepts.

    `page`, `fonts` and `resources` are further entries of these; `objects` are numbered from 5 on.
    """
    stream = f"BT /F1 12 Tf 72 700 Td ({words}) Tj ET"
    objects = (
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R{page or '/MediaBox[0 0 600 800]'}/Contents 4 0 R"
        f"/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>{fonts}>>"
        f"{resources}>>>>",
        f"<</Length {len(stream)}>>\nstream\n{stream}\nendstream",
        *objects,
    )
    body, offsets = "%PDF-1.4\n", list[int]()
    for number, one in enumerate(objects, 1):
        offsets.append(len(body))
        body += f"{number} 0 obj\n{one}\nendobj\n"
    table = "".join(f"{at:010d} 00000 n \n" for at in offsets)
    start, size = len(body), len(objects) + 1
    body += f"xref\n0 {size}\n0000000000 65535 f \n{table}"
    body += f"trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF"
    return body.encode("latin-1")


def a_form(content: str, entries: str = "", head: str = "") -> str:
    """An object that pages draw; `entries` are further resources."""
    fonts = "/Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"
    head += f"/Type/XObject/Subtype/Form/BBox[0 0 600 800]/Length {len(content)}"
    return f"<<{head}/Resources<<{fonts}{entries}>>>>\nstream\n{content}\nendstream"
