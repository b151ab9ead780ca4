"""Reads and checks a message's text, blocks and metadata as Slack does."""

import re
from dataclasses import dataclass, field
from typing import Any, cast

from workbench.slack.arguments import Arguments
from workbench.slack.elements import name_blocks
from workbench.slack.limits import (
    MARKDOWN_LIMIT,
    PAYLOAD_LIMIT,
    TEXT_LIMIT,
    check_blocks,
    count_markdown,
    count_text,
)
from workbench.slack.refusals import SlackRefusal
from workbench.slack.texts import as_object
from workbench.storage import Document

_TS = re.compile(r"\d{1,12}\.\d{6}")


@dataclass
class MessageContent:
    """Checked content; None is a field the caller did not send."""

    text: str
    blocks: list[Document] | None
    metadata: Document | None
    warnings: list[str] = field(default_factory=list[str])

    @property
    def is_empty(self) -> bool:
        return not self.text.strip() and not self.blocks


def read_content(arguments: Arguments) -> MessageContent:
    text = arguments.text("text")
    content = MessageContent(text[:TEXT_LIMIT], read_blocks(arguments), read_metadata(arguments))
    if len(text) > TEXT_LIMIT:
        content.warnings.append("message_truncated")
    return content


def read_blocks(arguments: Arguments) -> list[Document] | None:
    markdown = arguments.text("markdown_text")
    if markdown:
        if arguments.text("text") or arguments.has("blocks"):
            raise SlackRefusal("markdown_text_conflict")
        return accept_blocks([{"type": "markdown", "text": markdown}])
    value = arguments.document("blocks", "invalid_blocks_format")
    return None if value is None else accept_blocks(value)


def accept_blocks(value: Any) -> list[Document]:
    """Return the blocks with their ids; raises Slack's refusal."""
    if not isinstance(value, list):
        raise SlackRefusal("invalid_blocks_format")
    problems = check_blocks(cast("list[Any]", value), "message")
    if problems:
        raise SlackRefusal("invalid_blocks", problems, errors=problems)
    blocks = cast("list[Document]", value)
    if count_markdown(blocks) > MARKDOWN_LIMIT or count_text(blocks) > PAYLOAD_LIMIT:
        raise SlackRefusal("msg_blocks_too_long")
    return name_blocks(blocks)


def read_metadata(arguments: Arguments) -> Document | None:
    value = arguments.document("metadata", "invalid_metadata_format")
    if value is None:
        return None
    metadata = as_object(value)
    named = isinstance(metadata.get("event_type"), str) and metadata["event_type"]
    if not named or not isinstance(metadata.get("event_payload"), dict):
        raise SlackRefusal("invalid_metadata_format")
    return metadata


def read_thread(arguments: Arguments) -> str:
    thread_ts = arguments.text("thread_ts")
    if thread_ts and not _TS.fullmatch(thread_ts):
        raise SlackRefusal("invalid_thread_ts", [f"{thread_ts} is not a valid thread_ts"])
    return thread_ts


def warned(answer: Document, content: MessageContent) -> Document:
    if not content.warnings:
        return answer
    warnings = {"warnings": content.warnings}
    return {**answer, "warning": ",".join(content.warnings), "response_metadata": warnings}
