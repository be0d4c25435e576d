/** Who saved an item first, and who changed it last. */
import { expect, it } from 'vitest';
import { changedBy, writtenBy } from './saved-by';

const revision = (version: number, changed_by: string | null, source: string) => ({
  version,
  changed_by,
  source,
  content: 'Tea',
  kind: 'note' as const,
  tags: [],
  changed_at: `2026-11-0${version}T09:00:00Z`,
});

it('the first writer stays named with the client after somebody else changed the item by hand', () => {
  const { first, last } = writtenBy([revision(2, 'bob', 'session'), revision(1, 'alice', 'Test client')]);
  expect(first && changedBy(first)).toEqual({ client: 'Test client', person: 'alice' });
  expect(last && changedBy(last)).toEqual({ client: null, person: 'bob' });
});

it('nobody changed what has one version, and nobody is named for a first version that is not there', () => {
  expect(writtenBy([revision(1, null, 'session')]).last).toBeUndefined();
  expect(writtenBy([revision(3, 'bob', 'session')]).first).toBeUndefined();
  expect(writtenBy([])).toEqual({ first: undefined, last: undefined });
});
