/** A suggestion as lines that go and lines that come, as a person reads it before deciding. */
import type { Edit } from '../keys/proposal-opening';
import { type ShownLine, effectOn, linesBetween, linesOf } from '../memory/effects';
import { visible } from './markdown/visible';

/** Lines under the heading that they are added to, where one is named. */
export type Change = { heading: string; lines: ShownLine[] };

const seen = (lines: readonly ShownLine[]): ShownLine[] =>
  lines.map(({ sign, text }) => ({ sign, text: visible(text) }));

/**
 * The edits of a suggestion for the memory document, each with the lines as they will stand in the text that it would be
 * applied to; as they were suggested where that is not known, or where they change nothing of it.
 */
export function changesOf(edits: readonly Edit[], text: string | null = null): Change[] {
  const effect = text === null ? null : effectOn(text, edits);
  const changes = edits.map((edit, at) => ({
    heading: edit.op === 'add' ? visible(edit.heading.replace(/^#+\s*/, '')) : '',
    lines: seen((effect?.as === 'changes' && effect.lines[at]) || linesOf(edit)),
  }));
  return changes.filter(({ lines }) => lines.length);
}

/** What changes between two texts: the lines between those that are the same at the beginning and at the end. */
export const changeBetween = (before: string, after: string): Change => ({
  heading: '',
  lines: seen(linesBetween(before, after)),
});
