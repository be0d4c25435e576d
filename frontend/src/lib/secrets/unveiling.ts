/**
 * The forms in which a text is searched: what a person or a model would read out of it, whatever its disguise.
 *
 * Decides nothing and changes nothing that is kept: these forms live for one check. `domain/unveiling.py` is the original.
 */
import { printableText, withoutEntities, withoutEscapes } from './decoding';
import { isAscii, split, strip } from './letters';
import { LETTERS, LOOK_ALIKES, pattern } from './tables';

const INVISIBLE = pattern('unveiling._INVISIBLE');
const FOREIGN = pattern('unveiling._FOREIGN');
const SQUEEZED = pattern('unveiling._SQUEEZED');
const TABLE_RULE = pattern('unveiling._TABLE_RULE');
const BULLET = pattern('unveiling._BULLET');
const CONCATENATION = pattern('unveiling._CONCATENATION');
const SEAM_WORD = pattern('unveiling._SEAM_WORD');
const CODED = pattern('unveiling._CODED');
const CODED_CONTEXT = pattern('unveiling._CODED_CONTEXT');
const SQUEEZED_SIGNS = '._·/-';
const CONCATENATED = ['"', "'", '`', '*', '~', '<'];
const SEAM_PIECES = 4;
const CODED_MAX = 8;

/** One form of a text. `starts` are the offsets at which its second, third, … line begins. */
export type View = { name: string; text: string; starts: number[] };

/** The line of the original text (from 1) that the character at `offset` comes from. */
export function lineAt({ starts }: View, offset: number): number {
  const after = starts.findIndex((start) => start > offset);
  return (after < 0 ? starts.length : after) + 1;
}

/** The text without invisible characters, in NFKC, with look-alike signs as ASCII. Line ends stay. */
export function plainView(text: string): View {
  return sameLines('plain', plainText(text));
}

function plainText(text: string): string {
  if (isAscii(text) && !/[\v\f]/.test(text)) return text;
  const visible = INVISIBLE.replace(INVISIBLE.replace(text, () => '').normalize('NFKC'), () => '');
  return inBmp(replaced(visible, LOOK_ALIKES));
}

const replaced = (text: string, table: ReadonlyMap<string, string>): string =>
  Array.from(text, (character) => table.get(character) ?? character).join('');

/**
 * Characters beyond U+FFFF as others of their kind. They are two units of a text here and one in Python, so that lengths
 * and windows would differ; and no rule asks which one it is.
 */
function inBmp(text: string): string {
  return text.replace(/[\u{10000}-\u{10ffff}]/gu, (character) => {
    if (/\p{Lu}/u.test(character)) return '\u0100';
    if (/\p{Ll}/u.test(character)) return '\u0101';
    if (/\p{L}/u.test(character)) return '\u3400';
    if (/\p{Nd}/u.test(character)) return '\u0660';
    return /\p{N}/u.test(character) ? '\u2180' : '\u263a';
  });
}

/** The further forms that differ from the plain one: entities, escapes, foreign letters, spaced out, joined. */
export function* disguisedViews(plain: View): Generator<View> {
  const { text } = plain;
  if (/[%\\]/.test(text)) {
    const unescaped = withoutEscapes(text);
    if (unescaped !== text) yield sameLines('escapes', plainText(unescaped));
  }
  if (text.includes('&') && text.includes(';')) {
    const unescaped = withoutEntities(text);
    if (unescaped !== text) yield sameLines('entities', plainText(unescaped));
  }
  if (!isAscii(text) && FOREIGN.search(text)) yield sameLines('letters', replaced(text, LETTERS));
  const spaced = withoutSpacing(text);
  if (spaced) yield sameLines('spaced', spaced);
  const joined = joinedView(plain);
  if (joined) yield joined;
}

/** The text as one line: over line ends, bullets, table cells and concatenated strings. Null when it is one. */
function joinedView(plain: View): View | null {
  const starts: number[] = [];
  let joined = '';
  plain.text.split('\n').forEach((line, number) => {
    if (number > 0) starts.push(joined.length);
    joined += joinedLine(line, number === 0);
  });
  // What is cut out moves later lines by a few characters: good enough to name a line of a disguised text.
  if (CONCATENATED.some((sign) => joined.includes(sign))) joined = CONCATENATION.replace(joined, () => '');
  return joined === plain.text ? null : { name: 'joined', text: joined, starts };
}

