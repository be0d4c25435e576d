"""The memory document, its versions, its policy and the AI consent, as JSON."""

from datetime import datetime

from pydantic import Field, StrictBool, StrictInt

from workspace_memory.api.schemas.common import EXAMPLE_ID, EXAMPLE_TIME, Answer, Arguments, with_example
from workspace_memory.api.schemas.encoded import Encoded, encode
from workspace_memory.domain.ai_consent import AiConsent
from workspace_memory.domain.document import MEMORY_PATH, Revision, RevisionKind, SealedText
from workspace_memory.domain.ids import ConsentRevision, Epoch, PolicyRevision
from workspace_memory.domain.policy import Mode, Policy
from workspace_memory.services.documents import DocumentState, RevisionPage, Written

VERSION_MAX = 2**31 - 2
_HASH = encode(bytes(32))
_SEALED = encode(bytes(48))
REVISION_EXAMPLE = {
    "version": 7,
    "kind": "save",
    "path": MEMORY_PATH,
    "author_id": EXAMPLE_ID,
    "at": EXAMPLE_TIME,
    "clear_generation": 1,
    "epoch": 1,
    "bytes": 20,
    "ciphertext": _SEALED,
    "sha256": _HASH,
    "previous_sha256": _HASH,
}


class SealedIn(Arguments):
    """A sealed text."""

    model_config = with_example({"epoch": 1, "ciphertext": _SEALED})

    epoch: StrictInt = Field(
        ge=1, le=VERSION_MAX, description="The epoch of the workspace key it is sealed under."
    )
    ciphertext: Encoded = Field(description="Nonce (12 bytes), ciphertext and tag (16 bytes).")

    def to_sealed(self) -> SealedText:
        """As the services take it."""
        return SealedText(Epoch(self.epoch), self.ciphertext)


class RevisionOut(Answer):
    """One version."""

    model_config = with_example(REVISION_EXAMPLE)

    version: int
    kind: RevisionKind
    path: str = Field(description="The path that it was sealed under.")
    author_id: str
    at: datetime
    clear_generation: int = Field(description="The generation that it is sealed with.")
    epoch: int | None = Field(description="The epoch of the workspace key; null for a deletion.")
    bytes: int | None = Field(description="How many bytes the text has; null for a deletion.")
    ciphertext: Encoded | None = Field(
        default=None, description="The sealed text; not in lists, null for a deletion."
    )
    sha256: Encoded = Field(description="The hash of the ciphertext, to which the next version is bound.")
    previous_sha256: Encoded = Field(
        description="The hash that this version is bound to: of the version before, or 32 zero bytes."
    )


class DocumentOut(Answer):
    """The memory document at this moment."""

    model_config = with_example(
        {
            "path": MEMORY_PATH,
            "media_type": "text/markdown",
            "version": 7,
            "live": True,
            "clear_generation": 1,
            "newest": REVISION_EXAMPLE,
        }
    )

    path: str
    media_type: str
    version: int = Field(description="0 when it was never written.")
    live: bool = Field(description="False when it was never written, or is deleted.")
    clear_generation: int = Field(
        description="The present generation: the next version is sealed with it, a Clear with one more."
    )
    newest: RevisionOut | None


class RevisionPageOut(Answer):
    """Versions newest first, without their texts."""

    model_config = with_example({"versions": [{**REVISION_EXAMPLE, "ciphertext": None}], "next_before": 7})

    versions: list[RevisionOut]
    next_before: int | None = Field(description="`before` of the next page; null at the end.")


class WrittenOut(Answer):
    """What the server holds after a write."""

    model_config = with_example({"version": 8, "clear_generation": 1})

    version: int
    clear_generation: int


class PageQuery(Arguments):
    """Which part of the history."""

    before: int | None = Field(
        default=None, ge=1, le=VERSION_MAX, description="Only versions before this one."
    )
    limit: int = Field(default=50, ge=1, le=200)


class PolicyOut(Answer):
    """The memory policy."""

    model_config = with_example({"mode": "read_only", "policy_revision": 0, "clear_generation": 0})

    mode: Mode
    policy_revision: int
    clear_generation: int


class PolicyIn(Arguments):
    """A mode, against the revision that was read."""

    model_config = with_example({"mode": "auto", "expected_revision": 0})

    mode: Mode
    expected_revision: StrictInt = Field(ge=0, le=VERSION_MAX)

    def expected(self) -> PolicyRevision:
        """As the services take it."""
        return PolicyRevision(self.expected_revision)


class AiConsentOut(Answer):
    """Whether AI may work with the memory document, and whether skills are trusted."""

    model_config = with_example({"enabled": False, "consent_revision": 0, "skills_trusted": False})

    enabled: bool
    consent_revision: int
    skills_trusted: bool


class AiConsentIn(Arguments):
    """The consent, against the revision that was read."""

    model_config = with_example({"enabled": True, "expected_revision": 0})

    enabled: StrictBool
    expected_revision: StrictInt = Field(ge=0, le=VERSION_MAX)

    def expected(self) -> ConsentRevision:
        """As the services take it."""
        return ConsentRevision(self.expected_revision)


class SkillsTrustIn(Arguments):
    """Whether the workspace's skills are trusted."""

    model_config = with_example({"trusted": True})

    trusted: StrictBool


def revision_out(revision: Revision, *, with_text: bool = True) -> RevisionOut:
    """A version as JSON."""
    sealed = revision.sealed
    return RevisionOut(
        version=revision.version,
        kind=revision.kind,
        path=revision.path,
        author_id=revision.author,
        at=revision.at,
        clear_generation=revision.clear_generation,
        epoch=None if sealed is None else sealed.epoch,
        bytes=None if sealed is None else sealed.text_bytes,
        ciphertext=sealed.ciphertext if sealed is not None and with_text else None,
        sha256=revision.sha256,
        previous_sha256=revision.previous,
    )


def document_out(state: DocumentState) -> DocumentOut:
    """The document as JSON."""
    newest = state.newest
    return DocumentOut(
        path=MEMORY_PATH,
        media_type="text/markdown",
        version=0 if newest is None else newest.version,
        live=newest is not None and newest.sealed is not None,
        clear_generation=state.clear_generation,
        newest=None if newest is None else revision_out(newest),
    )


def revision_page_out(page: RevisionPage) -> RevisionPageOut:
    """A page of the history as JSON."""
    versions = [revision_out(each, with_text=False) for each in page.revisions]
    return RevisionPageOut(versions=versions, next_before=page.next_before)


def written_out(written: Written) -> WrittenOut:
    """An acknowledgement as JSON."""
    return WrittenOut(version=written.version, clear_generation=written.clear_generation)


def policy_out(policy: Policy) -> PolicyOut:
    """The policy as JSON."""
    return PolicyOut(
        mode=policy.mode, policy_revision=policy.revision, clear_generation=policy.clear_generation
    )


def ai_consent_out(consent: AiConsent) -> AiConsentOut:
    """The consent as JSON."""
    return AiConsentOut(
        enabled=consent.enabled,
        consent_revision=consent.revision,
        skills_trusted=consent.skills_trusted,
    )
