/**
 * A file of memory in parts that one request takes: at most 500 texts and 384 KiB with the rest of the body.
 *
 * An export of this product goes in block by block, each between its first and last line, so that its proof holds. A
 * list is cut in two between its texts, and again, until each part is taken; headings above go with what stands below.
 */
export type Part = {
  text: string;
  /** How far the lines of this part stand behind those that the service counts; null where places are no lines. */
  shift: number | null;
};

/** Below the service's bound, which counts the body around the text too. */
export const PART_BYTES_MAX = 375_000;

const LISTS = ['results', 'memories', 'items', 'data', 'entries'];
const HEADING = /^\s*(#{1,6})\s+\S/;
const BOLD_HEADING = /^\s*\*\*[^*]+\*\*:?\s*$/;

export const fits = (part: Part): boolean =>
  new TextEncoder().encode(JSON.stringify(part.text)).length <= PART_BYTES_MAX;

/** The file as it is, or its blocks where it is an export that no single request takes. */
export function partsOf(text: string): Part[] {
  const whole: Part = { text, shift: 0 };
  return blocksOf(text) ?? [whole];
}

/** The part in two, or null where it cannot be cut. */
export function cut(part: Part): [Part, Part] | null {
  const start = part.text.trimStart();
  if (isOwnExport(start)) return null;
  return cutJson(part.text) ?? cutLines(part);
}

/** The place of a problem in the whole file. */
export function placeIn(part: Part, where: string): string {
  if (!part.shift) return where;
  const shift = part.shift;
  return where.replace(/, line (\d+)/, (_, line: string) => `, line ${Number(line) + shift}`);
}

const isOwnExport = (text: string): boolean => /^\{\s*"format"\s*:\s*"workspace-memory"/.test(text);

function blocksOf(text: string): Part[] | null {
  if (!isOwnExport(text.replace(/^\ufeff/, ''))) return null;
  const lines = text
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split(/\r?\n/);
  const [header, trailer] = [lines[0] as string, lines.at(-1) as string];
  const counts = blockCounts(trailer);
  if (!counts || counts.reduce((sum, count) => sum + count, 0) !== lines.length - 2) return null;
  // The service says what is wrong with a file whose parts do not fit together; here they are only told apart.
  if (counts.length < 2) return null;
  let from = 1;
  return counts.map((count) => {
    const block = lines.slice(from, from + count);
    const part = { text: [header, ...block, trailer, ''].join('\n'), shift: from - 1 };
    from += count;
    return part;
  });
}

function blockCounts(trailer: string): number[] | null {
  try {
    const facts = JSON.parse(trailer) as { end?: unknown; blocks?: unknown };
    if (facts.end !== 'workspace-memory' || !Array.isArray(facts.blocks)) return null;
    const counts = facts.blocks.map((block: unknown) => (Array.isArray(block) ? Number(block[0]) : NaN));
    return counts.every((count) => Number.isInteger(count) && count > 0) ? counts : null;
  } catch {
    return null;
  }
}

function cutJson(text: string): [Part, Part] | null {
  if (!/^\s*[[{]/.test(text)) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const facts = value as Record<string, unknown>;
  const list = Array.isArray(value) ? value : LISTS.map((key) => facts[key]).find(Array.isArray);
  if (!list || list.length < 2) return null;
  const middle = Math.ceil(list.length / 2);
  return [
    { text: JSON.stringify(list.slice(0, middle)), shift: null },
    { text: JSON.stringify(list.slice(middle)), shift: null },
  ];
}

function cutLines(part: Part): [Part, Part] | null {
  const lines = part.text.split('\n');
  const at = cutAt(lines);
  if (at === null) return null;
  const carried = headingsAbove(lines, at);
  return [
    { text: lines.slice(0, at).join('\n'), shift: part.shift },
    {
      text: [...carried, ...lines.slice(at)].join('\n'),
      shift: part.shift === null ? null : part.shift + at - carried.length,
    },
  ];
}

/** The line nearest to the middle at which a text begins: it is not indented, and something stands before it. */
function cutAt(lines: string[]): number | null {
  const middle = Math.floor(lines.length / 2);
  const begins = (at: number): boolean => at > 0 && at < lines.length && /^\S/.test(lines[at] as string);
  const hasText = (from: string[]): boolean => from.some((line) => line.trim() && !HEADING.test(line));
  for (let away = 0; away <= middle; away++) {
    for (const at of [middle - away, middle + away])
      if (begins(at) && hasText(lines.slice(0, at)) && hasText(lines.slice(at))) return at;
  }
  return null;
}

function headingsAbove(lines: string[], at: number): string[] {
  const found = new Map<number, string>();
  for (const line of lines.slice(0, at)) {
    const level = HEADING.exec(line)?.[1]?.length ?? (BOLD_HEADING.test(line) ? 7 : 0);
    if (!level) continue;
    for (const deeper of [...found.keys()]) if (deeper >= level) found.delete(deeper);
    found.set(level, line);
  }
  return [...found.values()];
}
