"""Loads the case files: pydantic-evals datasets, one per subject."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from zlib import crc32

from pydantic import ValidationError
from pydantic_evals import Dataset

from evals.expected import Expected
from evals.mutants import mutants_of
from evals.plays import GOLD, LAZY, Play, gold_of, lazy_of
from evals.scene import About, Scene
from evals.yaml_files import read_yaml

FOLDER = Path(__file__).parent / "datasets"
SCHEMA = FOLDER / "schema.json"
Subject = Dataset[Scene, Expected, About]


class BadCase(ValueError):
    """A case that can't be played as it is written."""


def load_subjects(paths: Sequence[Path] = ()) -> list[Subject]:
    """Read case files, by default all there are; raises BadCase."""
    files = list(paths) or sorted(FOLDER.glob("*.yaml"))
    subjects = [_read(path) for path in files]
    names = Counter(case.name for subject in subjects for case in subject.cases)
    for subject in subjects:
        for case in subject.cases:
            _check(subject.name or "", case.name, names[case.name], case.inputs, case)
    return subjects


def _read(path: Path) -> Subject:
    # As `Subject.from_file` does it, but with YAML's parser in C.
    given = read_yaml(path)
    try:
        return Subject.from_dict(given, default_name=path.stem)
    except ValidationError as error:
        raise BadCase(f"{path}: {error}") from error


def _check(subject: str, name: str | None, times: int, scene: Scene, case: object) -> None:
    expected, about = getattr(case, "expected_output", None), getattr(case, "metadata", None)
    if not name or expected is None or about is None:
        raise BadCase(f"{subject}: {name}: a case has a name, metadata and expected_output")
    if times > 1:
        raise BadCase(f"{subject}: {name}: the name is taken")
    acts = [turn for turn in scene.turns if turn.say or turn.press or turn.edit]
    if len(acts) != len(expected.turns):
        raise BadCase(f"{name}: {len(acts)} turns of people, {len(expected.turns)} expected ones")
    for turn, wanted in zip(acts, expected.turns, strict=True):
        if (wanted.by == "model") != bool(turn.gold):
            raise BadCase(f"{name}: “{turn.say or turn.press}”: who answers, model or code?")


def plays_of(subjects: Sequence[Subject], only: str = "") -> Iterator[Play]:
    """Yield the bare plays of all cases, without steps."""
    for subject in subjects:
        for case in subject.cases:
            if case.name and case.expected_output and (not only or only in case.name):
                yield Play(
                    subject=subject.name or "",
                    case=case.name,
                    variant="model",
                    scene=case.inputs,
                    expected=case.expected_output,
                )


def scripted(play: Play, share: int = 1) -> list[Play]:
    """Return the right play of a case, the lazy one, and the wrong ones: all, or one in `share`."""
    gold = play.model_copy(update={"variant": GOLD, "steps": gold_of(play.scene)})
    has_mind = any(turn.gold for turn in play.scene.turns)
    if not has_mind:
        return [gold]
    lazy = play.model_copy(update={"variant": LAZY, "steps": lazy_of(play.scene)})
    first = crc32(play.case.encode()) % share
    return [gold, lazy, *islice(mutants_of(gold), first, None, share)]


def schema() -> str:
    """Return the JSON schema of a case file."""
    return json.dumps(Subject.model_json_schema_with_evaluators(), indent=1) + "\n"
