import { describe, expect, it } from 'vitest';
import type { ReceiptOut, TurnOut } from '../api/schema';
import {
  answerOf,
  hear,
  isOver,
  memoryOf,
  newTurn,
  sourcesOf,
  storedTurn,
  withProposals,
  withReceipts,
} from './turn';
import type { TurnEvent } from './turn-events';

const USAGE = { calls: 1, input_tokens: 10, output_tokens: 5, memory_bytes: 0, memory_tokens: 0 };
const BEGAN: TurnEvent = { is: 'turn_began', turn: 3, admission_id: 'a', model: 'm', demonstration: false };
const DONE: TurnEvent = { is: 'turn_ended', state: 'done', error: null, problem: null, usage: USAGE };
const text = (said: string): TurnEvent => ({ is: 'text_added', text: said });
const given = (status: string, revision: number | null): TurnEvent =>
  ({ is: 'memory_given', call: 1, status, revision, receipt_id: null }) as TurnEvent;

function heard(...events: TurnEvent[]) {
  const turn = newTurn('t', 'When do we ship?');
  for (const event of events) hear(turn, event);
  return turn;
}

const STORED: TurnOut = {
  turn: 3,
  admission_id: 'a',
  state: 'done',
  model: 'm',
  began_at: '2026-12-01T00:00:00Z',
  ended_at: null,
  error: null,
  usage: USAGE,
  messages: [
    { speaker: 'person', text: 'When?', calls: [], readable: true },
    {
      speaker: 'assistant',
      text: 'I look.',
      readable: true,
      calls: [
        {
          name: 'search_documents',
          outcome: 'answered',
          about: 'ship',
          sources: [
            { kind: 'note', label: 'plan.md', id: null },
            { kind: 'note', label: 'plan.md', id: null },
          ],
        },
      ],
    },
    { speaker: 'assistant', text: 'On Thursday.', calls: [], readable: true },
  ],
};
const receipt = (
  kind: 'recall' | 'capture',
  status: string,
  revision: number | null,
  admission = 'a',
): ReceiptOut => ({ kind, status, revision, admission_id: admission, call: 1 }) as ReceiptOut;

describe('a turn that is heard', () => {
  it('keeps text and tools in the order in which they came', () => {
    const turn = heard(
      BEGAN,
      text('I '),
      text('look.'),
      { is: 'tool_called', name: 'memory_search' },
      { is: 'tool_answered', name: 'memory_search', refused: false },
      text('Found.'),
      DONE,
    );
    expect(
      turn.pieces.map((piece) =>
        piece.is === 'text' ? piece.text : piece.calls.map((call) => call.outcome),
      ),
    ).toEqual(['I look.', ['answered'], 'Found.']);
    expect([turn.number, turn.state, answerOf(turn)]).toEqual([3, 'done', 'I look.\n\nFound.']);
  });

  it('begins anew when it is retold, but keeps its proposals', () => {
    const proposed: TurnEvent = { is: 'change_proposed', proposal_id: 'p', reason: 'read_only' };
    const turn = heard(
      BEGAN,
      given('attached', 1),
      text('Hel'),
      proposed,
      { is: 'turn_retold' },
      BEGAN,
      text('Hello'),
    );
    expect([answerOf(turn), turn.given, turn.proposals]).toEqual(['Hello', [], ['p']]);
  });

  it('is remembered only when the service says that it was committed', () => {
    const call: TurnEvent[] = [
      { is: 'tool_called', name: 'remember_in_memory' },
      { is: 'tool_answered', name: 'remember_in_memory', refused: false },
      text('Remembered!'),
      DONE,
    ];
    expect(heard(BEGAN, ...call).remembered).toEqual([]);
    expect(heard(BEGAN, { is: 'remembered', revision: 4 }, ...call).remembered).toEqual([4]);
  });

  it('says that it was interrupted, which is no failure of the model', () => {
    const turn = heard(BEGAN, { ...DONE, state: 'failed', error: 'turn_interrupted' });
    expect([turn.state, isOver(turn)]).toEqual(['interrupted', true]);
  });

  it('leaves no tool running when it has ended', () => {
    const turn = heard(BEGAN, { is: 'tool_called', name: 'x' }, { ...DONE, state: 'stopped' });
    expect(turn.pieces).toEqual([
      { is: 'calls', calls: [{ name: 'x', outcome: 'unanswered', about: '', sources: [] }] },
    ]);
  });
});

describe('the memory under an answer', () => {
  it('is each revision once, in the order in which they were given', () => {
    const turn = heard(BEGAN, given('attached', 12), given('attached', 12), given('attached', 13));
    expect(memoryOf(turn)).toEqual({ revisions: [12, 13], withheld: [], nothing: undefined });
  });

  it('is each reason once, also beside a revision', () => {
    const turn = heard(BEGAN, given('attached', 1), given('unavailable', null), given('unavailable', null));
    expect(memoryOf(turn)).toMatchObject({ revisions: [1], withheld: ['unavailable'] });
  });

  it('names no reason where memory is off or empty', () => {
    expect(memoryOf(heard(BEGAN, given('off', null)))).toEqual({
      revisions: [],
      withheld: [],
      nothing: 'off',
    });
  });
});

describe('a turn that is stored', () => {
  it('is shown as it was heard, with what its tools were about', () => {
    const turn = storedTurn(STORED);
    expect([turn.question, answerOf(turn), turn.state]).toEqual(['When?', 'I look.\n\nOn Thursday.', 'done']);
    expect(sourcesOf(turn)).toEqual([{ kind: 'note', label: 'plan.md', id: null }]);
  });

  it('goes on with the id of the one that was heard', () => {
    expect(storedTurn(STORED, newTurn('mine', '')).id).toBe('mine');
  });

  it('gets its own receipts and proposals', () => {
    const turn = storedTurn(STORED);
    withReceipts(
      [turn],
      [
        receipt('recall', 'attached', 1),
        receipt('capture', 'committed', 2),
        receipt('recall', 'attached', 2),
        receipt('capture', 'committed', 9, 'other'),
      ],
    );
    withProposals(
      [turn],
      [
        { id: 'p', admission_id: 'a' },
        { id: 'q', admission_id: null },
      ],
    );
    expect([memoryOf(turn).revisions, turn.remembered, turn.proposals]).toEqual([[1, 2], [2], ['p']]);
  });

  it('says when a message of it cannot be read', () => {
    const broken = { speaker: 'assistant' as const, text: '', calls: [], readable: false };
    expect(storedTurn({ ...STORED, messages: [broken] }).unreadable).toBe(true);
  });
});
