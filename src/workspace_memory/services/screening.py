"""Every text on its way into memory passes here: refused, held for review, or let through.

One place for all write paths: saving, edits, imports, approvals, reasons of rejections, names. Asked before the
transaction where that is possible, since a look at a long text takes milliseconds and the lock is everybody's.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from workspace_memory.domain.account import check_name
from workspace_memory.domain.errors import ContentRefused, SecretRefused
from workspace_memory.domain.item import Held
from workspace_memory.services.secret_scanner_extra import SecretScannerExtra, SecretScannerMissing


def screen(content: str, tags: Sequence[str] = ()) -> Held | None:
    """Let a text pass, and say why it has to be held for review, or None.

    Raises: SecretRefused, StructureRefused, which name the rule and the place and never the value.
    """
    refuse(content, tags)
    return suspicious(content, tags)


def refuse(content: str, tags: Sequence[str] = ()) -> None:
    """Let a text pass that holds no secret and no forged structure. Raises: SecretRefused, StructureRefused."""
    # Here, since the patterns cost half a second to make ready, and a process that only reads needs none of them.
    from workspace_memory.domain.refusal import check_refusals  # noqa: PLC0415

    check_refusals(content, tags)
    second = _second_scanner()
    if second is None:
        return
    for where, text in (
        ("content", content),
        *((f"tag {number}", tag) for number, tag in enumerate(tags, 1)),
    ):
        if (found := second.find_secret(text)) is not None:
            raise SecretRefused(found.rule, where)


def screened_name(name: str, *, field: str = "name") -> str:
    """The name of an account, workspace, server or token: models are told some of them as author and source.

    Raises: InvalidRequest; SecretRefused and StructureRefused, which name the field.
    """
    checked = check_name(name, field=field)
    try:
        refuse(checked)
    except ContentRefused as refused:
        raise replace(refused, where=field) from None
    return checked


@cache
def _second_scanner() -> SecretScannerExtra | None:
    """The optional second layer, where it is installed. Made once, since its rules take seconds to compile."""
    try:
        return SecretScannerExtra()
    except SecretScannerMissing:
        return None


def suspicious(content: str, tags: Sequence[str] = ()) -> Held | None:
    """Why a text that is not refused has to wait for a person, or None."""
    from workspace_memory.domain.refusal import suspicion  # noqa: PLC0415

    found = suspicion(content, tags)
    return None if found is None else Held(found.rule, found.phrase)
