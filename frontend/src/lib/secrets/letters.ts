/** What Python says of characters and words, where JavaScript says something else or nothing. */

// str.isspace() within the BMP; \s leaves out six of them and has U+FEFF.
const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const SPACES = new RegExp(`[${SPACE}]+`, 'u');
const OUTER_SPACES = new RegExp(`^[${SPACE}]+|[${SPACE}]+$`, 'gu');
// Numeric_Type=Digit beside the decimal ones: what is raised, lowered or in a circle.
const DIGIT =
  /[\p{Nd}\xb2\xb3\xb9\u2070\u2074-\u2079\u2080-\u2089\u2460-\u2468\u2474-\u247c\u2488-\u2490\u24ea\u24f5-\u24fd\u24ff\u2776-\u277e\u2780-\u2788\u278a-\u2792]/u;
const ALPHA = /\p{L}/u;
const ALPHANUMERIC = /[\p{L}\p{N}]/u;
const UPPER = /\p{Uppercase}/u;
const LOWER = /\p{Lowercase}/u;
const TITLE = /\p{Lt}/u;
const NOT_PRINTABLE = /[\p{C}\p{Zl}\p{Zp}\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]/u;
const NOT_ASCII = /[^\0-\x7f]/;

export const isDigit = (character: string): boolean => DIGIT.test(character);
export const isAlpha = (character: string): boolean => ALPHA.test(character);
export const isAlphanumeric = (character: string): boolean => ALPHANUMERIC.test(character);
export const isUpper = (character: string): boolean => UPPER.test(character);
export const isLower = (character: string): boolean => LOWER.test(character);

export const isAscii = (text: string): boolean => !NOT_ASCII.test(text);
export const isPrintable = (text: string): boolean => !NOT_PRINTABLE.test(text);

/** Whether there are cased letters in the text, all of them capitals. */
export const isInCapitals = (text: string): boolean =>
  UPPER.test(text) && !LOWER.test(text) && !TITLE.test(text);
/** Whether there are cased letters in the text, none of them a capital. */
export const isInSmall = (text: string): boolean =>
  LOWER.test(text) && !UPPER.test(text) && !TITLE.test(text);

/** Whether a text that is not empty has characters of this kind alone. */
export const isOnly = (text: string, isOne: (character: string) => boolean): boolean =>
  text !== '' && Array.from(text).every(isOne);

/** How many characters are of this kind. */
export function count(text: string, isOne: (character: string) => boolean): number {
  let number = 0;
  for (const character of text) if (isOne(character)) number += 1;
  return number;
}

/** The words between blanks. */
export const split = (text: string): string[] => text.split(SPACES).filter((word) => word !== '');

/** Without blanks around it, or without the characters that are named. */
export function strip(text: string, signs?: string): string {
  return signs === undefined ? text.replace(OUTER_SPACES, '') : stripEnd(stripStart(text, signs), signs);
}

export function stripEnd(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function stripStart(text: string, signs: string): string {
  let start = 0;
  while (start < text.length && signs.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}

/** All places of a piece of text, without overlap. */
export function* placesOf(piece: string, text: string): Generator<number> {
  let place = text.indexOf(piece);
  while (place >= 0) {
    yield place;
    place = text.indexOf(piece, place + piece.length);
  }
}
