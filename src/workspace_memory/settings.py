"""Settings: the only reader of the environment. docs/reference/settings.md lists each, and a test compares.

`cli/stdio.py` looks whether one of them is set, so that most starts need not import this.
"""

import os
import sys
from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from workspace_memory.domain.embedding import EmbedderChoice
from workspace_memory.domain.licence import Licensing
from workspace_memory.domain.secret_scanner import ScannerChoice

DEFAULT_PORT = 8787


def default_data_folder() -> Path:
    """The folder of this user for this program's data, by the custom of the operating system.

    Not a folder of the working directory: an AI client starts `workspace-memory mcp` wherever it likes, and
    should find the same memory each time.
    """
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        # https://specifications.freedesktop.org/basedir-spec/latest/ : a relative path is to be ignored.
        named = Path(os.environ.get("XDG_DATA_HOME", ""))
        base = named if named.is_absolute() else Path.home() / ".local" / "share"
    return base / "workspace-memory"


class Settings(BaseSettings):
    """What may be set by environment variables that begin with WORKSPACE_MEMORY_; options of a command go first."""

    model_config = SettingsConfigDict(env_prefix="WORKSPACE_MEMORY_", frozen=True, extra="ignore")

    data: Path = Field(
        default_factory=default_data_folder,
        description="The data folder with the SQLite database. By default the user's own, such as "
        "~/.local/share/workspace-memory.",
    )
    database_url: str = Field(default="", description="postgresql://… to use PostgreSQL instead of SQLite.")
    host: str = Field(default="127.0.0.1", description="The address to listen on.")
    port: int = Field(default=DEFAULT_PORT, ge=0, le=65535, description="The port to listen on.")
    public_url: str = Field(
        default="",
        description="The address under which clients reach the service, such as https://memory.example.com.",
    )
    url: str = Field(default="", description="For the command line: a running server to talk to.")
    token: str = Field(default="", description="For the command line: the access token for that server.")
    licensing: Licensing = Field(
        default=Licensing.OFF,
        description="off, self_hosted or cloud: whether memory needs a licence, and where it may stand.",
    )
    licence_public_key: str = Field(default="", description="The issuer's public key, where licensing is on.")
    licence_key: str = Field(
        default="", description="The licence key of the whole instance, where licensing is self_hosted."
    )
    rate_saves: int = Field(default=60, ge=0, description="Saves per token and minute; 0 for no limit.")
    rate_searches: int = Field(
        default=300, ge=0, description="Searches per token and minute; 0 for no limit."
    )
    rate_key_sessions: int = Field(
        default=10, ge=0, description="Opened key sessions per token and minute; 0 for no limit."
    )
    key_session_idle_minutes: int = Field(
        default=30, ge=1, le=1_440, description="After how many unused minutes a key session ends."
    )
    key_session_hours: int = Field(
        default=12, ge=1, le=168, description="After how many hours a key session ends in any case."
    )
    key_store_url: str = Field(
        default="",
        repr=False,
        description="valkey://…, valkeys://… or unix://…: a Valkey in which several processes share key sessions; "
        "empty for the memory of one process.",
    )
    instance_key: str = Field(
        default="",
        repr=False,
        description="64 hexadecimal digits: the instance's own secret, the same in every process; empty for the file "
        "instance.key in the data folder.",
    )
    secret_scanner: ScannerChoice = Field(
        default=ScannerChoice.OWN,
        description="own, or kingfisher: whether the second secret scanner is asked after the own patterns.",
    )
    semantic: EmbedderChoice = Field(
        default=EmbedderChoice.OFF,
        description="off, folder or endpoint: whether searches go by meaning as well, with a model in a folder of this "
        "machine, or with a service to which the texts of all items are then sent.",
    )
    semantic_folder: Path | None = Field(
        default=None, description="The folder with model.onnx and tokenizer.json, where semantic is folder."
    )
    semantic_url: str = Field(
        default="",
        description="The address of an OpenAI-compatible interface for embeddings, such as http://127.0.0.1:8080/v1, "
        "where semantic is endpoint.",
    )
    semantic_model: str = Field(default="", description="The name of its model.")
    semantic_api_key: str = Field(default="", repr=False, description="Its key, where the service wants one.")
    assistant_models: str = Field(
        default="",
        description="The Assistant's models as PROVIDER:NAME, separated by commas: the first is used, the others where "
        "it fails. Providers: anthropic, openai, google, ollama, compatible. Empty for a demonstration without one.",
    )
    assistant_base_url: str = Field(
        default="",
        description="The address of an OpenAI-compatible interface, such as http://127.0.0.1:8080/v1: needed for "
        "compatible; for ollama instead of http://127.0.0.1:11434/v1.",
    )
    assistant_api_key: str = Field(
        default="", repr=False, description="The key for compatible models, where their server wants one."
    )
    anthropic_api_key: str = Field(default="", repr=False, description="The key for models of anthropic.")
    openai_api_key: str = Field(default="", repr=False, description="The key for models of openai.")
    google_api_key: str = Field(default="", repr=False, description="The key for models of google.")
    log_level: str = Field(default="info", description="debug, info, warning or error.")

    def address(self) -> str:
        """The public URL without a trailing slash, or the one that the host and port give."""
        if self.public_url:
            return self.public_url.rstrip("/")
        host = f"[{self.host}]" if ":" in self.host else self.host
        shown = {"0.0.0.0": "127.0.0.1", "[::]": "[::1]"}.get(host, host)  # noqa: S104  compared, not bound
        return f"http://{shown}:{self.port}"
