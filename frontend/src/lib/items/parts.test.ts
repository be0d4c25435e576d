import { describe, expect, it } from 'vitest';
import { cut, fits, partsOf, placeIn, PART_BYTES_MAX, type Part } from './parts';

const whole = (text: string): Part => partsOf(text)[0] as Part;
const texts = (parts: Part[] | null): string[] => (parts ?? []).map((part) => part.text);

describe('a file in parts', () => {
  it('is one part as long as the service takes it', () => {
    expect(texts(partsOf('- tea\n- coffee\n'))).toEqual(['- tea\n- coffee\n']);
    expect(fits({ text: 'a'.repeat(PART_BYTES_MAX), shift: 0 })).toBe(false);
  });

  it('gives each block of an export its first and last line', () => {
    const [header, trailer] = [
      '{"format":"workspace-memory","version":1}',
      '{"end":"workspace-memory","blocks":[[2,"x"],[1,"y"]],"mac":"z"}',
    ];
    const parts = partsOf([header, '{"a":1}', '{"a":2}', '{"a":3}', trailer, ''].join('\n'));
    expect(texts(parts)).toEqual([
      `${header}\n{"a":1}\n{"a":2}\n${trailer}\n`,
      `${header}\n{"a":3}\n${trailer}\n`,
    ]);
    expect(placeIn(parts[1] as Part, 'mine.jsonl, line 2')).toBe('mine.jsonl, line 4');
    expect(cut(parts[0] as Part)).toBeNull();
  });

  it('is cut between texts, and the headings above go with what stands below', () => {
    const part = whole('# Work\n## Tea\n- green\n  in the morning\n- black\n- white\n');
    const halves = cut(part);
    expect(texts(halves)).toEqual([
      '# Work\n## Tea\n- green\n  in the morning',
      '# Work\n## Tea\n- black\n- white\n',
    ]);
    expect(placeIn(halves?.[1] as Part, 'AGENTS.md, line 4')).toBe('AGENTS.md, line 6');
  });

  it('is cut where it is a list in JSON, in the middle of the list', () => {
    expect(texts(cut(whole('{"results":[{"memory":"a"},{"memory":"b"},{"memory":"c"}]}')))).toEqual([
      '[{"memory":"a"},{"memory":"b"}]',
      '[{"memory":"c"}]',
    ]);
  });

  it('is not cut where there is one text only', () => {
    expect(cut(whole('- one\n  goes on\n'))).toBeNull();
    expect(cut(whole('["one"]'))).toBeNull();
  });
});
