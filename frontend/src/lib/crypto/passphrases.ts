/**
 * From a passphrase to the key that opens a person's keys: NFKC, Argon2id, HKDF.
 *
 * The passphrase is another one than the password for signing in and never leaves the browser. The parameters come
 * with the wrapped keys, so from the server: a client follows none below the floor (a guess would become cheap) and
 * none above the ceiling (the client would stall or run out of memory).
 */
import { deriveKey } from './aead';
import { argon2 } from './argon2';
import { type Bytes, randomBytes, utf8 } from './bytes';
import { WeakParameters } from './errors';

const SALT_BYTES = 16;

/** The parameters of Argon2id version 1.3: memory in KiB, passes over it, lanes. */
export type PassphraseWork = { memoryKib: number; passes: number; lanes: number };

/** The second recommended set of RFC 9106, section 4. */
export const FLOOR: PassphraseWork = { memoryKib: 64 * 1024, passes: 3, lanes: 4 };
export const CEILING: PassphraseWork = { memoryKib: 1024 * 1024, passes: 10, lanes: 16 };

export const newSalt = (): Bytes => randomBytes(SALT_BYTES);

/**
 * The 32-byte key that wraps a person's keys. Takes the time and the memory of `work` on purpose.
 *
 * Raises WeakParameters before anything is computed; NotText; DerivationFailed.
 */
export async function keyEncryptionKey(
  passphrase: string,
  salt: Bytes,
  work: PassphraseWork,
): Promise<Bytes> {
  requireSound(salt, work);
  const secret = utf8(passphrase.normalize('NFKC'));
  return deriveKey(await argon2({ secret, salt, ...work }), 'wm/v1/kek');
}

/** Make sure that the parameters are ones that a client follows. Raises WeakParameters. */
function requireSound(salt: Bytes, work: PassphraseWork): void {
  const names = ['memoryKib', 'passes', 'lanes'] as const;
  const isWithin = names.every(
    (name) => Number.isInteger(work[name]) && FLOOR[name] <= work[name] && work[name] <= CEILING[name],
  );
  if (salt.length !== SALT_BYTES || !isWithin) throw new WeakParameters();
}
