"""Writes tool schemas for the model: every name, value and limit once.

The validators stay as strict as they are; only what tells a reader nothing is left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, cast

from pydantic.json_schema import JsonSchemaMode, JsonSchemaValue
from pydantic_ai.tools import GenerateToolJsonSchema
from pydantic_core import CoreSchema, core_schema

_REF = "#/$defs/"
# Characters.
_SHORT = 200
# Items of a list.
_FEW = 5


class ArgumentSchema(GenerateToolJsonSchema):
    """Writes the schema of a tool's arguments in few tokens."""

    def generate(self, schema: CoreSchema, mode: JsonSchemaMode = "validation") -> JsonSchemaValue:
        """Write a model where it is used; only one used several times is a definition."""
        written = super().generate(schema, mode)
        definitions = cast("dict[str, JsonSchemaValue]", written.pop("$defs", {}))
        uses = Counter(_references([written, definitions]))
        once = {name: one for name, one in definitions.items() if uses[name] == 1}
        described: JsonSchemaValue = _in_place(written, once)
        shared = {name: one for name, one in definitions.items() if name not in once}
        return {"$defs": _in_place(shared, once), **described} if shared else described

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        """Leave out that a tool refuses further arguments."""
        return _without(super().typed_dict_schema(schema), "additionalProperties")

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        """Leave out null, because optional arguments are not in `required`."""
        return self.generate_inner(schema["schema"])

    def str_schema(self, schema: core_schema.StringSchema) -> JsonSchemaValue:
        """State a length limit only if a text may reach it; names and values are short."""
        described = _without(super().str_schema(schema), "minLength")
        return (
            _without(described, "maxLength")
            if described.get("maxLength", 0) <= _SHORT
            else described
        )

    def list_schema(self, schema: core_schema.ListSchema) -> JsonSchemaValue:
        """State how long a list may be only if a sensible one might be longer."""
        described = super().list_schema(schema)
        return _without(described, "maxItems") if schema.get("max_length", 0) > _FEW else described

    def int_schema(self, schema: core_schema.IntSchema) -> JsonSchemaValue:
        """Leave out the limits of a number, because no sensible one is beyond them."""
        return _without(super().int_schema(schema), "minimum", "maximum")

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """State a default unless it is null, false or empty."""
        described = super().default_schema(schema)
        return described if described.get("default") else _without(described, "default")

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """Leave out the class name, and that further fields are refused."""
        return _without(super().model_schema(schema), "title", "additionalProperties")

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        """Write the kinds of a union as one object, with every field once."""
        tag = schema["discriminator"]
        if not isinstance(tag, str):
            return super().tagged_union_schema(schema)
        kinds = {
            str(name): self.resolve_ref_schema(self.generate_inner(choice))
            for name, choice in schema["choices"].items()
        }
        return _merged(tag, kinds)


def _references(node: Any) -> Iterator[str]:
    """Yield the name of a definition for every use of it."""
    if isinstance(node, dict):
        fields = cast("dict[str, Any]", node)
        if "$ref" in fields:
            yield _definition(fields)
        node = list(fields.values())
    if isinstance(node, list):
        for part in cast("list[Any]", node):
            yield from _references(part)


def _in_place(node: Any, definitions: dict[str, JsonSchemaValue]) -> Any:
    """Return a schema with these definitions written where they are used."""
    if isinstance(node, list):
        return [_in_place(part, definitions) for part in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    fields = cast("dict[str, Any]", node)
    if (definition := definitions.get(_definition(fields))) is not None:
        about = [one["description"] for one in (fields, definition) if "description" in one]
        fields = definition | _without(fields, "$ref")
        if about:
            fields["description"] = " ".join(about)
    return {name: _in_place(value, definitions) for name, value in fields.items()}


def _definition(fields: dict[str, Any]) -> str:
    return str(fields.get("$ref", "")).removeprefix(_REF)


def _merged(tag: str, kinds: dict[str, JsonSchemaValue]) -> JsonSchemaValue:
    fields: dict[str, JsonSchemaValue] = {tag: {"type": "string", "enum": list(kinds)}}
    for kind in kinds.values():
        for name, field in _fields(kind, tag):
            fields[name] = _in_common([fields.get(name, field), field])
    described = (
        f"{n} ({_signature(kind, tag)}): {kind['description']}" for n, kind in kinds.items()
    )
    return {
        "type": "object",
        "description": " ".join(described),
        "properties": fields,
        "required": [tag],
    }


def _fields(kind: JsonSchemaValue, tag: str) -> list[tuple[str, JsonSchemaValue]]:
    properties = cast("dict[str, JsonSchemaValue]", kind["properties"])
    return [(name, field) for name, field in properties.items() if name != tag]


def _signature(kind: JsonSchemaValue, tag: str) -> str:
    required = kind.get("required", ())
    named = (name if name in required else f"{name}?" for name, _ in _fields(kind, tag))
    return ", ".join(named)


def _in_common(fields: Sequence[JsonSchemaValue]) -> JsonSchemaValue:
    """Return what two kinds share of a field's schema; each kind validates the rest itself."""
    first, *others = fields
    return {key: value for key, value in first.items() if all(o.get(key) == value for o in others)}


def _without(schema: dict[str, Any], *keys: str) -> JsonSchemaValue:
    return {key: value for key, value in schema.items() if key not in keys}
