"""The only reader of the environment. Bad values are refused by name, with the fix."""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from datetime import time
from pathlib import Path
from typing import Annotated, Literal
from uuid import UUID

from dotenv import dotenv_values
from pydantic import Field, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from agencyclaw.domain.errors import Misconfigured
from agencyclaw.domain.schedules import QuietHours
from agencyclaw.domain.spending import CostCaps

SCRIPTED = "scripted"
DEFAULT_OPENAI = "openai-chat:gpt-5-mini"
_DEFAULT_EMBEDDING = "openai:text-embedding-3-small"
_NONE = "none"
_HOUR = r"([01]?\d|2[0-3])"
_WEB = r"^https?://"
_POSTGRES = r"^(postgres(ql)?(\+\w+)?://|$)"
_Delay = Annotated[float, Field(ge=0, le=3600)]
_Delays = Annotated[tuple[_Delay, ...], NoDecode, Field(min_length=1)]
_DocPlace = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
_WEB_HINT = "this is not an http(s) address"
_POSTGRES_HINT = "only Postgres is spoken here: postgresql://user:password@host/name"
# What is said of values that do not fit a pattern, or of lists with such a part.
_HINTS = {
    "slack_bot_token": "a bot token starts with xoxb- (Slack: OAuth & Permissions)",
    "slack_app_token": "an app-level token starts with xapp- (Slack: Basic Information)",
    "slack_api_url": _WEB_HINT,
    "clickup_api_url": _WEB_HINT,
    "clickup_docs": "these are ids of Docs, folders or spaces, comma separated",
    "clickup_look_delays": "these are seconds up to 3600, comma separated: 2,10,60",
    "database_url": _POSTGRES_HINT,
    "database_owner_url": _POSTGRES_HINT,
    "agencyclaw_quiet_hours": "these are two hours of a day, from 0 to 23: 21-7",
    "super_admin_profile_ids": "each is the id of a profile (a uuid), comma separated",
    "agencyclaw_trace_url": "the http(s) address of a trace, with {trace} where its id belongs",
}


