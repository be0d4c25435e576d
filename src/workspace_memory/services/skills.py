"""Skills for a turn of the Assistant: found and loaded with a key session, while the workspace trusts its skills.

Trust is asked in the same snapshot as the texts are read, at the beginning of a turn and again at each load. Nothing
else turns a skill on: what memory or a note says about skills is text.
"""

from collections.abc import Sequence

from workspace_memory.crypto.errors import SealBroken
from workspace_memory.domain.actor import Actor
from workspace_memory.domain.document import Revision
from workspace_memory.domain.errors import Forbidden, NotFound
from workspace_memory.domain.ids import WorkspaceId
from workspace_memory.domain.skill import SKILL_FILE, SKILLS_FOLDER, SKILLS_MAX, Skill, skill_of, skill_path
from workspace_memory.services.agent_calls import AgentCall, may_read
from workspace_memory.services.deps import Deps
from workspace_memory.services.seals import open_revision
from workspace_memory.services.session_keys import Keyring

NOT_TRUSTED = "an administrator of the workspace has to trust its skills first"
_LOOKED_AT_MAX = 100


def find_skills(
    deps: Deps, actor: Actor, workspace: WorkspaceId, *, key_session: bytes | None
) -> Sequence[Skill]:
    """The skills that may be offered, by name; none while they are not trusted.

    Raises: KeySessionRequired, KeyStoreDown, NotFound, Forbidden, LevelTooLow.
    """
    call = AgentCall(deps, actor, workspace, key_session, may_read)
    with deps.database.read() as tx:
        call.require(tx)
        if not tx.policies.consent(workspace).skills_trusted:
            return ()
    keyring = call.open_keyring()
    with deps.database.read() as tx:
        call.require(tx)
        if not tx.policies.consent(workspace).skills_trusted:
            return ()
        notes = tx.documents.notes_with_texts(
            workspace, after=None, limit=_LOOKED_AT_MAX, below=SKILLS_FOLDER, named=SKILL_FILE
        )
    found = [_skill(keyring, workspace, revision) for _, revision in notes]
    return sorted((skill for skill in found if skill is not None), key=lambda skill: skill.name)[:SKILLS_MAX]


def load_skill(
    deps: Deps, actor: Actor, workspace: WorkspaceId, name: str, *, key_session: bytes | None
) -> Skill:
    """The skill of that name as it is now.

    Raises: Forbidden while skills are not trusted; NotFound for one that is not there or broken; as `find_skills`.
    """
    path = skill_path(name)
    call = AgentCall(deps, actor, workspace, key_session, may_read)
    keyring = call.open_keyring()
    with deps.database.read() as tx:
        call.require(tx)
        if not tx.policies.consent(workspace).skills_trusted:
            raise Forbidden(NOT_TRUSTED)
        head = None if path is None else tx.documents.note_at(workspace, path)
        if head is None or not head.live:
            raise NotFound("skill")
        revision = tx.documents.revision(workspace, head.id, head.version)
    skill = None if revision is None else _skill(keyring, workspace, revision)
    if skill is None:
        raise NotFound("skill")
    return skill


def _skill(keyring: Keyring, workspace: WorkspaceId, revision: Revision) -> Skill | None:
    try:
        return skill_of(revision.path, open_revision(keyring, workspace, revision))
    except SealBroken:
        return None
