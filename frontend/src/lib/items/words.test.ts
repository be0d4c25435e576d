import { describe, expect, it } from 'vitest';
import { changes } from './words';

const shown = (before: string, after: string): string =>
  changes(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'added' ? `+${text}+` : `-${text}-`))
    .join('');

describe('changes of words', () => {
  it('name what was taken and what was added', () => {
    expect(shown('The office closes at six', 'The office opens at six')).toBe(
      'The office -closes-+opens+ at six',
    );
  });

  it('find a word that was added at the end and one that was taken at the beginning', () => {
    expect(shown('likes tea', 'likes tea hot')).toBe('likes tea+ hot+');
    expect(shown('very hot tea', 'hot tea')).toBe('-very -hot tea');
  });

  it('tell words of Japanese apart', () => {
    expect(shown('会議は月曜日です', '会議は火曜日です')).toContain('会議は');
  });

  it('give both texts back', () => {
    const [before, after] = ['a b  c, d\ne', 'a x c; d\n\ne f'];
    const of = (kind: string): string =>
      changes(before, after)
        .filter((each) => each.kind === 'same' || each.kind === kind)
        .map((each) => each.text)
        .join('');
    expect([of('removed'), of('added')]).toEqual([before, after]);
  });
});
