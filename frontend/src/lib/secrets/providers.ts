/**
 * The shapes of credentials that their makers gave a mark of their own. `domain/secret_providers.py` is the original.
 *
 * Each shape has an anchor, a piece of text without which it cannot occur.
 */
import { isAscii, isAlphanumeric, isInCapitals, split } from './letters';
import { MARKED_SHAPES, PREFIXED_SHAPES, type Shape, pattern } from './tables';
import { longWords } from './unveiling';
import { isSample, isVaried } from './values';

const WORD_MIN = 16;
const BEFORE_MAX = 96;
const DISCORD = pattern('secret_providers._DISCORD');

/** What a rule found, and where. */
export type Hit = [rule: string, offset: number];

/**
 * The rule and offset of each credential that carries its maker's mark.
 *
 * `joinedFrom` is the text whose lines were joined into this one: then only words that came about by joining are looked
 * at, and the longer marks need no boundary before them, because any word may have been pulled to them.
 */
export function* markedCredentials(text: string, joinedFrom?: string): Generator<Hit> {
  const isJoined = joinedFrom !== undefined;
  const known = new Set(split(joinedFrom ?? ''));
  const words = longWords(text, WORD_MIN).filter(([, word]) => !known.has(word));
  const pool = words.map(([, word]) => word).join('\n');
  const present = PREFIXED_SHAPES.filter((shape) => pool.includes(shape.anchor));
  for (const [start, word] of words) {
    for (const shape of present) {
      const offset = offsetIn(shape, word, isJoined);
      if (offset !== null) yield [shape.rule, start + offset];
    }
    const discord = word.split('.').length > 2 ? DISCORD.search(word) : null;
    if (discord && isVaried(discord.text)) yield ['discord_token', start + discord.place];
  }
  if (isJoined) return;
  for (const shape of MARKED_SHAPES) {
    const offset = offsetIn(shape, text, false);
    if (offset !== null) yield [shape.rule, offset];
  }
}

function offsetIn(shape: Shape, text: string, isJoined: boolean): number | null {
  for (let place = text.indexOf(shape.anchor); place >= 0; place = text.indexOf(shape.anchor, place + 1)) {
    if (isWhole(shape, text, place, isJoined)) return place;
  }
  return null;
}

function isWhole(shape: Shape, text: string, place: number, isJoined: boolean): boolean {
  const after = shape.after.match(text, place + shape.anchor.length);
  if (!after) return false;
  // The end of the window is where the anchor begins, so that the end of the pattern stands exactly there.
  if (shape.before) return shape.before.search(text, Math.max(0, place - BEFORE_MAX), place) !== null;
  if (!shape.varied) return true;
  const before = place > 0 ? text.charAt(place - 1) : ' ';
  const isGlued = (isAscii(before) && isAlphanumeric(before)) || '_-'.includes(before);
  if (isGlued && !(isJoined && shape.anchor.length >= 4)) return false;
  // Keys of capitals and digits may by chance be without a digit.
  const isMade = isVaried(after.text) || (isInCapitals(after.text) && isInCapitals(shape.anchor));
  return isMade && !isSample(after.text);
}
