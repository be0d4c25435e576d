/**
 * Values that the words around them announce: `password: …`, "das Passwort lautet …", a column of a table.
 *
 * Each key is looked for by its stem, and only a short piece of text around it is read. `domain/secret_pairs.py` is the
 * original, and says more about each form.
 */
import {
  isAlpha,
  isAscii,
  isDigit,
  isInCapitals,
  isLower,
  isOnly,
  isUpper,
  placesOf,
  strip,
  stripEnd,
} from './letters';
import type { Hit } from './providers';
import { KEYS, type Key, pattern } from './tables';
import { ASSIGNED, NEXT, SAID, type Strength, looksLikePhrase, looksLikeValue } from './values';

const WINDOW = 160;
const BADGE = pattern('secret_pairs._BADGE');
const RESOURCE = pattern('secret_pairs._RESOURCE');
const CALL_OR_INDEX = pattern('secret_pairs._CALL_OR_INDEX');
const QUOTES = '"\'`「『“';
const PASSPHRASE_STEMS = ['passphrase', 'phrase', 'パスフレーズ', '合言葉'];
const QUOTED = pattern('secret_pairs._QUOTED');
const BARE = pattern('secret_pairs._BARE');
const PARTNER = pattern('secret_pairs._PARTNER');
const FIELD = pattern('secret_pairs._FIELD');
const FLAG = pattern('secret_pairs._FLAG');
const FLAG_GAP = pattern('secret_pairs._FLAG_GAP');
const REQUIREMENT = pattern('secret_pairs._REQUIREMENT');
const FINGERPRINT = pattern('secret_pairs._FINGERPRINT');
const KANA = pattern('secret_pairs._KANA');
const CELLS = pattern('secret_pairs._CELLS');
const HEAD_KEY = pattern('secret_pairs._HEAD_KEY');
const NOT_THE_VALUE = pattern('secret_words.NOT_THE_VALUE');
const NO_CREDENTIAL = pattern('secret_words.NO_CREDENTIAL');
const UNITS = pattern('secret_words.UNITS');
const sentences = {
  afterKey: pattern('secret_sentences.AFTER_KEY'),
  assigned: pattern('secret_sentences.ASSIGNED'),
  said: pattern('secret_sentences.SAID'),
  qualified: pattern('secret_sentences.QUALIFIED'),
  otherThing: pattern('secret_sentences.OTHER_THING'),
  next: pattern('secret_sentences.NEXT'),
  named: pattern('secret_sentences.NAMED'),
  reversed: pattern('secret_sentences.REVERSED'),
  usedBefore: pattern('secret_sentences.USED_BEFORE'),
  usedAfter: pattern('secret_sentences.USED_AFTER'),
  clauseBefore: pattern('secret_sentences.CLAUSE_BEFORE'),
  clauseAfter: pattern('secret_sentences.CLAUSE_AFTER'),
};

type Place = { key: Key; start: number; end: number };

/** The rule and offset of each value that words announce. */
export function* announcedValues(text: string): Generator<Hit> {
  const lower = lowered(text);
  const seen = new Set<string>();
  for (const key of KEYS) {
    for (const position of placesOf(key.stem, lower)) {
      const place = placeOf(key, text, lower, position);
      const mark = place && `${place.end} ${key.alone}`;
      if (place === null || mark === null || seen.has(mark)) continue;
      seen.add(mark);
      const offset = valueNear(place, text);
      if (offset !== null) yield ['password_or_key', offset];
    }
  }
  if (seen.size > 0) yield* inColumns(text, lower);
}

/** In small letters. A few capitals grow when lowered; they stay, since the offsets would no longer fit. */
function lowered(text: string): string {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  return Array.from(text, (one) => (one.toLowerCase().length === 1 ? one.toLowerCase() : one)).join('');
}

