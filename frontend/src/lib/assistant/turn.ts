/**
 * One turn as it is shown, made of the events that are heard or of what is stored. Pure: `listening.ts` and
 * `chat.svelte.ts` feed it.
 *
 * "Remembered" is what the service has committed: its event, or its receipt. What a model says about it does not count.
 */
import type { CallOut, ReceiptOut, SourceOut, TurnOut, UsageOut } from '../api/schema';
import type { TurnEvent } from './turn-events';

export type Given = { call: number; status: string; revision: number | null };
export type Call = {
  name: string;
  outcome: CallOut['outcome'] | 'running';
  about: string;
  sources: SourceOut[];
};
export type Piece = { is: 'text'; text: string } | { is: 'calls'; calls: Call[] };
/** `waiting`: for a Save; `sending`: nobody has answered yet; `unsent`: nobody knows whether it arrived. */
type TurnState = 'waiting' | 'sending' | 'unsent' | 'running' | 'done' | 'failed' | 'stopped' | 'interrupted';

export type Turn = {
  /** Stays the same from the first moment on, for lists. */
  id: string;
  /** 0 until the service has admitted it. */
  number: number;
  admission: string;
  question: string;
  state: TurnState;
  pieces: Piece[];
  given: Given[];
  remembered: number[];
  proposals: string[];
  error: string | null;
  /** The service's own sentence about the error, for codes that have no words here. */
  problem: string | null;
  usage: UsageOut | null;
  /** The connection was lost, and the turn is waited for. */
  reconnecting: boolean;
  /** The connection did not come back: nobody here knows how it goes on. */
  lost: boolean;
  /** Some of its messages could not be read. */
  unreadable: boolean;
};

const INTERRUPTED = 'turn_interrupted';

/** A message that is on its way. */
export const newTurn = (id: string, question: string, state: TurnState = 'sending'): Turn => ({
  id,
  number: 0,
  admission: '',
  question,
  state,
  pieces: [],
  given: [],
  remembered: [],
  proposals: [],
  error: null,
  problem: null,
  usage: null,
  reconnecting: false,
  lost: false,
  unreadable: false,
});

export const isOver = (turn: Turn): boolean =>
  turn.state === 'done' ||
  turn.state === 'failed' ||
  turn.state === 'stopped' ||
  turn.state === 'interrupted';

/** Take the next event in. Proposals stay when a turn is retold: they are there, told or not. */
export function hear(turn: Turn, event: TurnEvent): void {
  turn.reconnecting = false;
  switch (event.is) {
    case 'turn_retold':
      turn.pieces = [];
      turn.given = [];
      turn.remembered = [];
      break;
    case 'turn_began':
      turn.number = event.turn;
      turn.admission = event.admission_id;
      turn.state = 'running';
      break;
    case 'memory_given':
      turn.given.push({ call: event.call, status: event.status, revision: event.revision });
      break;
    case 'text_added':
      addText(turn, event.text);
      break;
    case 'tool_called':
      addCall(turn, event.name);
      break;
    case 'tool_answered':
      answerCall(turn, event.name, event.refused);
      break;
    case 'remembered':
      if (!turn.remembered.includes(event.revision)) turn.remembered.push(event.revision);
      break;
    case 'change_proposed':
      if (!turn.proposals.includes(event.proposal_id)) turn.proposals.push(event.proposal_id);
      break;
    case 'turn_ended':
      turn.state = event.error === INTERRUPTED ? 'interrupted' : event.state;
      turn.error = event.error;
      turn.problem = event.problem;
      turn.usage = event.usage;
      for (const call of callsOf(turn)) if (call.outcome === 'running') call.outcome = 'unanswered';
      break;
  }
}

function addText(turn: Turn, text: string): void {
  const last = turn.pieces.at(-1);
  if (last?.is === 'text') last.text += text;
  else turn.pieces.push({ is: 'text', text });
}

function addCall(turn: Turn, name: string): void {
  addCalls(turn, [{ name, outcome: 'running', about: '', sources: [] }]);
}

