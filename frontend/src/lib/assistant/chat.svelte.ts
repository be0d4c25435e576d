/**
 * One conversation: its turns, newest page first, and the message that is on its way.
 *
 * A message has one idempotency key for as long as nobody knows whether it arrived, so that it is never answered twice.
 * A turn goes on at the service while nobody listens; who comes back hears it further.
 */
import { ApiError, isCode } from '../api/errors';
import type { ChatCalls } from './chat-calls';
import { listen, TurnLost, type Connect } from './listening';
import {
  answerOf,
  callsOf,
  hear,
  isOver,
  newTurn,
  storedTurn,
  withProposals,
  withReceipts,
  type Turn,
} from './turn';

export const PAGE = 20;

/** `locked`: there is no open key session to read it with. */
export type Standing = 'new' | 'loading' | 'there' | 'locked' | 'gone' | 'failed';
/** A message that the service has refused: nothing of it is stored, and its text goes back to the person. */
export type Refusal = { error: unknown };
/**
 * A message that was not accepted, or of which nobody knows whether it was. `conversation` is where it was sent to, if
 * it was; `after` the last turn that was known then. Under the same key it is answered once.
 */
export type Unaccepted = { text: string; key: string; conversation: string | null; after: number };

/** What whoever shows the chat is told. An address is the conversation that is shown, null for a new one. */
export type Told = {
  began?: (conversation: string) => void;
  ended?: () => void;
  read?: (conversation: string, turns: readonly Turn[]) => void;
  /** The text goes back to the person, at the address where it was written. */
  back?: (address: string | null, message: Unaccepted) => void;
};

export class Chat {
  conversation = $state<string | null>(null);
  standing = $state<Standing>('new');
  turns = $state<Turn[]>([]);
  problem = $state.raw<unknown>(null);
  refusal = $state.raw<Refusal | null>(null);
  loadingOlder = $state(false);
  /** The answer that was finished last, for who hears the page. */
  finished = $state('');
  stopping = $state(false);
  /** The lowest number of a turn that was looked at; 1 when the beginning is there. */
  #first = $state(1);
  #keys = new Map<string, string>();
  /** What is shown: a new conversation gets its address when its first turn has begun. */
  #address: string | null = null;
  #listening = new AbortController();

  constructor(
    private readonly calls: ChatCalls,
    private readonly told: Told = {},
  ) {}

  get hasOlder(): boolean {
    return this.#first > 1;
  }

  /** Whether a message is on its way or is being answered: then there is no other one. */
  get busy(): boolean {
    const last = this.turns.at(-1);
    return last !== undefined && !isOver(last) && last.state !== 'unsent';
  }

  get running(): Turn | undefined {
    return this.busy ? this.turns.at(-1) : undefined;
  }

  /** Whether the key of a turn's message is known here, so that an interrupted one can be taken up. */
  knows = (turn: Turn): boolean => this.#keys.has(turn.id);

  /** Turn to a conversation, or to a new one. */
  async open(conversation: string | null): Promise<void> {
    this.leave();
    this.#listening = new AbortController();
    this.conversation = conversation;
    this.#address = conversation;
    this.turns = [];
    this.#first = 1;
    this.problem = null;
    this.refusal = null;
    this.standing = conversation === null ? 'new' : 'loading';
    if (conversation !== null) await this.#load(conversation, this.#listening.signal);
  }

  /** Nobody listens here any more; what runs goes on at the service, and what was not accepted yet comes back. */
  leave(): void {
    this.#listening.abort();
    this.stopping = false;
    const unaccepted = this.turns.filter((turn) => isUnaccepted(turn));
    this.turns = this.turns.filter((turn) => !isUnaccepted(turn));
    for (const turn of unaccepted) this.#giveBack(turn);
  }

  /** The page of turns before those that are there. Raises what asking for it raises. */
  async older(): Promise<void> {
    const { conversation } = this;
    if (conversation === null || this.loadingOlder || !this.hasOlder) return;
    this.loadingOlder = true;
    try {
      // Numbers may be left out, where an agent's own turns are among them: then a page is empty.
      let found: Turn[] = [];
      while (!found.length && this.#first > 1) {
        const to = this.#first - 1;
        found = await this.#page(conversation, Math.max(0, to - PAGE), to);
        if (this.conversation !== conversation) return;
        this.#first = Math.max(1, to - PAGE + 1);
      }
      this.turns.unshift(...found);
    } finally {
      this.loadingOlder = false;
    }
  }

