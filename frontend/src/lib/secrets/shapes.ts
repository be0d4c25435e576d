/**
 * Credentials that are told by their place: in an address, a header, a command, or a word too random to be one.
 *
 * `domain/secret_shapes.py` is the original.
 */
import { bytesOf, printableText, textOf } from './decoding';
import { count, isAlpha, isDigit, isOnly, isPrintable, placesOf, strip, stripEnd } from './letters';
import type { Found } from './pattern';
import type { Hit } from './providers';
import { PLACES, pattern, words } from './tables';
import { longWords } from './unveiling';
import { ASSIGNED, SAMPLE_WORDS, isName, isRandomToken, isSample, isVaried, looksLikeValue } from './values';

const ADDRESS = pattern('secret_shapes._ADDRESS');
const ADDRESS_TOKEN = pattern('secret_shapes._ADDRESS_TOKEN');
const ORACLE = pattern('secret_shapes._ORACLE');
const GO_DSN = pattern('secret_shapes._GO_DSN');
const OCTETS = pattern('secret_shapes._OCTETS');
const OPAQUE = pattern('secret_shapes._OPAQUE');
const BASIC = pattern('secret_shapes._BASIC');
const HOST = pattern('secret_shapes._HOST');
const NO_PASSWORD = pattern('secret_shapes._NO_PASSWORD');
const MAILBOX = pattern('secret_shapes._MAILBOX');
const WORD = pattern('secret_shapes._WORD');
const PUBLIC = pattern('secret_shapes._PUBLIC');
const WRAPPED = pattern('secret_shapes._WRAPPED');
const RESOURCE = pattern('secret_shapes._RESOURCE');
const SAID_MARK = pattern('secret_shapes._SAID_MARK');
const IDENTIFIER = pattern('secret_shapes._IDENTIFIER');
const PUBLIC_BLOCK = pattern('secret_shapes._PUBLIC_BLOCK');
const SAMPLE_BASIC = words('secret_shapes._SAMPLE_BASIC');
const NO_CREDENTIAL = pattern('secret_words.NO_CREDENTIAL');
/** The byte with which a sequence begins in DER. */
const SEQUENCE = 0x30;

/** The rule and offset of each credential that its place in an address, header or command tells. */
export function* placedCredentials(text: string): Generator<Hit> {
  if (text.includes('@')) yield* inAddresses(text);
  const lower = text.toLowerCase();
  for (const mark of ['bearer', 'token']) {
    for (const place of placesOf(mark, lower)) {
      const opaque = OPAQUE.match(text, place + mark.length);
      if (opaque && isOpaqueAt(text, place, opaque)) yield ['authorization_header', opaque.at(1)];
    }
  }
  if (lower.includes('basic')) {
    for (const found of BASIC.all(text)) {
      if (isBasic(found.group(1)!)) yield ['authorization_header', found.at(1)];
    }
  }
  for (const { rule, gates, pattern: shape } of PLACES) {
    if (!gates.some((gate) => lower.includes(gate))) continue;
    for (const found of shape.all(text)) {
      const isValue = looksLikeValue(found.group('value')!, ASSIGNED) && !OCTETS.search(found.text);
      if (isValue) yield [rule, found.at('value')];
    }
  }
}

/** The rule and offset of each word that is too random for anything but a key and that nothing calls public. */
export function* randomWords(text: string): Generator<Hit> {
  for (const [start, long] of longWords(text, 31)) {
    for (const found of WORD.all(long)) {
      if (isUncalledFor(text, found.text, start + found.place)) yield ['random_token', start + found.place];
    }
  }
}

