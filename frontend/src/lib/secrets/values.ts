/**
 * Whether a word looks like a credential's value, and whether it is one of the samples that manuals print.
 *
 * `pairs.ts` asks with a strength that says how clearly the words before it announce a value. `domain/secret_values.py` is
 * the original.
 */
import {
  count,
  isAlpha,
  isAlphanumeric,
  isAscii,
  isDigit,
  isInSmall,
  isLower,
  isOnly,
  isUpper,
  split,
} from './letters';
import { characters, pattern, words } from './tables';

/** It stands next to the key: "password X"; a sentence says it: "the password is X"; "password: X", "password=X". */
export const NEXT = 1;
export const SAID = 2;
export const ASSIGNED = 3;
export type Strength = typeof NEXT | typeof SAID | typeof ASSIGNED;

const SAMPLE = pattern('secret_values._SAMPLE');
const CODE = pattern('secret_values._CODE');
const TECHNICAL = pattern('secret_values._TECHNICAL');
const UUID = pattern('secret_values._UUID');
const PARTS = pattern('secret_values._PARTS');
const NAME_PARTS = pattern('secret_values._NAME_PARTS');
const FILE = pattern('secret_values._FILE');
const PIECE = pattern('secret_values._PIECE');
const MANGLED = pattern('secret_values._MANGLED');
const HEXADECIMAL = pattern('secret_values._HEXADECIMAL');
const PLAIN_SIGNS = characters('secret_values._PLAIN_SIGNS');
const ABOUT_SECRETS = words('secret_values._ABOUT_SECRETS');
const COMMON_PASSWORDS = words('secret_words.COMMON_PASSWORDS');
const DOCUMENTED_EXAMPLES = words('secret_words.DOCUMENTED_EXAMPLES');
const REFERENCES = words('secret_words.REFERENCES');
export const SAMPLE_WORDS = words('secret_words.SAMPLE_WORDS');

/** Whether `word` would be a credential's value there. `digitsMin`: numbers of that length count; 0 is none. */
export function looksLikeValue(word: string, strength: Strength, digitsMin = 0): boolean {
  const small = word.toLowerCase();
  if (word.length < 4 || word.length > 512 || REFERENCES.has(small) || isSample(word) || isCode(word)) {
    return digitsMin > 0 && isOnly(word, isDigit) && digitsMin <= word.length && word.length <= 16;
  }
  const digits = count(word, isDigit);
  if (COMMON_PASSWORDS.has(small)) return digits > 0 || strength === ASSIGNED;
  // A line of /etc/passwd, an address of hardware, a name with many parts.
  if (word.split(':').length > 3) return false;
  const upper = count(word, isUpper);
  const lower = count(word, isLower);
  const signs = count(word, (character) => !isAlphanumeric(character) && !PLAIN_SIGNS.has(character));
  if (signs > 0 && (signs === word.length || (digits === 0 && upper + lower < 4))) return false;
  return isVariedMix(word) || BY_STRENGTH[strength](word, { digits, upper, lower, signs });
}

type Counts = { digits: number; upper: number; lower: number; signs: number };

const BY_STRENGTH: Record<Strength, (word: string, counts: Counts) => boolean> = {
  [ASSIGNED]: (word, { digits, upper, lower, signs }) =>
    (digits > 0 && upper + lower > 0 && word.length >= 6) ||
    (signs > 0 &&
      word.length >= 8 &&
      isAscii(word) &&
      !'!?'.includes(word.charAt(word.length - 1)) &&
      upper > 0) ||
    isPassphrase(word, 3) ||
    (digits > 0 && signs > 0 && word.length >= 6) ||
    (word.length >= 10 && Math.min(upper, lower) >= 3 && changes(word) >= 0.42),
  [SAID]: (word, { digits, upper, lower, signs }) =>
    (digits > 0 && signs > 0 && word.length >= 6) ||
    (digits > 0 && upper + lower >= 3 && word.length >= 6 && !word.slice(1).includes('-')) ||
    (digits > 1 && upper > 0 && word.length >= 8) ||
    isPassphrase(word, 4),
  [NEXT]: (word, { digits, upper, lower, signs }) =>
    (digits > 0 && signs > 0 && upper + lower > 0 && word.length >= 7) ||
    (digits > 1 && upper > 0 && lower > 1 && word.length >= 8 && isOnly(word, isAlphanumeric)),
};

