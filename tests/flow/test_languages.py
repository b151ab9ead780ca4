"""Another language is another catalogue: code says nothing that is not in it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PLAYED = Path(__file__).with_name("in_another_language.py")


def test_cards_receipts_refusals_and_notices_come_from_the_catalogue_that_is_plugged_in() -> None:
    """In a process of its own, as some sentences are taken when the code is imported."""
    plugins = ("-p", "tests.marked_catalogue", "-p", "no:cacheprovider", "-p", "no:inline_snapshot")
    command = [sys.executable, "-m", "pytest", "-n", "0", *plugins, str(PLAYED)]

    played = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)

    assert played.returncode == 0, played.stdout[-4_000:]
