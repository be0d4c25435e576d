import { describe, expect, it, vi } from 'vitest';
import { ApiError, Unreachable, isCode } from '../api/errors';
import type { TurnOut } from '../api/schema';
import { Chat, PAGE, type Unaccepted } from './chat.svelte';
import type { ChatCalls } from './chat-calls';
import { ATTEMPTS } from './listening';

const event = (name: string, data: object): string =>
  `id: s.1\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const BEGAN = (turn = 1): string =>
  event('turn_began', { turn, admission_id: `a${turn}`, model: 'm', demonstration: false });
const TEXT = event('text_added', { text: 'Hello' });
const DONE = event('turn_ended', { state: 'done', error: null, problem: null, usage: { calls: 1 } });
const refusal = (code: string, status = 403): ApiError => new ApiError(status, code, '', {}, undefined);

const stored = (turn: number, more: Partial<TurnOut> = {}): TurnOut =>
  ({
    turn,
    admission_id: `a${turn}`,
    state: 'done',
    error: null,
    usage: {},
    messages: [{ speaker: 'person', text: `Question ${turn}`, calls: [], readable: true }],
    ...more,
  }) as TurnOut;

/** A service that gives these answers to messages, one after the other, and keeps those turns. */
function service(answers: (string | Error)[] = [], turns: TurnOut[] = []) {
  const sent: { conversation: string; text: string; key: string; memoryState?: string }[] = [];
  const calls = {
    sent,
    removed: [] as string[],
    stopped: [] as number[],
    state: undefined as string | undefined,
    renewed: false,
    begin: async () => ({ id: 'new' }),
    turns: async () => turns.at(-1)?.turn ?? 0,
    remove: async (conversation: string) => void calls.removed.push(conversation),
    list: async (_: string, { after, limit }: { after: number; limit: number }) =>
      turns.filter((each) => each.turn > after).slice(0, limit),
    receipts: async () => [],
    proposals: async () => [],
    send: async (conversation: string, message: { text: string; key: string; memoryState?: string }) => {
      sent.push({ conversation, ...message });
      const answer = answers[sent.length - 1] ?? new Unreachable();
      if (answer instanceof Error) throw answer;
      return new Response(answer);
    },
    hear: async () => new Response(BEGAN(2) + TEXT + DONE),
    stop: async (_: string, turn: number) => void calls.stopped.push(turn),
    isSaving: () => false,
    memoryState: async () => calls.state,
    renew: async () => calls.renewed,
    pause: async () => undefined,
  };
  return calls;
}

const chatWith = (calls: ReturnType<typeof service>, told = {}): Chat =>
  new Chat(calls as unknown as ChatCalls, told);

describe('sending', () => {
  it('begins a conversation, and tells its address once the turn has begun', async () => {
    const calls = service([BEGAN() + TEXT + DONE]);
    const began: string[] = [];
    const chat = chatWith(calls, { began: (id: string) => began.push(id) });
    await chat.open(null);
    calls.state = 'saved;version=7';
    await chat.send('Hi');
    expect([chat.turns[0]?.state, chat.finished, began]).toEqual(['done', 'Hello', ['new']]);
    expect(calls.sent[0]).toMatchObject({ conversation: 'new', text: 'Hi', memoryState: 'saved;version=7' });
  });

  it('gives the text back when it is refused, and leaves no empty conversation behind', async () => {
    const calls = service([refusal('ai_disabled')]);
    const back: unknown[] = [];
    const chat = chatWith(calls, { back: (...given: unknown[]) => back.push(given) });
    await chat.open(null);
    await chat.send('Hi');
    expect(back).toMatchObject([[null, { text: 'Hi', conversation: null }]]);
    expect([chat.turns.length, isCode(chat.refusal?.error, 'ai_disabled')]).toEqual([0, true]);
    expect([calls.removed, chat.conversation, chat.busy]).toEqual([['new'], null, false]);
  });

  it('keeps a message of which nobody knows whether it arrived, and sends it again under the same key', async () => {
    const lost = Array.from({ length: ATTEMPTS }, () => new Unreachable());
    const calls = service([...lost, BEGAN() + DONE]);
    const chat = chatWith(calls);
    await chat.open(null);
    await chat.send('Hi');
    const [turn] = chat.turns;
    expect([turn?.state, chat.busy, calls.removed]).toEqual(['unsent', false, []]);
    if (turn) await chat.again(turn);
    expect(chat.turns[0]?.state).toBe('done');
    expect(new Set(calls.sent.map((each) => each.key)).size).toBe(1);
    expect(new Set(calls.sent.map((each) => each.conversation))).toEqual(new Set(['new']));
  });

  it('takes an error of the service itself for an arrival that is not known', async () => {
    const chat = chatWith(service([refusal('internal_error', 500)]));
    await chat.open(null);
    await chat.send('Hi');
    expect(chat.turns[0]?.state).toBe('unsent');
  });

  it('has another key for another message', async () => {
    const calls = service([BEGAN(1) + DONE, BEGAN(2) + DONE]);
    const chat = chatWith(calls);
    await chat.open(null);
    await chat.send('One');
    await chat.send('Two');
    expect(new Set(calls.sent.map((each) => each.key)).size).toBe(2);
  });

  it.each([
    [true, 'done', 2],
    [false, undefined, 1],
  ])('with a key session that has ended, where another one is opened: %s', async (renewed, state, times) => {
    const calls = service([refusal('key_session_required'), BEGAN() + DONE]);
    calls.renewed = renewed;
    const chat = chatWith(calls);
    await chat.open(null);
    await chat.send('Hi');
    expect([chat.turns[0]?.state, calls.sent.length]).toEqual([state, times]);
    expect(new Set(calls.sent.map((each) => each.key)).size).toBe(1);
  });

  it('says that the answer goes on where the connection does not come back', async () => {
    const chat = chatWith(service([BEGAN(2) + TEXT]));
    await chat.open(null);
    await chat.send('Hi');
    const [turn] = chat.turns;
    expect([turn?.state, turn?.lost]).toEqual(['running', true]);
    if (turn) await chat.listenAgain(turn);
    expect([chat.turns[0]?.state, chat.turns[0]?.lost]).toEqual(['done', false]);
  });

  it('stops the turn that runs', async () => {
    const calls = service();
    let go: (() => void) | undefined;
    calls.send = async () => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(BEGAN(3)));
          go = () => (controller.enqueue(new TextEncoder().encode(DONE)), controller.close());
        },
      });
      return new Response(body);
    };
    const chat = chatWith(calls);
    await chat.open(null);
    const sending = chat.send('Hi');
    await vi.waitFor(() => expect(chat.turns[0]?.number).toBe(3));
    await chat.stop();
    expect([calls.stopped, chat.stopping]).toEqual([[3], true]);
    go?.();
    await sending;
    expect([chat.stopping, chat.busy]).toEqual([false, false]);
  });
});

describe('opening', () => {
  it('shows the newest turns, and older ones a page at a time', async () => {
    const all = Array.from({ length: PAGE + 5 }, (_, at) => stored(at + 1));
    const chat = chatWith(service([], all));
    await chat.open('c');
    expect([chat.turns[0]?.number, chat.turns.length, chat.hasOlder]).toEqual([6, PAGE, true]);
    await chat.older();
    expect([chat.turns[0]?.number, chat.turns.length, chat.hasOlder]).toEqual([1, PAGE + 5, false]);
  });

  it('looks past numbers that are left out', async () => {
    const chat = chatWith(service([], [stored(1), stored(2), stored(100)]));
    await chat.open('c');
    await chat.older();
    expect(chat.turns.map((turn) => turn.number)).toEqual([1, 2, 100]);
    expect(chat.hasOlder).toBe(false);
  });

  it('hears a turn further that was running', async () => {
    const chat = chatWith(service([], [stored(1), stored(2, { state: 'running' })]));
    await chat.open('c');
    expect([chat.turns[1]?.state, chat.finished]).toEqual(['done', 'Hello']);
  });

  it.each([
    ['key_session_required', 'locked'],
    ['not_found', 'gone'],
    ['busy', 'failed'],
  ])('says with %s that it is %s', async (code, standing) => {
    const calls = service();
    calls.turns = () => Promise.reject(refusal(code));
    const chat = chatWith(calls);
    await chat.open('c');
    expect(chat.standing).toBe(standing);
  });

  it('forgets what comes for a conversation that was left', async () => {
    const calls = service([BEGAN() + TEXT + DONE]);
    const chat = chatWith(calls);
    await chat.open(null);
    const sending = chat.send('Hi');
    await chat.open('c');
    await sending;
    expect([chat.conversation, chat.turns, chat.refusal]).toEqual(['c', [], null]);
  });
});

describe('leaving', () => {
  /** A chat that is left in the middle of sending, and what came back. */
  async function left(leave: (chat: Chat, sending: Promise<void>) => Promise<void>, calls: object, at = 'c') {
    const back: { address: string | null; message: Unaccepted }[] = [];
    const chat = new Chat(calls as ChatCalls, {
      back: (address, message) => back.push({ address, message }),
    });
    await chat.open(at || null);
    await leave(chat, chat.send('Hi'));
    return { back, chat };
  }

  it.each([['c'], ['']])('gives a message back that still waits for a Save (%s)', async (at) => {
    const calls = { ...service(), isSaving: () => true, memoryState: () => new Promise<undefined>(() => {}) };
    const { back, chat } = await left(
      async (chat) => {
        await vi.waitFor(() => expect(chat.turns[0]?.state).toBe('waiting'));
        await chat.open('d');
      },
      calls,
      at,
    );
    expect(back).toMatchObject([{ address: at || null, message: { text: 'Hi', conversation: at || null } }]);
    expect([calls.sent, chat.turns]).toEqual([[], []]);
    chat.leave();
    expect(back).toHaveLength(1);
  });

  it('gives one back that was sent, to be sent under the same key and to the same conversation', async () => {
    const calls = service();
    calls.send = async (conversation, message) => {
      calls.sent.push({ conversation, ...message });
      if (calls.sent.length === 1) return new Promise(() => {});
      return new Response(BEGAN() + DONE);
    };
    const { back, chat } = await left(
      async (chat) => {
        await vi.waitFor(() => expect(calls.sent).toHaveLength(1));
        await chat.open('d');
      },
      calls,
      '',
    );
    expect(back).toMatchObject([{ address: null, message: { text: 'Hi', conversation: 'new' } }]);
    await chat.open(null);
    await chat.send('Hi', back[0]?.message);
    expect(new Set(calls.sent.map((each) => `${each.conversation} ${each.key}`)).size).toBe(1);
    expect(chat.turns[0]?.state).toBe('done');
  });

  it('gives one back of which nobody knows, and none that has begun', async () => {
    const unknown = await left(async (chat, sending) => (await sending, chat.leave()), service());
    expect(unknown.back).toHaveLength(1);
    const begun = await left(
      async (chat, sending) => (await sending, chat.leave()),
      service([BEGAN() + DONE]),
    );
    expect(begun.back).toEqual([]);
  });

  it('leaves no conversation behind that was begun for a message which came back', async () => {
    const calls = service();
    let begin: (() => void) | undefined;
    calls.begin = () => new Promise((resolve) => (begin = () => resolve({ id: 'new' })));
    const { chat } = await left(
      async (chat, sending) => {
        await vi.waitFor(() => expect(begin).toBeDefined());
        await chat.open('d');
        begin?.();
        await sending;
      },
      calls,
      '',
    );
    expect([chat.conversation, calls.removed, calls.sent]).toEqual(['d', ['new'], []]);
  });
});
