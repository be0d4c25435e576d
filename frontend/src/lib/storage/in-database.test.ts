/** A storage of the browser that is silent, broken or full must hold nobody up. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KnownKeysUnreadable } from '../keys/errors';
import { keptInBrowser } from '../keys/known-keys-store';
import { draftsInBrowser } from '../memory/draft-store';
import { STORAGE_MS, StorageMissing, inDatabase, inTime } from './in-database';

const record = {
  id: 'd',
  user: 'alice',
  workspace: 'acme',
  epoch: 1,
  base: 1,
  at: 0,
  sealed: new Uint8Array(1),
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** What an access ends with after the time that it is given. */
async function ended(access: Promise<unknown>, ms = STORAGE_MS): Promise<unknown> {
  let end: unknown = 'goes on';
  access.then(
    (answer) => (end = answer),
    (error: unknown) => (end = error),
  );
  await vi.advanceTimersByTimeAsync(ms);
  return end;
}

describe('a storage that never answers', () => {
  const opened: (EventTarget & { onsuccess?: () => void; result?: unknown })[] = [];

  beforeEach(() => {
    const open = () => {
      opened.push(new EventTarget());
      return opened.at(-1);
    };
    vi.stubGlobal('indexedDB', { open });
  });

  it.each([
    ['known keys are read', () => keptInBrowser('alice').read(), KnownKeysUnreadable],
    ['known keys are kept', () => keptInBrowser('alice').update(() => 1), KnownKeysUnreadable],
    ['a draft is kept', () => draftsInBrowser.put(record), StorageMissing],
    ['a draft is removed', () => draftsInBrowser.remove('d'), StorageMissing],
    ['drafts are looked for', () => draftsInBrowser.all(), StorageMissing],
  ])('counts as missing after two seconds: %s', async (_, access, error) => {
    expect(await ended(access())).toBeInstanceOf(error);
  });

  it('is not waited for again, until it answers after all', async () => {
    const of = { name: 'slow', make: () => {} };
    const access = () => inDatabase(of, 'readonly', 'records', (store) => store.get('a'));
    expect(await ended(access())).toBeInstanceOf(StorageMissing);
    expect(await ended(access(), 0)).toBeInstanceOf(StorageMissing);
    const late = opened.at(-1);
    const close = vi.fn();
    if (late) late.result = { close };
    late?.onsuccess?.();
    await vi.advanceTimersByTimeAsync(0);
    expect(close).toHaveBeenCalled();
    expect(await ended(access(), 0)).toBe('goes on');
  });
});

describe('a storage that fails', () => {
  it.each([
    ['is not there', undefined],
    [
      'throws',
      {
        open: () => {
          throw new Error('forbidden');
        },
      },
    ],
  ])('counts as missing where it %s', async (_, storage) => {
    vi.stubGlobal('indexedDB', storage);
    expect(await ended(draftsInBrowser.put(record), 0)).toBeInstanceOf(StorageMissing);
    expect(await ended(keptInBrowser('alice').read(), 0)).toBeInstanceOf(KnownKeysUnreadable);
  });
});

describe('a browser without locks between its pages', () => {
  it('still holds the drafts of this page', async () => {
    vi.stubGlobal('navigator', {});
    const release = draftsInBrowser.hold('mine');
    expect(await draftsInBrowser.held()).toEqual(new Set(['mine']));
    release();
    expect(await draftsInBrowser.held()).toEqual(new Set());
  });

  it('is not waited for where it never answers', async () => {
    const silent = () => new Promise(() => {});
    vi.stubGlobal('navigator', { locks: { request: silent, query: silent } });
    draftsInBrowser.hold('silent');
    expect(await ended(draftsInBrowser.held())).toEqual(new Set(['silent']));
  });
});

it('a page that stood still does not take its storage for a silent one', async () => {
  expect(await ended(inTime(new Promise(() => {})), STORAGE_MS / 2)).toBe('goes on');
});
