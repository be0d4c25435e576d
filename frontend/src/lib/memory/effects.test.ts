/** A suggestion is shown by the lines that applying it will make. */
import { describe, expect, it } from 'vitest';
import type { Edit } from '../keys/proposal-opening';
import { effectOn } from './effects';

const edit = (op: Edit['op'], facts: Partial<Edit>): Edit => ({
  op,
  text: '',
  target: '',
  heading: '',
  ...facts,
});

function shown(text: string, ...edits: Edit[]): string[][] {
  const effect = effectOn(text, edits);
  if (effect.as !== 'changes') throw new Error(effect.as);
  return effect.lines.map((lines) => lines.map((line) => line.sign + line.text));
}

describe('the lines of a suggestion', () => {
  it('are those that will stand, with list mark and blank line', () => {
    const friday = edit('add', { text: 'we ship on Friday' });
    expect(shown('# Team\n', friday)).toEqual([['+', '+- we ship on Friday']]);
    expect(shown('- one', friday)).toEqual([['+- we ship on Friday']]);
    expect(shown('1. one\r\n', friday)).toEqual([['+2. we ship on Friday']]);
  });

  it('have the heading that comes along, and keep the mark of a line that is replaced', () => {
    const under = edit('add', { text: 'tea', heading: 'Drinks' });
    expect(shown('# Team\n', under)).toEqual([['+', '+## Drinks', '+', '+- tea']]);
    const other = edit('replace', { target: 'tea', text: 'coffee' });
    expect(shown('  * tea\n', other)).toEqual([['−  * tea', '+  * coffee']]);
  });

  it('are told for each edit apart, upon what the ones before it made', () => {
    const two = edit('add', { text: 'two' });
    const three = edit('replace', { target: 'two', text: 'three' });
    const gone = edit('remove', { target: 'one' });
    expect(shown('- one\n', two, three, gone)).toEqual([['+- two'], ['−- two', '+- three'], ['−- one']]);
  });
});
