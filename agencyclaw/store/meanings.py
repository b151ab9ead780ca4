"""Finds procedures by meaning: stores vectors of their parts and keeps them up to date.

It only adds to the search by words, and its failures cost nothing else.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Sequence
from typing import Protocol

import logfire

from agencyclaw.domain.errors import Unavailable
from agencyclaw.domain.search import Ranked
from agencyclaw.store.engine import Database, Record

# A part is about what a person reads at once; a text of more parts is cut.
_PART = 2_000
_MOST_PARTS = 40
_QUERY = 8_000
_AT_ONCE = 8
# A search waits no longer for it, and after a failure none does for a while.
PATIENCE_S = 4.0
REST_S = 60.0

_STALE = """
select id, name, aliases, content_md,
  md5(sop_heading(name, '', aliases) || content_md) as text_hash
from playbook_sops as sop
where search is not null and not exists (
  select from procedure_vectors where sop_id = sop.id and model = $1
    and text_hash = md5(sop_heading(name, '', aliases) || content_md)
) and md5(sop_heading(name, '', aliases) || content_md) <> all ($3)
order by id limit $2
"""
_FORGET = "delete from procedure_vectors where sop_id = $1 and model = $2"
# A text that changed meanwhile keeps none of these: the next search embeds it as it is then.
_KEEP = """
insert into procedure_vectors (sop_id, model, part, text_hash, vector)
select id, $2, $3, $4, $5 from playbook_sops
where id = $1 and md5(sop_heading(name, '', aliases) || content_md) = $4
on conflict (sop_id, model, part) do update
set text_hash = excluded.text_hash, vector = excluded.vector
"""
_CLOSEST = """
select sop.id, name, aliases, max(likeness) as likeness
from procedure_vectors join playbook_sops as sop on sop.id = sop_id, lateral (
  select sum(a * b)::float8 as likeness from unnest(vector, $2::float4[]) as pairs(a, b)
) as product
where model = $1 and search is not null
  and text_hash = md5(sop_heading(name, '', aliases) || content_md)
  and cardinality(vector) = cardinality($2::float4[])
group by sop.id, name, aliases order by likeness desc, name, sop.id limit $3
"""


class Embeddings(Protocol):
    """An embedding model; failures raise Unavailable."""

    @property
    def name(self) -> str:
        """Its name: vectors of different models are never compared."""
        ...

    async def of_query(self, text: str) -> Sequence[float]:
        """Return the vector of a question."""
        ...

    async def of_documents(self, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        """Return the vector of each text."""
        ...


class Meanings:
    """The procedures' vectors of an embedding model."""

    def __init__(
        self, db: Database, embeddings: Embeddings, *, patience_s: float = PATIENCE_S
    ) -> None:
        self._db = db
        self._embeddings = embeddings
        self._patience_s = patience_s
        self._rests_until = -math.inf
        self._refused: dict[str, float] = {}

    async def closest(self, query: str, *, limit: int) -> list[Ranked]:
        """Return the procedures closest in meaning, best first; empty if that is unavailable.

        Their score is the cosine similarity of question and closest part, -1 to 1.
        """
        clock = asyncio.get_running_loop().time
        if clock() < self._rests_until:
            return []
        try:
            return await self._asked(query, limit)
        except (Unavailable, TimeoutError) as error:
            self._rests_until = clock() + REST_S
            logfire.warn("search by meaning failed", fault=type(error).__name__)
            return []

    async def _asked(self, query: str, limit: int) -> list[Ranked]:
        async with asyncio.timeout(self._patience_s):
            # A model that answers no question is unavailable; whether it takes texts comes after.
            vector = _unit(await self._embeddings.of_query(query[:_QUERY]))
            await self._renew()
            return await self._nearest(vector, limit)

    async def _renew(self) -> None:
        """Embed new and changed procedures in small batches, each of which is kept.

        One that the model refuses is tried again after a while, and the others with the next
        question: the model may have been asked too often.
        """
        now = asyncio.get_running_loop().time()
        self._refused = {text: until for text, until in self._refused.items() if until > now}
        while stale := await self._stale():
            for row in stale:
                try:
                    await self._renew_one(row)
                except Unavailable:
                    logfire.warn("a procedure was not embedded", procedure=row["name"])
                    self._refused[row["text_hash"]] = now + REST_S
                    return

    async def _stale(self) -> list[Record]:
        return await self._db.pool.fetch(
            _STALE, self._embeddings.name, _AT_ONCE, list(self._refused)
        )

    async def _renew_one(self, row: Record) -> None:
        vectors = [_unit(one) for one in await self._embeddings.of_documents(_parts(row))]
        sop, model = row["id"], self._embeddings.name
        async with self._db.transaction() as conn:
            await conn.execute(_FORGET, sop, model)
            for part, vector in enumerate(vectors):
                await conn.execute(_KEEP, sop, model, part, row["text_hash"], vector)

    async def _nearest(self, vector: list[float], limit: int) -> list[Ranked]:
        rows = await self._db.pool.fetch(_CLOSEST, self._embeddings.name, vector, limit)
        return [
            Ranked(row["id"], row["name"], tuple(row["aliases"]), row["likeness"]) for row in rows
        ]


def _parts(row: Record) -> list[str]:
    """Return a text's parts, cut at line ends, each with the title and other names."""
    body: str = row["content_md"]
    head = "\n".join([row["name"], ", ".join(row["aliases"])]).strip()
    parts: list[str] = [""]
    for line in re.findall(rf"[^\n]{{1,{_PART}}}\n?|\n", body):
        if len(parts[-1]) + len(line) > _PART:
            parts.append("")
        parts[-1] += line
    return [f"{head}\n\n{part.strip()}" for part in parts[:_MOST_PARTS]]


def _unit(vector: Sequence[float]) -> list[float]:
    """Return a vector of length one, so that a dot product is the cosine similarity."""
    length = math.hypot(*vector)
    if not length or not math.isfinite(length):
        raise Unavailable("The embedding model returned a vector without a direction.")
    return [one / length for one in vector]
