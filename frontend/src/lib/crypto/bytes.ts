/** Bytes and the texts that stand for them. */
import { NotText, SealBroken } from './errors';

/** Bytes with memory of their own, which is what crypto.subtle takes. */
export type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();
// Without ignoreBOM a byte order mark would be taken from the text.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const HALF_OF_A_PAIR = /\p{Surrogate}/u;

/** How many bytes a text has in UTF-8, which is what all limits count. */
export const byteLength = (text: string): number => encoder.encode(text).length;

/** The text's UTF-8. Raises NotText: TextEncoder alone would put another character in its place. */
export function utf8(text: string): Bytes {
  if (HALF_OF_A_PAIR.test(text)) throw new NotText();
  return encoder.encode(text);
}

/** The text again, byte for byte. Raises SealBroken for bytes that are no UTF-8. */
export function textOf(bytes: Bytes): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new SealBroken();
  }
}

/** Bytes as they travel in JSON and headers: base64url without padding. */
export function toBase64Url(bytes: Bytes): string {
  const characters = Array.from(bytes, (byte) => String.fromCharCode(byte));
  return btoa(characters.join('')).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The bytes again. Raises SealBroken for anything that is not what `toBase64Url` makes. */
export function fromBase64Url(text: string): Bytes {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) throw new SealBroken();
  const characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}

/** All of them, one after the other. */
export function joined(...parts: Bytes[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let place = 0;
  for (const part of parts) {
    whole.set(part, place);
    place += part.length;
  }
  return whole;
}

/** Whether both are the same bytes; how long it takes depends on the length alone. */
export function isEqual(one: Bytes, other: Bytes): boolean {
  if (one.length !== other.length) return false;
  return one.reduce((difference, byte, place) => difference | (byte ^ (other[place] ?? 0)), 0) === 0;
}

export const randomBytes = (length: number): Bytes => crypto.getRandomValues(new Uint8Array(length));
