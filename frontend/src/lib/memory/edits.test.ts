/** Suggestions change exactly the lines that they name, as the service's own rules do. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Edit } from '../keys/proposal-opening';
import { EditRefused, applyEdits } from './edits';

type Case = { text: string; edits: Edit[] } & (
  { result: string } | { unchanged: true } | { refused: string; index: number }
);

const cases = JSON.parse(
  readFileSync(new URL('../../../../tests/vectors/edits.json', import.meta.url), 'utf-8'),
) as Case[];

function outcome({ text, edits }: Case): unknown {
  try {
    const result = applyEdits(text, edits);
    return result === undefined ? { unchanged: true } : { result };
  } catch (error) {
    if (error instanceof EditRefused) return { refused: error.refusal, index: error.index };
    throw error;
  }
}

describe('edits', () => {
  it('do in the browser what they do in the service', () => {
    expect(cases.length).toBeGreaterThan(100);
    for (const each of cases) {
      const { text, edits, ...expected } = each;
      expect(outcome(each), JSON.stringify([text.slice(0, 200), edits])).toEqual(expected);
    }
  });
});
