"""Removes keys, tokens and passwords from text before anybody reads it.

The rules are those of detect-secrets, and our own for services it does not know. They match
formats, not meaning: a password that looks like a word passes.
"""

from __future__ import annotations

import re
from typing import cast

from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.github_token import GitHubTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.stripe import StripeDetector
from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector

REMOVED = "[removed: looks like a secret]"
# Except for the two marks below, no rule can match inside a shorter word.
_SHORTEST = 12
_ADDRESS = "://"
_KEY_BLOCK = "PRIVATE KEY"

# For Slack, ClickUp, model services, Stripe, GitHub, Google and Logfire; and for whole key blocks,
# headers and addresses, of which detect-secrets finds only a part.
_OURS = (
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?s:.*?)(?:-----END[^-]*-----|\Z)",
    r"\bx(?:ox[a-z]|app)(?:\.xox[a-z])?-[\w-]{8,}",
    r"\bpk_\w{12,}",
    r"(?<![\w-])sk-[\w-]{16,}",
    r"\b[rs]k_(?:live|test)_\w{8,}",
    r"\b(?:gh[opusr]|github_pat)_\w{16,}",
    r"\bAIza[\w-]{30,}",
    r"\bpylf_\w{8,}",
    r"\beyJ[\w-]{6,}\.[\w-]{6,}(?:\.[\w-]*)?",
    r"\b[Bb](?:earer|EARER)\s+(?=\S*\d)[\w.~+/=-]{12,}",
    r"\b(?i:https?://)?hooks\.slack\.com/\S+",
    # A password may hold "/" and "@". A port before a path, and a second address, are no passwords.
    r"\b[A-Za-z][A-Za-z0-9+]{1,20}://[^\s/:@\"<>]{0,64}:(?!//|\d{1,5}[/?#])"
    r"[^\s@]{1,128}@(?:[^\s/@]{1,64}@)*",
)
_DETECTORS = (
    AWSKeyDetector,
    AzureStorageKeyDetector,
    DiscordBotTokenDetector,
    GitHubTokenDetector,
    GitLabTokenDetector,
    MailchimpDetector,
    PypiTokenDetector,
    SendGridDetector,
    SlackDetector,
    SquareOAuthDetector,
    StripeDetector,
    TelegramBotTokenDetector,
    TwilioKeyDetector,
)
_THEIRS = (rule for one in _DETECTORS for rule in cast("list[re.Pattern[str]]", one().denylist))
# Letters of other scripts may touch a secret: Japanese writes no spaces around it.
_RULES = (
    *(re.compile(form, re.ASCII) for form in _OURS),
    *(re.compile(rule.pattern, rule.flags & ~re.UNICODE | re.ASCII) for rule in _THEIRS),
)


def redacted(text: str) -> str:
    """Return text with every apparent key, token or URL password replaced by REMOVED."""
    if not _may_hold_a_secret(text):
        return text
    for rule in _RULES:
        text = rule.sub(REMOVED, text)
    return text


def secret_forms() -> tuple[str, ...]:
    """Return the rules as regular expressions for Logfire's scrubber.

    It compiles them with IGNORECASE, so case-sensitive rules switch that off inline.
    """
    return tuple(
        f"(?a{'' if rule.flags & re.IGNORECASE else '-i'}:{rule.pattern})" for rule in _RULES
    )


def _may_hold_a_secret(text: str) -> bool:
    is_long = any(len(word) >= _SHORTEST for word in text.split())
    return is_long or _ADDRESS in text or _KEY_BLOCK in text
