"""The closed list of plain yes and no, as whole messages, in the languages people use here.

Nothing is composed: a message is one of these phrases or it is conversation. Mere acknowledgements
("ok", "sure", "great", "thanks", a thumb) may answer anything, so they are not in the list.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from enum import StrEnum
from itertools import product

from agencyclaw.domain.text import plain


class Word(StrEnum):
    """The meaning of a whole message."""

    YES = "yes"
    NO = "no"


_YES = {
    "en": """yes, y, yep, yeah, yup, yes please, yes thanks, yes thank you, confirm, confirmed,
        i confirm, yes confirm, yes i confirm, please confirm, approved, yes approved, go ahead,
        yes go ahead, please go ahead, yes please go ahead, do it, yes do it, please do it,
        please do, yes please do, create it, yes create it, please create it, yes please create it,
        proceed, yes proceed, please proceed""",
    "de": """ja, ja bitte, ja gerne, ja danke, jawohl, bestätigt, bestätige, ich bestätige,
        ja bestätigt, ja ich bestätige, mach das, mach es, ja mach das, ja mach es, bitte anlegen,
        ja bitte anlegen, ja anlegen, leg es an, ja leg es an""",
    "es": """sí, sí por favor, sí gracias, confirmo, sí confirmo, confirmado, adelante,
        sí adelante, hazlo, sí hazlo, créala, sí créala""",
    "fr": """oui, oui s'il te plaît, oui s'il vous plaît, oui stp, oui svp, oui merci,
        je confirme, oui je confirme, confirmé, vas-y, oui vas-y, allez-y, oui allez-y""",
    "it": """sì, sì per favore, sì grazie, confermo, sì confermo, confermato, procedi, sì procedi,
        fallo, sì fallo""",
    "pt": """sim, sim por favor, sim obrigado, sim obrigada, confirmo, sim confirmo, confirmado,
        pode fazer, sim pode fazer, faça isso, sim faça isso""",
}
_NO = {
    "en": """no, n, nope, nah, no thanks, no thank you, no please, no way, cancel, cancel it,
        cancel that, please cancel, please cancel it, no cancel, no cancel it, don't, do not,
        don't do it, do not do it, please don't, no don't, no don't do it, don't create it,
        no don't create it, discard it, drop it, no drop it, never mind, nevermind,
        no never mind, forget it, no forget it, not now, no not now""",
    "de": """nein, nee, nö, nein danke, nein bitte nicht, bitte nicht, nicht anlegen,
        nein nicht anlegen, abbrechen, bitte abbrechen, nein abbrechen, brich ab, lass es,
        nein lass es, lass das, doch nicht, nein doch nicht, vergiss es, jetzt nicht""",
    "es": """no, no gracias, cancela, cancelar, cancélalo, no cancela, no lo hagas, déjalo,
        no déjalo, olvídalo, ahora no""",
    "fr": """non, non merci, annule, annuler, annulez, non annule, laisse tomber,
        non laisse tomber, ne le fais pas, pas maintenant""",
    "it": """no, no grazie, annulla, annullalo, no annulla, lascia perdere, lascia stare, non farlo,
        non adesso""",
    "pt": """não, não obrigado, não obrigada, cancela, cancelar, cancele, não cancela, não faça,
        deixa pra lá, esquece, agora não""",
}

_AROUND = re.compile(r"[\s.,;:!…()*_–—-]+")
_APOSTROPHES = re.compile(r"['’`´]")
_LIMIT = 60
# Lines, quotes, code, strikes; and a voice that trails off.
_MORE = ("\n", ">", '"', "“", "”", "«", "»", "~", "`", "…", "..")


def read_word(text: str) -> Word | None:
    """Return what a whole message says; None if it is conversation.

    Quotes, code, strikes, questions and several lines are conversation: they may be somebody else's
    words, or withdrawn. A phrase that is a yes in one language and a no in another is a no.
    """
    text = text.strip()
    if len(text) > _LIMIT or any(mark in text for mark in _MORE) or asks(text):
        return None
    normal = _normal(text)
    if normal in _NO_WORDS:
        return Word.NO
    return Word.YES if normal in _YES_WORDS else None


def asks(text: str) -> bool:
    """Return whether a text contains a question mark of any script."""
    return any(
        "QUESTION MARK" in unicodedata.name(char, "") or char in _LIKE_QUESTION_MARKS
        for char in set(text)
    )


# Greek writes a semicolon of its own; the interrobang and the doubled marks have other names.
_LIKE_QUESTION_MARKS = "\u037e‽⸘⁇⁈⁉"


def _normal(text: str) -> str:
    """Return a text without case, apostrophes, punctuation and extra spaces."""
    bare = unicodedata.normalize("NFKC", _APOSTROPHES.sub("", text)).casefold()
    return _AROUND.sub(" ", bare).strip()


def _listed(languages: dict[str, str]) -> frozenset[str]:
    phrases = ",".join(languages.values()).split(",")
    return frozenset(spelling for phrase in phrases for spelling in _spellings(phrase))


def _spellings(phrase: str) -> Iterator[str]:
    """Yield a phrase with each of its words as it is written and without accents.

    Many leave accents out. One that the word does not have makes another word: "confirmo" is a yes,
    "confirmó" says that somebody else confirmed.
    """
    words = ({word, plain(word)} for word in _normal(phrase).split())
    return map(" ".join, product(*words))


_YES_WORDS = _listed(_YES)
_NO_WORDS = _listed(_NO)
