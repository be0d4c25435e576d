/**
 * A Markdown text as lines: their endings, list markers, and which of them are headings.
 *
 * The same rules as `domain/markdown_lines.py`, for the suggestions that a person applies here;
 * tests/vectors/edits.json holds both to the same results. Any text has lines, and putting them together again gives the
 * same text.
 */

/** One line, and what ends it: a line feed, a carriage return and a line feed, or nothing. */
export type Line = { text: string; ending: string };

/** A heading: the number of its line, how many lines it takes, its level from 1 to 6 and its title. */
export type Heading = { line: number; lines: number; level: number; title: string };

/**
 * What the lines of a text are. `opaque` are lines in which Markdown means nothing: code fences with their delimiters,
 * and front matter. `delimiters` begin or end these, or underline a heading. `openFence`: the text ends inside of one.
 */
export type Outline = {
  headings: Heading[];
  opaque: Set<number>;
  delimiters: Set<number>;
  openFence: boolean;
};

/** An open code fence: its delimiter, and how many columns of the list item that it stands in. */
type Fence = { delimiter: string; columns: number };

const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const FENCE = /^ {0,3}((?:(?:[-*+]|\p{Nd}{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})([^]*)$/u;
const MARKER = /^([ \t]*)([-*+]|\p{Nd}{1,9}[.)])([ \t]+)(?=[^ \t])/u;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const RULE = /^(?:=+|-+|\*{3,}|_{3,})$/;
const QUOTE = /[ \t]*>[ \t]?/;
const KEY = /^[A-Za-z_][\p{L}\p{M}\p{N}_ .-]*:(?:[ \t]|$)/u;
const TAB_COLUMNS = 4;
/** Markdown takes nine digits for the number of a list item. */
const NUMBER_MAX = 999_999_999;
/** What Python takes for blanks; `trim` takes others. */
const BLANK = /^[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*$/;

export const isBlank = (text: string): boolean => BLANK.test(text);

/** The lines of a text. The empty text has none, and a newline at the end begins no further line. */
export function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let from = 0;
  while (from < text.length) {
    const feed = text.indexOf('\n', from);
    if (feed < 0) {
      lines.push({ text: text.slice(from), ending: '' });
      break;
    }
    const end = feed > from && text[feed - 1] === '\r' ? feed - 1 : feed;
    lines.push({ text: text.slice(from, end), ending: text.slice(end, feed + 1) });
    from = feed + 1;
  }
  return lines;
}

export const joinLines = (lines: readonly Line[]): string =>
  lines.map((line) => line.text + line.ending).join('');

/** The line ending that most lines have; carriage return and line feed where as many have it as not. */
export function newlineOf(lines: readonly Line[]): string {
  const count = (ending: string): number => lines.filter((line) => line.ending === ending).length;
  const windows = count('\r\n');
  return windows > 0 && windows >= count('\n') ? '\r\n' : '\n';
}

/** Find headings, fences and front matter. */
export function outlineOf(lines: readonly Line[]): Outline {
  const outline: Outline = { headings: [], opaque: new Set(), delimiters: new Set(), openFence: false };
  const start = frontMatterEnd(lines);
  for (let number = 0; number < start; number += 1) outline.opaque.add(number);
  if (start > 0) outline.delimiters.add(0).add(start - 1);
  let fence: Fence | undefined;
  for (let number = start; number < lines.length; number += 1) {
    const text = textAt(lines, number);
    if (fence && !endedBefore(fence, text)) {
      outline.opaque.add(number);
      if (closedBy(fence, text)) {
        outline.delimiters.add(number);
        fence = undefined;
      }
      continue;
    }
    fence = openedBy(text);
    if (fence) {
      outline.opaque.add(number);
      outline.delimiters.add(number);
      continue;
    }
    const heading = headingIn(lines, number, outline);
    if (!heading) continue;
    outline.headings.push(heading);
    for (let below = 1; below < heading.lines; below += 1) outline.delimiters.add(number + below);
  }
  outline.openFence = fence !== undefined;
  return outline;
}

/** The number of the line behind a heading's section: of the next heading of at most this level. */
export const sectionEnd = (outline: Outline, heading: Heading, total: number, levelMax = 6): number =>
  outline.headings.find((each) => each.line > heading.line && each.level <= levelMax)?.line ?? total;

/** Level and title of each heading, in order. */
export const structureOf = (outline: Outline): [number, string][] =>
  outline.headings.map((heading) => [heading.level, heading.title]);

/** Level and title of a line that begins with number signs. */
export function parseHeading(text: string): [number, string] | undefined {
  const match = HEADING.exec(text);
  if (!match) return undefined;
  let title = stripped(text.slice(match[0].length));
  // Number signs behind a blank close a heading and are no part of its title; those of "C#" are.
  const open = title.replace(/#+$/, '');
  if (!open || / |\t/.test(open.at(-1) ?? '')) title = open.replace(/[ \t]+$/, '');
  return [match[1]?.length ?? 0, title];
}

/** Indent, list marker and the blanks behind it; empty where the line is no list item. */
export const listPrefix = (text: string): string => MARKER.exec(text)?.[0] ?? '';

/** The line without outer blanks and without its list marker. */
export const withoutMarker = (text: string): string => stripped(text.slice(listPrefix(text).length));

/** The prefix of a list item that follows this one: the same indent and marker, a number one higher. */
export function nextPrefix(text: string): string {
  const match = MARKER.exec(text);
  if (!match) return '';
  const [, indent = '', marker = '', blanks = ''] = match;
  const digits = marker.slice(0, -1);
  if (!/^\d+$/.test(digits)) return indent + marker + blanks;
  const next = Math.min(Number(digits) + 1, NUMBER_MAX);
  return indent + String(next).padStart(digits.length, '0') + marker.slice(-1) + blanks;
}

/** The blanks before the first character. */
export const indentOf = (text: string): string => /^[ \t]*/.exec(text)?.[0] ?? '';

/** The text without blanks and tabulators around it. */
export const stripped = (text: string): string => text.replace(/^[ \t]+/, '').replace(/[ \t]+$/, '');

/** Whether a line would be a heading, a fence, a rule or an underline, also behind list markers and quotes. */
export function isStructure(text: string): boolean {
  let bare = stripped(text);
  for (;;) {
    if (parseHeading(bare) || openedBy(bare) || isRule(bare)) return true;
    const inner = stripped(withoutMarker(bare).replace(QUOTE, ''));
    if (inner === bare) return false;
    bare = inner;
  }
}

function closedBy(fence: Fence, text: string): boolean {
  const bare = stripped(text);
  const mark = fence.delimiter[0];
  const isLongEnough = bare.length >= fence.delimiter.length && [...bare].every((each) => each === mark);
  return isLongEnough && columns(text) <= fence.columns + 3;
}

/** Whether the list item around the fence has ended, and the fence with it. */
const endedBefore = (fence: Fence, text: string): boolean => !isBlank(text) && columns(text) < fence.columns;

function openedBy(text: string): Fence | undefined {
  const match = FENCE.exec(text);
  if (!match) return undefined;
  const [whole, markers = '', delimiter = '', rest = ''] = match;
  if (delimiter.startsWith('`') && rest.includes('`')) return undefined;
  return { delimiter, columns: markers ? whole.length - delimiter.length - rest.length : 0 };
}

/** The number of the line behind the front matter; 0 without one that is closed. */
function frontMatterEnd(lines: readonly Line[]): number {
  const isDelimiter = (text: string, ...marks: string[]): boolean =>
    marks.includes(text.replace(/[ \t]+$/, ''));
  // A rule at the top of the text is no front matter: that begins with a key.
  if (lines.length < 3 || !isDelimiter(textAt(lines, 0), '---') || !KEY.test(textAt(lines, 1))) return 0;
  return lines.findIndex((line, number) => number > 0 && isDelimiter(line.text, '---', '...')) + 1;
}

function headingIn(lines: readonly Line[], number: number, outline: Outline): Heading | undefined {
  const text = textAt(lines, number);
  const parsed = parseHeading(text);
  if (parsed) return { line: number, lines: 1, level: parsed[0], title: parsed[1] };
  const below = number + 1 < lines.length ? UNDERLINE.exec(textAt(lines, number + 1)) : null;
  if (!below || !isParagraph(text) || outline.delimiters.has(number)) return undefined;
  // The last line of a longer paragraph: an underline there makes a heading of all of it, which is left alone.
  const above = number - 1;
  const isKnown = outline.opaque.has(above) || outline.delimiters.has(above);
  if (above >= 0 && !isKnown && isParagraph(textAt(lines, above))) return undefined;
  return { line: number, lines: 2, level: below[1]?.startsWith('=') ? 1 : 2, title: stripped(text) };
}

function isParagraph(text: string): boolean {
  if (isBlank(text) || parseHeading(text) || openedBy(text) || listPrefix(text)) return false;
  const bare = text.trim();
  return !bare.startsWith('>') && !isRule(bare) && columns(text) <= 3;
}

const isRule = (bare: string): boolean => RULE.test(bare.replace(/[ \t]/g, ''));

const textAt = (lines: readonly Line[], number: number): string => lines[number]?.text ?? '';

function columns(text: string): number {
  let column = 0;
  for (const blank of indentOf(text))
    column = blank === '\t' ? (Math.floor(column / TAB_COLUMNS) + 1) * TAB_COLUMNS : column + 1;
  return column;
}