type Piece = { number: number; words: string[] };

/**
 * The words that come about at the ends of two to four lines or cells: along the lines, and down each column.
 *
 * Where a word ends matters for keys of a fixed length, and in the joined text the words around run into them.
 */
export function* seamViews(plain: View): Generator<View> {
  const cells: Piece[] = [];
  const columns = new Map<number, Piece[]>();
  for (const [number, line] of plain.text.split('\n').entries()) {
    if (line.includes('|') && TABLE_RULE.covers(line)) continue;
    for (const [column, piece] of line.split(/[|\t]/).entries()) {
      const words = split(joinedLine(piece, false));
      if (words.length === 0) continue;
      cells.push({ number, words });
      if (!columns.has(column)) columns.set(column, []);
      columns.get(column)?.push({ number, words });
    }
  }
  yield* atSeams(cells);
  if (columns.size > 1) for (const column of columns.values()) yield* atSeams(column);
}

function* atSeams(pieces: Piece[]): Generator<View> {
  const found: string[] = [];
  const starts: number[] = [];
  let length = 0;
  for (const [place, { number, words }] of pieces.entries()) {
    let word = words.at(-1) ?? '';
    for (const following of pieces.slice(place + 1, place + SEAM_PIECES)) {
      word += following.words[0];
      if (SEAM_WORD.covers(word)) {
        while (starts.length < number) starts.push(length);
        found.push(word);
        length += word.length + 1;
      }
      if (following.words.length > 1) break;
    }
  }
  if (found.length > 0) yield { name: 'seams', text: found.join('\n'), starts };
}

function joinedLine(whole: string, isFirst: boolean): string {
  let line = strip(whole, ' \t\r\\').replaceAll('\t', '');
  if (line.includes('|')) {
    if (TABLE_RULE.covers(line)) return '';
    line = line
      .split('|')
      .map((cell) => strip(cell))
      .join('');
  }
  line = line.slice(BULLET.match(line)?.end ?? 0);
  // A string that goes on in the next line: "ab" +
  return isFirst ? line : line.replace(/^\+ /, '').replace(/^\. /, '');
}

/**
 * What base64 words of the view say, one level deep, where they say text. At most eight words are decoded.
 *
 * Words of the text `known` have been looked at before.
 */
export function* decodedViews(view: View, known = ''): Generator<View> {
  const before = new Set(split(known));
  let count = 0;
  for (const [start, word] of longWords(view.text, 20)) {
    if (before.has(word)) continue;
    for (const coded of CODED.all(word)) {
      if (CODED_CONTEXT.search(word, Math.max(0, coded.place - 8), coded.place)) continue;
      count += 1;
      if (count > CODED_MAX) return;
      const said = printableText(coded.text);
      if (said === null) continue;
      yield { name: 'base64', text: inBmp(said), starts: Array<number>(lineAt(view, start) - 1).fill(0) };
    }
  }
}

/** The offset and text of each run of so many characters without a blank: where keys can be. */
export function longWords(text: string, lengthMin: number): [number, string][] {
  let place = 0;
  return split(text)
    .filter((word) => word.length >= lengthMin)
    .map((word) => {
      const start = text.indexOf(word, place);
      place = start + word.length;
      return [start, word];
    });
}

/** The text with words such as `i g n o r e` or `g.h.p` pulled together; null when there are none. */
function withoutSpacing(text: string): string | null {
  const words = split(text);
  const single = words.filter((word) => word.length === 1).length;
  const isSqueezed = (word: string): boolean =>
    word.length > 12 && Array.from(SQUEEZED_SIGNS).some((sign) => word.split(sign).length > 6);
  if (single < 7 && !words.some(isSqueezed)) return null;
  let found = false;
  const pulled = SQUEEZED.replace(text, (squeezed) => {
    found = true;
    return squeezed
      .split(/ {2,}/)
      .map((word) => (word.length > 1 ? everySecond(word) : word))
      .join(' ');
  });
  return found ? pulled : null;
}

const everySecond = (word: string): string =>
  Array.from(word)
    .filter((_, place) => place % 2 === 0)
    .join('');

function sameLines(name: string, text: string): View {
  const starts: number[] = [];
  for (let place = text.indexOf('\n'); place >= 0; place = text.indexOf('\n', place + 1))
    starts.push(place + 1);
  return { name, text, starts };
}
