"""Assembles the assistant's runs from their traces."""

from collections.abc import Iterable
from typing import Any

from workbench.storage import Document, Storage

_RUNS, _DELIVERIES, _SHOWN, _KEPT = "runs", "deliveries", 100, 300


class TracedRuns:
    """Spans by run: its message, clicks, effects and deliveries."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def keep(self, spans: Iterable[Document]) -> set[str]:
        """Store spans; returns the runs they belong to."""
        changed: set[str] = set()
        with self._storage.transaction():
            for span in spans:
                if not span["is_pending"]:
                    self._storage.put(_folder(span["trace"]), span["id"], span)
                    changed |= self._bind(span)
            self._forget_oldest()
        return changed

    def newest(self) -> list[Document]:
        """Return the newest runs in short, newest first, each with its sub-agents' runs."""
        runs = [self._summary(run) for run in self._storage.all(_RUNS)[-_SHOWN:]]
        begun = {run["id"]: run["start"] for run in runs}

        def place(run: Document) -> tuple[float, str, bool, float]:
            above = run["parent"] if run["parent"] in begun else run["id"]
            return (-begun[above], above, above != run["id"], run["start"])

        return sorted(runs, key=place)

    def find(self, run_id: str) -> Document | None:
        """Return one run with its traces in order of time; None if it is unknown."""
        run = self._storage.get(_RUNS, run_id)
        if run is None:
            return None
        traces = sorted((self._spans(trace) for trace in run["traces"]), key=_start)
        return {"run": self._summary(run), "traces": [{"spans": spans} for spans in traces]}

    def _bind(self, span: Document) -> set[str]:
        attributes = span["attributes"]
        run_ids = _runs_of(span)
        for run_id in run_ids:
            run = self._storage.get(_RUNS, run_id) or {"id": run_id, "traces": []}
            is_new = span["trace"] not in run["traces"]
            parent = attributes.get("parent_run", run.get("parent"))
            if is_new or parent != run.get("parent"):
                run["traces"] += [span["trace"]] if is_new else []
                self._storage.put(_RUNS, run_id, run | {"parent": parent})
            if delivery := attributes.get("delivery"):
                self._storage.put(_DELIVERIES, delivery, {"id": delivery, "run": run_id})
        return run_ids

    def _forget_oldest(self) -> None:
        runs = self._storage.all(_RUNS)
        old = {run["id"] for run in runs[:-_KEPT]}
        # A sub-agent's run shares the trace of its parent.
        for run in runs:
            if run["id"] not in old and run.get("parent") not in old:
                continue
            self._storage.delete(_RUNS, run["id"])
            for delivery in self._storage.all(_DELIVERIES):
                if delivery["run"] == run["id"]:
                    self._storage.delete(_DELIVERIES, delivery["id"])
            for trace in run["traces"]:
                for span in self._storage.all(_folder(trace)):
                    self._storage.delete(_folder(trace), span["id"])

    def _spans(self, trace: str) -> list[Document]:
        return sorted(self._storage.all(_folder(trace)), key=lambda span: span["start"])

    def _own(self, run: Document, spans: list[Document]) -> list[Document]:
        """Return the spans of a run in a trace: a sub-agent's own, else the whole trace."""
        if not run.get("parent"):
            return spans
        return [span for span in spans if run["id"] in _runs_of(span)]

    def _summary(self, run: Document) -> Document:
        traces = [self._own(run, self._spans(trace)) for trace in run["traces"]]
        first = min(traces, key=_start)
        spans = [span for trace in traces for span in trace]
        return {
            "id": run["id"],
            "parent": run.get("parent"),
            "start": first[0]["start"],
            "took": max(span["end"] for span in first) - first[0]["start"],
            "is_faulty": any(span["fault"] for span in spans),
            "outcome": _first(
                spans, "agent.child" if run.get("parent") else "agent.act", "outcome"
            ),
            "text": _text_of(spans),
            "tools": sum(span["name"] == "tool" for span in spans),
            "prepared": _count_outcomes(spans, "tool", "proposed"),
            "carried_out": _count_outcomes(spans, "effect", "Done"),
            **_usage(spans),
        }


def run_of(storage: Storage, message: Document) -> str | None:
    """Return the run that an app's message came from, by the delivery its metadata names."""
    metadata: Document = message.get("metadata") or {}
    payload: Document = metadata.get("event_payload") or {}
    delivery = storage.get(_DELIVERIES, str(payload.get("id", "")))
    return delivery["run"] if delivery else None


def _runs_of(span: Document) -> set[str]:
    attributes = span["attributes"]
    return {attributes["run"]} if attributes.get("run") else set(attributes.get("runs", ()))


def _folder(trace: str) -> str:
    return f"traces/{trace}"


def _start(spans: list[Document]) -> float:
    return spans[0]["start"]


def _first(spans: list[Document], name: str, attribute: str) -> Any:
    values = (span["attributes"].get(attribute) for span in spans if span["name"] == name)
    return next(values, None)


def _count_outcomes(spans: list[Document], name: str, outcome: str) -> int:
    return sum(
        span["name"] == name and span["attributes"].get("outcome") == outcome for span in spans
    )


def _usage(spans: list[Document]) -> Document:
    """Return the number of model requests, their tokens and, where known, their price."""
    requests = [span["attributes"] for span in spans if span["name"] == "model request"]
    prices = [span["attributes"].get("operation.cost") for span in spans]
    known = [price for price in prices if price]
    return {
        "requests": len(requests),
        "tokens_in": sum(request.get("gen_ai.usage.input_tokens", 0) for request in requests),
        "tokens_out": sum(request.get("gen_ai.usage.output_tokens", 0) for request in requests),
        "cost_usd": sum(known) if known else None,
    }


def _text_of(spans: list[Document]) -> str:
    """Return the person's words if content is traced: the last user text of the first turn."""
    for span in spans:
        messages: list[Document] = span["attributes"].get("pydantic_ai.all_messages", [])
        start = span["attributes"].get("pydantic_ai.new_message_index", 0)
        for message in messages[start:]:
            texts = [part.get("content", "") for part in message["parts"] if part["type"] == "text"]
            if message["role"] == "user" and texts:
                return str(texts[-1])
    return ""
