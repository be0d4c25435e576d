import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError, Unreachable } from '../api/errors';
import { RecoveryOwed } from './recovery-owed.svelte';

const store = new Map<string, string>();
vi.stubGlobal('localStorage', {
  getItem: (name: string) => store.get(name) ?? null,
  setItem: (name: string, value: string) => store.set(name, value),
  removeItem: (name: string) => store.delete(name),
});

describe('a recovery key', () => {
  beforeEach(() => store.clear());
  const isOwedLater = (): boolean => new RecoveryOwed('alice').isOwed;

  it('is owed before the request, and until it is said to be kept', async () => {
    const owed = new RecoveryOwed('alice');
    await owed.making(async () => expect(isOwedLater()).toBe(true));
    expect([owed.isOwed, isOwedLater(), new RecoveryOwed('bob').isOwed]).toEqual([true, true, false]);
    owed.settle();
    expect([owed.isOwed, isOwedLater()]).toEqual([false, false]);
  });

  it('stays owed where the answer is lost', async () => {
    const lost = new RecoveryOwed('alice').making(() => Promise.reject(new Unreachable()));
    await expect(lost).rejects.toBeInstanceOf(Unreachable);
    expect(isOwedLater()).toBe(true);
  });

  it('is owed after a refusal only if it was before', async () => {
    const owed = new RecoveryOwed('alice');
    const refusal = new ApiError(409, 'keys_exist', '', {}, undefined);
    await owed.making(() => Promise.reject(refusal)).catch(() => undefined);
    expect(isOwedLater()).toBe(false);
    await owed.making(() => Promise.reject(new Unreachable())).catch(() => undefined);
    await owed.making(() => Promise.reject(refusal)).catch(() => undefined);
    expect(isOwedLater()).toBe(true);
  });
});
