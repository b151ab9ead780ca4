"""Follows what people read through the code, from where it is handed over to its words."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from agencyclaw.domain.errors import Refused

Function = ast.FunctionDef | ast.AsyncFunctionDef


def _names_of(kind: type) -> Iterator[str]:
    yield kind.__name__
    for narrower in kind.__subclasses__():
        yield from _names_of(narrower)


REFUSALS = frozenset(_names_of(Refused))
# What is in the catalogue, and questions, which a model puts into its own words.
STOPS = frozenset({"message", "Ask", "ask_which", "ask_which_client"})
# Fields of results, effects and choices that code shows to people.
SHOWN = frozenset({"reach", "kept", "label", "warnings", "left_out", "remarks"})


@dataclass
class Module:
    """What a file defines at its top, and where its other names come from."""

    path: Path
    tree: ast.Module
    functions: dict[str, Function] = field(default_factory=dict[str, Function])
    constants: dict[str, ast.expr] = field(default_factory=dict[str, ast.expr])
    imported: dict[str, str] = field(default_factory=dict[str, str])


def read_modules(package: Path) -> dict[str, Module]:
    """Return the modules of a package by their dotted names."""
    modules: dict[str, Module] = {}
    for path in sorted(package.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        module = Module(path, tree)
        for node in tree.body:
            match node:
                case ast.FunctionDef() | ast.AsyncFunctionDef():
                    module.functions[node.name] = node
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    module.constants[name] = value
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    module.constants[name] = value
                case ast.ImportFrom(module=str(source)):
                    module.imported |= {alias.asname or alias.name: source for alias in node.names}
                case _:
                    pass
        dotted = ".".join(path.relative_to(package.parent).with_suffix("").parts)
        modules[dotted] = module
    return modules


@dataclass
class Spoken:
    """Follows expressions that people read, through names and helpers of the modules."""

    modules: dict[str, Module]
    seen: set[int] = field(default_factory=set[int])

    def outside(self) -> Iterator[tuple[Path, ast.expr]]:
        """Yield the texts written in code that reach people, with the files they are in."""
        for module in self.modules.values():
            for function in ast.walk(module.tree):
                if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                    for shown in handed_over(function):
                        yield from self._texts(shown, function, module)

    def _texts(
        self, node: ast.AST, function: Function | None, module: Module
    ) -> Iterator[tuple[Path, ast.expr]]:
        if id(node) in self.seen:
            return
        self.seen.add(id(node))
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in STOPS:
                return
            case ast.JoinedStr() | ast.Constant(value=str()):
                yield module.path, node
            case ast.Name(id=name):
                yield from self._named(name, function, module)
            case _:
                pass
        for part in ast.iter_child_nodes(node):
            # The words between the values of a text were yielded with it.
            if not (isinstance(node, ast.JoinedStr) and isinstance(part, ast.Constant)):
                yield from self._texts(part, function, module)

    def _named(
        self, name: str, function: Function | None, module: Module
    ) -> Iterator[tuple[Path, ast.expr]]:
        for value in assigned(name, function) if function else ():
            yield from self._texts(value, function, module)
        home = module if name not in module.imported else self.modules.get(module.imported[name])
        if home is None:
            return
        if name in home.constants:
            yield from self._texts(home.constants[name], None, home)
        if helper := home.functions.get(name):
            for value in returned(helper):
                yield from self._texts(value, helper, home)


def handed_over(function: Function) -> Iterator[ast.expr]:
    """Yield what a function gives people to read: refusals, and fields that code shows."""
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(id=name), args=[words, *_]) if name in REFUSALS:
                yield words
            case ast.Call(
                func=ast.Attribute(attr="append", value=ast.Attribute(attr=name)), args=[words]
            ) if name in SHOWN:
                yield words
            case ast.Dict(keys=keys, values=values):
                for key, value in zip(keys, values, strict=True):
                    if isinstance(key, ast.Constant) and key.value in SHOWN:
                        yield value
            case ast.keyword(arg=name, value=value) if name in SHOWN:
                yield value
            case _:
                pass


def assigned(name: str, function: Function) -> Iterator[ast.expr]:
    """Yield every value that a name has in a function."""
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=targets, value=value):
                if any(isinstance(one, ast.Name) and one.id == name for one in targets):
                    yield value
            case ast.AugAssign(target=ast.Name(id=other), value=value) if other == name:
                yield value
            case ast.AnnAssign(target=ast.Name(id=other), value=ast.expr() as value) if (
                other == name
            ):
                yield value
            case ast.NamedExpr(target=ast.Name(id=other), value=value) if other == name:
                yield value
            case _:
                pass


def returned(function: Function) -> Iterator[ast.expr]:
    """Yield what a function returns or yields."""
    for node in ast.walk(function):
        match node:
            case ast.Return(value=ast.expr() as value) | ast.Yield(value=ast.expr() as value):
                yield value
            case _:
                pass
