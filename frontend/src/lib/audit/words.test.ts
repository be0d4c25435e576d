import { describe, expect, it } from 'vitest';
import type { AuditEventOut } from '../api/schema';
import { factsOf } from './words';
import { headText, readHead } from './head';

const event = (facts: AuditEventOut['facts']): AuditEventOut => ({
  number: 1,
  at: '2026-11-02T09:00:00Z',
  actor: null,
  action: 'MEMORY_SETTINGS_CHANGED',
  subject: null,
  facts,
  previous: '',
  hash: '',
});

describe('the facts of an event', () => {
  it('are told in words, from what to what, and only where something changed', () => {
    const facts = {
      default_access_from: 'personal',
      default_access_to: 'read',
      write_mode_from: 'auto',
      write_mode_to: 'auto',
      assistant_tokens_from: 0,
      assistant_tokens_to: 20_000,
    };
    expect(factsOf(event(facts))).toEqual([
      { name: 'Default level', value: 'Personal → Read' },
      { name: 'Assistant tokens per day', value: 'no limit → 20,000' },
    ]);
  });

  it('leave ids to the details, and keep what is not known', () => {
    expect(factsOf(event({ item: 'an id', by_token: 'another', enabled: 1, newer: 'thing' }))).toEqual([
      { name: 'AI', value: 'on' },
      { name: 'newer', value: 'thing' },
    ]);
  });
});

describe('a head that is kept elsewhere', () => {
  const head = { number: 12, hash: 'a'.repeat(64) };

  it('is read as it was written', () => {
    expect(readHead(headText('w-1', head), 'w-1')).toEqual(head);
  });

  it('is refused from another workspace, or when it is none', () => {
    expect(readHead(headText('w-1', head), 'w-2')).toBeNull();
    for (const text of ['', '12', '{}', JSON.stringify({ workspace: 'w-1', number: 1.5, hash: head.hash })]) {
      expect(readHead(text, 'w-1'), text).toBeNull();
    }
  });
});
