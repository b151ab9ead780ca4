"""What a person's own words say about a task: quoted, never inferred."""

from __future__ import annotations

import re

from agencyclaw.domain.tasks import find_identifiers
from agencyclaw.domain.text import one_line

NOT_STATED = "Not stated"

_MONEY = r"(?:[$€£]\s?\d[\d.,]*k?|\d[\d.,]*k?\s?(?:usd|eur|gbp|cad|mxn|dollars?|euros?))"
_PERCENT = r"(?:\d+(?:[.,]\d+)?\s?%?\s?(?:-|–|to)\s?)?\d+(?:[.,]\d+)?\s?(?:%|per ?cent)"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b"
)
_DAY = (
    r"(?:\d|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
    r"|tomorrow|tonight|midnight|next |end of |the end of )"
)


def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_DISCOUNT = (
    _rule(rf"\b{_PERCENT}\s?(?:off|discount)\b"),
    _rule(rf"{_MONEY}\s?(?:off|discount)\b"),
    _rule(r"\b(?:bogo|buy (?:one|two|\d),? get (?:one|two|\d)(?: free)?|half (?:price|off))\b"),
    _rule(rf"\bfrom {_MONEY} to {_MONEY}"),
    _rule(rf"\b(?:price|priced|at|to)\s+(?:of\s+)?{_MONEY}"),
    _rule(rf"\b{_PERCENT}"),
)
_END = (
    _rule(rf"\b(?:until|till|through|thru|ends?|ending)\s+(?:on\s+)?{_DAY}[^.,;\n]{{0,30}}"),
    _rule(rf"\bfrom\s+{_DAY}[^.;\n]{{0,40}}?\s(?:to|–|-)\s+{_DAY}[^.,;\n]{{0,30}}"),
    _rule(rf"\b\d{{1,2}}\s?(?:to|–|-)\s?\d{{1,2}}\s{_MONTH}"),
    _rule(rf"\b{_MONTH}\s\d{{1,2}}\s?(?:to|–|-)\s?(?:{_MONTH}\s)?\d{{1,2}}\b"),
    _rule(rf"\bbetween\s+{_DAY}[^.;\n]{{0,20}}?\sand\s+{_DAY}[^.,;\n]{{0,20}}"),
    _rule(r"\b(?:until|till|while)\s+(?:stocks?|supplies|supply|inventory)\b[^.,;\n]{0,20}"),
    _rule(r"\bfor (?:\d{1,3}|an?|one|two|three|four) (?:days?|weeks?|weekends?|months?)\b"),
    _rule(r"\b(?:over|for) the (?:whole |entire )?(?:weekend|week|month)\b"),
)
_BUDGET = (
    _rule(rf"\bbudget\b[^.;\n]{{0,20}}?{_MONEY}"),
    _rule(rf"{_MONEY}\s+(?:\w+\s+)?budget\b"),
)
_TARGET = (_rule(r"\b(?:t?acos|roas)\b[^.;,\n]{0,20}?\d+(?:\.\d+)?\s?%?"),)
_LOOKBACK = (
    _rule(
        r"\b(?:last|past|previous) (?:(?:\d{1,3}|two|three|four|six|twelve) "
        r"(?:days?|weeks?|months?|quarters?)|week|month|quarter|year)\b"
    ),
)
_SEVERITY = (_rule(r"\b(?:urgent|asap|critical|(?:high|medium|low)[ -](?:priority|severity))\b"),)

_COMMAND = _rule(
    r"^\W*(?:(?:hi|hey|hello)\b\W*)?(?:(?:please|pls|can you|could you|yes|ok(?:ay)?)\b\W*)*"
    r"(?:create|make|add|open|set up|start|draft|prepare|new)\b[^:\n]{0,80}"
    r"\b(?:task|ticket|todo)s?\b[^:\n]{0,60}:\s*"
)
_IDENTIFIER = r"(?:asins?|skus?|identifiers?|product ids?|product codes?)"
_LATER = (
    r"(?:pending|later|tbd|tbc|(?:to )?follows?(?! (?:the|a|our|this)\b)"
    r"|(?:not|isn'?t|aren'?t) (?:yet )?known|unknown|not yet|afterwards)"
)
_ABSENT = r"(?:no|without|missing|pending|don'?t (?:yet )?(?:have|know))"
_GAP = r"[^\w'’]+"
_WORDS = rf"(?:{_GAP}[\w'’]+)"
_DEFERRAL = _rule(
    rf"\b{_IDENTIFIER}\b{_WORDS}{{0,4}}?{_GAP}{_LATER}\b"
    rf"|\b(?:{_ABSENT}|add|send|provide|get)\b{_WORDS}{{0,2}}?{_GAP}{_IDENTIFIER}\b"
    rf"{_WORDS}{{0,3}}?{_GAP}{_LATER}\b"
    rf"|\b{_ABSENT}(?:{_GAP}(?:the|any|exact))?{_GAP}{_IDENTIFIER}\b"
)
_SENTENCES = re.compile(r"(?<=[.!?;])\s+|\n+")


def discount_of(text: str) -> str:
    """Return the discount as it was written, or "Not stated"."""
    return _quote(text, _DISCOUNT)


def end_of(text: str) -> str:
    """Return the end or duration as it was written, or "Not stated"."""
    return _quote(text, _END)


def budget_of(text: str) -> str:
    """Return the budget as it was written, or "Not stated"."""
    return _quote(text, _BUDGET)


def target_of(text: str) -> str:
    """Return the ACOS, TACOS or ROAS target as it was written, or "Not stated"."""
    return _quote(text, _TARGET)


def lookback_of(text: str) -> str:
    """Return the stretch of past days as it was written, or "Not stated"."""
    return _quote(text, _LOOKBACK)


def severity_of(text: str) -> str:
    """Return how urgent the person called it, or "Not stated"."""
    return _quote(text, _SEVERITY)


def _quote(text: str, rules: tuple[re.Pattern[str], ...]) -> str:
    for rule in rules:
        if match := rule.search(text):
            return one_line(match[0].strip(" ,.:"), 80)
    return NOT_STATED


def without_command(text: str) -> str:
    """Return a request without its "create a task for X:"."""
    return _COMMAND.sub("", text, count=1).strip() or text.strip()


def without_deferral(text: str) -> str:
    """Return the text without the clauses that only say that identifiers come later."""
    lines = [(line, _undeferred_line(line)) for line in text.splitlines()]
    return "\n".join(kept for line, kept in lines if kept or not line.strip()).strip()


def _undeferred_line(line: str) -> str:
    return " ".join(kept for part in _SENTENCES.split(line) if (kept := _undeferred(part)))


def _undeferred(sentence: str) -> str:
    if not _DEFERRAL.search(sentence):
        return sentence
    clauses = [clause.strip() for clause in sentence.split(",")]
    return ", ".join(clause for clause in clauses if clause and not _only_defers(clause))


def _only_defers(clause: str) -> bool:
    return bool(_DEFERRAL.search(clause)) and not find_identifiers(clause)


def first_sentence(text: str, limit: int) -> str:
    """Return the first sentence or line of a text, cut."""
    stripped = text.strip()
    return one_line(_SENTENCES.split(stripped)[0] if stripped else "", limit)
