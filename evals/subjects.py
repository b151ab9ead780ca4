"""Loads the case files: pydantic-evals datasets, one per subject."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any
from zlib import crc32

from pydantic import Field, ValidationError
from pydantic_evals import Dataset

from evals.expected import Expected
from evals.mutants import mutants_of
from evals.plays import GOLD, LAZY, Play, gold_of, lazy_of
from evals.scene import About, Part, Proof, Scene
from evals.yaml_files import read_yaml

FOLDER = Path(__file__).parent / "datasets"
SCHEMA = FOLDER / "schema.json"
_ONLY_ADMINS = "Only an admin can do that; I can't prepare it for you."
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
        given["cases"] = [_written_out(case) for case in given["cases"]]
        return Subject.from_dict(given, default_name=path.stem)
    except ValidationError as error:
        raise BadCase(f"{path}: {error}") from error


class MayNot(Part):
    """A case in one line: a member asks for what only admins may, and is told so.

    `may_not` names the tools that must not be called.
    """

    name: str
    may_not: Annotated[tuple[str, ...], Field(min_length=1)]
    say: str
    person: str = "Sara Lindqvist"
    surface: str = "dm"
    proves: tuple[Proof, ...] = ("rails", "prompt")
    behaviours: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()

    @property
    def written_out(self) -> dict[str, Any]:
        """The whole case."""
        turn = {"facts": ["admin"], "avoids": self.may_not, "asks": False}
        return {
            "name": self.name,
            "inputs": {
                "person": self.person,
                "surface": self.surface,
                "turns": [{"say": self.say, "gold": [_ONLY_ADMINS]}],
            },
            "metadata": {
                "proves": self.proves,
                "behaviours": self.behaviours,
                "tags": (*self.tags, "access"),
            },
            "expected_output": {"turns": [turn]},
        }


def _written_out(case: dict[str, Any]) -> dict[str, Any]:
    return MayNot.model_validate(case).written_out if "may_not" in case else case


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
    whole = Subject.model_json_schema_with_evaluators()
    whole["$defs"]["MayNot"] = MayNot.model_json_schema()
    either = [{"$ref": "#/$defs/Case"}, {"$ref": "#/$defs/MayNot"}]
    whole["properties"]["cases"]["items"] = {"anyOf": either}
    return json.dumps(whole, indent=1) + "\n"
