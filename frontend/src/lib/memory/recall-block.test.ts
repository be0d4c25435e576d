/** What a person is shown as the Assistant's view is what the service makes of the text. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { recallOf, shownText } from './recall-block';

const cases = JSON.parse(
  readFileSync(new URL('../../../../tests/vectors/recall-block.json', import.meta.url), 'utf-8'),
) as { text: string; shown: string }[];

const facts = { mode: 'read_only', aiEnabled: true, version: 3, live: true, text: '- Tea' } as const;

describe('the text in the block', () => {
  it('is the same in the browser as in the service', () => {
    expect(cases.length).toBeGreaterThan(50);
    for (const { text, shown } of cases) expect(shownText(text), JSON.stringify(text)).toBe(shown);
  });

  it('stands between markers, after what it is', () => {
    const found = recallOf({ ...facts, version: 7, text: '- Tea is green\n' });
    const block = found.status === 'attached' ? found.block : '';
    expect(block).toMatch(/^Saved workspace memory, revision 7\. /);
    expect(block).toMatch(/\n<workspace_memory ·{16}>\n- Tea is green\n<\/workspace_memory ·{16}>$/);
  });
});

describe('what a message finds', () => {
  it('is the block', () => expect(recallOf(facts).status).toBe('attached'));
  it('is nothing in mode off', () => expect(recallOf({ ...facts, mode: 'off' }).status).toBe('off'));
  it('is nothing without AI', () => expect(recallOf({ ...facts, aiEnabled: false }).status).toBe('ai_off'));
  it('is nothing of a deleted text', () =>
    expect(recallOf({ ...facts, live: false, text: '' }).status).toBe('deleted'));
  it('is nothing of blanks', () => expect(recallOf({ ...facts, text: ' \n\n' }).status).toBe('empty'));
  it('is nothing of a text that is too long, and says by how much', () =>
    expect(recallOf({ ...facts, text: 'é'.repeat(4097) })).toEqual({ status: 'oversized', excess: 2 }));
});
