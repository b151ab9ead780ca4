"""Renders a task's Markdown as safe HTML for its page, and as the plain text of its description."""

import re
from functools import lru_cache
from html import escape

_INLINE = re.compile(
    r"`(?P<code>[^`\n]{1,2000})`"
    r"|\[(?P<label>[^\]\n]{1,500})\]\((?P<target>[^()\s]{1,2000})\)"
    r"|(?P<bare>https?://[^\s<>()\[\]]{1,2000})"
    r"|\*\*(?P<strong>[^\n]{1,2000}?)\*\*"
    r"|~~(?P<gone>[^~\n]{1,2000})~~"
    r"|(?<![\w*])\*(?P<star>[^*\s][^*\n]{0,2000})\*(?![\w*])"
    r"|(?<!\w)_(?P<low>[^_\s][^_\n]{0,2000})_(?!\w)"
)
_ITEM = re.compile(r"(?P<indent>\s*)(?:[-*+]|(?P<number>\d{1,9})[.)])\s+(?P<text>.*)")
_TASK = re.compile(r"\[(?P<mark>[ xX])\]\s+(?P<text>.*)")
_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
_RULE = re.compile(r"\s*([-*_])(?:\s*\1){2,}\s*$")
_QUOTE = re.compile(r"\s*>\s?(.*)")
_SAFE_TARGET = re.compile(r"(?:https?://|mailto:)", re.IGNORECASE)
_WRAPS = {"strong": "strong", "gone": "del", "star": "em", "low": "em"}


def to_html(markdown: str) -> str:
    page = _Page()
    for line in markdown.splitlines():
        page.take(line)
    page.close()
    return "\n".join(page.html)


@lru_cache(maxsize=4096)
def to_plain(markdown: str) -> str:
    """Return the words without markup; link targets are lost, as in ClickUp."""
    return "\n".join(_plain_line(line) for line in markdown.splitlines())


def inline_html(text: str) -> str:
    parts: list[str] = []
    end = 0
    for found in _INLINE.finditer(text):
        parts += [escape(text[end : found.start()]), _inline_mark(found)]
        end = found.end()
    return "".join([*parts, escape(text[end:])])


def _inline_mark(found: re.Match[str]) -> str:
    kind = str(found.lastgroup)
    if kind == "code":
        return f"<code>{escape(found['code'])}</code>"
    if kind == "bare":
        return _link(found["bare"], escape(found["bare"]))
    if kind == "target":
        return _link(found["target"], inline_html(found["label"]))
    return f"<{_WRAPS[kind]}>{inline_html(found[kind])}</{_WRAPS[kind]}>"


def _link(target: str, label: str) -> str:
    if not _SAFE_TARGET.match(target):
        return f"{label} ({escape(target)})"
    return f'<a href="{escape(target)}" target="_blank" rel="noopener noreferrer">{label}</a>'


def _plain_line(line: str) -> str:
    if heading := _HEADING.fullmatch(line):
        line = heading[2]
    elif item := _ITEM.fullmatch(line):
        task = _TASK.fullmatch(item["text"])
        line = task["text"] if task else item["text"]
    return _plain_inline(line)


def _plain_inline(text: str) -> str:
    return _INLINE.sub(_plain_mark, text)


def _plain_mark(found: re.Match[str]) -> str:
    kind = str(found.lastgroup)
    if kind in ("code", "bare"):
        return found[kind]
    return _plain_inline(found["label" if kind == "target" else kind])


class _Page:
    """HTML built line by line."""

    def __init__(self) -> None:
        self.html: list[str] = []
        self._paragraph: list[str] = []
        self._lists: list[tuple[int, str]] = []
        self._code: list[str] | None = None
        self._gap = False

    def take(self, line: str) -> None:
        if line.lstrip().startswith("```"):
            self._toggle_code()
        elif self._code is not None:
            self._code.append(line)
        elif not line.strip():
            self._end_paragraph()
            self._gap = True
        else:
            self._take_text(line)
            self._gap = False

    def close(self) -> None:
        if self._code is not None:
            self._toggle_code()
        self._end_paragraph()
        self._end_lists()

    def _take_text(self, line: str) -> None:
        if _RULE.match(line):
            self._block("<hr>")
        elif heading := _HEADING.fullmatch(line):
            level = min(len(heading[1]) + 1, 6)
            self._block(f"<h{level}>{inline_html(heading[2])}</h{level}>")
        elif item := _ITEM.fullmatch(line):
            self._item(item)
        elif quote := _QUOTE.fullmatch(line):
            self._block(f"<blockquote>{inline_html(quote[1])}</blockquote>")
        else:
            self._words(line)

    def _block(self, html: str) -> None:
        self._end_paragraph()
        self._end_lists()
        self.html.append(html)

    def _words(self, line: str) -> None:
        if self._lists and not self._gap:
            self.html.append(f"<br>{inline_html(line.strip())}")
            return
        if self._lists:
            self._end_lists()
        self._paragraph.append(inline_html(line.strip()))

    def _item(self, item: re.Match[str]) -> None:
        self._end_paragraph()
        self._open_item(len(item["indent"].expandtabs(4)), "ol" if item["number"] else "ul")
        self.html.append(_item_html(item["text"]))

    def _open_item(self, indent: int, tag: str) -> None:
        while self._lists and self._lists[-1][0] > indent:
            self._pop_list()
        if self._lists and self._lists[-1] == (indent, tag):
            self.html.append("</li><li>")
            return
        if self._lists and self._lists[-1][0] == indent:
            self._pop_list()
        self._lists.append((indent, tag))
        self.html.append(f"<{tag}><li>")

    def _pop_list(self) -> None:
        _, tag = self._lists.pop()
        self.html.append(f"</li></{tag}>")

    def _end_lists(self) -> None:
        while self._lists:
            self._pop_list()

    def _end_paragraph(self) -> None:
        if self._paragraph:
            self.html.append(f"<p>{'<br>'.join(self._paragraph)}</p>")
        self._paragraph = []

    def _toggle_code(self) -> None:
        if self._code is None:
            self._end_paragraph()
            self._end_lists()
            self._code = []
            return
        self.html.append(f"<pre><code>{escape(chr(10).join(self._code))}</code></pre>")
        self._code = None


def _item_html(text: str) -> str:
    task = _TASK.fullmatch(text)
    if task is None:
        return inline_html(text)
    checked = "" if task["mark"] == " " else " checked"
    return f'<input type="checkbox" disabled{checked}> {inline_html(task["text"])}'