function answerCall(turn: Turn, name: string, refused: boolean): void {
  const call = callsOf(turn).find((each) => each.name === name && each.outcome === 'running');
  if (call) call.outcome = refused ? 'refused' : 'answered';
}

/** A turn out of what the service keeps. `was` is what the page has of it already, whose id goes on. */
export function storedTurn(stored: TurnOut, was?: Turn): Turn {
  const turn = newTurn(was?.id ?? `turn-${stored.turn}`, '', stateOf(stored));
  turn.number = stored.turn;
  turn.admission = stored.admission_id;
  turn.error = stored.error;
  turn.problem = was?.problem ?? null;
  turn.usage = stored.usage;
  turn.proposals = was?.proposals ?? [];
  for (const message of stored.messages) {
    if (!message.readable) turn.unreadable = true;
    else if (message.speaker === 'person')
      turn.question = [turn.question, message.text].filter(Boolean).join('\n');
    else {
      if (message.text) turn.pieces.push({ is: 'text', text: message.text });
      addCalls(turn, message.calls);
    }
  }
  return turn;
}

function addCalls(turn: Turn, calls: readonly Call[]): void {
  if (!calls.length) return;
  const last = turn.pieces.at(-1);
  if (last?.is === 'calls') last.calls.push(...calls);
  else turn.pieces.push({ is: 'calls', calls: [...calls] });
}

function stateOf(stored: TurnOut): TurnState {
  const known: TurnState[] = ['running', 'done', 'failed', 'stopped', 'interrupted'];
  return known.find((each) => each === stored.state) ?? 'failed';
}

/** Give turns their receipts: which memory each call was given, and what was committed. */
export function withReceipts(turns: readonly Turn[], receipts: readonly ReceiptOut[]): void {
  for (const turn of turns) {
    const own = receipts.filter((each) => each.admission_id === turn.admission);
    turn.given = own
      .filter((each) => each.kind === 'recall')
      .map((each) => ({ call: each.call, status: each.status, revision: each.revision }));
    turn.remembered = own.flatMap((each) =>
      each.kind === 'capture' && each.status === 'committed' && each.revision !== null ? [each.revision] : [],
    );
  }
}

/** Give turns the proposals that were made in them. */
export function withProposals(
  turns: readonly Turn[],
  proposals: readonly { id: string; admission_id: string | null }[],
): void {
  for (const turn of turns) {
    turn.proposals = proposals.filter((each) => each.admission_id === turn.admission).map((each) => each.id);
  }
}

export const callsOf = (turn: Turn): Call[] =>
  turn.pieces.flatMap((piece) => (piece.is === 'calls' ? piece.calls : []));

/** Every text that tools gave in the turn, each once, in their order. */
export function sourcesOf(turn: Turn): SourceOut[] {
  const found = new Map<string, SourceOut>();
  for (const source of callsOf(turn).flatMap((call) => call.sources)) {
    const name = `${source.kind} ${source.id ?? source.label}`;
    if (!found.has(name)) found.set(name, source);
  }
  return [...found.values()];
}

/** The answer as Markdown, for copying and for whoever hears the page. */
export const answerOf = (turn: Turn): string =>
  turn.pieces.flatMap((piece) => (piece.is === 'text' ? [piece.text.trim()] : [])).join('\n\n');

const WITHHELD = [
  'superseded',
  'no_access',
  'pending',
  'conflict',
  'unavailable',
  'deleted',
  'stale',
  'oversized',
] as const;
export type Withheld = (typeof WITHHELD)[number];

/** What stands under an answer about memory: each revision and each reason once, in their order. */
export function memoryOf(turn: Turn): {
  revisions: number[];
  withheld: Withheld[];
  nothing: 'off' | 'empty' | undefined;
} {
  const revisions = turn.given.flatMap((each) =>
    each.status === 'attached' && each.revision !== null ? [each.revision] : [],
  );
  const withheld = turn.given.flatMap((each) => WITHHELD.filter((status) => status === each.status));
  const last = turn.given.at(-1)?.status;
  return {
    revisions: revisions.filter((each, at) => each !== revisions[at - 1]),
    withheld: [...new Set(withheld)],
    nothing: last === 'off' || last === 'empty' ? last : undefined,
  };
}
