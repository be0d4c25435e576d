import { describe, expect, it } from 'vitest';
import type { MemberOut } from '../api/schema';
import { CHOSEN_MAX, choose, leaveOut } from './choice';
import { matching, replaced } from './everybody';

const ids = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, i) => `${from + i}`);

describe('members that are chosen', () => {
  it('are 500 at most, and one more is refused', () => {
    const full = choose(new Set(), ids(0, CHOSEN_MAX));
    expect(full).toMatchObject({ refused: false });
    const over = choose(full.chosen, ['one more']);
    expect(over.refused).toBe(true);
    expect(over.chosen.has('one more')).toBe(false);
    expect(over.chosen.size).toBe(CHOSEN_MAX);
  });

  it('may be chosen twice, and left out', () => {
    const full = choose(new Set(), ids(0, CHOSEN_MAX));
    expect(choose(full.chosen, ['3']).refused).toBe(false);
    expect(leaveOut(full.chosen, ['3']).chosen.size).toBe(CHOSEN_MAX - 1);
  });
});

const member = (name: string, email: string): MemberOut => ({
  user_id: email,
  email,
  name,
  role: 'viewer',
  status: 'active',
  memory_access: 'inherit',
  created_at: '2026-11-02T09:00:00Z',
});

describe('a search for members', () => {
  const all = [member('José Álvarez', 'jose@example.com'), member('Jörg', 'joerg@example.org')];

  it('takes every word, in names and addresses, without regard to case and accents', () => {
    expect(matching(all, 'JOSE alva')).toEqual([all[0]]);
    expect(matching(all, 'example.org')).toEqual([all[1]]);
    expect(matching(all, 'jose example.org')).toEqual([]);
    expect(matching(all, '  ')).toEqual(all);
  });

  it('keeps its order when some change', () => {
    const changed = { ...(all[1] as MemberOut), role: 'admin' as const };
    expect(replaced(all, [changed])).toEqual([all[0], changed]);
  });
});
