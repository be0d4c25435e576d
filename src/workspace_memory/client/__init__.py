"""A small typed client of the REST interface, for programs and for the command line.

    with WorkspaceMemory("http://127.0.0.1:8787", token) as memory:
        memory.save_item("Prefers green tea to coffee", kind=Kind.PREFERENCE)
        for item in memory.search_items("tea"):
            print(item.content)

Errors that the service names arrive as the domain's own classes (`workspace_memory.domain.errors`); all are
`DomainError` with a stable `code`. docs/reference/rest.md describes the routes behind the methods.
"""

from workspace_memory.client.answers import (
    BulkLine,
    FoundItem,
    Held,
    Invitation,
    Item,
    LinkFacts,
    MadeLink,
    MadeToken,
    MadeWorkspace,
    Me,
    Member,
    MemoryCounts,
    MemoryLimits,
    MemoryStatus,
    Outcome,
    Page,
    Person,
    ReachedWorkspace,
    Redeemed,
    Revision,
    Saved,
    Server,
    SignedIn,
    Token,
    Workspace,
)
from workspace_memory.client.errors import AnswerLost, ApiError, Unreachable
from workspace_memory.client.govern import Decision
from workspace_memory.client.govern_answers import (
    AccessChanged,
    AuditEvent,
    AuditHead,
    AuditVerified,
    ClientSeen,
    Decided,
    Erased,
    HiddenCharacter,
    Licence,
    LicenceState,
    MemorySettings,
    Removal,
    ReviewEntry,
)
from workspace_memory.client.items import NewItem, in_batches
from workspace_memory.client.key_answers import KeyMember, KeySession, OwnKeys, WorkspaceKeys
from workspace_memory.client.transfers import Exported, Imported, Problem, Skipped
from workspace_memory.client.workspace_memory import WorkspaceMemory

__all__ = [
    "AccessChanged",
    "AnswerLost",
    "ApiError",
    "AuditEvent",
    "AuditHead",
    "AuditVerified",
    "BulkLine",
    "ClientSeen",
    "Decided",
    "Decision",
    "Erased",
    "Exported",
    "FoundItem",
    "Held",
    "HiddenCharacter",
    "Imported",
    "Invitation",
    "Item",
    "KeyMember",
    "KeySession",
    "Licence",
    "LicenceState",
    "LinkFacts",
    "MadeLink",
    "MadeToken",
    "MadeWorkspace",
    "Me",
    "Member",
    "MemoryCounts",
    "MemoryLimits",
    "MemorySettings",
    "MemoryStatus",
    "NewItem",
    "Outcome",
    "OwnKeys",
    "Page",
    "Person",
    "Problem",
    "ReachedWorkspace",
    "Redeemed",
    "Removal",
    "ReviewEntry",
    "Revision",
    "Saved",
    "Server",
    "SignedIn",
    "Skipped",
    "Token",
    "Unreachable",
    "Workspace",
    "WorkspaceKeys",
    "WorkspaceMemory",
    "in_batches",
]
