"""Repairs an answer: only links to what tools returned stay clickable."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any, cast

from pydantic import BaseModel

from agencyclaw.domain.addresses import parsed
from agencyclaw.knowledge.link_breaking import (
    WORD_JOINER,
    IsLive,
    break_links,
    separate_brackets,
)
from agencyclaw.knowledge.markdown import Dialect, rewritten


def repair(text: str, *, allowed: Container[str] = ()) -> str:
    """Return an answer in which only allowed addresses are live; repeating it changes nothing.

    Quote marks are removed, because Slack would show the text as somebody else's words.
    """
    written = rewritten(text, for_slack(allowed.__contains__, quotes=False))
    # A later reader may remove the joiners and then make the address live again.
    return written.replace(f":{WORD_JOINER}//", ": //").rstrip().lstrip("\n")


def for_slack(is_live: IsLive, *, quotes: bool = True) -> Dialect:
    """Return the dialect of a Markdown block in Slack, in which these links are live."""
    return Dialect(
        text=lambda words: break_links(separate_brackets(words), is_live),
        code=break_links,
        is_live=is_live,
        quotes=quotes,
        gap=WORD_JOINER,
        aligns_tables=True,
    )


def urls_of(value: Any) -> frozenset[str]:
    """Return the addresses in the `url` and `urls` fields of a tool's result, and only those.

    An address inside a title or a note was put there by somebody else and is not among them.
    """
    return frozenset(_urls(value))


def _urls(value: Any) -> Iterator[str]:
    # Most values; asking whether one is a model costs more.
    if value is None or isinstance(value, str):
        return
    if isinstance(value, BaseModel):
        value = value.model_dump()
    if isinstance(value, dict):
        for key, item in cast(dict[Any, Any], value).items():
            if key in ("url", "urls"):
                items = cast(list[Any], item if isinstance(item, (list, tuple)) else [item])
                yield from (url for url in items if isinstance(url, str) and parsed(url))
            else:
                yield from _urls(item)
    elif isinstance(value, (list, tuple)):
        for item in cast(list[Any], value):
            yield from _urls(item)
