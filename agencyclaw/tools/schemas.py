"""What a model is told of a tool's arguments: every name, value and limit, each once.

The validators stay as strict as they are; this only leaves out what says nothing new to a reader.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from pydantic.json_schema import JsonSchemaValue
from pydantic_ai.tools import GenerateToolJsonSchema
from pydantic_core import core_schema

# Characters.
_SHORT = 200


class ArgumentSchema(GenerateToolJsonSchema):
    """Writes the schema of a tool's arguments in few tokens."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        """What may be null may be left out, which the list of what is required says."""
        return self.generate_inner(schema["schema"])

    def str_schema(self, schema: core_schema.StringSchema) -> JsonSchemaValue:
        """Tell a limit that a text may meet: names, titles and values are short by themselves."""
        described = _without(super().str_schema(schema), "minLength")
        return (
            _without(described, "maxLength")
            if described.get("maxLength", 0) <= _SHORT
            else described
        )

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        """Tell a default that is a value; what is left out is null, false or empty anyhow."""
        described = super().default_schema(schema)
        return described if described.get("default") else _without(described, "default")

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """The name of a class says nothing; that no other field is taken, the fields say."""
        return _without(super().model_schema(schema), "title", "additionalProperties")

    def tagged_union_schema(self, schema: core_schema.TaggedUnionSchema) -> JsonSchemaValue:
        """Tell the kinds of a thing as one object: which fields each has, and every field once."""
        tag = schema["discriminator"]
        if not isinstance(tag, str):
            return super().tagged_union_schema(schema)
        kinds = {
            str(name): self.resolve_ref_schema(self.generate_inner(choice))
            for name, choice in schema["choices"].items()
        }
        return _merged(tag, kinds)


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
    """Return what two kinds say alike of a field; the rest each validates for itself."""
    first, *others = fields
    return {key: value for key, value in first.items() if all(o.get(key) == value for o in others)}


def _without(schema: dict[str, Any], *keys: str) -> JsonSchemaValue:
    return {key: value for key, value in schema.items() if key not in keys}
