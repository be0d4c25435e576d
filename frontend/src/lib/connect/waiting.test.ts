import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TokenOut } from '../api/schema';
import { pause, Waiting } from './waiting.svelte';

const token = (used: string | null): TokenOut => ({
  id: 't-1',
  user_id: 'u-1',
  name: 'Cursor',
  max_level: 'contribute',
  surface: 'mcp',
  created_at: '2026-11-02T09:00:00Z',
  last_used_at: used,
  expires_at: null,
  revoked_at: null,
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('waiting for the first call of a client', () => {
  it('asks until the token was used, tells it, and asks no more', async () => {
    let used: string | null = null;
    const list = vi.fn(async () => [token(used)]);
    const called = vi.fn();
    const waiting = new Waiting('t-1', list, called, () => true);
    await vi.advanceTimersByTimeAsync(5000);
    expect([waiting.state, called.mock.calls.length]).toEqual(['waiting', 0]);
    used = '2026-11-02T09:01:00Z';
    await vi.advanceTimersByTimeAsync(20_000);
    expect([waiting.state, waiting.at, called.mock.calls.length]).toEqual(['connected', used, 1]);
    const asked = list.mock.calls.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(list).toHaveBeenCalledTimes(asked);
  });

  it('asks more and more seldom, at least every quarter of a minute', () => {
    const pauses = [0, 1, 5, 50].map(pause);
    expect(pauses).toEqual([...pauses].sort((a, b) => a - b));
    expect(pauses.at(-1)).toBe(15_000);
  });

  it('goes on after a failure', async () => {
    let fails = true;
    const waiting = new Waiting(
      't-1',
      async () => {
        if (fails) throw new Error('away');
        return [token('2026-11-02T09:01:00Z')];
      },
      () => {},
      () => true,
    );
    await vi.advanceTimersByTimeAsync(2000);
    expect(waiting.state).toBe('failed');
    fails = false;
    await vi.advanceTimersByTimeAsync(20_000);
    expect(waiting.state).toBe('connected');
  });

  it('does not ask while nobody looks, and asks at once when somebody does', async () => {
    let seen = false;
    const list = vi.fn(async () => [token('2026-11-02T09:01:00Z')]);
    const waiting = new Waiting(
      't-1',
      list,
      () => {},
      () => seen,
    );
    await vi.advanceTimersByTimeAsync(60_000);
    expect([waiting.state, list.mock.calls.length]).toEqual(['paused', 0]);
    seen = true;
    waiting.look();
    await vi.advanceTimersByTimeAsync(0);
    expect(waiting.state).toBe('connected');
  });

  it('stops for good when it is ended, and after a while by itself', async () => {
    const list = vi.fn(async () => [token(null)]);
    const left = new Waiting(
      't-1',
      list,
      () => {},
      () => true,
    );
    const waiting = new Waiting(
      't-1',
      list,
      () => {},
      () => true,
    );
    left.end();
    await vi.advanceTimersByTimeAsync(30 * 60_000);
    const asked = list.mock.calls.length;
    await vi.advanceTimersByTimeAsync(30 * 60_000);
    expect([waiting.state, list.mock.calls.length]).toEqual(['paused', asked]);
  });
});
