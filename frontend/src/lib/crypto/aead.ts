/**
 * The seal that all of wm/v1 uses: `nonce12 ‖ AES-256-GCM(key, AAD, plain)`, with keys derived by HKDF-SHA-256; and
 * the two hashes that go with it.
 *
 * A random nonce of 96 bits is safe for 2^32 seals under one key (NIST SP 800-38D, 8.3); a workspace stays far below.
 */
import { type Bytes, joined, randomBytes, utf8 } from './bytes';
import { SealBroken } from './errors';

export const KEY_BYTES = 32;
const NONCE_BYTES = 12;
/** What a seal adds to the text: the nonce and the tag. */
export const SEAL_BYTES = NONCE_BYTES + 16;

/** The 32-byte key that a secret has for one purpose. The label is ASCII, such as `wm/v1/doc`. */
export async function deriveKey(secret: Bytes, label: string): Promise<Bytes> {
  const base = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info: utf8(label) };
  return new Uint8Array(await crypto.subtle.deriveBits(how, base, KEY_BYTES * 8));
}

/** Seal under a key of 32 bytes. `nonce` is for frozen test vectors alone: a second use of one breaks the seal. */
export async function sealBytes(
  key: Bytes,
  aad: Bytes,
  plain: Bytes,
  nonce: Bytes = randomBytes(NONCE_BYTES),
): Promise<Bytes> {
  const aes = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt']);
  const how = { name: 'AES-GCM', iv: nonce, additionalData: aad };
  return joined(nonce, new Uint8Array(await crypto.subtle.encrypt(how, aes, plain)));
}

/** What was sealed under this key and AAD. Raises SealBroken. */
export async function openBytes(key: Bytes, aad: Bytes, sealed: Bytes): Promise<Bytes> {
  if (sealed.length < SEAL_BYTES) throw new SealBroken();
  const aes = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt']);
  const how = { name: 'AES-GCM', iv: sealed.slice(0, NONCE_BYTES), additionalData: aad };
  try {
    return new Uint8Array(await crypto.subtle.decrypt(how, aes, sealed.slice(NONCE_BYTES)));
  } catch {
    throw new SealBroken();
  }
}

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
}

/** HMAC-SHA-256: 32 bytes. */
export async function mac(key: Bytes, bytes: Bytes): Promise<Bytes> {
  const hmac = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', hmac, bytes));
}