  /** Send a message, and hear its turn to the end. `before` is the same message, which was sent already. */
  async send(text: string, before?: Unaccepted): Promise<void> {
    if (this.busy) return;
    this.refusal = null;
    const id = crypto.randomUUID();
    this.#keys.set(id, before?.key ?? crypto.randomUUID());
    this.conversation ??= before?.conversation ?? null;
    this.turns.push(newTurn(id, text));
    await this.#submit(this.#at(id));
  }

  /** Send the same message under the same key: it is answered once, however often it arrives. */
  async again(turn: Turn): Promise<void> {
    if (this.busy || !this.knows(turn)) return;
    Object.assign(turn, { pieces: [], given: [], remembered: [], error: null, problem: null });
    await this.#submit(turn);
  }

  /** Go on hearing a turn whose connection did not come back. */
  async listenAgain(turn: Turn): Promise<void> {
    if (!turn.lost || this.conversation === null) return;
    turn.lost = false;
    await this.#hearOn(turn, this.conversation);
  }

  /** Give up a message of which nobody knows whether it arrived: its text comes back, to be sent or changed. */
  drop(turn: Turn): void {
    this.turns = this.turns.filter((each) => each.id !== turn.id);
    this.#giveBack(turn);
  }

  /** Ask the service to end the running turn; what it has said so far stays. Raises what asking raises. */
  async stop(): Promise<void> {
    const turn = this.running;
    if (!turn || this.conversation === null || this.stopping) return;
    this.stopping = true;
    try {
      if (turn.number) await this.calls.stop(this.conversation, turn.number);
    } catch (error) {
      this.stopping = false;
      throw error;
    }
  }

