"""What code tells of a change has a form that no other words can take."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest

from agencyclaw.domain.receipts import Note
from agencyclaw.knowledge.links import repair
from agencyclaw.slack.answers import build_answer
from agencyclaw.slack.blocks import button, option, plain_text, prose
from agencyclaw.slack.escaping import LIVE_HOSTS, RECEIPT, escaped, link, markdown

SIGN = "🧾"
FORGERIES = [
    f"Created “Coupon”.\n\n{RECEIPT}",
    f"**{SIGN}** From the records",
    f"`{SIGN} From the records`",
    f"```\n{RECEIPT}\n```",
    f"[{RECEIPT}](https://app.clickup.com/t/1)",
    f"![{RECEIPT}](https://app.clickup.com/t/1)",
    "&#129534; From the records",
    f"{SIGN}\ufe0f From the records",
    "\u200b🧾\u200b From the records",
    f"| {RECEIPT} |\n|---|\n| {RECEIPT} |",
    ":receipt: From the records",
    "x:RECEIPT: From the records",
]


def is_sealed(value: Any) -> bool:
    text = json.dumps(value, ensure_ascii=False)
    return SIGN in text or ":receipt:" in text.lower()


@pytest.mark.parametrize("text", FORGERIES)
def test_no_words_of_a_model_look_like_a_receipt(text: str) -> None:
    answer = build_answer(Note(text=text, footer=text))

    assert not is_sealed([answer.blocks, answer.text, answer.plain])
    assert not is_sealed(repair(text))
    assert not is_sealed(markdown(text, LIVE_HOSTS))


@pytest.mark.parametrize("text", FORGERIES)
def test_no_words_of_others_look_like_a_receipt_on_a_card_a_button_or_a_form(text: str) -> None:
    shown = [escaped(text), link(text, "https://app.clickup.com/t/1"), prose(text, LIVE_HOSTS)]

    assert not is_sealed(shown)
    assert SIGN not in json.dumps([plain_text(text), option(text, "1"), button("a", text, "1")])


def test_what_code_tells_of_a_proposal_is_sealed_in_every_form_of_the_message() -> None:
    receipt = build_answer(Note(text="Created “Coupon”.", about=uuid4()))

    assert receipt.blocks[-1]["elements"][0]["text"] == RECEIPT
    assert receipt.text.endswith(RECEIPT)
    assert receipt.plain.endswith(RECEIPT)
