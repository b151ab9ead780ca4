"""Keys, tokens and passwords are taken out at every exit; ordinary words stay."""

from __future__ import annotations

import base64
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agencyclaw.domain.receipts import Note
from agencyclaw.knowledge.secrets import REMOVED, redacted, secret_forms
from agencyclaw.slack.answers import build_answer
from agencyclaw.slack.blocks import button, option
from agencyclaw.slack.escaping import LIVE_HOSTS, escaped, link, markdown


def _part(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


# Put together here, so that no scanner of this repository takes them for real.
JWT = f"{_part({'alg': 'HS256'})}.{_part({'sub': 'ines', 'n': 1})}.{'s1' * 20}"
SECRETS = [
    "xoxb-" + "1234567890-abcdefghijkl",
    "xoxp-" + "1234567890-1234567890-1234567890-abcdef",
    "xoxe.xoxp-" + "1-Mi0yLTk4NzY1NDMyMTA",
    "xapp-" + "1-A0123456-987654321-abcdef",
    "pk_" + "12345678_ABCDEFGHIJKLMNOP",
    "sk-" + "proj-abcdefghijklmnopqrstuvwxyz",
    "sk-ant-" + "api03-abcdefghijklmnop",
    "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "rk_live_" + "4eC39HqLyjWDarjtT1zdp7dc",
    "sk_test_" + "4eC39HqLyjWD",
    "ghp_" + "a1B2" * 9,
    "github_pat_" + "11ABCDEFG0abcdefghijkl_mnopqrstuvwxyz",
    "AKIA" + "IOSFODNN7EXAMPLE",
    "AIza" + "SyA1234567890abcdefghijklmnopqrstuv",
    "pylf_" + "v1_us_1234567890abcdefghij",
    JWT,
    "Bearer " + "abcdef1234567890",
    "https://" + "hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
    "hooks.slack.com" + "/triggers/T0/123/abc",
    "postgresql://" + "claw:hunter2hunter2@",
    "redis://" + ":s3cretPassw0rd@",
    "HTTPS://" + "bob:hunter2secret@",
    "postgres://" + "claw:p/w@",
    "postgres://" + "claw:p@ss@",
    "glpat-" + "a1b2c3d4e5f6g7h8i9j0",
    "SG." + "a" * 22 + "." + "b" * 43,
    "-----BEGIN " + "RSA PRIVATE KEY-----\nMIIEow\nIBAAKC\n-----END RSA PRIVATE KEY-----",
]
ORDINARY = [
    "Set up a 20% coupon for B0CF7GARL1, B08XYZ1234 and CF-KNIFE-SET-2024-BLACK.",
    "Order 113-1234567-7654321 of 2026-11-22 14:25, tracking 1Z999AA10123456784.",
    "List 901234567890, task 86abc123x, https://app.clickup.com/t/9015/86abc123x",
    "https://app.clickup.com/9015/v/dc/8cnq1-1234/8cnq1-5678",
    "pk_1 and sk-2, see https://app.clickup.com/t/86x",
    "Reference 1f0c2e7a-6b1d-4a55-9d7e-0c2f1b7a9e11, channel C0123456789",
    "Bearer authentication is what the bearer instruments need.",
    "ISBN 9780306406157, EAN 4006381333931, ACOS 28.4% at $1,299.00",
    "ines.varga@lanternfish.example wrote: sk_live is a prefix, AKIA another",
    "Hörgeräteakustikmeisterin, Donaudampfschifffahrtsgesellschaft, internationalisation",
    "https://sellercentral.amazon.com/listing/status?asin=B0CF7GARL1&sku=CF-KNIFE",
    "task-sk-adjusted-return-on-investment",
    "http://shop.example:8080/@ines and https://shop.example:443?to=ines@lanternfish.example",
    "https://shop.example/a,https://shop.example/@ines; https://shop.example,https://b.example/@b",
    '{"page":"https://shop.example","owner":"ines@lanternfish.example"}',
]


@pytest.mark.parametrize("secret", SECRETS)
def test_what_looks_like_a_secret_is_removed(secret: str) -> None:
    assert redacted(f"It is {secret} keep it.").removesuffix(" keep it.") == f"It is {REMOVED}"


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_is_removed_from_a_sentence_without_spaces(secret: str) -> None:
    assert secret not in redacted(f"キーは{secret}です。")
    assert any(re.search(form, f"キーは{secret}です。", re.IGNORECASE) for form in secret_forms())


@pytest.mark.parametrize("text", ORDINARY)
def test_what_an_agency_writes_all_day_stays(text: str) -> None:
    assert redacted(text) == text


@given(st.text(st.characters(exclude_characters=":_-."), max_size=200))
def test_ordinary_words_are_no_secrets(text: str) -> None:
    assert redacted(text) == text


@pytest.mark.parametrize("secret", SECRETS)
def test_no_secret_leaves_in_a_message_a_card_or_a_button(secret: str) -> None:
    whole = f"It is {secret} keep it."
    answer = build_answer(Note(text=whole, footer=whole))
    shown = [
        *(answer.text, answer.plain, json.dumps(answer.blocks)),
        *(markdown(f"- **x:** {whole}", LIVE_HOSTS), escaped(whole)),
        link(whole, "https://app.clickup.com/t/1"),
        *(json.dumps(one) for one in (button("a", whole, "1"), option(whole, "1"))),
    ]

    kept = secret.split("\n")[-2] if "\n" in secret else secret.removeprefix("https://")
    assert not [one for one in shown if kept in one.replace("\u2060", "")]
    assert len(button("a", whole, "1")["text"]["text"]) <= 75


def test_the_forms_are_told_to_what_scrubs_traces() -> None:
    assert all(isinstance(form, str) for form in secret_forms())


@pytest.mark.parametrize("address", ["ftp://u:p@h", "go to ftp://u:p@h now", "a ftp://u:p@h b"])
def test_a_password_in_a_short_address_is_removed_whatever_stands_beside_it(address: str) -> None:
    assert "u:p@" not in redacted(address)
