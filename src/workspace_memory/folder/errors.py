"""What can go wrong around the ownership of a data folder, one class per case.

    DomainError
    ├── Busy
    │   └── FolderBusy        no owner could be reached and none could be made in time; nothing was done
    └── FolderError
        ├── AnotherServeRuns  a second `serve` on the same folder
        ├── OwnerLost         the owner ended after it began the call and before it answered
        ├── OwnerFailed       something unexpected broke in the owner; its log says what
        ├── OtherVersionOwns  the owner runs another version of this program
        ├── MessageTooLarge   a call or an answer is too large to travel between processes
        └── FolderClosed      this process is shutting down

A folder that cannot be used at all is the domain's FolderUnusable.

Sentences are for the person at the keyboard: they say what to do. None carries arguments or results.
"""

# ruff: noqa: D102 - `message` is described once, in DomainError

from dataclasses import dataclass
from typing import ClassVar, Literal

from workspace_memory.domain.errors import Busy, DomainError


@dataclass(eq=False)
class FolderBusy(Busy):
    """Nobody could carry out the call in time. `owner_pid` is the process that seems to own the folder."""

    folder: str
    owner_pid: int | None

    def message(self) -> str:
        if self.owner_pid is None:
            return f"The data folder {self.folder} was busy for too long. Nothing was done; try again in a few seconds."
        return (
            f"Process {self.owner_pid} owns the data folder {self.folder} and did not take the request in time. "
            "Nothing was done; try again in a few seconds, or end that process if it hangs."
        )


@dataclass(eq=False)
class FolderError(DomainError):
    """Base of the cases that only a data folder knows."""

    code: ClassVar[str] = "folder_error"


@dataclass(eq=False)
class AnotherServeRuns(FolderError):
    """A second `serve` was started. `pid` is the first one's process, where it is known."""

    code: ClassVar[str] = "another_serve_runs"
    folder: str
    pid: int | None

    def message(self) -> str:
        who = f"process {self.pid}" if self.pid is not None else "another process"
        return (
            f"A server runs on the data folder {self.folder} already ({who}). "
            "Use that one, stop it first, or give this one another folder."
        )


@dataclass(eq=False)
class OwnerLost(FolderError):
    """The owner began the call and its answer never came: nobody knows whether it was done.

    `silent`: it may still be at work, but said nothing for too long.
    """

    code: ClassVar[str] = "owner_lost"
    silent: bool = False

    def message(self) -> str:
        what = "did not answer in time" if self.silent else "ended before it answered"
        return f"The process that was writing {what}. Look whether the change is there before you repeat it."


@dataclass(eq=False)
class OwnerFailed(FolderError):
    """Something unexpected broke in the owner; only its log names it."""

    code: ClassVar[str] = "internal"

    def message(self) -> str:
        return "Something unexpected went wrong in the process that owns the data folder. Its log says where."


@dataclass(eq=False)
class OtherVersionOwns(FolderError):
    """The owner and this process are of different versions and may mean different things by the same call."""

    code: ClassVar[str] = "other_version_owns"
    folder: str
    owner_pid: int
    owner_version: str
    own_version: str

    def message(self) -> str:
        return (
            f"Process {self.owner_pid} owns the data folder {self.folder} and runs version {self.owner_version}; "
            f"this process runs version {self.own_version}. Restart the older one."
        )


@dataclass(eq=False)
class MessageTooLarge(FolderError):
    """A call or its answer exceeds what travels between two processes. Sizes are bytes."""

    code: ClassVar[str] = "message_too_large"
    what: Literal["request", "answer"]
    bytes_max: int

    def message(self) -> str:
        done = "Nothing was done" if self.what == "request" else "The request was carried out"
        return f"The {self.what} is larger than {self.bytes_max:,} bytes. {done}; ask for less at a time."


@dataclass(eq=False)
class FolderClosed(FolderError):
    """A call came after `close()`."""

    code: ClassVar[str] = "folder_closed"

    def message(self) -> str:
        return "This process is shutting down; nothing was done."