function placeOf(key: Key, text: string, lower: string, position: number): Place | null {
  const found = key.pattern.match(lower, position);
  if (!found) return null;
  const from = (characters: number): number => Math.max(0, position - characters);
  if (key.before && !key.before.search(lower, from(32), position)) return null;
  if (position > 0 && !key.inside && isAlpha(lower.charAt(position - 1))) {
    const before = text.charAt(position - 1);
    const isCamel = isUpper(text.charAt(position)) && isLower(before);
    const isCapital = isInCapitals(text.slice(position, found.end)) && isUpper(before);
    if (!isCamel && !isCapital) return null;
  }
  if (CALL_OR_INDEX.match(text, found.end)) return null;
  if (NOT_THE_VALUE.match(lower, found.end) || RESOURCE.search(lower, from(120), position)) return null;
  const isMark = BADGE.search(lower, from(60), position) || NO_CREDENTIAL.search(text, from(32), position);
  return key.stem === 'token' && isMark ? null : { key, start: position, end: found.end };
}

function valueNear(place: Place, text: string): number | null {
  const { key, start } = place;
  const after = sentences.afterKey.match(text, place.end, place.end + WINDOW)?.end ?? place.end;
  const isFlag = FLAG.search(text.slice(Math.max(0, start - 24), start)) !== null;
  for (const end of after === place.end ? [after] : [after, place.end]) {
    const window = end + WINDOW;
    const assigned = sentences.assigned.match(text, end, window);
    if (assigned) return judged(key, text, assigned.end, ASSIGNED);
    const gap = isFlag ? FLAG_GAP.match(text, end, window) : null;
    if (gap) return judged(key, text, gap.end, ASSIGNED);
    const said = key.said ? sentences.said.match(text, end, window) : null;
    const offset = said && judged(key, text, said.end, SAID);
    if (offset !== null) return offset;
    const behind = key.said || key.pair ? qualified(key, text, end, window) : null;
    if (behind !== null) return behind;
  }
  return key.said ? nextTo(place, text, after) : null;
}

/** A value behind some words more: "password for the printer: …". */
function qualified(key: Key, text: string, end: number, window: number): number | null {
  const found = sentences.qualified.match(text, end, window);
  if (!found || sentences.otherThing.search(found.text)) return null;
  const sign = strip(found.group('sign')!);
  return judged(
    key,
    text,
    found.end,
    sign !== '' && ':=>'.includes(sign.charAt(sign.length - 1)) ? ASSIGNED : SAID,
  );
}

function nextTo(place: Place, text: string, end: number): number | null {
  const { key, start } = place;
  // Japanese needs no blank: パスワードabc
  if (!isAscii(key.stem)) {
    const at = place.end + (text.charAt(place.end) === ' ' ? 1 : 0);
    const offset = BARE.match(text, at) && judged(key, text, at, SAID);
    if (offset !== null) return offset;
  }
  const sign = sentences.next.match(text, end, end + WINDOW);
  if (sign) {
    const isClear =
      sentences.named.search(text, Math.max(0, start - 60), start) ||
      sign.group('quote') ||
      sign.group('glued') ||
      /[-\t]/.test(sign.text) ||
      isFramed(place, text, sign.end);
    const offset = judged(key, text, sign.end, isClear ? SAID : NEXT);
    if (offset !== null) return offset;
  }
  const from = Math.max(0, start - 120);
  const reversed = sentences.reversed.search(text.slice(from, start));
  const value = reversed && stripEnd(reversed.group('value')!, '.,;:)]}');
  return reversed && value && looksLikeValue(value, SAID) ? from + reversed.at('value') : null;
}

/** Whether the words around key and value say that the value is to be used: "open it with password …". */
function isFramed(place: Place, text: string, position: number): boolean {
  const bare = BARE.match(text, position);
  if (!bare || /[\n,]/.test(text.slice(place.end, position))) return false;
  const end = bare.end - (/[.,;]$/.test(bare.text) ? 1 : 0);
  if (sentences.usedAfter.match(text, end)) return true;
  const before = text.slice(Math.max(0, place.start - 48), place.start);
  if (sentences.usedBefore.search(before)) return true;
  return Boolean(sentences.clauseBefore.search(before) && sentences.clauseAfter.match(text, end));
}

