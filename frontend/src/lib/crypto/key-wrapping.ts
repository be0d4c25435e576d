/**
 * The signature under a new wrapping of a person's keys.
 *
 * Whoever wraps keys anew has opened them, and proves it with the signing key that is among them. Without that a stolen
 * session could put rubbish in place of the only copy of somebody's keys.
 */
import type { Bytes } from './bytes';
import { lp } from './packing';
import type { PublicKeys, UserKeys, WrappedKeys } from './user-keys';

/** The own keys, sealed under the passphrase and under the recovery key. */
export type Wrapping = Omit<WrappedKeys, 'public'> & { recoveryWrapped: Bytes };

/** An Ed25519 signature of 64 bytes; `version` is the one that the new wrapping takes the place of. */
export const signWrapping = (
  keys: UserKeys,
  user: string,
  version: number,
  wrapping: Wrapping,
): Promise<Bytes> => keys.sign(signedWrapping(user, version, keys.publicKeys, wrapping));

/** What is signed. */
function signedWrapping(user: string, version: number, keys: PublicKeys, wrapping: Wrapping): Bytes {
  const { memoryKib, passes, lanes } = wrapping.work;
  const { salt, wrapped, recoveryWrapped } = wrapping;
  return lp(
    'wm/v1/rewrap-sig',
    user,
    version,
    keys.x25519,
    keys.ed25519,
    salt,
    memoryKib,
    passes,
    lanes,
    wrapped,
    recoveryWrapped,
  );
}
