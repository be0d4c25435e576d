import { Aes128Gcm, Aes256Gcm, CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from '@hpke/core';
import { expect, it } from 'vitest';
import { SealBroken } from './errors';
import { openFrom, sealTo } from './hpke';
import { alice, bytes, hex, keysOf, publicOf, rfc9180 } from './vectors.fixture';

it.each(rfc9180)('the library opens what RFC 9180 seals with AEAD $aead_id', async (vector) => {
  const kem = new DhkemX25519HkdfSha256();
  const aead = vector.aead_id === 1 ? new Aes128Gcm() : new Aes256Gcm();
  const suite = new CipherSuite({ kem, kdf: new HkdfSha256(), aead });
  const recipientKey = {
    privateKey: await kem.deserializePrivateKey(bytes(vector.skRm)),
    publicKey: await kem.deserializePublicKey(bytes(vector.pkRm)),
  };
  const { aad, ct, pt } = vector.encryption;
  const to = { recipientKey, enc: bytes(vector.enc), info: bytes(vector.info) };
  expect(hex(new Uint8Array(await suite.open(to, bytes(ct), bytes(aad))))).toBe(pt);
});

it('opens what it sealed, for the same info alone', async () => {
  const { x25519 } = publicOf(alice);
  const { receiving } = await keysOf(alice);
  const sealed = await sealTo(x25519, bytes('01'), bytes('abcd'));
  expect(hex(await openFrom(receiving, x25519, bytes('01'), sealed))).toBe('abcd');
  await expect(openFrom(receiving, x25519, bytes('02'), sealed)).rejects.toThrow(SealBroken);
});

it('seals nothing to a point of small order', async () => {
  await expect(sealTo(new Uint8Array(32), bytes('01'), bytes('abcd'))).rejects.toThrow(SealBroken);
});
