"""Settings are read exactly, or refused by name."""

from __future__ import annotations

from uuid import UUID

import pytest

from agencyclaw.domain.errors import Misconfigured
from agencyclaw.settings import load_settings

INES = "eba9b492-c907-57f8-80a3-3c6bf3b3f6d1"


@pytest.mark.parametrize("text", [INES, f" {INES} ", f"{INES},", INES.upper(), f"{INES},{INES}"])
def test_the_list_of_super_admins_is_read_whatever_its_spaces_and_case(text: str) -> None:
    settings = load_settings({"super_admin_profile_ids": text})

    assert settings.super_admin_profile_ids == {UUID(INES)}


@pytest.mark.parametrize("text", ["", " ", ",", " , "])
def test_an_empty_list_makes_nobody_a_super_admin(text: str) -> None:
    assert load_settings({"super_admin_profile_ids": text}).super_admin_profile_ids == frozenset()


@pytest.mark.parametrize("text", ["*", "all", "Ines Varga", f"{INES};{INES}", "U01INES", INES[:-1]])
def test_anything_else_stops_the_start_and_names_the_variable(text: str) -> None:
    with pytest.raises(Misconfigured, match="SUPER_ADMIN_PROFILE_IDS"):
        load_settings({"super_admin_profile_ids": text})
