"""Renders a task's Markdown as safe HTML for its page, and as the plain text of its description."""

import re
from collections.abc import Sequence
from functools import lru_cache
from html import escape

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

# What ends a sentence or a quotation around it is no part of an address.
_ADDRESS = re.compile(r"(https?://[^\s<>()\[\]\"]*[^\s<>()\[\]\".,;:!?'])")
_NEWLINE = re.compile(r"\r\n?")
_SAFE_SCHEMES = ("http://", "https://", "mailto:")
_CHECKBOXES = {"[ ] ": "", "[x] ": " checked", "[X] ": " checked"}


class _TaskRenderer(RendererHTML):
    """Writes the HTML; plain addresses become links."""

    def heading_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        # The task's name is the page's <h1>.
        tokens[idx].tag = tokens[idx + 2].tag = f"h{min(int(tokens[idx].tag[1]) + 1, 6)}"
        return self.renderToken(tokens, idx, options, env)

    def link_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        del options
        env["is_linked"] = True
        return _opening_link(str(tokens[idx].attrs["href"]))

    def link_close(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        env["is_linked"] = False
        return self.renderToken(tokens, idx, options, env)

    def text(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        del options
        content = tokens[idx].content
        if env.get("is_linked"):
            return escape(content)
        # `split` puts the addresses at odd positions.
        return "".join(
            f"{_opening_link(part)}{escape(part)}</a>" if position % 2 else escape(part)
            for position, part in enumerate(_ADDRESS.split(content))
        )


class _TaskParser(MarkdownIt):
    """CommonMark with ~~strikethrough~~; raw HTML and pictures stay text."""

    def __init__(self) -> None:
        options = {"breaks": True, "html": False, "xhtmlOut": False}
        super().__init__("commonmark", options, renderer_cls=_TaskRenderer)
        self.enable("strikethrough").disable("image")

    def validateLink(self, url: str) -> bool:
        return url.lower().startswith(_SAFE_SCHEMES)


_PARSER = _TaskParser()


def to_html(markdown: str) -> str:
    tokens = _PARSER.parse(markdown)
    for container, opening, inline, closing in zip(
        tokens, tokens[1:], tokens[2:], tokens[3:], strict=False
    ):
        if opening.type != "paragraph_open":
            continue
        if container.type in ("list_item_open", "blockquote_open"):
            opening.hidden = closing.hidden = True
        if container.type == "list_item_open":
            _draw_checkbox(inline)
    return _PARSER.renderer.render(tokens, _PARSER.options, {})


@lru_cache(maxsize=4096)
def to_plain(markdown: str) -> str:
    """Return the text without markup, line by line; link targets are lost, as in ClickUp."""
    lines = _NEWLINE.sub("\n", markdown).removesuffix("\n").split("\n")
    tokens = _PARSER.parse(markdown)
    for container, opening, inline in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if container.type == "list_item_open" and opening.type == "paragraph_open":
            _take_checkbox(inline)
    # From the end, because a span of code may take several lines and become one.
    for token in reversed(tokens):
        if token.type == "inline" and token.map:
            first, end = token.map
            lines[first:end] = _plain_text(token).split("\n")
    return "\n".join(lines)


def _plain_text(inline: Token) -> str:
    return "".join(
        "\n" if token.type in ("softbreak", "hardbreak") else token.content
        for token in inline.children or ()
    )


def _draw_checkbox(inline: Token) -> None:
    mark = _take_checkbox(inline)
    if mark:
        box = f'<input type="checkbox" disabled{_CHECKBOXES[mark]}> '
        inline.children = [Token("html_inline", "", 0, content=box), *(inline.children or ())]


def _take_checkbox(inline: Token) -> str:
    """Remove the mark of a checkbox that a list item begins with, and return it; "" for none."""
    first = inline.children[0] if inline.children else None
    mark = first.content[:4] if first and first.type == "text" else ""
    if first is None or mark not in _CHECKBOXES:
        return ""
    first.content = first.content[4:]
    return mark


def _opening_link(address: str) -> str:
    return f'<a href="{escape(address)}" target="_blank" rel="noopener noreferrer">'
