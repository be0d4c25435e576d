"""A conversation with the Assistant on a terminal, or one turn of it for a script."""

import json
import socket
import sys
import uuid
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from importlib import import_module

import click

from workspace_memory.cli.executable import typed
from workspace_memory.cli.failures import Refused
from workspace_memory.cli.output import plain, say
from workspace_memory.cli.proposals import apply_proposal, proposal_lines, say_applied
from workspace_memory.cli.turn_listening import (
    Interrupted,
    TurnListener,
    ending_in_order,
    interruptions_to,
)
from workspace_memory.cli.turn_words import failure_words, receipt_line, refusal_words
from workspace_memory.cli.unlocking import Unlocked
from workspace_memory.client.key_answers import KeySession
from workspace_memory.client.turn_events import HeardTurn, event_json
from workspace_memory.domain.client_state import ClientState, saved
from workspace_memory.domain.document import DocumentKind
from workspace_memory.domain.document_errors import KeySessionRequired
from workspace_memory.domain.errors import DomainError, Forbidden
from workspace_memory.domain.hidden_characters import drawable
from workspace_memory.domain.ids import Version
from workspace_memory.domain.turn import TurnState
from workspace_memory.domain.turn_event import TextAdded, ToolCalled, TurnBegan, TurnEvent, TurnRetold


class OwnKeySession:
    """The key session of one command: opened for it, and opened anew where it has ended by itself meanwhile."""

    def __init__(self, opened: Unlocked) -> None:
        self._opened = opened
        self._session: KeySession | None = None
        self.token = ""

    def renew(self) -> None:
        """Open one, in place of the one before."""
        name = f"assistant on {socket.gethostname()}"[:100]
        self._session, self.token = self._opened.holder.begin_key_session(name)

    def revoke(self) -> None:
        """End it."""
        if self._session is None:
            return
        try:
            self._opened.client.revoke_key_session(self._session.id)
        except DomainError as error:
            say(
                f"The key session was not revoked: {error} '{typed(f'key-session revoke {self._session.id}')}'."
            )


@contextmanager
def own_key_session(opened: Unlocked) -> Generator[OwnKeySession]:
    """An open key session, revoked at the end, however that comes. Raises: KeyStoreDown, RateLimited, …"""
    session = OwnKeySession(opened)
    with ending_in_order():
        try:
            session.renew()
            yield session
        finally:
            session.revoke()


