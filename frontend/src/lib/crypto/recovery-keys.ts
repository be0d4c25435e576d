/**
 * The recovery key: 32 random bytes that a person writes down, and the text in which it is written.
 *
 * Crockford's base32 over the 32 bytes and the first 3 bytes of SHA-256(LP("wm/v1/recovery-text", bytes)): 56
 * characters, shown in 14 groups of 4. A mistyped character is noticed (but for one case in 16 million) before anything
 * is tried.
 */
import { KEY_BYTES, sha256 } from './aead';
import { type Bytes, isEqual, joined, randomBytes } from './bytes';
import { RecoveryKeyMistyped } from './errors';
import { lp } from './packing';

// https://www.crockford.com/base32.html: no I, L, O and U.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const READ_AS: Record<string, string> = { O: '0', I: '1', L: '1' };
const GROUP = 4;
const CHECKSUM_BYTES = 3;
const CHARACTERS = ((KEY_BYTES + CHECKSUM_BYTES) * 8) / 5;
// Blanks, hyphens and dashes, invisible characters. \s alone leaves out five that Python counts as blanks.
const LEFT_OUT = /[\s\x1c-\x1f\x85\p{Pd}\p{Cf}]/gu;

/** A random one: 32 bytes. It is shown once and kept nowhere. */
export const newRecoveryKey = (): Bytes => randomBytes(KEY_BYTES);

/** The text to write down: 14 groups of 4 characters, with blanks between them. */
export async function writeRecoveryKey(secret: Bytes): Promise<string> {
  return grouped(base32(joined(secret, await checksum(secret))));
}

/**
 * The 32 bytes from their text, in either case, with any blanks and hyphens, O for 0, I and L for 1.
 *
 * Raises RecoveryKeyMistyped, which names the kind of mistake.
 */
export async function readRecoveryKey(written: string): Promise<Bytes> {
  const characters = plain(written);
  const wrong = characters.findIndex((character) => !ALPHABET.includes(character));
  if (wrong >= 0) throw new RecoveryKeyMistyped('character', Math.floor(wrong / GROUP) + 1);
  if (characters.length !== CHARACTERS) throw new RecoveryKeyMistyped('length');
  const bytes = fromBase32(characters);
  const secret = bytes.slice(0, KEY_BYTES);
  if (!isEqual(bytes.slice(KEY_BYTES), await checksum(secret))) throw new RecoveryKeyMistyped('checksum');
  return secret;
}

/** Crockford's base32 of a multiple of 5 bytes. */
export function base32(bytes: Bytes): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits.replace(/.{5}/g, (five) => ALPHABET.charAt(parseInt(five, 2)));
}

/** The text in groups of 4 characters. */
export const grouped = (text: string): string => (text.match(/.{1,4}/g) ?? []).join(' ');

/** What somebody is typing, in the groups in which it was shown, so that the two are compared group by group. */
export const regrouped = (written: string): string =>
  grouped(written.normalize('NFKC').replace(LEFT_OUT, '').toUpperCase());

function fromBase32(characters: string[]): Bytes {
  const bits = characters.map((each) => ALPHABET.indexOf(each).toString(2).padStart(5, '0')).join('');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (eight) => parseInt(eight, 2));
}

function plain(written: string): string[] {
  const kept = Array.from(written.normalize('NFKC').replace(LEFT_OUT, ''));
  // ASCII alone is raised: the capital of a foreign letter can be letters of the alphabet, as ß gives SS.
  const raised = kept.map((each) => (/^[a-z]$/.test(each) ? each.toUpperCase() : each));
  return raised.map((each) => READ_AS[each] ?? each);
}

async function checksum(secret: Bytes): Promise<Bytes> {
  return (await sha256(lp('wm/v1/recovery-text', secret))).slice(0, CHECKSUM_BYTES);
}
