import { describe, expect, it } from 'vitest';
import { moment, until } from './moments';

describe('until when something holds', () => {
  const now = new Date(2026, 11, 1, 8, 0).getTime();

  it('is the time of day, without a needless zero', () => {
    expect(until(new Date(2026, 11, 1, 9, 10).getTime(), now)).toMatch(/^9:10\sAM$/);
  });

  it('has the date on another day, a week later at the same time too', () => {
    const later = new Date(2026, 11, 8, 9, 10).getTime();
    expect(until(later, now)).toBe(moment(later));
    expect(until(later, now)).toContain('Dec 8, 2026');
  });
});
