"""The workbench's memory: JSON documents, counters and a log in one SQLite file."""

import json
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

Document = dict[str, Any]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS documents (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (kind, key)
);
CREATE INDEX IF NOT EXISTS documents_by_kind ON documents (kind, seq);
CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS log (seq INTEGER PRIMARY KEY AUTOINCREMENT, entry TEXT NOT NULL);
"""

_PUT = """
INSERT INTO documents (kind, key, body) VALUES (?, ?, ?)
ON CONFLICT (kind, key) DO UPDATE SET body = excluded.body
"""

_NEXT = """
INSERT INTO counters (name, value) VALUES (?, 1)
ON CONFLICT (name) DO UPDATE SET value = value + 1
RETURNING value
"""


class Storage:
    """Everything that outlives a request. Each call is committed when it returns."""

    def __init__(self, path: str) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        # In WAL mode a killed process loses nothing, and only a power cut could.
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.executescript(_SCHEMA)

    def put(self, kind: str, key: str, body: Document) -> None:
        """Store a document, keeping the place of an older one with the same key."""
        self._db.execute(_PUT, (kind, key, json.dumps(body)))

    def get(self, kind: str, key: str) -> Document | None:
        query = "SELECT body FROM documents WHERE kind = ? AND key = ?"
        row = self._db.execute(query, (kind, key)).fetchone()
        return None if row is None else json.loads(row[0])

    def all(self, kind: str) -> list[Document]:
        """Every document of a kind, in the order in which they were first put."""
        return [json.loads(text) for text in self.texts(kind)]

    def texts(self, kind: str) -> list[str]:
        """The same as JSON, for readers that are quicker than a detour over dictionaries."""
        query = "SELECT body FROM documents WHERE kind = ? ORDER BY seq"
        return [body for (body,) in self._db.execute(query, (kind,))]

    def delete(self, kind: str, key: str) -> None:
        self._db.execute("DELETE FROM documents WHERE kind = ? AND key = ?", (kind, key))

    def next(self, name: str) -> int:
        """Count one further on a named counter; the first value is 1."""
        return int(self._db.execute(_NEXT, (name,)).fetchone()[0])

    def append_log(self, entry: Document) -> None:
        self._db.execute("INSERT INTO log (entry) VALUES (?)", (json.dumps(entry),))

    def log(self, after: int = 0) -> list[Document]:
        """The log in order; each entry carries its `seq`."""
        rows = self._db.execute("SELECT seq, entry FROM log WHERE seq > ? ORDER BY seq", (after,))
        return [{"seq": seq, **json.loads(entry)} for seq, entry in rows]

    @contextmanager
    def transaction(self) -> Generator[None]:
        """Make several calls one commit; an exception undoes them all."""
        if self._db.in_transaction:
            yield
            return
        with self._db:
            self._db.execute("BEGIN IMMEDIATE")
            yield

    def wipe(self) -> None:
        with self.transaction():
            for statement in ("DELETE FROM documents", "DELETE FROM counters", "DELETE FROM log"):
                self._db.execute(statement)

    def copy_from(self, other: "Storage") -> None:
        """Hold what another one holds, instead of what was here."""
        other._db.backup(self._db)

    def close(self) -> None:
        self._db.close()
