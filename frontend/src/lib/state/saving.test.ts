/** The state of memory that a message to the Assistant is sent with. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  SEND_WAIT_MS,
  beginWrite,
  forgetWrites,
  isWriting,
  memoryStateForSend,
  prepareWrite,
  settleConflict,
} from './saving.svelte';

beforeEach(forgetWrites);

describe('the memory state of a message', () => {
  it('is not told where this page has saved nothing', async () => {
    expect(await memoryStateForSend('acme')).toBeUndefined();
  });

  it('names the version that was acknowledged last', async () => {
    beginWrite('acme').acknowledged(7);
    beginWrite('acme').acknowledged(8);
    expect(await memoryStateForSend('acme')).toBe('saved;version=8');
  });

  it('is not told after a write that failed, for that changed nothing', async () => {
    beginWrite('acme').acknowledged(7);
    beginWrite('acme').failed();
    expect(await memoryStateForSend('acme')).toBeUndefined();
  });

  it('is a conflict until the person has decided', async () => {
    beginWrite('acme').acknowledged(7);
    beginWrite('acme').conflicted();
    expect(await memoryStateForSend('acme')).toBe('conflict');
    settleConflict('acme');
    expect(await memoryStateForSend('acme')).toBe('saved;version=7');
  });

  it('is not told after a settled conflict of the first write', async () => {
    beginWrite('acme').conflicted();
    settleConflict('acme');
    expect(await memoryStateForSend('acme')).toBeUndefined();
  });

  it('is of one workspace alone', async () => {
    beginWrite('acme').acknowledged(7);
    expect(await memoryStateForSend('other')).toBeUndefined();
  });

  it('takes only the first thing that is told of a write', async () => {
    const write = beginWrite('acme');
    write.acknowledged(7);
    write.failed();
    expect(await memoryStateForSend('acme')).toBe('saved;version=7');
    expect(isWriting('acme')).toBe(false);
  });
});

describe('a message while a write is under way', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  it('waits for its answer', async () => {
    const write = beginWrite('acme');
    const state = memoryStateForSend('acme');
    await vi.advanceTimersByTimeAsync(SEND_WAIT_MS - 1);
    write.acknowledged(3);
    expect(await state).toBe('saved;version=3');
  });

  it('waits no longer than five seconds', async () => {
    beginWrite('acme');
    const state = memoryStateForSend('acme');
    await vi.advanceTimersByTimeAsync(5000);
    expect(await state).toBe('pending');
  });

  it('waits from the moment on that the write was asked for', async () => {
    const written = prepareWrite('acme');
    const state = memoryStateForSend('acme');
    await vi.advanceTimersByTimeAsync(100);
    const write = beginWrite('acme');
    write.acknowledged(3);
    written();
    expect(await state).toBe('saved;version=3');
  });

  it('waits for each of several', async () => {
    const first = beginWrite('acme');
    const second = beginWrite('acme');
    const state = memoryStateForSend('acme');
    first.acknowledged(3);
    await vi.advanceTimersByTimeAsync(0);
    second.acknowledged(4);
    expect(await state).toBe('saved;version=4');
  });
});