class Settings(BaseSettings):
    """Everything that can be configured; each name is an environment variable."""

    model_config = SettingsConfigDict(
        env_ignore_empty=True,
        extra="ignore",
        frozen=True,
        case_sensitive=False,
        # A secret that is read from a file often ends with a line break.
        str_strip_whitespace=True,
        use_attribute_docstrings=True,
    )

    slack_bot_token: str = Field(default="", pattern=r"^(xoxb-|$)")
    """Bot token of your Slack app, `xoxb-…` (its page, *OAuth & Permissions*)."""
    slack_app_token: str = Field(default="", pattern=r"^(xapp-|$)")
    """App-level token with `connections:write`, `xapp-…` (*Basic Information*)."""
    slack_signing_secret: str = ""
    """Only for `serve --http`: what Slack signs its requests with (*Basic Information*)."""
    slack_api_url: str = Field(default="https://slack.com/api/", pattern=_WEB)
    """Change it only to talk to a stand-in."""
    clickup_api_token: str = ""
    """Token of the assistant's own ClickUp user."""
    clickup_team_id: str = ""
    """Id of the ClickUp workspace: the number in every ClickUp address."""
    clickup_docs: Annotated[tuple[_DocPlace, ...], NoDecode] = ()
    """Docs that hold the procedures, or the folder or space they are in: ids, comma separated."""
    clickup_api_url: str = Field(default="https://api.clickup.com/api/v2", pattern=_WEB)
    """Change it only to talk to a stand-in."""
    clickup_rate_limit_per_minute: int = Field(default=90, ge=1, le=10_000)
    """Requests a minute; ClickUp's smallest plans allow 100."""
    clickup_list_lag_s: float = Field(default=60.0, ge=0, le=3600)
    """Seconds that a new task may be missing in its list."""
    clickup_look_delays: _Delays = (2.0, 10.0, 60.0, 120.0)
    """Seconds after which a task of unknown fate is looked for, comma separated."""
    clickup_timeout_s: float = Field(default=20.0, gt=0, le=120)
    """Seconds that one request to ClickUp may take."""
    database_url: str = Field(default="", pattern=_POSTGRES)
    """Postgres 15 or newer. Empty: the embedded one, below `AGENCYCLAW_HOME`."""
    database_owner_url: str = Field(default="", pattern=_POSTGRES)
    """The same database as the role that owns and migrates it, if that is another one."""
    agencyclaw_home: Path = Path.home() / ".agencyclaw"
    """Where the embedded Postgres keeps its files, and below `demo` all that is the demo's."""
    agencyclaw_guides: Path | None = None
    """A folder with [guides](guides.md): how your agency does things. Empty: none."""
    agencyclaw_sandbox: bool = False
    """1 lets the assistant work figures out with [programs of its own](sandbox.md)."""
    agencyclaw_model: str = ""
    """Any provider string of pydantic-ai, such as `openai-chat:gpt-5-mini`. Empty: OpenAI's when
    its key is set. `scripted` plays the tour."""
    agencyclaw_script_pace_s: float = Field(default=0.0, ge=0, le=5)
    """How long the script takes to begin a response; the demo takes its time, to be looked at."""
    agencyclaw_model_fast: str = ""
    """A cheaper model that judges answers and condenses long threads. Empty: the usual one."""
    agencyclaw_model_frontier: str = ""
    """A stronger model for an answer that failed its checks."""
    agencyclaw_embedding_model: str = ""
    """Any embedding model of pydantic-ai, such as `openai:text-embedding-3-small`: finds procedures
    by meaning, too, and gets their texts. Empty: OpenAI's where an OpenAI model answers. `none`:
    none."""
    agencyclaw_concurrency: int = Field(default=16, ge=1, le=200)
    """Conversations at once in one process."""
    agencyclaw_max_requests: int = Field(default=10, ge=1, le=50)
    """Model requests for one answer."""
    agencyclaw_turn_timeout_s: float = Field(default=120.0, gt=0, le=600)
    """Seconds for one answer."""
    agencyclaw_history_tokens: int = Field(default=8_000, ge=500, le=100_000)
    """Tokens of the conversation that go into a request."""
    context_builder_max_tokens: int = Field(default=4_000, ge=200, le=50_000)
    """Tokens that one client's context may take."""
    agencyclaw_child_max_requests: int = Field(default=8, ge=2, le=50)
    """Model requests for each part of a broad question that is looked up side by side."""
    agencyclaw_child_timeout_s: float = Field(default=60.0, gt=0, le=600)
    """Seconds for each such part."""
    agencyclaw_messages_per_minute: int = Field(default=20, ge=1, le=1_000_000)
    """Messages a minute that one person gets answered."""
    agencyclaw_cost_a_month: float = Field(default=0.0, ge=0, le=1_000_000)
    """Dollars that a month's answers may cost in one workspace; 0 is no limit. Admins are told at
    80 %, and at the limit nothing more is answered."""
    agencyclaw_cost_a_month_person: float = Field(default=0.0, ge=0, le=1_000_000)
    """The same for one person's answers, who is told at 80 %. A schedule may cost 5 in any case."""
    agencyclaw_quiet_hours: str = Field(default="21-7", pattern=rf"^{_HOUR}-{_HOUR}$")
    """Hours of the night, on each person's clock, in which no late reminder or answer is posted."""
    agencyclaw_clock_ahead_s: float = Field(default=0.0, ge=0, le=366 * 24 * 3600)
    """Seconds that schedules are ahead of the clock; the demo's page moves them."""
    agencyclaw_lane_limit: int = Field(default=50, ge=1, le=10_000)
    """Messages that wait in one conversation; the next is declined with a note."""
    agencyclaw_person_limit: int = Field(default=4, ge=1, le=200)
    """Conversations of one person at once; more wait behind everybody's."""
    agencyclaw_retention_days: int = Field(default=30, ge=1, le=3650)
    """Days after which messages, runs and deliveries are deleted; the audit stays."""
    agencyclaw_heartbeat_s: float = Field(default=2.0, gt=0, le=60)
    """How often a worker says that it lives, in seconds."""
    agencyclaw_dead_after_s: float = Field(default=10.0, gt=0, le=600)
    """Seconds of silence after which another worker takes its work over."""
    agencyclaw_drain_s: float = Field(default=10.0, ge=0, le=600)
    """Seconds in which a process that is asked to end finishes what it began."""
    agencyclaw_http_host: str = "127.0.0.1"
    """Where health, metrics and `serve --http` are answered."""
    agencyclaw_http_port: int = Field(default=0, ge=0, le=65_535)
    """The port of these; 0 is none."""
    agencyclaw_results_token: str = ""
    """Opens `POST /results` there, by which a machine [brings results](operate.md), to whoever
    sends it as bearer token. Empty: not served."""
    agencyclaw_debug_token: str = ""
    """Opens `POST /debug/chat` there to whoever sends it as bearer token. Empty: no such chat."""
    agencyclaw_debug_changes: bool = False
    """1 lets the debug chat prepare changes and carry them out, too."""
    super_admin_profile_ids: Annotated[frozenset[UUID], NoDecode] = frozenset()
    """Profile ids (uuid) of super admins, comma separated."""
    logfire_token: str = ""
    """Sends traces to Logfire. This and the next two empty: nothing leaves this machine."""
    otel_exporter_otlp_endpoint: str = ""
    """Any OpenTelemetry endpoint."""
    otel_exporter_otlp_traces_endpoint: str = ""
    """One for spans alone."""
    agencyclaw_trace_url: str = Field(default="", pattern=r"^(https?://.*\{(trace|run)\}|$)")
    """The address of a trace, for `runs show`: `{trace}`, `{run}` are ids. Logfire needs none."""
    agencyclaw_trace_content: bool = False
    """1 puts texts into spans."""
    agencyclaw_log_format: Literal["text", "json"] = "text"
    """The log of `serve` on standard error: lines of `text` or of `json`."""
    agencyclaw_log_level: Literal["debug", "info", "warning", "error"] = "info"
    """`debug`, `info`, `warning` or `error`; other libraries only warn."""

    @property
    def is_over_http(self) -> bool:
        """Whether Slack's events can come only over HTTP."""
        return bool(self.slack_signing_secret and not self.slack_app_token)

    @property
    def cost_caps(self) -> CostCaps:
        """What a month's answers may cost."""
        person, workspace = self.agencyclaw_cost_a_month_person, self.agencyclaw_cost_a_month
        return CostCaps(person=person, workspace=workspace)

    @property
    def quiet_hours(self) -> QuietHours:
        """The hours in which nothing late is posted; none if both are the same."""
        since, until = (time(int(hour)) for hour in self.agencyclaw_quiet_hours.split("-"))
        return QuietHours(since=since, until=until)

    @field_validator(
        "super_admin_profile_ids", "clickup_docs", "clickup_look_delays", mode="before"
    )
    @classmethod
    def _split(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        return [part.strip() for part in value.split(",") if part.strip()]

    @field_validator("agencyclaw_home", "agencyclaw_guides")
    @classmethod
    def _expanded(cls, value: Path | None) -> Path | None:
        try:
            return value and value.expanduser()
        except RuntimeError:
            raise ValueError("~ stands for the folder of a user who is not there") from None

    @field_validator("agencyclaw_guides")
    @classmethod
    def _is_folder(cls, value: Path | None) -> Path | None:
        if value and not (value.is_dir() and os.access(value, os.R_OK | os.X_OK)):
            raise ValueError("this is no folder that can be read; leave it empty for no guides")
        return value

    @model_validator(mode="after")
    def _fits_together(self) -> Settings:
        if self.database_owner_url and not self.database_url:
            raise ValueError("DATABASE_OWNER_URL is set, and DATABASE_URL is not: set both")
        if self.agencyclaw_heartbeat_s >= self.agencyclaw_dead_after_s:
            raise ValueError("AGENCYCLAW_DEAD_AFTER_S has to be longer than AGENCYCLAW_HEARTBEAT_S")
        return self

    @property
    def exports_spans(self) -> bool:
        """Whether spans leave this machine."""
        return bool(
            self.logfire_token
            or self.otel_exporter_otlp_endpoint
            or self.otel_exporter_otlp_traces_endpoint
        )

    @property
    def model(self) -> str:
        """The default model: as set, else OpenAI's if its key is set, else the script."""
        if self.agencyclaw_model:
            return self.agencyclaw_model
        return DEFAULT_OPENAI if os.environ.get("OPENAI_API_KEY") else SCRIPTED

    @property
    def models(self) -> dict[str, str]:
        """Every model in use, by the variable that names it; empty if the script plays."""
        if self.model.partition(":")[0] == SCRIPTED:
            return {}
        named = {
            "AGENCYCLAW_MODEL": self.model,
            "AGENCYCLAW_MODEL_FAST": self.agencyclaw_model_fast,
            "AGENCYCLAW_MODEL_FRONTIER": self.agencyclaw_model_frontier,
        }
        return {variable: model for variable, model in named.items() if model}

    @property
    def embedding_model(self) -> str:
        """The embedding model: as set, else OpenAI's if OpenAI answers as well; "" for none.

        Another service with OpenAI's protocol may have no such model, and if another provider
        answers, no text goes to OpenAI unasked.
        """
        if chosen := self.agencyclaw_embedding_model:
            return "" if chosen == _NONE else chosen
        is_openai = os.environ.get("OPENAI_API_KEY") and not os.environ.get("OPENAI_BASE_URL")
        answers = any(one.startswith("openai") for one in self.models.values())
        return _DEFAULT_EMBEDDING if answers and is_openai else ""

    def require_model(self) -> None:
        """Raise Misconfigured if no model is set: a script must not answer real people."""
        if not self.agencyclaw_model and self.model == SCRIPTED:
            raise Misconfigured(
                "No language model is set: set OPENAI_API_KEY, or AGENCYCLAW_MODEL and the key of "
                "its provider. AGENCYCLAW_MODEL=scripted plays the tour and no more."
            )

    def require_slack(self, *, over_http: bool = False) -> None:
        """Raise Misconfigured unless Slack is configured."""
        self._require("slack_bot_token", "the bot token of your Slack app (xoxb-…)")
        if over_http:
            self._require("slack_signing_secret", "what Slack signs its requests with")
            self._require("agencyclaw_http_port", "the port that takes Slack's requests")
            return
        self._require("slack_app_token", "an app-level token with connections:write (xapp-…)")

    def require_clickup(self) -> None:
        """Raise Misconfigured unless ClickUp is configured."""
        self._require("clickup_api_token", "a personal ClickUp token (pk_…)")
        self._require("clickup_team_id", "the id of your ClickUp workspace")

    def _require(self, name: str, what: str) -> None:
        if not getattr(self, name):
            raise Misconfigured(f"{name.upper()} is not set: it is {what}. See .env.example.")


# What the providers' own clients read.
PROVIDER_VARIABLES = {
    "OPENAI_API_KEY": "OpenAI's key.",
    "OPENAI_BASE_URL": "Any service that speaks OpenAI's protocol.",
    "ANTHROPIC_API_KEY": "Anthropic's key.",
    "GOOGLE_API_KEY": "Google's key.",
}
VARIABLES = (
    *(name.upper() for name in Settings.model_fields),
    *PROVIDER_VARIABLES,
)
_PREFIX = "AGENCYCLAW_"


def unknown_settings() -> list[str]:
    """Return a sentence per variable with our prefix that is no setting, with a guess."""
    unknown = sorted(
        name for name in os.environ if name.startswith(_PREFIX) and name not in VARIABLES
    )
    return [f"{name} is no setting and changes nothing.{_guess(name)}" for name in unknown]


def _guess(name: str) -> str:
    ours = [one.removeprefix(_PREFIX) for one in VARIABLES if one.startswith(_PREFIX)]
    close = difflib.get_close_matches(name.removeprefix(_PREFIX), ours, n=1, cutoff=0.7)
    return f" Did you mean {_PREFIX}{close[0]}?" if close else " See .env.example."


def load_settings(overrides: Mapping[str, object] | None = None) -> Settings:
    """Read the environment and `.env`; raises Misconfigured naming each bad variable."""
    _adopt(Path(".env"))
    try:
        return Settings(**dict(overrides or {}))  # pyright: ignore[reportArgumentType]
    except ValidationError as error:
        lines = dict.fromkeys(_problem(item) for item in error.errors())
        raise Misconfigured("\n".join(lines)) from None


def set_variables(values: Mapping[str, str | None]) -> dict[str, str | None]:
    """Set variables that providers' own clients read, or remove them; returns the former values."""
    former = {name: os.environ.get(name) for name in values}
    for name, value in values.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    return former


def _adopt(path: Path) -> None:
    """Read a file of variables. An empty value means not set, unlike for providers' clients."""
    try:
        found = dotenv_values(path)
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text in UTF-8"
        raise Misconfigured(f"{path.absolute()} can't be read: {why}.") from None
    for name, value in found.items():
        if value and not _is_exported(name):
            os.environ[name] = value
    if not os.environ.get("OPENAI_BASE_URL"):
        os.environ.pop("OPENAI_BASE_URL", None)


def _is_exported(name: str) -> bool:
    """Return whether the environment has a variable; our own settings are read in either case."""
    is_ours = name.lower() in Settings.model_fields
    return bool(os.environ.get(name)) or (
        is_ours and any(one.upper() == name.upper() and value for one, value in os.environ.items())
    )


def _problem(error: ErrorDetails) -> str:
    """Return the name of a bad setting and what is wrong; what two do together names both."""
    if not error["loc"]:
        return _plain(error["msg"])
    name = str(error["loc"][0])
    return f"{name.upper()}: {_HINTS.get(name) or _plain(error['msg'])}"


def _plain(message: str) -> str:
    text = message.removeprefix("Value error, ").replace("Input should be", "this should be")
    return text.partition(", unable to")[0]
