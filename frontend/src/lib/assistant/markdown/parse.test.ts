import { describe, expect, it } from 'vitest';
import { CHARACTERS_MAX, DEPTH_MAX, parseMarkdown, type Block, type Inline } from './parse';
import { safeLink } from './safe-link';

const inline = (text: string): Inline[] => {
  const [block] = parseMarkdown(text);
  return block && 'of' in block && block.is !== 'quote' ? block.of : [];
};
const links = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(links);
  if (typeof value !== 'object' || value === null) return [];
  const own = 'link' in value ? [(value.link as { href: string }).href] : [];
  return [...own, ...Object.values(value).flatMap(links)];
};
const text = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(text).join('');
  if (typeof value !== 'object' || value === null) return '';
  const own = 'text' in value ? String(value.text) : '';
  return own + Object.values(value).map(text).join('');
};
const depth = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;

describe('Markdown', () => {
  it('has paragraphs, headings, emphasis and code', () => {
    expect(parseMarkdown('## Plan\n\nShip *on* **Thursday**, ~~Friday~~ by `make ship`.')).toEqual([
      { is: 'heading', level: 2, of: [{ is: 'text', text: 'Plan' }] },
      {
        is: 'paragraph',
        of: [
          { is: 'text', text: 'Ship ' },
          { is: 'emphasis', of: [{ is: 'text', text: 'on' }] },
          { is: 'text', text: ' ' },
          { is: 'strong', of: [{ is: 'text', text: 'Thursday' }] },
          { is: 'text', text: ', ' },
          { is: 'strike', of: [{ is: 'text', text: 'Friday' }] },
          { is: 'text', text: ' by ' },
          { is: 'code', text: 'make ship' },
          { is: 'text', text: '.' },
        ],
      },
    ]);
  });

  it('has lists within lists, their first number, and what is done', () => {
    const [list] = parseMarkdown('3. one\n4. two\n   - [x] done\n   - [ ] open\n') as [
      Block & { is: 'list' },
    ];
    expect([list.ordered, list.start, list.items.length]).toEqual([true, 3, 2]);
    const inner = list.items[1]?.of[1] as Block & { is: 'list' };
    expect(inner.items.map((item) => item.done)).toEqual([true, false]);
    expect(text(inner)).toBe('doneopen');
  });

  it('has code blocks as they are, also one that is not closed yet', () => {
    expect(parseMarkdown('```py\na = 1\n\n  b\n```')).toEqual([
      { is: 'code', language: 'py', text: 'a = 1\n\n  b' },
    ]);
    expect(parseMarkdown('> ```\n> a\n> b\n> ```')).toEqual([
      { is: 'quote', of: [{ is: 'code', language: '', text: 'a\nb' }] },
    ]);
    expect(parseMarkdown('```\na')).toEqual([{ is: 'code', language: '', text: 'a' }]);
  });

  it('has tables with their alignment', () => {
    const [table] = parseMarkdown('| a | b |\n|:-:|--:|\n| 1 | *2* |') as [Block & { is: 'table' }];
    expect([table.align, table.head.map(text), table.rows.map((row) => row.map(text))]).toEqual([
      ['center', 'end'],
      ['a', 'b'],
      [['1', '2']],
    ]);
  });

  it('follows links by their address, their name, and as they stand', () => {
    expect(
      links(
        parseMarkdown(
          '[a](https://a.example/x) [b][ref] [ref] <https://c.example> https://d.example me@e.example\n\n[Ref]: https://b.example "t"',
        ),
      ),
    ).toEqual([
      'https://a.example/x',
      'https://b.example/',
      'https://b.example/',
      'https://c.example/',
      'https://d.example/',
      'mailto:me@e.example',
    ]);
  });

  it('knows escapes, entities and line breaks', () => {
    expect(inline('\\*a\\* &amp; &#x41; &nope;  \nb')).toEqual([
      { is: 'text', text: '*' },
      { is: 'text', text: 'a' },
      { is: 'text', text: '*' },
      { is: 'text', text: ' ' },
      { is: 'text', text: '&' },
      { is: 'text', text: ' ' },
      { is: 'text', text: 'A' },
      { is: 'text', text: ' ' },
      { is: 'text', text: '&nope;' },
      { is: 'break' },
      { is: 'text', text: 'b' },
    ]);
  });
});

describe('hostile Markdown', () => {
  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    'a <b onclick="x()">b</b> <!-- c -->',
    '<iframe srcdoc="<script>x</script>"></iframe>',
    '<div>\n\n**not bold?**\n\n</div>',
  ])('shows raw HTML as text: %s', (hostile) => {
    expect(text(parseMarkdown(hostile)).replace(/\s/g, '')).toContain(
      hostile.replace(/[\s*]/g, '').slice(0, 12),
    );
    expect(links(parseMarkdown(hostile))).toEqual([]);
  });

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    '\u0001javascript:alert(1)',
    'java\nscript:alert(1)',
    'java&#x0A;script:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://a.example/1',
    '//evil.example/x',
    '/api/v1/me',
    '#x',
    '',
    'https://',
  ])('makes no link of %j', (address) => {
    expect(safeLink(address)).toBeUndefined();
    expect(links(parseMarkdown(`[a](<${address}>) <${address}> ![p](<${address}>)`))).toEqual([]);
  });

  it('shows where a link really leads', () => {
    expect(safeLink('https://bank.example@evil.example/x')).toEqual({
      href: 'https://evil.example/x',
      target: 'evil.example',
    });
    expect(safeLink('https://аррӏе.com')?.target).toMatch(/^xn--/);
    expect(safeLink('mailto:a@b.example?body=secret')).toEqual({
      href: 'mailto:a@b.example',
      target: 'a@b.example',
    });
  });

  it('fetches no picture: it is a link', () => {
    expect(inline('![p](https://evil.example/?q=1)')).toEqual([
      {
        is: 'link',
        link: { href: 'https://evil.example/?q=1', target: 'evil.example' },
        of: [{ is: 'text', text: 'p' }],
      },
    ]);
  });

  it('makes hidden characters visible', () => {
    expect(text(parseMarkdown('a\u202Eb `c\u{E0041}` [d\u2066](https://e.example)'))).toBe(
      'a⟦U+202E⟧b c⟦U+E0041⟧ d⟦U+2066⟧',
    );
  });

  it('is not nested without an end', () => {
    for (const hostile of [
      '> '.repeat(5000) + 'x',
      '- '.repeat(3000) + 'x',
      '*'.repeat(4000) + 'x' + '*'.repeat(4000),
    ]) {
      expect(depth(parseMarkdown(hostile))).toBeLessThan(DEPTH_MAX * 5);
    }
  });

  it('is shown as it is written where its depth is forged', () => {
    for (const mark of ['> ', '- ', '1. ', '>', ' * ']) {
      const forged = mark.repeat(20_000) + 'x';
      expect(parseMarkdown(`a\n\n${forged}`)).toMatchObject([{ is: 'code' }]);
    }
  });

  it('is shown as it is written where it is longer than anybody reads', () => {
    const long = '*a* '.repeat(CHARACTERS_MAX / 4 + 1);
    expect(parseMarkdown(long)).toEqual([{ is: 'code', language: '', text: long }]);
  });

  it('loses nothing of a text that it does not understand', () => {
    const strange = '[a] ](x) [[b]] *c _d* e_ `f ``g` | h | ![i';
    for (const word of 'abcdefghi') expect(text(parseMarkdown(strange))).toContain(word);
  });
});
