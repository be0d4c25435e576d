/**
 * Two texts that were made of the same third one, put together by lines.
 *
 * Nothing that one side wrote is dropped: where both changed the same lines, what both wrote stands there, the newer
 * first. Nothing that one side took out comes back because the other wrote beside it: after a Clear, only the own lines
 * are left. What comes out is a draft for a person to look at, and never saved by itself.
 */
import { lineEndOf } from '../editor/lines';

/** `overlaps`: in how many places both had changed the same lines. */
export type Merged = { text: string; overlaps: number };

/** The lines `from` up to `to` of the base became `lines`. */
type Change = { from: number; to: number; lines: string[] };
/** Changes that touch the same lines of the base, by whose they are. */
type Group = { from: number; to: number; mine: Change[]; newer: Change[] };

// What is compared line by line takes this many steps at most; a longer stretch counts as changed as a whole.
const STEPS_MAX = 4_000_000;

/** Put `mine` and `newer` together, which were both made of `base`. Line ends become those of the newer text, where it has any. */
export function putTogether(base: string, mine: string, newer: string): Merged {
  const before = linesOf(base);
  const merged: string[] = [];
  let at = 0;
  let overlaps = 0;
  for (const group of groupsOf(changesOf(before, linesOf(mine)), changesOf(before, linesOf(newer)))) {
    merged.push(...before.slice(at, group.from));
    const both = oneAfterTheOther(written(group.newer), written(group.mine));
    const isByBoth = group.mine.length > 0 && group.newer.length > 0;
    // Two lines put in at the same place take nothing from each other.
    if (isByBoth && both.isDoubtful && group.to > group.from) overlaps += 1;
    merged.push(...both.lines);
    at = group.to;
  }
  merged.push(...before.slice(at));
  const end = lineEndOf(newer || mine);
  return { text: merged.join(end) + (merged.length && endsInLine(base, mine, newer) ? end : ''), overlaps };
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.split(lineEndOf(text));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Whether a line end closes the text: as both have it, or as the one that changed it. */
function endsInLine(base: string, mine: string, newer: string): boolean {
  // An empty text says nothing of it.
  if (newer === '' || mine === '') return (newer || mine).endsWith('\n');
  const own = mine.endsWith('\n');
  return own === newer.endsWith('\n') ? own : !base.endsWith('\n');
}

function changesOf(before: string[], after: string[]): Change[] {
  const { start, end } = commonEnds(before, after);
  const old = before.slice(start, before.length - end);
  const now = after.slice(start, after.length - end);
  if (!old.length && !now.length) return [];
  if (old.length * now.length > STEPS_MAX) return [{ from: start, to: start + old.length, lines: now }];
  return between(old, now, start);
}

/** The changes by a longest common subsequence of lines; `start` is where `old` begins in the base. */
function between(old: string[], now: string[], start: number): Change[] {
  const common = commonLengths(old, now);
  const width = now.length + 1;
  const changes: Change[] = [];
  let open: Change | null = null;
  let i = 0;
  let j = 0;
  while (i < old.length || j < now.length) {
    const line = now[j];
    if (i < old.length && line !== undefined && old[i] === line) {
      open = null;
      i += 1;
      j += 1;
      continue;
    }
    if (!open) changes.push((open = { from: start + i, to: start + i, lines: [] }));
    const without = i < old.length ? common[(i + 1) * width + j]! : -1;
    const withOne = line !== undefined ? common[i * width + j + 1]! : -1;
    if (line === undefined || without >= withOne) open.to = start + ++i;
    else {
      open.lines.push(line);
      j += 1;
    }
  }
  return changes;
}

/** How many lines the rests of both have in common, by where the rests begin. */
function commonLengths(old: string[], now: string[]): Uint32Array {
  const width = now.length + 1;
  const common = new Uint32Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      common[i * width + j] =
        old[i] === now[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
  return common;
}

function groupsOf(mine: Change[], newer: Change[]): Group[] {
  const groups: Group[] = [];
  // What is put in before a line comes before what the line itself became.
  const all = [
    ...mine.map((change) => ({ change, side: 'mine' as const })),
    ...newer.map((change) => ({ change, side: 'newer' as const })),
  ].sort((a, b) => a.change.from - b.change.from || a.change.to - b.change.to);
  for (const { change, side } of all) {
    let group = groups.at(-1);
    if (!group || !touches(group, change))
      groups.push((group = { from: change.from, to: change.to, mine: [], newer: [] }));
    group.to = Math.max(group.to, change.to);
    group[side].push(change);
  }
  return groups;
}

const touches = (group: Group, change: Change): boolean =>
  change.from < group.to ||
  (change.from === change.to && group.from === group.to && change.from === group.to);

/** The lines that one side wrote in a group. Each line of the base in it was taken out by one side at least. */
const written = (changes: Change[]): string[] => changes.flatMap(({ lines }) => lines);

/** What both begin and end with stands once. */
function oneAfterTheOther(first: string[], second: string[]): { lines: string[]; isDoubtful: boolean } {
  const { start, end } = commonEnds(first, second);
  const middle = second.slice(start, second.length - end);
  const own = first.slice(start, first.length - end);
  const lines = [...first.slice(0, start), ...own, ...middle, ...first.slice(first.length - end)];
  return { lines, isDoubtful: own.length + middle.length > 0 };
}

/** How many lines two lists have in common at their start, and after that at their end. */
function commonEnds(a: string[], b: string[]): { start: number; end: number } {
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < most - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
  return { start, end };
}
