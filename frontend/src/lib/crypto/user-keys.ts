/**
 * A person's keys: X25519 receives workspace keys, Ed25519 signs the grants that the person makes.
 *
 * The server keeps the public halves, and the private ones wrapped twice: under the passphrase and under the recovery
 * key. The associated data holds whose keys they are, both public keys and, for the passphrase, its parameters: a server
 * that swaps one of them or lowers the work makes keys that do not open. What the recovery key wraps names no parameters
 * of a passphrase, since it has to outlive every change of it.
 */
import { KEY_BYTES, deriveKey, openBytes, sealBytes, sha256 } from './aead';
import { type Bytes, isEqual, joined } from './bytes';
import { SealBroken, WrongSecret } from './errors';
import { lp } from './packing';
import { FLOOR, type PassphraseWork, keyEncryptionKey, newSalt } from './passphrases';
import { base32, grouped } from './recovery-keys';

const PASSPHRASE = 'wm/v1/userkeys';
const RECOVERY = 'wm/v1/recovery';
const FINGERPRINT_BYTES = 20;

// What stands before the 32 bytes of a private key in PKCS #8 (RFC 8410), the form in which a browser takes one.
const PKCS8_X25519 = Uint8Array.of(48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 110, 4, 34, 4, 32);
const PKCS8_ED25519 = Uint8Array.of(48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32);
// The number 9, to which every X25519 key is multiplied to give its public half (RFC 7748).
const BASE_POINT = Uint8Array.of(9, ...new Uint8Array(KEY_BYTES - 1));

/** What others know of a person's keys: 32 bytes each. */
export type PublicKeys = { x25519: Bytes; ed25519: Bytes };

/** A person's keys as the server keeps them under the passphrase. `wrapped` has 92 bytes. */
export type WrappedKeys = { public: PublicKeys; salt: Bytes; work: PassphraseWork; wrapped: Bytes };

/** A person's open keys. They are private fields, so that neither JSON nor a message to another page carries them. */
export class UserKeys {
  readonly #receiving: CryptoKey;
  readonly #signing: CryptoKey;
  readonly #private: Bytes;

  private constructor(
    readonly publicKeys: PublicKeys,
    keys: { receiving: CryptoKey; signing: CryptoKey; private: Bytes },
  ) {
    this.#receiving = keys.receiving;
    this.#signing = keys.signing;
    this.#private = keys.private;
  }

  /** Random keys. */
  static async generate(): Promise<UserKeys> {
    const receiving = (await crypto.subtle.generateKey('X25519', true, ['deriveBits'])) as CryptoKeyPair;
    const signing = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
    const publicKeys = {
      x25519: new Uint8Array(await crypto.subtle.exportKey('raw', receiving.publicKey)),
      ed25519: new Uint8Array(await crypto.subtle.exportKey('raw', signing.publicKey)),
    };
    return UserKeys.from(await privateBytes(receiving), await privateBytes(signing), publicKeys);
  }

