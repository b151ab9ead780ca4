"""The names of a person, as SQL on the row `p` of their profile."""

from __future__ import annotations

# How we address people: as they want to be called.
DISPLAY_NAME = "coalesce(nullif(trim(p.display_name), ''), nullif(trim(p.full_name), ''), p.email)"
# How we tell people apart.
FULL_NAME = "coalesce(nullif(trim(p.full_name), ''), nullif(trim(p.display_name), ''), p.email)"
