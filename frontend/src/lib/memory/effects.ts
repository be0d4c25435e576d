/** What a suggestion would make of the text, and its lines as a person reads them. */
import { lineEndOf } from '../editor/lines';
import type { Edit } from '../keys/proposal-opening';
import { type EditRefusal, EditRefused, editSteps } from './edits';

/**
 * What it would make of a text. `lines` has those of each edit as they will stand, blank ones too. `already`: the text
 * says all of it.
 */
export type Effect =
  | { as: 'changes'; text: string; lines: ShownLine[][] }
  | { as: 'already' }
  | { as: 'refused'; refusal: EditRefusal; edit: Edit | undefined };

/** One line that goes away or comes, as a person reads it. */
export type ShownLine = { sign: '+' | '−'; text: string };

export function effectOn(text: string, edits: readonly Edit[]): Effect {
  try {
    const steps = editSteps(text, edits);
    if (steps === undefined) return { as: 'already' };
    const lines = steps.map((after, at) => linesBetween(at ? (steps[at - 1] as string) : text, after));
    return { as: 'changes', text: steps.at(-1) as string, lines };
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    return { as: 'refused', refusal: error.refusal, edit: edits[error.index] };
  }
}

/** The lines of an edit as they were suggested, for a text that it does not change: what goes, then what comes. */
export function linesOf(edit: Edit): ShownLine[] {
  const gone: ShownLine[] = edit.op === 'add' ? [] : [{ sign: '−', text: edit.target }];
  const come: ShownLine[] = edit.op === 'remove' ? [] : [{ sign: '+', text: edit.text }];
  return [...gone, ...come];
}

/** What changes between two texts: the lines between those that are the same at the beginning and at the end. */
export function linesBetween(before: string, after: string): ShownLine[] {
  const old = split(before);
  const now = split(after);
  const most = Math.min(old.length, now.length);
  let start = 0;
  while (start < most && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < most - start && old[old.length - 1 - end] === now[now.length - 1 - end]) end += 1;
  return [
    ...old.slice(start, old.length - end).map((text): ShownLine => ({ sign: '−', text })),
    ...now.slice(start, now.length - end).map((text): ShownLine => ({ sign: '+', text })),
  ];
}

/** The lines, without what ends them. */
function split(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(lineEndOf(text));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
