"""Why a plain yes or no decided about no card, as far as its card does not say it."""

from __future__ import annotations

from enum import StrEnum

from agencyclaw.domain.messages import message


class MissedWord(StrEnum):
    """Why a plain yes or no decided nothing.

    - BETWEEN: something else was said or shown since its card
    - ELSEWHERE: the card is in another thread
    - EARLY: it was written before the card was there
    - REVISED: another version of the card had been asked for
    - SEVERAL: several cards wait, and it could mean any of them
    - TAKEN_BACK: a no followed the yes
    """

    BETWEEN = "between"
    ELSEWHERE = "elsewhere"
    EARLY = "early"
    REVISED = "revised"
    SEVERAL = "several"
    TAKEN_BACK = "taken_back"


_WHY = {
    MissedWord.BETWEEN: message("missed.between"),
    MissedWord.ELSEWHERE: message("missed.elsewhere"),
    MissedWord.EARLY: message("missed.early"),
    MissedWord.REVISED: message("missed.revised"),
    MissedWord.SEVERAL: message("missed.several"),
    MissedWord.TAKEN_BACK: message("missed.taken_back"),
}


def why_missed(missed: MissedWord) -> str:
    """Return the sentence about it for the model."""
    return message("missed.told", why=_WHY[missed])
