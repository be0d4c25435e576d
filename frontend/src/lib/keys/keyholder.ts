/**
 * A person's own keys in this browser: set up, opened by passphrase or recovery key, wrapped anew, forgotten.
 *
 *     const holder = new Keyholder({ user, calls: keyCalls, known: new KnownKeys(keptInBrowser(user)) });
 *     const recoveryKey = await holder.setUp(passphrase);       // once; shown, and kept nowhere
 *     await holder.unlock(passphrase);
 *     const keys = holder.workspace(id);                        // workspace-keyholder.ts
 *
 * What the service answers is a claim: own keys are proved by the passphrase. The open keys are in the memory of this
 * page alone. docs/explanation/encryption.md has the whole.
 */
import { isCode } from '../api/errors';
import type { KeysIn, KeysOut } from '../api/schema';
import { fromBase64Url, toBase64Url } from '../crypto/bytes';
import { RecoveryKeyMistyped, WrongSecret } from '../crypto/errors';
import { type Wrapping, signWrapping } from '../crypto/key-wrapping';
import { newRecoveryKey, readRecoveryKey, writeRecoveryKey } from '../crypto/recovery-keys';
import {
  UserKeys,
  fingerprintOf,
  isSamePublic,
  unwrapByRecovery,
  unwrapKeys,
  wrapForRecovery,
  wrapKeys,
} from '../crypto/user-keys';
import { distrusting } from './distrust';
import { KeyDistrusted, KeysLocked } from './errors';
import type { KeyCalls } from './key-calls';
import { publicKeysJson, readPublicKeys, readWrapped, wrappingJson } from './key-json';
import type { KnownKeys } from './known-keys';
import { WorkspaceKeyholder } from './workspace-keyholder';

/**
 * All methods that ask the service can raise ApiError, Unreachable, KeyDistrusted and KnownKeysUnreadable; those that
 * need the open keys KeysLocked; those that take a passphrase NotText and DerivationFailed.
 */
export class Keyholder {
  readonly user: string;
  readonly calls: KeyCalls;
  readonly known: KnownKeys;
  #keys: UserKeys | null = null;
  // Counts how often the keys were locked: what was begun before a lock opens nothing after it.
  #locks = 0;
  // Opened by the recovery key, which stands for the passphrase until a new one is chosen.
  #recovered = false;
  readonly #listeners = new Set<() => void>();

  constructor(of: { user: string; calls: KeyCalls; known: KnownKeys }) {
    this.user = of.user;
    this.calls = of.calls;
    this.known = of.known;
  }

  get isOpen(): boolean {
    return this.#keys !== null;
  }

  /** Be told when the keys were opened or locked; the function that is returned ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether the service keeps keys of this person. */
  async hasKeys(): Promise<boolean> {
    try {
      await this.calls.ownKeys();
      return true;
    } catch (error) {
      if (isCode(error, 'not_found')) return false;
      throw error;
    }
  }

  /** Make the own keys and store them sealed; the recovery key, to be written down. Raises `keys_exist`. */
  async setUp(passphrase: string): Promise<string> {
    return this.#storeNew(passphrase, (body) => this.calls.createKeys(body));
  }

  /** Open the own keys. Raises WrongSecret; KeyDistrusted for parameters that no client follows; `not_found`. */
  async unlock(passphrase: string): Promise<void> {
    const locks = this.#locks;
    const record = await this.calls.ownKeys();
    const keys = await distrusting(() => unwrapKeys(readWrapped(record), this.user, passphrase));
    await this.#open(keys, locks);
    this.openKeys();
  }

  /** Open the own keys by the recovery key. Then `changePassphrase`. Raises RecoveryKeyMistyped; WrongSecret. */
  async unlockByRecovery(written: string): Promise<void> {
    const locks = this.#locks;
    const recovery = await readRecoveryKey(written);
    const { public_keys, wrapping } = await this.calls.ownKeys();
    const keys = await distrusting(() => {
      const sealed = fromBase64Url(wrapping.recovery_wrapped);
      return unwrapByRecovery(sealed, this.user, readPublicKeys(public_keys), recovery);
    });
    await this.#open(keys, locks);
    this.openKeys();
    this.#recovered = true;
  }

