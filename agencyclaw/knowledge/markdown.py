"""Parses Markdown and writes it back with only the elements a dialect allows.

Elements a dialect does not allow are written as text, never dropped: an image becomes its words and
address, a table columns or rows. The result is parsed again; if it has anything the dialect does
not allow, all of it becomes plain words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from agencyclaw.knowledge.link_breaking import IsLive, never_live
from agencyclaw.knowledge.slack_markup import strip_markup
from agencyclaw.knowledge.text_tables import as_aligned, as_rows

# A text without these characters has no link, image, code, table, quote or escape.
_SIGNS = frozenset("[<`|\\>~")
_OPENERS = frozenset("#-+*>=`~_<|0123456789")
# A backslash before one of these is kept, because without it they would have a meaning.
_KEPT_ESCAPES = frozenset("*_`~-+|=\\")
_BOXES = ("[ ]", "[x]", "[X]", "[]")
_PLAIN = str.maketrans("[]<>`#|!~*_=\\", "［］‹›´＃¦！∼∗＿＝＼")
_RULES = frozenset({"hr"})
# No person writes more of these, and they make the parser slow.
_MOST = {"[": 500, "`": 1_000, "|": 2_000, "~": 1_000}


@dataclass(frozen=True)
class Dialect:
    """What a text may contain, and how to write it.

    `text` and `code` escape words, `is_live` allows links, `gap` keeps two pieces apart. A text
    without any of `signs` needs no parsing; None: always parse.
    """

    text: Callable[[str], str]
    code: Callable[[str], str]
    is_live: IsLive
    headings: bool = True
    quotes: bool = True
    rules: bool = True
    boxes: bool = True
    images_as_links: bool = False
    aligns_tables: bool = False
    gap: str = " "
    signs: frozenset[str] | None = field(default=_SIGNS)


class _Parser(MarkdownIt):
    """A CommonMark parser that keeps every address; the writer decides which are live."""

    def validateLink(self, url: str) -> bool:  # noqa: ARG002 - the library's signature
        """Accept every address, so that none is left for other readers to find."""
        return True

    def normalizeLink(self, url: str) -> str:
        """Keep an address as it is written."""
        return url

    def normalizeLinkText(self, link: str) -> str:
        """Keep an address as it is written."""
        return link


def rewritten(text: str, dialect: Dialect) -> str:
    """Return Markdown with only what the dialect allows; repeating it changes nothing."""
    written = _once(text, dialect)
    if written is not None and (written == text or _once(written, dialect) == written):
        return written
    words = _as_plain_words(strip_markup(text), dialect)
    # Lines that begin like items of a list are still written as such.
    return _once(words, dialect) or words


def _once(text: str, dialect: Dialect) -> str | None:
    """Parse a text and write it back; None if that would add or lose something."""
    text = strip_markup(text)
    if dialect.signs is not None and not dialect.signs & set(text):
        return dialect.text(text)
    if any(text.count(sign) > most for sign, most in _MOST.items()):
        return None
    source = _without_tables(text, dialect)
    tree = SyntaxTreeNode(_parser().parse(source))
    written = _Writer(dialect, source.split("\n")).blocks(tree.children)
    keeps_all = _letters(written) >= _letters(source) - _hidden(tree)
    return written if keeps_all and _is_known(written, dialect) else None


def _as_plain_words(text: str, dialect: Dialect) -> str:
    """Return a text's words without markup and indentation, with at most one empty line between."""
    lines = [line.strip() for line in text.translate(_PLAIN).split("\n")]
    kept = (line for before, line in zip(["", *lines], lines, strict=False) if before or line)
    return dialect.text("\n".join(kept))


def rewritten_line(text: str, dialect: Dialect) -> str:
    """Return a text on one line, with no markup but emphasis, code and links."""
    line = " ".join(strip_markup(text).split())
    tree = SyntaxTreeNode(_parser().parseInline(line))
    written = _Writer(dialect, [line]).inline(tree.children[0].children if line else [])
    if _is_known(written, dialect):
        return written
    return dialect.text(line.translate(_PLAIN))


@cache
def _parser() -> MarkdownIt:
    parser = _Parser("commonmark", {"maxNesting": 60}).enable("strikethrough")
    # A distant definition must not turn words into a link, and no escape may get lost.
    return parser.disable(["reference", "html_block", "html_inline", "entity", "text_join"])