  /**
   * The keys from their two private halves of 32 bytes.
   *
   * Raises WrongSecret when the public halves are not theirs: a faulty client could have sealed such ones; nobody could
   * then reach the person.
   */
  static async from(x25519: Bytes, ed25519: Bytes, publicKeys: PublicKeys): Promise<UserKeys> {
    const { subtle } = crypto;
    const receiving = await subtle.importKey('pkcs8', joined(PKCS8_X25519, x25519), 'X25519', false, [
      'deriveBits',
    ]);
    const signing = await subtle.importKey('pkcs8', joined(PKCS8_ED25519, ed25519), 'Ed25519', false, [
      'sign',
    ]);
    const keys = new UserKeys(publicKeys, { receiving, signing, private: joined(x25519, ed25519) });
    if (!(await keys.#fitTogether())) throw new WrongSecret();
    return keys;
  }

  /** The private key that receives, for `grants.ts`. It cannot be exported. */
  get receiving(): CryptoKey {
    return this.#receiving;
  }

  /** An Ed25519 signature of 64 bytes. */
  async sign(signed: Bytes): Promise<Bytes> {
    return new Uint8Array(await crypto.subtle.sign('Ed25519', this.#signing, signed));
  }

  /** Both private halves, 64 bytes, to be sealed at once. */
  privateHalves(): Bytes {
    return this.#private;
  }

  async #fitTogether(): Promise<boolean> {
    const base = await crypto.subtle.importKey('raw', BASE_POINT, 'X25519', false, []);
    const x25519 = await crypto.subtle.deriveBits(
      { name: 'X25519', public: base },
      this.#receiving,
      KEY_BYTES * 8,
    );
    if (!isEqual(new Uint8Array(x25519), this.publicKeys.x25519)) return false;
    // No browser tells the public half of an imported signing key in all cases, so one signature has to show it.
    const tried = lp('wm/v1/self-check');
    return isSigned(this.publicKeys.ed25519, tried, await this.sign(tried));
  }
}

/** Whether the owner of this Ed25519 key (32 bytes) made the signature. */
export async function isSigned(ed25519: Bytes, signed: Bytes, signature: Bytes): Promise<boolean> {
  try {
    const key = await crypto.subtle.importKey('raw', ed25519, 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, signature, signed);
  } catch {
    // Bytes that are no key at all.
    return false;
  }
}

/** What two people compare: 160 bits over both keys, 8 groups of 4 characters of Crockford's base32. */
export async function fingerprintOf(publicKeys: PublicKeys): Promise<string> {
  const digest = await sha256(lp('wm/v1/fingerprint', publicKeys.x25519, publicKeys.ed25519));
  return grouped(base32(digest.slice(0, FINGERPRINT_BYTES)));
}

export const isSamePublic = (one: PublicKeys, other: PublicKeys): boolean =>
  isEqual(one.x25519, other.x25519) && isEqual(one.ed25519, other.ed25519);

/** For frozen test vectors alone: a second use of a nonce breaks the seal. */
type Frozen = { salt?: Bytes; nonce?: Bytes };

/** Wrap the keys under a passphrase. Raises WeakParameters; NotText; DerivationFailed. */
export async function wrapKeys(
  keys: UserKeys,
  user: string,
  passphrase: string,
  work: PassphraseWork = FLOOR,
  frozen: Frozen = {},
): Promise<WrappedKeys> {
  const salt = frozen.salt ?? newSalt();
  const kek = await keyEncryptionKey(passphrase, salt, work);
  const bare = { public: keys.publicKeys, salt, work };
  const wrapped = await sealBytes(kek, passphraseContext(user, bare), keys.privateHalves(), frozen.nonce);
  return { ...bare, wrapped };
}

/**
 * Open what `wrapKeys` made. `user` is who this client says it is, not what the server sent.
 *
 * Raises WrongSecret; WeakParameters; DerivationFailed.
 */
export async function unwrapKeys(wrapped: WrappedKeys, user: string, passphrase: string): Promise<UserKeys> {
  const kek = await keyEncryptionKey(passphrase, wrapped.salt, wrapped.work);
  return opened(kek, passphraseContext(user, wrapped), wrapped.wrapped, wrapped.public);
}

/** Wrap the keys under the 32 bytes of a recovery key (92 bytes). `nonce` is for frozen test vectors alone. */
export async function wrapForRecovery(
  keys: UserKeys,
  user: string,
  recovery: Bytes,
  nonce?: Bytes,
): Promise<Bytes> {
  const kek = await deriveKey(recovery, RECOVERY);
  return sealBytes(kek, recoveryContext(user, keys.publicKeys), keys.privateHalves(), nonce);
}

/** Open what `wrapForRecovery` made. Raises WrongSecret. */
export async function unwrapByRecovery(
  wrapped: Bytes,
  user: string,
  publicKeys: PublicKeys,
  recovery: Bytes,
): Promise<UserKeys> {
  const kek = await deriveKey(recovery, RECOVERY);
  return opened(kek, recoveryContext(user, publicKeys), wrapped, publicKeys);
}

function passphraseContext(user: string, record: Omit<WrappedKeys, 'wrapped'>): Bytes {
  const { memoryKib, passes, lanes } = record.work;
  const { x25519, ed25519 } = record.public;
  return lp(PASSPHRASE, user, x25519, ed25519, record.salt, memoryKib, passes, lanes);
}

const recoveryContext = (user: string, { x25519, ed25519 }: PublicKeys): Bytes =>
  lp(RECOVERY, user, x25519, ed25519);

async function opened(kek: Bytes, aad: Bytes, wrapped: Bytes, publicKeys: PublicKeys): Promise<UserKeys> {
  const halves = await openBytes(kek, aad, wrapped).catch((error: unknown) => {
    throw error instanceof SealBroken ? new WrongSecret() : error;
  });
  if (halves.length !== 2 * KEY_BYTES) throw new WrongSecret();
  return UserKeys.from(halves.slice(0, KEY_BYTES), halves.slice(KEY_BYTES), publicKeys);
}

async function privateBytes(pair: CryptoKeyPair): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.exportKey('pkcs8', pair.privateKey)).slice(-KEY_BYTES);
}