/** The offset of a value at `position`, or of the one behind a user's name there. */
function judged(key: Key, text: string, position: number, strength: Strength): number | null {
  const digitsMin = strength > NEXT || key.stem === 'pin' ? key.digitsMin : 0;
  const quoted = isQuoteBefore(text, position) ? QUOTED.match(text, position) : null;
  if (quoted?.group('value')?.includes(' ')) {
    const isPhrase = looksLikePhrase(quoted.group('value')!, PASSPHRASE_STEMS.includes(key.stem));
    return isPhrase ? position : null;
  }
  for (const word of key.alone ? wordsAt(text, position) : []) {
    if (strength === NEXT && FINGERPRINT.covers(word)) return null;
    const isNumber = isOnly(word, isDigit);
    if (!isNumber && looksLikeValue(word, strength)) return position;
    if (digitsMin > 0 && isNumber && !isCounted(text, position + word.length)) {
      return looksLikeValue(word, strength, digitsMin) ? position : null;
    }
  }
  const partner = key.pair ? PARTNER.match(text, position, position + WINDOW) : null;
  if (!partner) return null;
  const least = key.alone || partner.text.includes('/') ? SAID : NEXT;
  return wordsAt(text, partner.end).some((word) => looksLikeValue(word, least)) ? partner.end : null;
}

/** Whether a unit follows the number that ends here: "pin 1234 days". */
const isCounted = (text: string, end: number): boolean =>
  UNITS.match(lowered(text.slice(end, end + WINDOW))) !== null;

const isQuoteBefore = (text: string, position: number): boolean =>
  position > 0 && QUOTES.includes(text.charAt(position - 1));

/** What may be the value at `position`: the quoted words as one, the bare word, its ASCII beginning. */
function wordsAt(text: string, position: number): string[] {
  // Japanese goes on; a value begins with a letter, a digit or a sign.
  if (KANA.match(text, position)) return [];
  const isOpened = isQuoteBefore(text, position);
  const quoted = isOpened ? QUOTED.match(text, position)?.group('value') : undefined;
  const found = quoted !== undefined && !strip(quoted).includes(' ') ? [strip(quoted)] : [];
  const bare = BARE.match(text, position);
  if (!bare || REQUIREMENT.match(text, bare.end)) return found;
  // The end of bold text; and a query string or a list of fields goes on.
  const whole = bare.text.endsWith('**') ? stripEnd(bare.text, '*') : bare.text;
  const word = whole.slice(0, FIELD.search(whole)?.place ?? whole.length);
  const isBracketed = !isOpened && position > 0 && '([{'.includes(text.charAt(position - 1));
  found.push(isBracketed ? stripEnd(word, '.,;)]}') : stripEnd(stripEnd(word, ',;)]}'), '.'));
  if (/[!?*_:]$/.test(word)) found.push(stripEnd(stripEnd(word, '*_:'), '.,;'));
  // A query string or a connection string goes on.
  if (/[&;]/.test(word)) found.push(word.split(/[&;]/)[0]!);
  const ascii = isAscii(word) ? '' : KANA.replace(word, () => '');
  if (ascii) found.push(stripEnd(ascii, '.,;'));
  return found;
}

/** Values below a heading such as "password" in a table of Markdown or of commas, semicolons or tabulators. */
function* inColumns(text: string, lower: string): Generator<Hit> {
  const low = lower.split('\n');
  let offset = 0;
  let column: number | null = null;
  let mark = '';
  for (const [number, line] of text.split('\n').entries()) {
    const marks = CELLS.texts(line);
    if (marks.length === 0) {
      column = null;
    } else if (column === null || !marks.includes(mark)) {
      mark = marks.includes('|') ? '|' : marks[0]!;
      column = headColumn(low[number]!.split(mark));
    } else {
      const cell = line.split(mark)[column];
      const value = cell === undefined ? '' : strip(cell, ' *`_"\'\r');
      if (cell !== undefined && !value.includes(' ') && looksLikeValue(value, ASSIGNED, 6)) {
        yield ['password_or_key', offset + line.indexOf(cell)];
      }
    }
    offset += line.length + 1;
  }
}

/** The column of a table's head that is called like a key; null for a row that is no head. */
function headColumn(row: string[]): number | null {
  const cells = row.map((cell) => strip(cell, ' *`_"\''));
  const head = cells.findIndex((cell) => HEAD_KEY.covers(cell));
  return head >= 0 && cells.every((cell) => cell.length < 32) ? head : null;
}
