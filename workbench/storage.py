"""The workbench's storage: JSON documents, counters and a log in one SQLite file."""

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
    """Persistent state. Each call commits when it returns."""

    def __init__(self, path: str) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        # In WAL mode a killed process loses nothing, and only a power cut could.
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.executescript(_SCHEMA)

    def put(self, kind: str, key: str, body: Document) -> None:
        """Store a document; one with the same key is replaced and keeps its position."""
        self._db.execute(_PUT, (kind, key, json.dumps(body)))

    def get(self, kind: str, key: str) -> Document | None:
        query = "SELECT body FROM documents WHERE kind = ? AND key = ?"
        row = self._db.execute(query, (kind, key)).fetchone()
        return None if row is None else json.loads(row[0])

    def all(self, kind: str) -> list[Document]:
        """Return every document of a kind, in the order they were first stored."""
        return [json.loads(text) for text in self.texts(kind)]

    def texts(self, kind: str) -> list[str]:
        """Return the same as JSON text, for readers that need no dictionaries."""
        query = "SELECT body FROM documents WHERE kind = ? ORDER BY seq"
        return [body for (body,) in self._db.execute(query, (kind,))]

    def delete(self, kind: str, key: str) -> None:
        self._db.execute("DELETE FROM documents WHERE kind = ? AND key = ?", (kind, key))

    def next(self, name: str) -> int:
        """Increment a named counter and return it; the first value is 1."""
        return int(self._db.execute(_NEXT, (name,)).fetchone()[0])

    def append_log(self, entry: Document) -> None:
        self._db.execute("INSERT INTO log (entry) VALUES (?)", (json.dumps(entry),))

    def log(self, after: int = 0) -> list[Document]:
        """Return the log in order; each entry has its `seq`."""
        rows = self._db.execute("SELECT seq, entry FROM log WHERE seq > ? ORDER BY seq", (after,))
        return [{"seq": seq, **json.loads(entry)} for seq, entry in rows]

    @contextmanager
    def transaction(self) -> Generator[None]:
        """Make several calls one commit; an exception rolls them all back."""
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
        """Replace everything by the content of another storage."""
        other._db.backup(self._db)

    def close(self) -> None:
        self._db.close()
