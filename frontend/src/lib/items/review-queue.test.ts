import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ReviewEntryOut } from '../api/schema';
import { ReviewQueue } from './review-queue.svelte';

const entry = {
  item: { id: 'i', version: 1, content: 'Tea is green' },
  replaced: null,
} as unknown as ReviewEntryOut;

/** A queue with one entry, whose decision is not answered; what a look at the entry is answered then. */
function queueWith(look: () => Promise<Response>): ReviewQueue {
  vi.stubGlobal('fetch', (_: string, { method }: RequestInit) =>
    method === 'POST' ? Promise.reject(new TypeError('no network')) : look(),
  );
  const queue = new ReviewQueue();
  queue.entries = [entry];
  return queue;
}
const problem = (status: number, facts: object): (() => Promise<Response>) => {
  return async () => Response.json(facts, { status });
};

afterEach(() => vi.unstubAllGlobals());

describe('a decision whose answer is lost', () => {
  it.each([
    ['active', true, 0],
    ['rejected', false, 1],
  ])('was made where the item is %s: %s', async (status, made, told) => {
    const queue = queueWith(problem(409, { code: 'not_pending', item_status: status }));
    expect(await queue.approve(entry)).toBe(made);
    expect([queue.entries, queue.told.length, queue.notes.size]).toEqual([[], told, 0]);
  });

  it('was made where a rejected personal item is gone', async () => {
    const queue = queueWith(problem(404, { code: 'not_found' }));
    expect(await queue.reject(entry, '')).toBe(true);
  });

  it('was not made where the entry still waits', async () => {
    const queue = queueWith(async () => Response.json(entry));
    expect(await queue.approve(entry)).toBe(false);
    expect(queue.entries).toHaveLength(1);
    expect(queue.notes.get('i')).toContain('nothing was changed');
  });

  it('is not known where the look is not answered either', async () => {
    const queue = queueWith(() => Promise.reject(new TypeError('no network')));
    expect(await queue.approve(entry)).toBe(false);
    expect(queue.notes.get('i')).toContain('not certain');
  });
});
