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

  it('has the lines as they will stand in the text, and as suggested where they apply no more', () => {
    const added = { op: 'add', text: 'We ship on Friday', target: '', heading: '' } as const;
    const removed = { op: 'remove', text: '', target: 'gone', heading: '' } as const;
    const shown = (edit: typeof added | typeof removed, text: string) =>
      changesOf([edit], text)[0]?.lines.map(({ sign, text: line }) => sign + line);
    expect(shown(added, '# Team\n')).toEqual(['+', '+- We ship on Friday']);
    expect(shown(removed, '- gone\n')).toEqual(['−- gone']);
    expect(shown(removed, '# Team\n')).toEqual(['−gone']);
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
