"""Every text on its way into memory passes here: refused, held for review, or let through.

One place for all write paths: saving, edits, imports, approvals, reasons of rejections, names. Asked before the
transaction where that is possible, since a look at a long text takes milliseconds and the lock is everybody's.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace

from workspace_memory.domain.account import check_name
from workspace_memory.domain.errors import ContentRefused
from workspace_memory.domain.item import Held
from workspace_memory.domain.secret_scanner import SecretFound
from workspace_memory.services.deps import Deps

_logger = logging.getLogger(__name__)


def screen(deps: Deps, content: str, tags: Sequence[str] = ()) -> Held | None:
    """Let a text pass, and say why it has to be held for review, or None.

    Raises: SecretRefused, StructureRefused, which name the rule and the place and never the value.
    """
    refuse(deps, content, tags)
    return suspicious(content, tags)


def refuse(deps: Deps, content: str, tags: Sequence[str] = ()) -> None:
    """Let a text pass that holds no secret and no forged structure. Raises: SecretRefused, StructureRefused."""
    # Here, since the patterns cost half a second to make ready, and a process that only reads needs none of them.
    from workspace_memory.domain.refusal import check_refusals  # noqa: PLC0415

    scanner = deps.secret_scanner
    if scanner is None:
        check_refusals(content, tags)
        return

    def second(text: str) -> SecretFound | None:
        try:
            return scanner.find_secret(text)
        except TimeoutError:
            # The own patterns have passed the text. To refuse it would say of it what nobody knows, and to answer
            # "busy" would have a client send the slow text again and again. The text stays out of the log.
            _logger.warning(
                "secret_scan_timeout: the second scanner gave no answer; the own patterns decided"
            )
            return None

    check_refusals(content, tags, second=second)


def screened_name(deps: Deps, name: str, *, field: str = "name") -> str:
    """The name of an account, workspace, server or token: models are told some of them as author and source.

    Raises: InvalidRequest; SecretRefused and StructureRefused, which name the field.
    """
    checked = check_name(name, field=field)
    try:
        refuse(deps, checked)
    except ContentRefused as refused:
        raise replace(refused, where=field) from None
    return checked


def refuse_path(deps: Deps, path: str) -> None:
    """The same for the path of a note, which is kept in the clear. Raises: SecretRefused, StructureRefused."""
    try:
        refuse(deps, path)
    except ContentRefused as found:
        raise type(found)(found.rule, "path") from None


def suspicious(content: str, tags: Sequence[str] = ()) -> Held | None:
    """Why a text that is not refused has to wait for a person, or None."""
    from workspace_memory.domain.refusal import suspicion  # noqa: PLC0415

    found = suspicion(content, tags)
    return None if found is None else Held(found.rule, found.phrase)


def warm_up(deps: Deps) -> None:
    """Make ready what the first text would have to wait for: the patterns, and the rules of the second scanner."""
    screen(deps, "The office opens at nine.", ("office",))
