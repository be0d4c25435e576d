/** What a suggestion would make of the text, and its lines as a person reads them. */
import type { Edit } from '../keys/proposal-opening';
import { type EditRefusal, EditRefused, applyEdits } from './edits';

/** What it would make of a text. `already`: the text says all of it. */
export type Effect =
  | { as: 'changes'; text: string }
  | { as: 'already' }
  | { as: 'refused'; refusal: EditRefusal; edit: Edit | undefined };

export function effectOn(text: string, edits: readonly Edit[]): Effect {
  try {
    const changed = applyEdits(text, edits);
    return changed === undefined ? { as: 'already' } : { as: 'changes', text: changed };
  } catch (error) {
    if (!(error instanceof EditRefused)) throw error;
    return { as: 'refused', refusal: error.refusal, edit: edits[error.index] };
  }
}

/** One line that goes away or comes, as a person reads it. */
type ShownLine = { sign: '+' | '−'; text: string };

/** The lines of an edit: what goes, then what comes. */
export function linesOf(edit: Edit): ShownLine[] {
  const gone: ShownLine[] = edit.op === 'add' ? [] : [{ sign: '−', text: edit.target }];
  const come: ShownLine[] = edit.op === 'remove' ? [] : [{ sign: '+', text: edit.text }];
  return [...gone, ...come];
}
