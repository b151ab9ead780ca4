"""Product identifiers in texts: ASINs, ISBNs, and what sellers call their own products."""

from __future__ import annotations

import re

# A letter or digit that is a part of what it touches. Those of scripts without spaces are not, nor
# are Korean endings and the marks of Slack's italics.
_UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff66-\uff9f"
)
_PART = rf"[^\W_{_UNSPACED}]"


def _alone(form: str, joints: str) -> re.Pattern[str]:
    """Return a pattern of what is no part of a longer name, joined by none of these marks."""
    before, after = rf"(?<!{_PART})(?<!{_PART}[{joints}])", rf"(?!{_PART})(?![{joints}]{_PART})"
    return re.compile(rf"{before}(?:{form}){after}", re.IGNORECASE)


_ASIN = _alone("B0[A-Z0-9]{8}", "_")
_ISBN = _alone(r"\d{9}[\dX]", "_")
# What a seller calls a product of its own: parts joined by marks, with a digit among the letters,
# or three parts in capitals ("CL-GP-BK").
_SELLERS = re.compile(r"(?=.*\d)(?=.*[A-Z])[A-Z0-9]+(?:[._/-][A-Z0-9]+)*", re.IGNORECASE)
_IN_CAPITALS = re.compile(r"[A-Z]{1,6}(?:-[A-Z]{1,6}){2,}")
_NEARLY_ASIN = re.compile(r"B0[A-Z0-9]{0,14}", re.IGNORECASE)
_WORD = re.compile(rf"{_PART}+(?:[._/-]{_PART}+)*")


def find_identifiers(text: str) -> tuple[str, ...]:
    """Return the ASINs and ten-digit ISBNs in a text, by form: upper case, each once.

    An ISBN's check digit is verified. Other identifiers only a catalog can recognise.
    """
    candidates = [match.upper() for rule in (_ASIN, _ISBN) for match in rule.findall(text)]
    return tuple(
        dict.fromkeys(item for item in candidates if not _ISBN.fullmatch(item) or _is_isbn(item))
    )


def possible_identifiers(text: str) -> tuple[str, ...]:
    """Return the words of a text that may be identifiers, in upper case."""
    words = (word.upper() for word in _WORD.findall(text) if not word.isalpha())
    return tuple(dict.fromkeys(word for word in words if 3 <= len(word) <= 40))


def occurs_alone(item: str, text: str) -> bool:
    """Return whether a text has an identifier as a whole: CL-GP is no part of CL-GP-BK.

    What is whole by its form may begin a compound, as in "B0CF7GARL1-Coupon".
    """
    if find_identifiers(item) == (item.upper(),):
        return item.upper() in find_identifiers(text)
    return _alone(re.escape(item), "._-").search(text) is not None


def is_identifier(item: str) -> bool:
    """Return whether a whole text has the form of an identifier: no space, no plain word."""
    if find_identifiers(item) == (item.upper(),):
        return True
    if not 4 <= len(item) <= 24 or _NEARLY_ASIN.fullmatch(item):
        return False
    return bool(_SELLERS.fullmatch(item) or _IN_CAPITALS.fullmatch(item))


def _is_isbn(item: str) -> bool:
    """Return whether the check digit of a ten-digit ISBN is right; a phone number's rarely is."""
    digits = [10 if sign == "X" else int(sign) for sign in item]
    weighted = (weight * digit for weight, digit in zip(range(10, 0, -1), digits, strict=True))
    return sum(weighted) % 11 == 0