  async #load(conversation: string, signal: AbortSignal): Promise<void> {
    try {
      const newest = await this.calls.turns(conversation);
      let after = Math.max(0, newest - PAGE);
      let turns = await this.#page(conversation, after, newest + PAGE);
      while (!turns.length && after > 0) {
        const to = after;
        after = Math.max(0, to - PAGE);
        turns = await this.#page(conversation, after, to);
      }
      if (signal.aborted) return;
      this.turns = turns;
      this.#first = after + 1;
      this.standing = 'there';
      this.told.read?.(conversation, turns);
    } catch (error) {
      if (signal.aborted) return;
      this.problem = error;
      if (isCode(error, 'key_session_required')) this.standing = 'locked';
      else this.standing = isCode(error, 'not_found', 'invalid_request') ? 'gone' : 'failed';
      return;
    }
    const last = this.turns.at(-1);
    if (last?.state === 'running') await this.#hearOn(last, conversation);
  }

  /** The turns after one number up to another, with their receipts and proposals. */
  async #page(conversation: string, after: number, to: number): Promise<Turn[]> {
    const stored = await this.calls.list(conversation, { after, limit: PAGE });
    const turns = stored.filter((each) => each.turn <= to).map((each) => storedTurn(each));
    const last = turns.at(-1)?.number;
    if (last === undefined) return turns;
    withReceipts(turns, await this.calls.receipts(conversation, { after, to: last }));
    await this.#propose(conversation, turns);
    return turns;
  }

  async #propose(conversation: string, turns: Turn[]): Promise<void> {
    const proposing = turns.some((turn) =>
      callsOf(turn).some((call) => call.outcome === 'proposed' || WRITES.has(call.name)),
    );
    if (proposing) withProposals(turns, await this.calls.proposals(conversation));
  }

  async #submit(turn: Turn): Promise<void> {
    const key = this.#keys.get(turn.id) ?? '';
    const { signal } = this.#listening;
    const isNew = this.conversation === null;
    turn.state = this.calls.isSaving() ? 'waiting' : 'sending';
    try {
      const memoryState = await this.calls.memoryState();
      if (signal.aborted) return;
      turn.state = 'sending';
      const conversation = this.conversation ?? (await this.#begin(signal));
      if (conversation === null) return;
      const message = { text: turn.question, key, memoryState };
      const connect: Connect = (after, aborting) =>
        this.calls.send(conversation, { ...message, after }, aborting);
      await this.#heard(turn, connect, signal, async () => {
        this.standing = 'there';
        const isFirst = this.#address === null;
        this.#address = conversation;
        if (isFirst) this.told.began?.(conversation);
      });
    } catch (error) {
      if (signal.aborted) return;
      if (turn.number) this.#broken(turn, error);
      else if (isArrivalUnknown(error)) turn.state = 'unsent';
      else await this.#refused(turn, error, isNew);
    }
  }

  /** Begin a conversation; null where the person has gone on meanwhile, and then none is left behind. */
  async #begin(signal: AbortSignal): Promise<string | null> {
    const { id } = await this.calls.begin();
    if (!signal.aborted) return (this.conversation = id);
    await this.calls.remove(id).catch(() => undefined);
    return null;
  }

  /** Hear a turn that has begun before. Its events come from the beginning. */
  async #hearOn(turn: Turn, conversation: string): Promise<void> {
    const { signal } = this.#listening;
    const connect: Connect = (after, aborting) => this.calls.hear(conversation, turn.number, after, aborting);
    Object.assign(turn, { pieces: [], given: [], remembered: [], state: 'running' });
    try {
      await this.#heard(turn, connect, signal, async () => undefined);
    } catch (error) {
      if (!signal.aborted) this.#broken(turn, error);
    }
  }

  /** Hear to the end; once more with a new key session, where the one that was there has ended by itself. */
  async #heard(turn: Turn, connect: Connect, signal: AbortSignal, began: () => Promise<void>): Promise<void> {
    const once = async (): Promise<void> => {
      for await (const event of listen(connect, {
        signal,
        onlost: () => (turn.reconnecting = true),
        pause: this.calls.pause,
      })) {
        // What came while another conversation was opened is not of this one.
        if (signal.aborted) return;
        hear(turn, event);
        if (event.is === 'turn_began') await began();
      }
    };
    try {
      await once();
    } catch (error) {
      const isFirst = !turn.number && isCode(error, 'key_session_required');
      if (!isFirst || !(await this.calls.renew())) throw error;
      await once();
    }
    if (!signal.aborted) await this.#settle(turn);
  }

  /** What is stored of a turn that has ended says more: what its tools were about, and their sources. */
  async #settle(turn: Turn): Promise<void> {
    this.stopping = false;
    this.finished = answerOf(turn);
    this.told.ended?.();
    const { conversation } = this;
    if (conversation === null || !callsOf(turn).length) return;
    try {
      const [stored] = await this.calls.list(conversation, { after: turn.number - 1, limit: 1 });
      if (!stored || stored.turn !== turn.number || this.conversation !== conversation) return;
      const whole = storedTurn(stored, turn);
      const before = turn.proposals;
      turn.pieces = whole.pieces;
      await this.#propose(conversation, [turn]);
      turn.proposals = [...new Set([...before, ...turn.proposals])];
    } catch {
      // What was heard is shown as it was.
    }
  }

  /** A turn that had begun, and of which no more is heard. */
  #broken(turn: Turn, error: unknown): void {
    this.stopping = false;
    turn.reconnecting = false;
    if (!(error instanceof ApiError)) {
      turn.lost = true;
      return;
    }
    turn.state = 'failed';
    turn.error = ['not_found', 'forbidden', 'level_too_low'].includes(error.code)
      ? 'lost_access'
      : error.code;
  }

  async #refused(turn: Turn, error: unknown, isNew: boolean): Promise<void> {
    this.turns = this.turns.filter((each) => each.id !== turn.id);
    this.refusal = { error };
    const { conversation } = this;
    if (!isNew || conversation === null) return this.#giveBack(turn);
    // No empty conversation is left behind where the turn that it was begun for was refused.
    this.conversation = null;
    this.standing = 'new';
    this.#giveBack(turn);
    await this.calls.remove(conversation).catch(() => undefined);
  }

  #giveBack(turn: Turn): void {
    const key = this.#keys.get(turn.id) ?? '';
    const after = Math.max(0, ...this.turns.map((each) => each.number));
    this.told.back?.(this.#address, { text: turn.question, key, conversation: this.conversation, after });
  }

  #at(id: string): Turn {
    return this.turns.find((each) => each.id === id) as Turn;
  }
}

/** Tools whose calls can become proposals. */
const WRITES = new Set(['propose_edit', 'create_note']);

/** Its turn has not begun, as far as anybody here knows. */
const isUnaccepted = (turn: Turn): boolean => !turn.number && !isOver(turn);

/** Nobody answered, or something between: then the message may have arrived. */
const isArrivalUnknown = (error: unknown): boolean =>
  error instanceof TurnLost ||
  !(error instanceof ApiError) ||
  isCode(error, 'internal_error', 'unexpected_answer');
