"""`workspace-memory assistant`: talk with the Assistant, and see the conversations."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import click

from workspace_memory.cli.asking import confirm, yes_option
from workspace_memory.cli.chatting import Chat, OwnKeySession, one_turn, own_key_session, talk
from workspace_memory.cli.failures import Refused
from workspace_memory.cli.output import minute, say, show, show_json, show_table
from workspace_memory.cli.service import opened_client
from workspace_memory.cli.target import Target, json_option, with_target
from workspace_memory.cli.turn_words import cost_words, refusal_words
from workspace_memory.cli.unlocking import Unlocked, passphrase_option, unlocked
from workspace_memory.client import WorkspaceMemory
from workspace_memory.client.assistant_answers import ToldTurn
from workspace_memory.domain.assistant_errors import DailyLimitReached
from workspace_memory.domain.document_errors import AiDisabled
from workspace_memory.domain.hidden_characters import drawable
from workspace_memory.domain.transcript import Speaker

EPILOG = """\b
Examples:
  workspace-memory assistant chat
  workspace-memory assistant chat "When do we release?"
  workspace-memory assistant list

Every call to the model is given the memory document, as far as its mode says, and under each answer stands which
revision that was. 'keys setup' and 'ai on' come first. Without a model provider in the settings a demonstration
answers; docs/howto/chat-with-the-assistant.md has the providers.
"""

id_argument = click.argument("conversation_id", metavar="ID")


@click.group(epilog=EPILOG)
def assistant() -> None:
    """Talk with the Assistant, and list, rename and delete the conversations."""


@assistant.command(
    epilog="\b\nExamples:\n  workspace-memory assistant chat\n"
    '  workspace-memory assistant chat "When do we release?"\n'
    "  workspace-memory assistant chat --conversation ID\n"
    "  echo 'When do we release?' | workspace-memory assistant chat --passphrase-file secret.txt"
)
@with_target
@click.argument("message", required=False)
@click.option("--conversation", metavar="ID", help="Go on with a conversation.  [default: a new one]")
@click.option("--json", "as_json", is_flag=True, help="Print the events of the turn, one JSON value a line.")
@passphrase_option
def chat(
    target: Target, message: str | None, conversation: str | None, as_json: bool, passphrase_file: Path | None
) -> None:
    """Talk on the terminal; with a MESSAGE, or one on standard input, take one turn.

    In the terminal Ctrl-C stops an answer and Ctrl-D ends the chat. A key session is open meanwhile, in which the
    server may use the workspace key; it is revoked at the end.
    """
    interactive = message is None and sys.stdin.isatty()
    if interactive and as_json:
        raise click.UsageError("Give a MESSAGE with --json.")
    with _in_key_session(target, passphrase_file, talking=True) as (opened, session):
        if conversation is not None:
            found = opened.client.get_conversation(conversation, key_session=session.token)
            if interactive:
                say(f"Conversation '{drawable(found.title or '-')}', {_turns(found.turns)} so far.")
        talking = Chat(opened, session, conversation, typed=target.typed, as_json=as_json)
        if interactive:
            _greet(opened.client)
            try:
                talk(talking)
            finally:
                _say_how_to_go_on(target, talking, conversation)
            return
        said = message if message is not None else sys.stdin.read()
        try:
            one_turn(talking, said)
        except (AiDisabled, DailyLimitReached) as refused:
            raise Refused(refusal_words(refused)) from None
    if not as_json:
        _say_how_to_go_on(target, talking, conversation)


@assistant.command("list", epilog="\b\nExample:\n  workspace-memory assistant list --json")
@with_target
@json_option
@passphrase_option
def list_(target: Target, as_json: bool, passphrase_file: Path | None) -> None:
    """List your conversations, newest first. Their titles are sealed, so that it needs the passphrase."""
    with _in_key_session(target, passphrase_file) as (opened, session):
        found = list(opened.client.list_conversations(key_session=session.token))
    if as_json:
        show_json(found)
        return
    rows = [
        (each.id, minute(each.created_at), str(each.turns), drawable(each.title or "-")) for each in found
    ]
    show_table(("id", "begun", "turns", "title"), rows)


@assistant.command("show", epilog="\b\nExample:\n  workspace-memory assistant show ID")
@with_target
@id_argument
@json_option
@passphrase_option
def show_(target: Target, conversation_id: str, as_json: bool, passphrase_file: Path | None) -> None:
    """Print what was said in a conversation."""
    with _in_key_session(target, passphrase_file) as (opened, session):
        found = opened.client.get_conversation(conversation_id, key_session=session.token)
        turns = list(opened.client.list_turns(conversation_id, key_session=session.token))
    if as_json:
        show_json({"conversation": found, "turns": turns})
        return
    for turn in turns:
        _show_turn(turn)
    say(f"{_turns(found.turns)}, {cost_words(found.usage)}.")


@assistant.command(epilog='\b\nExample:\n  workspace-memory assistant rename ID "Releases"')
@with_target
@id_argument
@click.argument("title")
@passphrase_option
def rename(target: Target, conversation_id: str, title: str, passphrase_file: Path | None) -> None:
    """Give a conversation another title."""
    with _in_key_session(target, passphrase_file) as (opened, session):
        renamed = opened.client.rename_conversation(conversation_id, title, key_session=session.token)
    say(f"It is called '{drawable(renamed.title or '')}' now.")


@assistant.command(epilog="\b\nExample:\n  workspace-memory assistant delete ID")
@with_target
@id_argument
@yes_option
def delete(target: Target, conversation_id: str, yes: bool) -> None:
    """Delete a conversation with its messages; what it wrote into the memory document stays."""
    with opened_client(target, assistant=True) as client:
        found = client.get_conversation(conversation_id)
        if not yes:
            confirm(f"Delete the conversation with {_turns(found.turns)}?", nothing="Nothing was deleted")
        client.delete_conversation(conversation_id)
    say("Deleted.")


@assistant.command(epilog="\b\nExample:\n  workspace-memory assistant usage")
@with_target
@json_option
def usage(target: Target, as_json: bool) -> None:
    """Show which model answers, and the tokens that the workspace has used today (UTC)."""
    with opened_client(target, assistant=True) as client:
        found = client.assistant()
    if as_json:
        show_json(found)
        return
    show(f"model  {found.model}{' (a script: no provider is set)' if found.demonstration else ''}")
    show(f"today  {found.today.calls:,} calls, {cost_words(found.today)}")
    show(f"limit  {f'{found.tokens_per_day:,} tokens a day' if found.tokens_per_day else 'none'}")


@contextmanager
def _in_key_session(
    target: Target, passphrase_file: Path | None, *, talking: bool = False
) -> Generator[tuple[Unlocked, OwnKeySession]]:
    before = _require_ai if talking else _nothing
    with (
        unlocked(target, passphrase_file, assistant=True, before=before) as opened,
        own_key_session(opened) as session,
    ):
        yield opened, session


def _require_ai(client: WorkspaceMemory) -> None:
    """Refuse before a passphrase is asked for. Raises: Refused."""
    if not client.workspace_ai().enabled:
        raise Refused(refusal_words(AiDisabled()))


def _nothing(_: WorkspaceMemory) -> None: ...


def _greet(client: WorkspaceMemory) -> None:
    status = client.assistant()
    if status.demonstration:
        say("No model provider is set, so a demonstration answers: a script that shows what happens.")
    else:
        say(f"{status.model} answers.")
    say(
        f"Memory is in mode {client.memory_policy().mode.value}. Ctrl-C stops an answer, Ctrl-D ends the chat."
    )


def _say_how_to_go_on(target: Target, talking: Chat, named: str | None) -> None:
    if named is None and talking.conversation is not None:
        command = target.typed(f"assistant chat --conversation {talking.conversation}")
        say(f"'{command}' goes on from here.")


def _show_turn(turn: ToldTurn) -> None:
    for message in turn.messages:
        who = "You" if message.speaker is Speaker.PERSON else "Assistant"
        text = message.text if message.readable else "(cannot be read)"
        tools = "".join(f" [{call.name}: {call.outcome.value}]" for call in message.calls)
        show(drawable(f"{who}: {text}{tools}" if text else f"{who}:{tools}"))
        show()
    if turn.state not in {"done", "running"}:
        say(f"({turn.state}{f': {turn.error}' if turn.error else ''})")


def _turns(count: int) -> str:
    return "1 turn" if count == 1 else f"{count} turns"
