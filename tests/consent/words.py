"""Rule 10: the plain yes and no of six languages, a whole message each."""

from __future__ import annotations

import unicodedata
from enum import Enum

YES = {
    "English": {"yes", "yes please"},
    "German": {"ja", "ja bitte"},
    "Spanish": {"sí", "si", "sí por favor", "si por favor"},
    "French": {"oui"},
    "Italian": {"sì", "si", "sì per favore", "si per favore"},
    "Portuguese": {"sim", "sim por favor"},
}
NO = {
    "English": {"no", "no thanks", "no thank you"},
    "German": {"nein", "nein danke"},
    "Spanish": {"no", "no gracias"},
    "French": {"non", "non merci"},
    "Italian": {"no", "no grazie"},
    "Portuguese": {"não", "nao", "não obrigado", "não obrigada"},
}
# What people say who took note: never a yes.
ACKNOWLEDGEMENTS = (
    *("ok", "okay", "sure", "fine", "great", "thanks", "ok, great, thanks", "👍", ":+1:"),
    *("in Ordnung", "gut", "danke", "vale", "claro", "gracias", "d'accord", "merci"),
    *("va bene", "certo", "grazie", "tá bom", "obrigado"),
)


class Reading(Enum):
    """What a whole message says by itself."""

    YES = "yes"
    NO = "no"


def bare(text: str) -> str:
    """Return the message without case, spacing, commas, and one closing stop."""
    words = " ".join(unicodedata.normalize("NFC", text).casefold().replace(",", " ").split())
    return (words[:-1] if words.endswith((".", "!")) else words).strip()


def reading_of(text: str) -> Reading | None:
    """Return what the whole message says; where languages differ, it is a no."""
    words = bare(text)
    if any(words in listed for listed in NO.values()):
        return Reading.NO
    return Reading.YES if any(words in listed for listed in YES.values()) else None


def asks(text: str) -> bool:
    """Whether a question mark of any script stands in the text."""
    names = (unicodedata.name(letter, "") for letter in text)
    return any("QUESTION" in name or "INTERROBANG" in name for name in names)
