"""Whether the workspace lets AI work with its memory, and whether its skills are trusted: two separate switches."""

from dataclasses import dataclass, replace

from workspace_memory.domain.document_errors import ConsentConflict
from workspace_memory.domain.ids import ConsentRevision


@dataclass(frozen=True, slots=True)
class AiConsent:
    """`revision` advances with each change of `enabled`, and so retires what was admitted before."""

    enabled: bool
    revision: ConsentRevision
    skills_trusted: bool


DEFAULT_CONSENT = AiConsent(enabled=False, revision=ConsentRevision(0), skills_trusted=False)
"""A workspace whose administrator has decided nothing."""


def change_consent(consent: AiConsent, *, enabled: bool, expected: ConsentRevision) -> AiConsent:
    """Compare and set; the same again with the present revision changes nothing. Raises: ConsentConflict."""
    if expected != consent.revision:
        raise ConsentConflict(enabled=consent.enabled, current=consent.revision)
    if enabled == consent.enabled:
        return consent
    return replace(consent, enabled=enabled, revision=ConsentRevision(consent.revision + 1))