  /**
   * Seal the open keys under another passphrase; the recovery key stays. `present` is the present passphrase or the
   * recovery key, which whoever merely sits at open keys does not have; null right after `unlockByRecovery` alone.
   *
   * Raises WrongSecret, and nothing was sent; `version_mismatch`.
   */
  async changePassphrase(passphrase: string, present: string | null): Promise<void> {
    const keys = this.openKeys();
    const record = await this.#sameRecord(keys);
    if (present !== null) await this.#prove(record, present);
    else if (!this.#recovered) throw new WrongSecret();
    const recoveryWrapped = await distrusting(() => fromBase64Url(record.wrapping.recovery_wrapped));
    const wrapped = await wrapKeys(keys, this.user, passphrase);
    await this.#rewrap(keys, record, { ...wrapped, recoveryWrapped });
    this.#recovered = false;
  }

  /**
   * Another recovery key in place of the one before, to be written down. `present` as in `changePassphrase`.
   *
   * Raises WrongSecret, and nothing was sent; `version_mismatch`.
   */
  async newRecoveryKey(present: string): Promise<string> {
    const keys = this.openKeys();
    const record = await this.#sameRecord(keys);
    await this.#prove(record, present);
    const recovery = newRecoveryKey();
    const recoveryWrapped = await wrapForRecovery(keys, this.user, recovery);
    await this.#rewrap(keys, record, { ...(await distrusting(() => readWrapped(record))), recoveryWrapped });
    return writeRecoveryKey(recovery);
  }

  /**
   * Other keys, where passphrase and recovery key are lost; the new recovery key. The person then waits for the key in
   * every workspace. Raises `sign_in_refused`, `too_many_attempts`, `keys_missing`.
   */
  async replaceKeys(passphrase: string, password: string): Promise<string> {
    return this.#storeNew(passphrase, (body) => this.calls.replaceKeys({ ...body, password }));
  }

  /** Forget the open keys, also those that are just being opened. */
  lock(): void {
    this.#locks += 1;
    this.#keys = null;
    this.#recovered = false;
    this.#tell();
  }

  /** What others compare with what their clients show of this person. */
  fingerprint(): Promise<string> {
    return fingerprintOf(this.openKeys().publicKeys);
  }

  /** The open keys, for `workspace-keyholder.ts`. */
  openKeys(): UserKeys {
    if (this.#keys === null) throw new KeysLocked();
    return this.#keys;
  }

  /** What these keys do in a workspace. */
  workspace(id: string): WorkspaceKeyholder {
    return new WorkspaceKeyholder(this, id);
  }

  /** Make keys, store them, open them here; the written recovery key. */
  async #storeNew(passphrase: string, store: (body: KeysIn) => Promise<KeysOut>): Promise<string> {
    const locks = this.#locks;
    // What this browser cannot remember is told before anything is stored: the recovery key is shown after that alone.
    await this.known.accepted(this.user);
    const keys = await UserKeys.generate();
    const recovery = newRecoveryKey();
    const wrapped = await wrapKeys(keys, this.user, passphrase);
    const recoveryWrapped = await wrapForRecovery(keys, this.user, recovery);
    const written = await writeRecoveryKey(recovery);
    // Somebody else may have signed in since.
    if (this.#locks !== locks) throw new KeysLocked();
    const wrapping = wrappingJson({ ...wrapped, recoveryWrapped });
    await store({ public_keys: publicKeysJson(keys.publicKeys), wrapping });
    await this.#open(keys, locks);
    return written;
  }

  /** Take the keys over, unless somebody locked after `locks` was read. */
  async #open(keys: UserKeys, locks: number): Promise<void> {
    // Proved by the passphrase or recovery key, which is more than any memory of this browser.
    await this.known.accept(this.user, keys.publicKeys);
    if (this.#locks !== locks) return;
    this.#keys = keys;
    this.#tell();
  }

  /** The stored keys, if they are those that are open here. */
  async #sameRecord(keys: UserKeys): Promise<KeysOut> {
    const record = await this.calls.ownKeys();
    if (!isSamePublic(readPublicKeys(record.public_keys), keys.publicKeys)) {
      throw new KeyDistrusted('other_keys');
    }
    return record;
  }

  /** Open the stored keys once more by a passphrase or recovery key. Raises WrongSecret. */
  async #prove(record: KeysOut, present: string): Promise<void> {
    const recovery = await readRecoveryKey(present).catch((error: unknown) => {
      // What is no recovery key is a passphrase.
      if (error instanceof RecoveryKeyMistyped) return null;
      throw error;
    });
    await distrusting(() => {
      const wrapped = readWrapped(record);
      if (recovery === null) return unwrapKeys(wrapped, this.user, present);
      const sealed = fromBase64Url(record.wrapping.recovery_wrapped);
      return unwrapByRecovery(sealed, this.user, wrapped.public, recovery);
    });
  }

  async #rewrap(keys: UserKeys, { version }: KeysOut, wrapping: Wrapping): Promise<void> {
    const signature = toBase64Url(await signWrapping(keys, this.user, version, wrapping));
    await this.calls.rewrapKeys({ version, wrapping: wrappingJson(wrapping), signature });
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