class Chat:
    """One conversation; it begins with the first message, unless it is named."""

    def __init__(
        self,
        opened: Unlocked,
        session: OwnKeySession,
        conversation: str | None,
        *,
        typed: Callable[[str], str],
        as_json: bool = False,
    ) -> None:
        """`typed` gives what a person types for the words of a command that goes where this one went."""
        self._typed = typed
        self._opened = opened
        self._client = opened.client
        self._session = session
        self.conversation = conversation
        self._as_json = as_json
        # Text goes out as it comes where somebody reads along. A pipe gets it whole: it may have to be told anew.
        self._streams = sys.stdout.isatty() and not as_json
        self._state: ClientState | None = None

    def turn(self, message: str) -> HeardTurn:
        """Send a message, and show all that happens until the turn has ended. Raises: DomainError."""
        begins = self.conversation is None
        if self.conversation is None:
            self.conversation = self._client.begin_conversation().id
        try:
            heard = self._sent(message)
        except DomainError:
            if begins:
                self._forget_conversation()
            raise
        if heard.text and not self._as_json:
            self._end_text(heard.text)
        return heard

    def _sent(self, message: str) -> HeardTurn:
        key = uuid.uuid4().hex
        try:
            return self._heard(message, key)
        except KeySessionRequired:
            # It ends after half an hour without use, and with a server that is started anew.
            self._session.renew()
            return self._heard(message, key)

    def _forget_conversation(self) -> None:
        """Leave no empty conversation behind, where the turn that it was begun for was refused."""
        conversation = self.conversation
        if conversation is None:
            return
        with suppress(DomainError):
            if self._client.get_conversation(conversation).turns == 0:
                self._client.delete_conversation(conversation)
                self.conversation = None

    def say_receipt(self, heard: HeardTurn) -> None:
        """What stands under the answer, and what waits for a decision."""
        line = receipt_line(heard)
        if line:
            say(click.style(line, dim=True))
        for proposal in heard.proposals:
            self._offer(proposal)

    def _heard(self, message: str, key: str) -> HeardTurn:
        conversation = self.conversation
        assert conversation is not None  # noqa: S101  `turn` begins one
        listener = TurnListener(
            self._client.send(
                conversation,
                message,
                key_session=self._session.token,
                memory_state=self._state,
                key=key,
            )
        )
        heard, stopping = HeardTurn(), False
        with interruptions_to(listener):
            for event in listener:
                if isinstance(event, Interrupted):
                    stopping = True
                else:
                    heard.hear(event)
                    self._show(event)
                if stopping and heard.began is not None and isinstance(event, Interrupted | TurnBegan):
                    with suppress(DomainError):
                        self._client.stop(conversation, heard.began.number)
        return heard

    def _show(self, event: TurnEvent) -> None:
        if self._as_json:
            told = event_json(event)
            if isinstance(event, TurnBegan):
                told["conversation_id"] = self.conversation
            click.echo(json.dumps(plain(told), ensure_ascii=False))
            return
        match event:
            case TextAdded() if self._streams:
                click.echo(drawable(event.text), nl=False)
            case ToolCalled():
                say(click.style(f"[{event.name}]", dim=True))
            case TurnRetold() if self._streams:
                say()
                say("The connection was lost. The answer once more, from its beginning:")
            case _:
                pass

    def _end_text(self, text: str) -> None:
        """The line end of what was streamed, or the whole text."""
        if self._streams:
            click.echo("" if text.endswith("\n") else "\n", nl=False)
            return
        click.echo(drawable(text) if sys.stdout.isatty() else text, color=True, nl=not text.endswith("\n"))

    def _offer(self, proposal: str) -> None:
        """Show a proposal; on a terminal it may be decided at once."""
        found = self._client.get_proposal(proposal)
        is_memory = found.kind is DocumentKind.MEMORY
        say(f"Proposed for {'the memory document' if is_memory else 'a note'}:")
        for line in proposal_lines(self._opened, found):
            say(f"  {line}")
        later = f"'{self._typed(f'proposal apply {proposal}')}' applies it, 'proposal dismiss' puts it away."
        if not (sys.stdin.isatty() and sys.stderr.isatty()):
            say(later)
            return
        answer = click.prompt(
            "Apply it? (y)es, (n)o, (l)ater",
            type=click.Choice(["y", "n", "l"]),
            default="l",
            show_choices=False,
            err=True,
        )
        match answer:
            case "y":
                try:
                    written = apply_proposal(self._opened, found)
                except Forbidden as error:
                    say(f"{error} '{self._typed(f'proposal share {proposal}')}' shows it to those who may.")
                    return
                say_applied(written)
                if written is not None and is_memory:
                    self._state = saved(Version(written.version))
            case "n":
                self._client.dismiss_proposal(proposal)
                say("Dismissed.")
            case _:
                say(later)


def one_turn(chat: Chat, message: str) -> None:
    """One turn, its answer on standard output. Raises: Refused for one that fails, KeyboardInterrupt, DomainError."""
    heard = chat.turn(message)
    chat.say_receipt(heard)
    ended = heard.ended
    if ended is None or ended.state is TurnState.FAILED:
        raise Refused(failure_words(heard))
    if ended.state is TurnState.STOPPED:
        raise KeyboardInterrupt


def talk(chat: Chat) -> None:
    """Turn after turn, until Ctrl-D. What fails is said, and the chat goes on."""
    while True:
        try:
            message = _ask()
        except (KeyboardInterrupt, click.Abort):
            say()
            say("Ctrl-D ends the chat.")
            continue
        if message is None:
            return
        if not message.strip():
            continue
        try:
            heard = chat.turn(message)
            if heard.ended is None or heard.ended.state is TurnState.FAILED:
                say(f"Error: {failure_words(heard)}")
            elif heard.ended.state is TurnState.STOPPED:
                say("Stopped. What was said so far stays in the conversation.")
            chat.say_receipt(heard)
        except DomainError as error:
            say(f"Error: {refusal_words(error)}")
        except click.Abort:
            say()  # Ctrl-C at the question about a proposal: it waits


def _ask() -> str | None:
    """The next message; None at the end of the input."""
    prompt = "\n> "
    try:
        if sys.stdout.isatty():
            with suppress(ImportError):
                import_module("readline")  # lines can be edited then, and earlier ones fetched
            return input(prompt)
        click.echo(prompt, nl=False, err=True)
        line = sys.stdin.readline()
    except EOFError:
        say()
        return None
    return line.rstrip("\n") if line else None
