"""The page of `agencyclaw setup` as HTML: what was done so far, and one form; no script."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

_SLACK = "https://api.slack.com/apps?"
STYLE = """
:root { color-scheme: light dark; --ink: #1d1c1d; --soft: #5c5a5e; --page: #f7f6f4; --card: #fff;
  --edge: #d9d6d2; --strong: #0f5257; --good: #1d6b44; --bad: #a3261d; }
@media (prefers-color-scheme: dark) { :root { --ink: #ececec; --soft: #b3b0b5; --page: #1a1d21;
  --card: #222529; --edge: #3d4147; --strong: #7cc4c9; --good: #7fd1a5; --bad: #f29a92; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 1.5rem 1rem 4rem; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 44rem; margin: 0 auto; overflow-wrap: anywhere; }
h1 { font-size: 1.35rem; margin: 0 0 1rem; } h2 { font-size: 1.05rem; margin: 1.25rem 0 .25rem; }
p { margin: .3rem 0; } .soft { color: var(--soft); } .good { color: var(--good); }
.bad { color: var(--bad); } a { color: var(--strong); }
form { margin-top: 1.25rem; padding: 1rem; background: var(--card);
  border: 1px solid var(--edge); border-radius: 10px; }
fieldset { border: 0; padding: 0; margin: 0; max-height: 26rem; overflow-y: auto; }
.question { display: block; font-weight: 600; margin-bottom: .5rem; }
.option { display: flex; gap: .6rem; padding: .45rem 0; border-top: 1px solid var(--edge); }
.option:first-child { border-top: 0; } .option input { margin-top: .3rem; flex: none; }
input[type=text], input[type=password], input[type=file] { width: 100%; padding: .6rem;
  font: inherit; color: inherit; background: var(--page); border: 1px solid var(--edge);
  border-radius: 6px; }
.buttons { display: flex; flex-wrap: wrap; gap: .6rem; margin-top: 1rem; }
button { padding: .6rem 1.1rem; font: inherit; font-weight: 600; border-radius: 6px;
  white-space: nowrap; cursor: pointer; border: 1px solid var(--strong);
  background: var(--strong); color: var(--card); }
button.second { background: transparent; color: var(--strong); }
"""


_SEND_OR_ALL = (
    '<div class="buttons"><button>Continue</button>'
    '<button name="all" value="all" class="second">Choose all of them</button></div>'
)


@dataclass(frozen=True)
class Question:
    """What the page asks now; `number` tells its answer from one to an earlier question."""

    number: int
    text: str
    kind: Literal["text", "secret", "yes_or_no", "several", "one", "files"]
    options: Sequence[str] = ()
    default: str = ""


def page(done: Sequence[str], question: Question | None, *, is_over: bool) -> str:
    """Return the page: what was done in this step, and the question if there is one."""
    body = "\n".join(_line(line) for line in done)
    if question:
        body += _form(question)
    elif is_over:
        body += '<p class="soft">This is all. You may close this page.</p>'
    else:
        body += '<p class="soft">One moment …</p>'
    refresh = "" if question or is_over else '<meta http-equiv="refresh" content="1">'
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"{refresh}<title>Set up AgencyClaw</title><style>{STYLE}</style>"
        f"<main><h1>Set up AgencyClaw</h1>{body}</main></html>"
    )


def _line(line: str) -> str:
    """Return a line; the marks of the terminal become colours, Slack's address a link.

    Both begin a line: what is indented may be others' text, and means nothing.
    """
    if line.startswith(_SLACK):
        label = "Open Slack's page with the app filled in"
        return f'<p><a href="{escape(line)}" target="_blank" rel="noreferrer">{label}</a></p>'
    if line.startswith("## "):
        return f"<h2>{escape(line.removeprefix('## ').strip())}</h2>"
    for mark, style, sign in (("ok  ", "good", "✓"), ("BAD ", "bad", "✗")):
        if line.startswith(mark):
            return f'<p class="{style}">{sign} {escape(line.removeprefix(mark).strip())}</p>'
    text = escape(line.strip())
    return f"<p>{text}</p>" if text else ""


def _form(question: Question) -> str:
    encoding = ' enctype="multipart/form-data"' if question.kind == "files" else ""
    return (
        f'<form method="post"{encoding} autocomplete="off">'
        f'<input type="hidden" name="number" value="{question.number}">'
        f'<label class="question" for="answer">{escape(question.text)}</label>'
        f"{_field(question)}</form>"
    )


def _field(question: Question) -> str:
    send = '<div class="buttons"><button>Continue</button></div>'
    default = escape(question.default)
    match question.kind:
        case "text":
            return (
                f'<input id="answer" name="answer" type="text" value="{default}" autofocus>{send}'
            )
        case "secret":
            return f'<input id="answer" name="answer" type="password" autofocus>{send}'
        case "files":
            field = '<input id="answer" name="answer" type="file" accept=".csv,text/csv" multiple>'
            return f"{field}{send}"
        case "yes_or_no":
            return (
                '<div class="buttons"><button name="answer" value="yes">Yes</button>'
                '<button name="answer" value="no" class="second">No</button></div>'
            )
        case "several" | "one":
            kind = "checkbox" if question.kind == "several" else "radio"
            rows = "".join(_option(kind, at, text) for at, text in enumerate(question.options))
            has_all = kind == "checkbox" and len(question.options) > 1
            return f'<fieldset id="answer">{rows}</fieldset>{_SEND_OR_ALL if has_all else send}'


def _option(kind: str, at: int, text: str) -> str:
    required = " required" if kind == "radio" else ""
    field = f'<input type="{kind}" name="answer" value="{at}"{required}>'
    return f'<label class="option">{field}<span>{escape(text)}</span></label>'