/** Whether quoted words with blanks between are a value: grouped characters, or four words after "passphrase". */
export function looksLikePhrase(text: string, isAfterPassphrase: boolean): boolean {
  const parts = split(text);
  const isMixed = (part: string): boolean => count(part, isDigit) > 0 && count(part, isAlpha) > 0;
  if (parts.length > 1 && parts.every(isMixed)) return !isSample(text);
  const isWord = (part: string): boolean => isOnly(part, isAlpha) && isInSmall(part);
  return isAfterPassphrase && 4 <= parts.length && parts.length <= 10 && parts.every(isWord);
}

/** Whether the word is 16 or more characters of a random-looking mix of letters and digits. */
function isVariedMix(word: string): boolean {
  if (word.length < 16 || !isAscii(word)) return false;
  const hasDigit = count(word, isDigit) > 0;
  if (HEXADECIMAL.covers(word)) return word.length >= 20 && hasDigit && count(word, isAlpha) > 0;
  if (UUID.covers(word)) return true;
  return changes(word) >= 0.36 && isVaried(word) && !isName(word, hasDigit ? 0.8 : 0.62);
}

/** Whether a word of its own, unannounced, is too random for anything but a key: upper, lower and digits mixed. */
export function isRandomToken(word: string): boolean {
  const cased = Math.min(count(word, isUpper), count(word, isLower));
  if (count(word, isDigit) < 2 || cased < word.length * 0.15) return false;
  if (word.split('/').length > 4 || word.split('.').length > 2) return false;
  return changes(word) >= 0.4 && !isSample(word);
}

/**
 * Whether the word is put together from words, as names of classes, policies, files and branches are.
 *
 * `speltMin` is the share of its letters that must stand in longer pieces.
 */
export function isName(word: string, speltMin = 0.62): boolean {
  if (MANGLED.match(word) || FILE.search(word)) return true;
  const parts = NAME_PARTS.texts(word);
  const letters = lengthOf(parts);
  const spelt = lengthOf(parts.filter((part) => part.length >= 4 && isInSmall(part.slice(1))));
  if (letters > 0 && spelt / letters > speltMin) return true;
  const pieces = word.split(/[-_.]/);
  return pieces.length > 5 && pieces.every((piece) => PIECE.covers(piece));
}

/** Whether letters are mixed with digits or with many capitals, as in something made by a machine. */
export function isVaried(word: string): boolean {
  if (new Set(word).size < Math.min(8, Math.floor(word.length / 2))) return false;
  if (count(word, isDigit) > 0) return true;
  const upper = count(word, isUpper);
  return word.length >= 10 && 0.25 * word.length <= upper && upper <= 0.8 * word.length;
}

/** Whether the word is a stand-in such as `your-key`, `xxxx` or `my_secret_token1`. */
export function isSample(word: string): boolean {
  if (SAMPLE.search(word) || DOCUMENTED_EXAMPLES.has(word.toLowerCase())) return true;
  if (new Set(word).size <= 3 && word.length > 3) return true;
  if (word.length > 40) return false;
  const parts = PARTS.texts(word).map((part) => part.toLowerCase());
  const isNumber = (part: string): boolean => isOnly(part, isDigit);
  const spelt = parts.filter((part) => !isNumber(part));
  if (spelt.length === 0) return false;
  if (count(word, (character) => !isAlphanumeric(character) && !PLAIN_SIGNS.has(character)) > 0) return false;
  return (
    spelt.every((part) => SAMPLE_WORDS.has(part) || part.length === 1) &&
    lengthOf(parts.filter(isNumber)) <= 4 &&
    spelt.some((part) => part.length > 1)
  );
}

function isCode(word: string): boolean {
  if (TECHNICAL.covers(word)) return true;
  if (!CODE.covers(word)) return false;
  // Some of the forms of code fit a long random token, too.
  const isMixed = !'$%@#<{[('.includes(word.charAt(0)) && count(word, isDigit) > 0;
  return !(isMixed && word.length >= 24 && isVaried(word) && changes(word) >= 0.4);
}

function isPassphrase(word: string, partsMin: number): boolean {
  const parts = word.split(/[-_.]/);
  // smb-file-server-password
  if (parts.some((part) => ABOUT_SECRETS.has(part))) return false;
  return (
    parts.length >= partsMin &&
    parts.every((part) => part.length > 2 && isOnly(part, isAlpha) && isAscii(part))
  );
}

/** How often the kind of character changes from one to the next, from 0 to 1. */
function changes(word: string): number {
  const kinds = Array.from(word, (c) => (isDigit(c) ? 'd' : isUpper(c) ? 'u' : isLower(c) ? 'l' : 's'));
  const changed = kinds.filter((kind, place) => place > 0 && kind !== kinds[place - 1]).length;
  return changed / Math.max(1, word.length - 1);
}

const lengthOf = (parts: string[]): number => parts.reduce((length, part) => length + part.length, 0);
