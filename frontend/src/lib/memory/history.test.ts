/** The list of versions, with a service that may lie about what was sealed upon what. */
import { describe, expect, it } from 'vitest';
import type { RevisionOut } from '../api/document';
import { fromBase64Url, toBase64Url } from '../crypto/bytes';
import { brokenLinks } from './history.svelte';

const hash = (version: number): string => toBase64Url(new Uint8Array(32).fill(version));
const revision = (version: number): RevisionOut => ({
  version,
  kind: 'save',
  path: '.workspace/memory/memory.md',
  author_id: 'alice',
  at: '2026-11-02T09:00:00Z',
  clear_generation: 0,
  epoch: 1,
  bytes: 30,
  ciphertext: null,
  sha256: hash(version),
  previous_sha256: hash(version - 1),
});
const VERSIONS = [3, 2, 1].map(revision);
const head = (version: number) => ({ version, sha256: fromBase64Url(hash(version)) });

describe('the versions of a document', () => {
  it('fit together from the one that is shown down to the first', () => {
    expect(brokenLinks(VERSIONS, head(3))).toEqual(new Set());
  });

  it('may go on above the one that is shown', () => {
    expect(brokenLinks(VERSIONS, head(2))).toEqual(new Set());
    expect(brokenLinks(VERSIONS, { version: 0, sha256: new Uint8Array(32) })).toEqual(new Set());
  });

  it.each<[string, RevisionOut[], number[]]>([
    ['one is left out at the top', VERSIONS.slice(1), [2]],
    ['one is left out below', [revision(3), revision(1)], [1]],
    ['one is another one', [revision(3), { ...revision(2), sha256: hash(9) }, revision(1)], [2]],
    ['the newest is another one', [{ ...revision(3), sha256: hash(9) }, revision(2), revision(1)], [3]],
    ['the order is another one', [revision(2), revision(3)], [2, 3]],
  ])('do not when %s', (_, versions, broken) => {
    expect(brokenLinks(versions, head(3))).toEqual(new Set(broken));
  });

  it('do not when the one that is shown is another one below newer ones', () => {
    const forked = [revision(3), { ...revision(2), sha256: hash(3) }];
    expect(brokenLinks([{ ...forked[0]!, previous_sha256: hash(3) }, forked[1]!], head(2))).toEqual(
      new Set([2]),
    );
  });
});
