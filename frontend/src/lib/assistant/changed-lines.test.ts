import { describe, expect, it } from 'vitest';
import { changeBetween, changesOf } from './changed-lines';

const written = (before: string, after: string): string[] =>
  changeBetween(before, after).lines.map(({ sign, text }) => `${sign}${text}`);

describe('a suggestion for the memory', () => {
  it('has exactly the lines of each edit', () => {
    expect(
      changesOf([
        { op: 'add', text: 'We ship on Friday', target: '', heading: '## Team' },
        { op: 'replace', text: 'new', target: 'old', heading: '' },
        { op: 'remove', text: '', target: 'gone', heading: '' },
      ]),
    ).toEqual([
      { heading: 'Team', lines: [{ sign: '+', text: 'We ship on Friday' }] },
      {
        heading: '',
        lines: [
          { sign: '−', text: 'old' },
          { sign: '+', text: 'new' },
        ],
      },
      { heading: '', lines: [{ sign: '−', text: 'gone' }] },
    ]);
  });

  it('shows what is hidden in a line', () => {
    const [change] = changesOf([{ op: 'add', text: 'pay \u202Eevil', target: '', heading: '' }]);
    expect(change?.lines[0]?.text).toBe('pay ⟦U+202E⟧evil');
  });
});

describe('a suggestion for a note', () => {
  it.each([
    ['a\nb\nc\n', 'a\nx\nc\n', ['−b', '+x']],
    ['', 'a\nb\n', ['+a', '+b']],
    ['a\na\n', 'a\n', ['−a']],
    ['a\r\nb\r\n', 'a\r\nb\r\nc\r\n', ['+c']],
    ['a\n', 'a\n', []],
  ])('turns %j into %j by the lines between', (before, after, lines) => {
    expect(written(before, after)).toEqual(lines);
  });
});