function isUncalledFor(text: string, word: string, first: number): boolean {
  // What a word says in base64 is looked at apart.
  if (!isRandomToken(word) || isName(word) || printableText(word) !== null) return false;
  const last = first + word.length;
  const begin = first > 0 ? text.lastIndexOf('\n', first - 1) + 1 : 0;
  const end = text.indexOf('\n', last) < 0 ? text.length : text.indexOf('\n', last);
  const isAlone = strip(text.slice(begin, end)) === word;
  if (isAlone && (WRAPPED.covers(word) || WRAPPED.covers(lineBefore(text, begin)))) return false;
  // The end of a long string's last line.
  if (text.charAt(last) === '"' && !text.slice(begin, first).includes('"')) return false;
  const from = Math.max(begin, first - 120);
  if (isPublicStructure(word) || RESOURCE.search(text, from, first) || SAID_MARK.search(text, from, first)) {
    return false;
  }
  const around = `${text.slice(from, first)} ${text.slice(last, end).slice(0, 60)}`;
  return !(PUBLIC.search(around) || IDENTIFIER.match(word));
}

/**
 * Whether base64 begins as certificates and public keys do in DER: a sequence within a sequence.
 *
 * A private key of PKCS #1 and #8 has a number there. A word of eight letters is the mark of a file's format.
 */
function isPublicStructure(word: string): boolean {
  const head = bytesOf(word.slice(0, 16));
  if (head === null) return false;
  if (head.length === 12 && /^[A-Za-z]{8}/.test(head)) return true;
  if (!word.startsWith('MI') || head.length < 12) return false;
  const length = head.charCodeAt(1);
  const lengthBytes = length & 0x80 ? length & 0x0f : 0;
  return head.charCodeAt(0) === SEQUENCE && head.charCodeAt(2 + lengthBytes) === SEQUENCE;
}

function lineBefore(text: string, begin: number): string {
  if (begin === 0) return '';
  const end = begin - 1;
  return strip(text.slice(end > 0 ? text.lastIndexOf('\n', end - 1) + 1 : 0, end));
}

/** The text with public keys, certificates and signatures blanked out; offsets stay. */
export const withoutPublicBlocks = (text: string): string =>
  text.includes('-----BEGIN') ? PUBLIC_BLOCK.replace(text, (block) => ' '.repeat(block.length)) : text;

function* inAddresses(text: string): Generator<Hit> {
  const rule = 'address_password';
  for (const found of ADDRESS.all(text)) {
    if (isAddressPassword(found.group(1)!, found.group(2)!)) yield [rule, found.at(2)];
  }
  for (const found of ADDRESS_TOKEN.all(text)) {
    if (isVaried(found.group(1)!) && isRandomToken(found.group(1)!)) yield [rule, found.at(1)];
  }
  for (const found of HOST.all(text)) {
    if (looksLikeValue(found.group(2)!, ASSIGNED) && !MAILBOX.covers(found.group(1)!))
      yield [rule, found.at(2)];
  }
  for (const shape of [ORACLE, GO_DSN]) {
    for (const found of shape.all(text)) {
      if (isAddressPassword(found.group(1)!, found.group(2)!)) yield [rule, found.at(2)];
    }
  }
}

function isAddressPassword(user: string, password: string): boolean {
  if (NO_PASSWORD.match(password)) return false;
  const small = password.toLowerCase();
  if (SAMPLE_WORDS.has(small) || password === 'tiger' || small === user.toLowerCase() || isSample(password)) {
    return false;
  }
  return !isOnly(password, isAlpha) || password.length >= 8;
}

function isOpaqueAt(text: string, place: number, found: Found): boolean {
  const word = found.group(1)!;
  const isCalledOrCut = text.charAt(found.end) === '(' || word.endsWith('...');
  if (isCalledOrCut || NO_CREDENTIAL.search(text, Math.max(0, place - 32), place)) return false;
  return isOpaque(stripEnd(word, '.'));
}

const isOpaque = (word: string): boolean =>
  count(word, isDigit) > 0 && count(word, isAlpha) > 0 && isVaried(word) && !isSample(word);

function isBasic(word: string): boolean {
  if (SAMPLE_BASIC.has(word)) return false;
  const said = textOf(word);
  const colon = said?.indexOf(':') ?? -1;
  if (said === null || colon < 0 || !isPrintable(said)) return false;
  const password = said.slice(colon + 1);
  return !(isSample(password) || password.toLowerCase() === said.slice(0, colon).toLowerCase());
}
