/** What is written in other signs: base64, numbers of characters, entities of HTML. */
import { isPrintable } from './letters';
import { pattern, CHARREFS, ENTITIES, NO_CHARACTERS } from './tables';

const ESCAPE = pattern('unveiling._ESCAPE');
const ESCAPED_TWICE = 2;
const CHARACTER_MAX = 0x10ffff;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const ENTITY = /&(#[0-9]+;?|#[xX][0-9a-fA-F]+;?|[^\t\n\f <&#;]{1,32};?)/gu;
// What str.splitlines() takes for the end of a line.
const LINE_END = /\r\n|[\n-\r\x1c-\x1e\x85\u2028\u2029]/;
const exact = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const tolerant = new TextDecoder('utf-8', { ignoreBOM: true });

/** The bytes of base64 with its padding, each as a character; null for anything else. */
export const bytesOf = (text: string): string | null => (BASE64.test(text) ? atob(text) : null);

/** What base64 says with its padding added, in UTF-8; null where it says none. */
export function textOf(word: string): string | null {
  const bytes = bytesOf(word + '='.repeat(-word.length & 3));
  if (bytes === null) return null;
  try {
    return exact.decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    return null;
  }
}

/** The printable text that base64 says, in either alphabet; null where it says none. */
export function printableText(word: string): string | null {
  const said = textOf(word.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/'));
  return said !== null && isPrintable(said.replace(/[\n\r\t]/g, '')) ? said : null;
}

/** Without characters by their number, such as %20 or \u0020, also where they are written so twice. */
export function withoutEscapes(text: string): string {
  for (let time = 0; time < ESCAPED_TWICE; time += 1) {
    const read = ESCAPE.replace(text, escaped);
    if (read === text) break;
    text = read;
  }
  return text;
}

function escaped(word: string): string {
  const said = word.startsWith('%')
    ? percentCoded(word)
    : numbered(parseInt(word.slice(2).replace(/[{}]/g, ''), 16));
  // Lines keep their numbers.
  const lines = said.split(LINE_END);
  if (lines.at(-1) === '') lines.pop();
  return lines.join(' ');
}

function percentCoded(word: string): string {
  const codes = word.slice(1).split('%');
  return tolerant.decode(Uint8Array.from(codes, (code) => parseInt(code, 16))).replaceAll('\ufffd', '');
}

const numbered = (code: number): string =>
  code <= CHARACTER_MAX && !isHalf(code) ? String.fromCodePoint(code) : '';

/** Without entities, as html.unescape of Python reads them, for those that keys and values are written with. */
export const withoutEntities = (text: string): string =>
  text.replace(
    ENTITY,
    (whole, word: string) => (word.startsWith('#') ? byNumber(word) : byName(word)) ?? whole,
  );

function byNumber(word: string): string {
  const isHex = /^#[xX]/.test(word);
  const code = isHex ? parseInt(word.slice(2), 16) : parseInt(word.slice(1), 10);
  const known = CHARREFS.get(code);
  if (known !== undefined) return known;
  if (isHalf(code) || code > CHARACTER_MAX) return '\ufffd';
  return NO_CHARACTERS.has(code) ? '' : String.fromCodePoint(code);
}

/** An entity, or one that begins the word without its semicolon. */
function byName(word: string): string | undefined {
  const known = ENTITIES.get(word);
  if (known !== undefined) return known;
  for (let length = word.length - 1; length > 1; length -= 1) {
    const begun = ENTITIES.get(word.slice(0, length));
    if (begun !== undefined) return begun + word.slice(length);
  }
  return undefined;
}

const isHalf = (code: number): boolean => 0xd800 <= code && code <= 0xdfff;
