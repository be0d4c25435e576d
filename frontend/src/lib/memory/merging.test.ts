/** What becomes of two texts that are put together. */
import { describe, expect, it } from 'vitest';
import { putTogether } from './merging';

const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('');
const BASE = text('# Team', 'one', 'two', 'three');

describe('two texts that are put together', () => {
  it('keep what was put in at different places', () => {
    const mine = text('# Team', 'mine', 'one', 'two', 'three');
    const newer = text('# Team', 'one', 'two', 'newer', 'three');
    expect(putTogether(BASE, mine, newer)).toEqual({
      text: text('# Team', 'mine', 'one', 'two', 'newer', 'three'),
      overlaps: 0,
    });
  });

  it('keep what was replaced in different lines, neighbours too', () => {
    const mine = text('# Team', 'ONE', 'two', 'three');
    const newer = text('# Team', 'one', 'TWO', 'three');
    expect(putTogether(BASE, mine, newer)).toEqual({
      text: text('# Team', 'ONE', 'TWO', 'three'),
      overlaps: 0,
    });
  });

  it('have both lines where both were appended at the end, with a line end or without', () => {
    const both = text('# Team', 'one', 'two', 'three', 'newer', 'mine');
    expect(putTogether(BASE, `${BASE}mine\n`, `${BASE}newer\n`)).toEqual({ text: both, overlaps: 0 });
    expect(putTogether(BASE, `${BASE}mine`, `${BASE}newer`).text).toBe(both.slice(0, -1));
    expect(putTogether('one', 'one\nmine', 'one\nnewer').text).toBe('one\nnewer\nmine');
  });

  it('have both versions, the own one last, where both changed the same lines', () => {
    const mine = text('# Team', 'one', 'two of mine', 'three');
    const newer = text('# Team', 'one', 'two of newer', 'three');
    expect(putTogether(BASE, mine, newer)).toEqual({
      text: text('# Team', 'one', 'two of newer', 'two of mine', 'three'),
      overlaps: 1,
    });
  });

  it('keep a line that one changed and the other took out, and nothing else that was taken out', () => {
    const mine = text('# Team', 'one', 'two of mine', 'three');
    const newer = text('# Team', 'three');
    const both = text('# Team', 'two of mine', 'three');
    expect(putTogether(BASE, mine, newer).text).toBe(both);
    expect(putTogether(BASE, newer, mine).text).toBe(both);
  });

  it.each([
    ['a line at the end', text('# Team', 'one', 'two', 'three', 'mine'), 'mine\n'],
    ['lines at several places', text('# Team', 'a', 'one', 'b', 'two', 'three'), 'a\nb\n'],
    ['a line in the place of another', text('# Team', 'one', 'two of mine', 'three'), 'two of mine\n'],
    ['nothing, and took out a line', text('# Team', 'one', 'three'), ''],
    ['a last line without a line end', `${BASE}mine`, 'mine'],
  ])('leave out what was cleared, where the own draft wrote %s', (_, mine, left) => {
    expect(putTogether(BASE, mine, '').text).toBe(left);
    // The same where others wrote something new after the Clear.
    expect(putTogether(BASE, mine, 'new\n').text).toBe(`new\n${left}`);
  });

  it('say once what both say', () => {
    const same = text('# Team', 'one', 'TWO', 'three', 'four');
    expect(putTogether(BASE, same, same)).toEqual({ text: same, overlaps: 0 });
    expect(putTogether(BASE, `${BASE}four\n`, `${BASE}four\nfive\n`).text).toBe(`${BASE}four\nfive\n`);
  });

  it('leave out what one took out, and keep the whole where the base was empty', () => {
    expect(putTogether(BASE, text('# Team', 'one', 'three'), `${BASE}four\n`).text).toBe(
      text('# Team', 'one', 'three', 'four'),
    );
    expect(putTogether('', 'mine', 'newer').text).toBe('newer\nmine');
    expect(putTogether('', '', 'newer\n').text).toBe('newer\n');
  });

  it('have the line ends of the newer text', () => {
    expect(putTogether('one\r\n', 'one\r\nmine\r\n', 'one\r\nnewer\r\n').text).toBe(
      'one\r\nnewer\r\nmine\r\n',
    );
  });
});
