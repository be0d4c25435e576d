"""Which service functions a process may call through the data folder's owner, and which of them may be repeated.

All public use cases are there; a test compares this list with the package. One that is repeatable is carried out
again by itself when its owner dies under it: reads, and writes that are harmless a second time.
"""

from collections.abc import Callable, Iterator
from types import ModuleType

from workspace_memory.folder.calls import CallRegistry
from workspace_memory.services import (
    accounts,
    admissions,
    ai_consents,
    assistant_usage,
    audit,
    authentication,
    automation_notes,
    captures,
    clients,
    conversations,
    documents,
    embeddings,
    entering,
    erasing,
    exporting,
    finding,
    health,
    items,
    key_sessions,
    licences,
    members,
    memory_status,
    messages,
    notes,
    policies,
    proposals,
    recall,
    refused_calls,
    reviewing,
    saving,
    searching_notes,
    servers,
    settings,
    sign_ins,
    skills,
    this_machine,
    tokens,
    transfer,
    turns,
    user_keys,
    workspace_keys,
    workspaces,
)

MODULES: tuple[ModuleType, ...] = (
    accounts,
    admissions,
    ai_consents,
    assistant_usage,
    audit,
    authentication,
    automation_notes,
    captures,
    clients,
    conversations,
    documents,
    embeddings,
    entering,
    erasing,
    exporting,
    finding,
    health,
    items,
    key_sessions,
    licences,
    members,
    memory_status,
    messages,
    notes,
    policies,
    proposals,
    recall,
    refused_calls,
    reviewing,
    saving,
    searching_notes,
    servers,
    settings,
    sign_ins,
    skills,
    this_machine,
    tokens,
    transfer,
    turns,
    user_keys,
    workspace_keys,
    workspaces,
)

REPEATABLE: frozenset[Callable[..., object]] = frozenset(
    {
        # Under its own idempotency key.
        admissions.admit_turn,
        ai_consents.get_ai_consent,
        ai_consents.set_skills_trust,
        accounts.is_set_up,
        accounts.list_invitations,
        accounts.look_at_link,
        # The newest link counts; the one that nobody saw is withdrawn by the repetition.
        accounts.make_setup_link,
        accounts.make_password_reset,
        accounts.make_password_reset_here,
        accounts.invite,
        accounts.invite_here,
        accounts.deactivate_account_here,
        # Under the key of its admission.
        captures.commit_capture,
        assistant_usage.usage_of_conversation,
        assistant_usage.usage_of_day,
        audit.audit_head,
        audit.audit_head_here,
        audit.list_audit,
        audit.list_audit_here,
        audit.verify_audit,
        audit.verify_audit_here,
        authentication.authenticate_session,
        authentication.authenticate_token,
        authentication.sign_out,
        authentication.who_am_i,
        automation_notes.read_plain_note,
        clients.list_clients,
        conversations.get_conversation,
        conversations.list_conversations,
        conversations.list_receipts,
        conversations.rename_conversation,
        documents.get_document,
        documents.get_revision,
        documents.list_revisions,
        embeddings.semantic_progress_here,
        entering.enter_server,
        exporting.export_page,
        exporting.outline_export,
        finding.find_items,
        health.check_ready,
        items.get_item,
        items.item_history,
        key_sessions.list_key_sessions,
        # A second revocation changes nothing.
        key_sessions.revoke_key_session,
        key_sessions.revoke_key_session_anywhere,
        licences.inspect_licence,
        licences.licence_state,
        licences.memory_is_on,
        licences.store_licence,
        members.change_member,
        members.get_member,
        members.list_members,
        members.set_access,
        memory_status.memory_status,
        messages.list_messages,
        notes.get_note,
        notes.get_note_at,
        notes.get_note_revision,
        notes.list_note_revisions,
        notes.list_notes,
        policies.get_policy,
        proposals.get_proposal,
        proposals.list_proposals,
        proposals.share_proposal,
        recall.recall,
        reviewing.items_to_confirm,
        reviewing.review_entry,
        reviewing.review_queue,
        # The same text is not saved twice.
        saving.add_items,
        saving.save_item,
        searching_notes.list_plain_notes,
        searching_notes.search_plain_notes,
        servers.change_server,
        servers.list_servers,
        servers.list_servers_here,
        servers.resolve_workspace,
        settings.change_settings,
        settings.get_settings,
        sign_ins.list_sign_ins,
        skills.find_skills,
        skills.load_skill,
        this_machine.act_here,
        this_machine.address_here,
        this_machine.key_due_here,
        this_machine.list_members_here,
        tokens.list_tokens,
        tokens.list_tokens_here,
        tokens.revoke_token,
        tokens.revoke_token_here,
        # What is there already is left as it is.
        transfer.import_file,
        transfer.import_items,
        transfer.plan_file,
        transfer.plan_import,
        skills.find_skills,
        skills.load_skill,
        # Under its own idempotency key.
        turns.begin_turn,
        turns.get_turn,
        turns.may_read_turn,
        turns.renew_turn,
        user_keys.get_own_keys,
        workspace_keys.workspace_key_state,
        # Who holds the key already keeps the grant that is there.
        workspace_keys.grant_key,
        workspaces.get_workspace,
        workspaces.list_workspaces,
        workspaces.list_workspaces_here,
        workspaces.rename_workspace,
    }
)


def use_cases() -> dict[str, Callable[..., object]]:
    """Every use case under the name by which it travels."""
    return {
        f"{module.__name__.rpartition('.')[2]}.{name}": function
        for module in MODULES
        for name, function in _use_cases_of(module)
    }


def call_registry() -> CallRegistry:
    """The registry that a gateway is given."""
    return CallRegistry(use_cases(), repeatable=REPEATABLE)


def _use_cases_of(module: ModuleType) -> Iterator[tuple[str, Callable[..., object]]]:
    for name, value in vars(module).items():
        code = getattr(value, "__code__", None)
        if name.startswith("_") or code is None or value.__module__ != module.__name__:
            continue
        parameters = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        # What takes an open transaction is a part of use cases, not one itself.
        if parameters[:1] == ("deps",) and "tx" not in parameters:
            yield name, value
