/** A suggestion as lines that go and lines that come, as a person reads it before deciding. */
import type { Edit } from '../keys/proposal-opening';
import { visible } from './markdown/visible';

type ChangedLine = { sign: '+' | '−'; text: string };
/** Lines under the heading that they are added to, where one is named. */
export type Change = { heading: string; lines: ChangedLine[] };

const added = (text: string): ChangedLine => ({ sign: '+', text: visible(text) });
const removed = (text: string): ChangedLine => ({ sign: '−', text: visible(text) });

/** The edits of a suggestion for the memory document, each with its exact lines. */
export function changesOf(edits: readonly Edit[]): Change[] {
  return edits.map((edit) => {
    const lines = {
      add: () => [added(edit.text)],
      replace: () => [removed(edit.target), added(edit.text)],
      remove: () => [removed(edit.target)],
    }[edit.op]();
    return { heading: edit.op === 'add' ? visible(edit.heading.replace(/^#+\s*/, '')) : '', lines };
  });
}

/** What changes between two texts: the lines between those that are the same at the beginning and at the end. */
export function changeBetween(before: string, after: string): Change {
  const old = linesOf(before);
  const now = linesOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end++;
  return {
    heading: '',
    lines: [
      ...old.slice(start, old.length - end).map(removed),
      ...now.slice(start, now.length - end).map(added),
    ],
  };
}

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/));
