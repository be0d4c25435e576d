"""Licences as JSON. A stored key is never shown again."""

from datetime import datetime

from pydantic import Field

from workspace_memory.api.schemas.common import (
    EXAMPLE_ID,
    EXAMPLE_TIME,
    Answer,
    Arguments,
    Text,
    with_example,
)
from workspace_memory.domain.licence import Licence, Licensing, Plan
from workspace_memory.services.licences import LicenceState

KEY_CHARACTERS_MAX = 10_000


class LicenceIn(Arguments):
    """A licence key."""

    model_config = with_example({"licence_key": "wml1.eyJhY3RpdmUi.3q2-7w"})

    licence_key: Text = Field(max_length=KEY_CHARACTERS_MAX, description="As the issuer gave it.")


class LicenceOut(Answer):
    """What a genuine licence says."""

    id: str
    subject: str = Field(description="A workspace's id, or `instance`.")
    plan: Plan = Field(description="Only enterprise includes memory.")
    active: bool
    holder: str
    issued_at: datetime
    expires_at: datetime


class LicenceStateOut(Answer):
    """Whether a licence is asked for, whether memory is on, and the workspace's own licence."""

    model_config = with_example(
        {
            "licensing": "self_hosted",
            "memory": True,
            "licence": {
                "id": "L-1",
                "subject": EXAMPLE_ID,
                "plan": "enterprise",
                "active": True,
                "holder": "Tea shop",
                "issued_at": EXAMPLE_TIME,
                "expires_at": EXAMPLE_TIME,
            },
        }
    )

    licensing: Licensing
    memory: bool
    licence: LicenceOut | None = Field(description="Null without one, or when it cannot be read any more.")


def licence_state_out(state: LicenceState) -> LicenceStateOut:
    """A state for an answer."""
    licence = None if state.licence is None else _licence_out(state.licence)
    return LicenceStateOut(licensing=state.licensing, memory=state.memory, licence=licence)


def _licence_out(licence: Licence) -> LicenceOut:
    return LicenceOut(
        id=licence.id,
        subject=licence.subject,
        plan=licence.plan,
        active=licence.active,
        holder=licence.holder,
        issued_at=licence.issued_at,
        expires_at=licence.expires_at,
    )