@cache
def _reader() -> MarkdownIt:
    """Return a parser of every element that any Markdown client shows."""
    return _Parser("commonmark", {"maxNesting": 60}).enable(["strikethrough", "table"])


def _is_known(written: str, dialect: Dialect) -> bool:
    unknown = {"image", "table_open", "html_block"}
    unknown |= set() if dialect.headings else {"heading_open"}
    unknown |= set() if dialect.rules else _RULES
    unknown |= set() if dialect.quotes else {"blockquote_open"}
    return not any(
        token.type in unknown
        or (token.type == "fence" and token.info.strip())
        or (token.type == "link_open" and not dialect.is_live(str(token.attrs.get("href", ""))))
        for token in _all_tokens(_reader().parse(written))
    )


def _all_tokens(tokens: Iterable[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _all_tokens(token.children or ())


def _letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def _hidden(tree: SyntaxTreeNode) -> int:
    """Count characters that no client shows: the language of code blocks."""
    return sum(_letters(node.info) for node in tree.walk() if node.type == "fence")


def _without_tables(text: str, dialect: Dialect) -> str:
    """Return a text with its tables in the dialect's form.

    Not every place shows tables of a Markdown block, and no client shows cells beyond the columns
    of the header.
    """
    if "|" not in text or "-" not in text:
        return text
    lines = text.split("\n")
    tables = [token for token in _reader().parse(text) if token.type == "table_open"]
    write = as_aligned if dialect.aligns_tables else as_rows
    for token in reversed(tables):
        start, end = token.map or (0, 0)
        lines[start:end] = write(lines[start:end])
    return "\n".join(lines)


class _Writer:
    """Writes parsed Markdown back in a dialect; `source` are the lines it was parsed from."""

    def __init__(self, dialect: Dialect, source: Sequence[str]) -> None:
        self._dialect = dialect
        self._source = source

    def blocks(self, nodes: Sequence[SyntaxTreeNode]) -> str:
        """Write blocks below each other, with the empty lines they had."""
        parts: list[str] = []
        for node in nodes:
            written = self._block(node)
            if parts:
                parts.append("\n\n" if self._is_apart(node) else "\n")
            parts.append(written)
        return "".join(parts)

    def inline(self, nodes: Sequence[SyntaxTreeNode]) -> str:
        """Write a paragraph; none of its lines can be read as another element."""
        lines = self._spans(nodes, self._dialect.is_live).split("\n")
        return "\n".join(_as_text(line) for line in lines)

    def _is_apart(self, node: SyntaxTreeNode) -> bool:
        start = node.map[0] if node.map else 0
        return start == 0 or self._source[start - 1].strip(" >\t") == ""

    def _block(self, node: SyntaxTreeNode) -> str:
        match node.type:
            case "paragraph":
                return self.inline(node.children[0].children)
            case "heading":
                return self._heading(node)
            case "bullet_list" | "ordered_list":
                return self._list(node)
            case "blockquote":
                return self._quote(node)
            case "fence":
                return self._code_block(node)
            case "code_block":
                return _indented(self._dialect.code(node.content.rstrip("\n")), "    ", "    ")
            case "hr":
                return "---" if self._dialect.rules else "—"
            case _:
                return self._dialect.text(node.content)

    def _heading(self, node: SyntaxTreeNode) -> str:
        words = " ".join(self.inline(node.children[0].children).split("\n"))
        return f"{'#' * int(node.tag[1:])} {words}" if self._dialect.headings else words

    def _list(self, node: SyntaxTreeNode) -> str:
        parts: list[str] = []
        for item in node.children:
            if parts:
                parts.append("\n\n" if self._is_apart(item) else "\n")
            mark = f"{item.info}{item.markup}"
            body = self.blocks(item.children)
            if not self._dialect.boxes and body.startswith(_BOXES):
                body = body.replace("[", "(", 1).replace("]", ")", 1)
            parts.append(_indented(body, f"{mark} ", " " * (len(mark) + 1)))
        return "".join(parts)

    def _quote(self, node: SyntaxTreeNode) -> str:
        words = self.blocks(node.children)
        return _indented(words, "> ", "> ") if self._dialect.quotes else words

    def _code_block(self, node: SyntaxTreeNode) -> str:
        """Drop the language of a code block: no client shows it, so it could hide text."""
        if not node.content.strip():
            return self._dialect.text(node.info.strip().translate(_PLAIN))
        code = self._dialect.code(node.content.rstrip("\n"))
        ticks_line = "`" * max(3, _longest(code) + 1)
        return f"{ticks_line}\n{code}\n{ticks_line}"

    def _spans(self, nodes: Sequence[SyntaxTreeNode], may_link: IsLive) -> str:
        written, after_address = "", False
        for is_text, group in groupby(nodes, key=_is_text):
            if is_text:
                words = "".join(_words(node) for node in group)
                space = " " if after_address and _goes_on(words) else ""
                written += space + self._dialect.text(words)
                after_address = False
                continue
            for node in group:
                span = self._span(node, may_link)
                is_words = node.type in ("link", "image") and span[:1] != "["
                after_address = is_words and span[-1:] != ")"
                written += f"{self._space(written, span, is_words=is_words)}{span}"
        return written

    def _space(self, before: str, span: str, *, is_words: bool) -> str:
        """Return what keeps two pieces from being read as one address."""
        if is_words and before.endswith(":"):
            return " "
        if before.endswith(("<", ":")) or (span[:1] == "[" and before.endswith(("!", "]"))):
            return self._dialect.gap
        return " " if is_words and before and before[-1] not in " \n([\"'" else ""

    def _span(self, node: SyntaxTreeNode, may_link: IsLive) -> str:
        match node.type:
            case "em" | "strong" | "s":
                return f"{node.markup}{self._spans(node.children, may_link)}{node.markup}"
            case "code_inline":
                return _ticked(self._dialect.code(node.content))
            case "hardbreak":
                return "  \n"
            case "link":
                return self._link(self._spans(node.children, never_live), node, "href", may_link)
            case "image":
                is_link = self._dialect.images_as_links
                words = self._dialect.text(node.content)
                return self._link(words, node, "src", may_link if is_link else never_live)
            case _:
                return self._dialect.text(node.content)

    def _link(self, label: str, node: SyntaxTreeNode, name: str, may_link: IsLive) -> str:
        """Write a link; an address that may not be live is shown beside its label."""
        url, title = str(node.attrs.get(name, "")), str(node.attrs.get("title") or "")
        label = " ".join(label.translate(_NO_LINK).split())
        aside = f" ({self._dialect.text(title)})" if title else ""
        is_live = may_link(url) and not set(url) & set("()<> \\")
        if is_live and label and node.markup != "autolink":
            return f"[{label}]({url}){aside}"
        shown = url if is_live else self._dialect.text(url.translate(_NO_LINK))
        if not label or node.markup == "autolink":
            return f"{shown}{aside}"
        return f"{label} ({shown}){aside}" if shown else f"{label}{aside}"


_NO_LINK = str.maketrans("[]", "()")


def _goes_on(words: str) -> bool:
    """Return whether the text after an address would be read as a part of it."""
    first = words.split(maxsplit=1)[:1]
    return not words[:1].isspace() and any(word.strip(".,;:!?_~…()[]\"'") for word in first)


def _is_text(node: SyntaxTreeNode) -> bool:
    return node.type in ("text", "text_special", "softbreak")


def _words(node: SyntaxTreeNode) -> str:
    if node.type == "softbreak":
        return "\n"
    return f"\\{node.content}" if _is_kept_escape(node) else node.content


def _is_kept_escape(node: SyntaxTreeNode) -> bool:
    return node.type == "text_special" and node.content in _KEPT_ESCAPES


def _as_text(line: str) -> str:
    """Return a line that is read as words, whatever it starts with."""
    line = line.lstrip(" \t")
    if not line or line[0] not in _OPENERS:
        return line
    is_underline = not line.strip("= ") or not line.strip("- ")
    if not is_underline and _reader().parse(line)[0].type == "paragraph_open":
        return line
    digits = len(line) - len(line.lstrip("0123456789"))
    return f"{line[:digits]}\\{line[digits:]}"


def _indented(text: str, first: str, rest: str) -> str:
    lines = text.split("\n")
    indented = [f"{rest}{line}" if line or rest.strip() else line for line in lines[1:]]
    return "\n".join([f"{first}{lines[0]}".rstrip(), *indented])


def _ticked(code: str) -> str:
    ticks = "`" * (_longest(code) + 1)
    space = " " if code.startswith("`") or code.endswith("`") else ""
    return f"{ticks}{space}{code}{space}{ticks}"


def _longest(code: str) -> int:
    runs = groupby(code, key=lambda char: char == "`")
    return max((sum(1 for _ in run) for is_tick, run in runs if is_tick), default=0)
