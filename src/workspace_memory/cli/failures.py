"""How a command ends when it cannot do what it was asked: one plain sentence on standard error, and an exit code.

0 done, 1 refused or failed, 2 wrong usage, 130 interrupted. Expected errors never show a traceback; with
`--debug` they do.
"""

import os
import sys
import traceback

import click

from workspace_memory.domain.errors import DomainError

_BROKEN = (
    "A text could not be decrypted: it is not what was sealed. If it is the newest version of the memory document, "
    "'document delete' takes it away; 'document history' and 'document undo N' then bring an older one back."
)

FAILED = 1
USAGE = 2
INTERRUPTED = 130


class Refused(click.ClickException):
    """A command cannot go on; the message says why and what to do."""

    exit_code = FAILED


def exit_code_for(error: BaseException, *, debug: bool) -> int:
    """Say on standard error what happened and give the exit code for it."""
    if debug and not isinstance(error, click.UsageError | BrokenPipeError):
        traceback.print_exception(error)
    match error:
        case click.ClickException():
            error.show()
            return error.exit_code
        case click.exceptions.Exit():
            return error.exit_code
        case click.Abort() | KeyboardInterrupt():
            _say("Interrupted.")
            return INTERRUPTED
        case BrokenPipeError():
            # The reader of our output has enough; Python would complain once more when it closes the stream.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return FAILED
        case DomainError():
            _say(str(error))
            return FAILED
        case OSError() if error.strerror:
            place = f": {error.filename}" if error.filename else ""
            _say(f"{error.strerror}{place}.")
            return FAILED
        case _ if _is_broken_seal(error):
            _say(_BROKEN)
            return FAILED
        case _:
            _say(
                f"Something unexpected went wrong ({type(error).__name__}). 'workspace-memory --debug …' shows where."
            )
            return FAILED


def _is_broken_seal(error: BaseException) -> bool:
    # Every command passes through this module, and the client is most of what the start of `mcp` would wait for.
    from workspace_memory.client.opening import SealBroken  # noqa: PLC0415

    return isinstance(error, SealBroken)


def _say(sentence: str) -> None:
    click.echo(f"Error: {sentence}", err=True)
