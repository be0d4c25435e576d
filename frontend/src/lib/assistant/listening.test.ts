import { describe, expect, it } from 'vitest';
import { ApiError, Unreachable, isCode } from '../api/errors';
import { ATTEMPTS, listen, TurnLost, type Connect } from './listening';
import type { TurnEvent } from './turn-events';

const event = (id: string, name: string, data: object): string =>
  `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const BEGAN = event('s.1', 'turn_began', { turn: 1, admission_id: 'a', model: 'm', demonstration: false });
const HELLO = event('s.2', 'text_added', { text: 'Hello' });
const DONE = event('s.3', 'turn_ended', { state: 'done', error: null, problem: null, usage: {} });

/** Answers with what is in the list, one after the other; an error is raised. */
function connections(...answers: (string | Error)[]): { connect: Connect; asked: (string | undefined)[] } {
  const asked: (string | undefined)[] = [];
  return {
    asked,
    connect: async (last) => {
      asked.push(last);
      const answer = answers[asked.length - 1] ?? new Unreachable();
      if (answer instanceof Error) throw answer;
      return new Response(answer);
    },
  };
}

async function heard(
  connect: Connect,
  signal = new AbortController().signal,
): Promise<[string[], unknown, number[]]> {
  const events: TurnEvent[] = [];
  const pauses: number[] = [];
  try {
    for await (const each of listen(connect, { signal, pause: async (ms) => void pauses.push(ms) }))
      events.push(each);
    return [events.map((each) => each.is), undefined, pauses];
  } catch (error) {
    return [events.map((each) => each.is), error, pauses];
  }
}

describe('listening to a turn', () => {
  it('ends with the turn', async () => {
    const { connect, asked } = connections(BEGAN + HELLO + DONE);
    expect(await heard(connect)).toEqual([['turn_began', 'text_added', 'turn_ended'], undefined, []]);
    expect(asked).toEqual([undefined]);
  });

  it('goes on behind the last event that came, when a connection is lost', async () => {
    const { connect, asked } = connections(
      BEGAN + HELLO + 'id: s.3\nevent: turn_en',
      new Unreachable(),
      DONE,
    );
    expect((await heard(connect))[0]).toEqual(['turn_began', 'text_added', 'turn_ended']);
    expect(asked).toEqual([undefined, 's.2', 's.2']);
  });

  it('gives up after so many connections in a row that bring nothing', async () => {
    const { connect, asked } = connections(BEGAN);
    const [events, error] = await heard(connect);
    expect(events).toEqual(['turn_began']);
    expect(error).toBeInstanceOf(TurnLost);
    expect(asked).toHaveLength(ATTEMPTS);
  });

  it('waits longer each time, and as long as the service says', async () => {
    const [, , pauses] = await heard(
      connections('retry: 3000\n\n', new Unreachable(), new Unreachable()).connect,
    );
    expect(pauses).toEqual([3000, 1000, 2000, 4000, 8000]);
  });

  it('does not repeat what was refused', async () => {
    const refused = new ApiError(403, 'ai_disabled', '', {}, undefined);
    const { connect, asked } = connections(refused);
    expect((await heard(connect))[1]).toBe(refused);
    expect(asked).toHaveLength(1);
  });

  it('takes a problem within the stream for the refusal that it is', async () => {
    const problem = event('', 'problem', { code: 'level_too_low', status: 403, detail: '' });
    const [, error] = await heard(connections(BEGAN + problem).connect);
    expect(isCode(error, 'level_too_low') && error.status).toBe(403);
  });

  it('comes back when something in between says that the service is away', async () => {
    const away = new ApiError(502, 'unexpected_answer', '', {}, undefined);
    expect((await heard(connections(away, BEGAN + DONE).connect))[0]).toEqual(['turn_began', 'turn_ended']);
  });

  it('stops when nobody listens any more', async () => {
    const leaving = new AbortController();
    leaving.abort();
    const [, error] = await heard(connections(BEGAN).connect, leaving.signal);
    expect(error).toMatchObject({ name: 'AbortError' });
  });

  it('leaves out events of a kind that it does not know', async () => {
    const strange = event('s.2', 'of_the_future', { text: 'x' });
    expect((await heard(connections(BEGAN + strange + DONE).connect))[0]).toEqual([
      'turn_began',
      'turn_ended',
    ]);
  });
});
