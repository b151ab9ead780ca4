"""Codes of marketplaces, such as US, and how people write several of them."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

Marketplace = Annotated[str, Field(pattern="^[A-Z]{2}$")]

# What people put between codes.
_SEPARATORS = ",;/&+"


def codes_in(text: str) -> tuple[str, ...]:
    """Return the marketplace codes in a text, in upper case, without duplicates.

    "US, CA" has two; empty if the text has anything else.
    """
    for separator in _SEPARATORS:
        text = text.replace(separator, " ")
    codes = text.upper().split()
    are_codes = all(len(code) == 2 and code.isascii() and code.isalpha() for code in codes)
    return tuple(dict.fromkeys(codes)) if are_codes else ()


def marketplaces_in(text: str) -> tuple[str, ...]:
    """Return the codes in a text, else the marketplaces as they are written between commas."""
    written = dict.fromkeys(one.strip() for one in text.replace(";", ",").split(","))
    return codes_in(text) or tuple(filter(None, written))
