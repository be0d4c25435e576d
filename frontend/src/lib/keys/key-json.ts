/** Keys as they travel in JSON, and back. Nothing that comes back is trusted by that. */
import type { GrantIn, KeysOut, PublicKeysOut, WrappingIn } from '../api/schema';
import { KEY_BYTES } from '../crypto/aead';
import { type Bytes, fromBase64Url, toBase64Url } from '../crypto/bytes';
import { SealBroken } from '../crypto/errors';
import type { Grant } from '../crypto/grants';
import type { Wrapping } from '../crypto/key-wrapping';
import type { PublicKeys, WrappedKeys } from '../crypto/user-keys';
import { KeyDistrusted } from './errors';

/** A public key of 32 bytes. Raises KeyDistrusted. */
export function readPublicKey(text: string): Bytes {
  try {
    const bytes = fromBase64Url(text);
    if (bytes.length === KEY_BYTES) return bytes;
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
  }
  throw new KeyDistrusted('public_key');
}

export const readPublicKeys = ({ x25519, ed25519 }: PublicKeysOut): PublicKeys => ({
  x25519: readPublicKey(x25519),
  ed25519: readPublicKey(ed25519),
});

export const publicKeysJson = ({ x25519, ed25519 }: PublicKeys): PublicKeysOut => ({
  x25519: toBase64Url(x25519),
  ed25519: toBase64Url(ed25519),
});

/** The own keys as the service keeps them. Raises KeyDistrusted; SealBroken for what is no base64url. */
export function readWrapped({ public_keys, wrapping }: KeysOut): WrappedKeys {
  const { salt, memory_kib, passes, lanes, wrapped } = wrapping;
  return {
    public: readPublicKeys(public_keys),
    salt: fromBase64Url(salt),
    work: { memoryKib: memory_kib, passes, lanes },
    wrapped: fromBase64Url(wrapped),
  };
}

export const wrappingJson = ({ salt, work, wrapped, recoveryWrapped }: Wrapping): WrappingIn => ({
  salt: toBase64Url(salt),
  memory_kib: work.memoryKib,
  passes: work.passes,
  lanes: work.lanes,
  wrapped: toBase64Url(wrapped),
  recovery_wrapped: toBase64Url(recoveryWrapped),
});

export const grantJson = (member: string, memberKeys: PublicKeys, { sealed, signature }: Grant): GrantIn => ({
  member_id: member,
  member_public: toBase64Url(memberKeys.x25519),
  sealed: toBase64Url(sealed),
  signature: toBase64Url(signature),
});
