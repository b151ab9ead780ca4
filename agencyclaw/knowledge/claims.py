"""Whether an answer could be read as the report of a change; then code says that there was none.

No intent is read here, and nothing is refused: what is taken for a report by mistake gets a true
sentence more. Plain words of doing count wherever they stand. Words that merely belong to the work
("task", "update") count only in a statement: not in a question, an offer, the line that
introduces a list, nor in its rows, which are titles.
"""

from __future__ import annotations

import re

_DOING = re.compile(
    r"[✅☑✔🎉]|\b(?:add|chang|clos|mov|renam|complet|confirm|sav|creat|updat|delet|schedul|archiv"
    r"|assign|remov|cancel+|submitt|post|notifi|mapp|mark)ed\b"
    r"|\b(?:done|sent|set up|live|lives|taken care of|took care of)\b"
    # Whoever is answered in their own language reads it there.
    r"|\b(?:wurden?|erledigt|sido|hecho|cread[oa]s?|été|créée?s?|stat[oai]|creat[oa]|fatto|foi"
    r"|foram|criad[oa]s?|feito|gedaan|aangemaakt)\b",
    re.IGNORECASE,
)
_WORK = re.compile(
    r"\b(?:tasks?|tickets?|cards?|backlog|clickup)\b"
    r"|\b(?:creat|updat|delet|schedul|archiv|assign|remov)\w*",
    re.IGNORECASE,
)
_LOOKED = r"ask|check|compar|count|need|list|look|notic|open|review|search|skipp|tri|us|want"
# Any other past of doing, whatever was done.
_DID = re.compile(
    r"\b(?:i|we)(?:['’]ve| have)? (?:\w+ ){0,2}?"
    rf"(?:(?!need\b|(?:{_LOOKED})ed)\w+ed|set|put|let|made)\b"
    r"|\b(?:has|have) (?:\w+ )?been (?:\w+ )?(?:\w+ed|set|put|made)\b"
    r"|\b(?:was|were) (?:\w+ed|set|put|made)\b|\bwent (?:through|ahead)\b|\bgone ahead\b"
    r"|\b(?:is|are) now\b|\ball set\b|\bnoted\b|\bremember(?:ed)?\b|\bkeep that in mind\b",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"\b(?:i|we|you) (?:can|could|may|might|would)\b|\b(?:shall|should) (?:i|we)\b|\blet me know\b"
    r"|\b(?:would you like|do you want|want me to|happy to|if you)\b"
    r"|(?:^|[,;:] ?|\b(?:please|just|and|or) )"
    r"(?:ask|tell|give|send|name|pick|choose|press|say|reply|try)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n+")
_ROW = re.compile(r"^\s*(?:[-*•+>|]|\d{1,3}[.)])\s")


def sounds_like_a_report(text: str, *, is_small_talk: bool = False) -> bool:
    """Return whether a person could take an answer for the report of a change.

    In reply to mere manners only plain words of doing count.
    """
    sentences = [one for line in text.splitlines() for one in _SENTENCE.split(line) if one.strip()]
    said = [one for one in sentences if not one.rstrip(" *_)").endswith("?")]
    if any(_DOING.search(one) for one in said):
        return True
    return not is_small_talk and any(_is_of_doing(one) for one in said)


def _is_of_doing(sentence: str) -> bool:
    if _ROW.match(sentence) or sentence.rstrip(" *_").endswith(":") or _OFFER.search(sentence):
        return False
    return bool(_WORK.search(sentence) or _DID.search(sentence))
