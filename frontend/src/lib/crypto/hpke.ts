/**
 * HPKE as wm/v1 uses it (RFC 9180, base mode: DHKEM X25519 HKDF-SHA256, HKDF-SHA256, AES-256-GCM), in one shot.
 *
 * What it is bound to goes into `info`; there is no associated data beside that. A sealed value is enc ‖ ciphertext.
 */
import { Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { type Bytes, joined } from './bytes';
import { SealBroken } from './errors';

const ENC_BYTES = 32;

const suite = new CipherSuite({
  kem: new DhkemX25519HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});

/** Seal to an X25519 key of 32 bytes. Raises SealBroken for one to which nothing can be sealed safely. */
export async function sealTo(x25519: Bytes, info: Bytes, plain: Bytes): Promise<Bytes> {
  try {
    const recipientPublicKey = await suite.kem.deserializePublicKey(x25519);
    const { enc, ct } = await suite.seal({ recipientPublicKey, info }, plain);
    return joined(new Uint8Array(enc), new Uint8Array(ct));
  } catch {
    // A point of small order: the shared secret would be known to everybody.
    throw new SealBroken();
  }
}

/** What was sealed to the owner of this private key. Raises SealBroken. */
export async function openFrom(
  receiving: CryptoKey,
  x25519: Bytes,
  info: Bytes,
  sealed: Bytes,
): Promise<Bytes> {
  try {
    // As a pair, so that the library does not try to export the private key to find the public one.
    const recipientKey = { privateKey: receiving, publicKey: await suite.kem.deserializePublicKey(x25519) };
    const enc = sealed.slice(0, ENC_BYTES);
    return new Uint8Array(await suite.open({ recipientKey, enc, info }, sealed.slice(ENC_BYTES)));
  } catch {
    throw new SealBroken();
  }
}
