"""The memory document for agents: admissions, recall, capture. An agent of one's own does what the Assistant does.

The agent sends its user's token and an open key session. The server opens and seals the text while it works; the only
thing that an agent can write is exact edits, behind the commit fence.
"""

from typing import Annotated

from fastapi import Header, Query, Response

from workspace_memory.api.answers import answer
from workspace_memory.api.callers import Asking
from workspace_memory.api.key_session_tokens import KeySessionToken
from workspace_memory.api.routing import WorkspacePath, errors, new_router
from workspace_memory.api.schemas.common import EXAMPLE_ID
from workspace_memory.api.schemas.turns import (
    AdmissionIn,
    AdmissionOut,
    CaptureIn,
    CaptureOut,
    RecallOut,
    RecallQuery,
    admission_out,
    capture_out,
    recall_out,
)
from workspace_memory.domain.client_state import parse_memory_state
from workspace_memory.domain.document_errors import (
    AdmissionRetired,
    AiDisabled,
    CaptureWithheld,
    DeliveryRefused,
    EpochConflict,
    KeyLost,
    KeySessionRequired,
    KeyStoreDown,
    MemoryTooLong,
    TextUnreadable,
)
from workspace_memory.domain.edits import edits_of
from workspace_memory.domain.errors import (
    EditRefused,
    Forbidden,
    IdempotencyKeyReused,
    InvalidRequest,
    LevelTooLow,
    MemoryStateInvalid,
    NotFound,
    SecretRefused,
    StructureRefused,
)
from workspace_memory.domain.ids import AdmissionId
from workspace_memory.services.admissions import admit_turn
from workspace_memory.services.captures import commit_capture
from workspace_memory.services.recall import recall

AUTOMATION = "/automation/workspaces/{workspace_id}"

router = new_router("automation")

TurnKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        description="The caller's own name for this turn: sent again, it gives the first admission again.",
        examples=["turn-42"],
    ),
]
CaptureKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        description="`memory:` and the admission's id: a turn has one capture.",
        examples=[f"memory:{EXAMPLE_ID}"],
    ),
]
MemoryStates = Annotated[
    list[str] | None,
    Header(
        alias="X-Memory-State",
        description="unknown, saved;version=N, pending or conflict; at most once. Absent is unknown.",
        examples=[["saved;version=7"]],
    ),
]
AdmissionMark = Annotated[
    str,
    Header(
        alias="X-Memory-Admission", max_length=100, description="The turn's admission.", examples=[EXAMPLE_ID]
    ),
]
Credential = Annotated[
    str,
    Header(alias="X-Delivery-Credential", max_length=200, description="The admission's credential."),
]


@router.post(
    f"{AUTOMATION}/admissions",
    summary="Admit a turn",
    status_code=201,
    response_model=AdmissionOut,
    responses=errors(
        NotFound,
        Forbidden,
        LevelTooLow,
        AiDisabled,
        KeySessionRequired,
        KeyStoreDown,
        MemoryStateInvalid,
        IdempotencyKeyReused,
    ),
)
def admit(
    caller: Asking,
    workspace_id: WorkspacePath,
    body: AdmissionIn,
    key_session: KeySessionToken,
    idempotency_key: TurnKey,
    memory_state: MemoryStates = None,
) -> Response:
    """Begin a turn of a conversation of the caller's own, and so end the turn before.

    It freezes the mode, the policy revision, the clear generation, the AI consent, the key session and the stated
    memory state for 15 minutes. Everything that the turn writes is held against them.
    """
    state = parse_memory_state(memory_state or [])
    admitted = caller.ask(
        admit_turn,
        workspace_id,
        body.conversation(),
        key=idempotency_key,
        key_session_token=key_session,
        client_state=state,
    )
    return answer(admission_out(admitted), status=201)


@router.get(
    f"{AUTOMATION}/memory",
    summary="Recall the memory document for a model call",
    response_model=RecallOut,
    responses=errors(NotFound, Forbidden, DeliveryRefused),
)
def recall_memory(
    caller: Asking,
    workspace_id: WorkspacePath,
    query: Annotated[RecallQuery, Query()],
    key_session: KeySessionToken,
    admission: AdmissionMark,
    credential: Credential,
) -> Response:
    """What the turn's next model call is given. Ask before every call; a receipt is written before this answers.

    A block or a note belongs at the end of the outgoing system text, and into no stored message.
    """
    if query.purpose != "recall":
        raise InvalidRequest("purpose", "must be recall")
    recalled = caller.ask(
        recall,
        workspace_id,
        AdmissionId(admission),
        credential=credential,
        key_session_token=key_session,
        model=query.model,
    )
    return answer(recall_out(recalled))


@router.put(
    f"{AUTOMATION}/memory",
    summary="Capture into the memory document",
    response_model=CaptureOut,
    responses=errors(
        NotFound,
        Forbidden,
        LevelTooLow,
        DeliveryRefused,
        KeySessionRequired,
        AdmissionRetired,
        CaptureWithheld,
        MemoryTooLong,
        EpochConflict,
        TextUnreadable,
        KeyLost,
        EditRefused,
        SecretRefused,
        StructureRefused,
        IdempotencyKeyReused,
        KeyStoreDown,
    ),
)
def capture_memory(
    caller: Asking,
    workspace_id: WorkspacePath,
    body: CaptureIn,
    key_session: KeySessionToken,
    admission: AdmissionMark,
    credential: Credential,
    idempotency_key: CaptureKey,
) -> Response:
    """Carry out one to five exact edits of the revision that the turn was given, all or none.

    In mode auto they are committed behind the fence; in read_only, in a viewer's turn, for suspicious text and after a
    version conflict they become a proposal; in mode off nothing happens. Sent again, the same answer comes again.
    """
    captured = caller.ask(
        commit_capture,
        workspace_id,
        AdmissionId(admission),
        credential=credential,
        key=idempotency_key,
        key_session_token=key_session,
        edits=edits_of(body.model_dump()),
    )
    return answer(capture_out(captured))
