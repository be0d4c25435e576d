/**
 * Workspace keys: 32 random bytes per epoch, what proves one, and the chain from the newest to the oldest.
 *
 * Everything of a workspace is sealed under keys derived from its key of one epoch (`envelope.ts`). Members receive it
 * by a grant (`grants.ts`). After a removal the next epoch begins; the older key is then sealed under the newer one, so
 * that whoever opens the newest reads everything, and whoever was removed reads nothing new. Where nobody holds the
 * newest key any more, the next one is begun anew and keeps no older key: the chain then ends there.
 */
import { KEY_BYTES, deriveKey, mac, openBytes, sealBytes } from './aead';
import { type Bytes, isEqual, randomBytes } from './bytes';
import { SealBroken } from './errors';
import { lp } from './packing';
import type { UserKeys } from './user-keys';

export const FIRST_EPOCH = 1;

const OLDER = 'wm/v1/older';

/** The open key of one workspace and epoch. Its 32 bytes are a private field, which JSON does not carry. */
export class WorkspaceKey {
  readonly #secret: Bytes;

  /** Raises SealBroken for what is no key. */
  constructor(
    readonly workspace: string,
    readonly epoch: number,
    secret: Bytes,
  ) {
    if (secret.length !== KEY_BYTES || !(epoch >= FIRST_EPOCH)) throw new SealBroken();
    this.#secret = secret;
  }

  /** A random key for an epoch. */
  static generate(workspace: string, epoch: number = FIRST_EPOCH): WorkspaceKey {
    return new WorkspaceKey(workspace, epoch, randomBytes(KEY_BYTES));
  }

  /** The 32-byte key for one purpose, such as `wm/v1/doc`. */
  derived(label: string): Promise<Bytes> {
    return deriveKey(this.#secret, label);
  }

  /** The key itself, to be sealed at once. */
  secret(): Bytes {
    return this.#secret;
  }
}

/** 32 bytes that only this key can make: the server keeps them to prove a key where nothing is sealed yet. */
export async function checkValue(key: WorkspaceKey): Promise<Bytes> {
  return mac(await key.derived('wm/v1/check'), lp(key.workspace, key.epoch));
}

/** Whether the key is the one that the check value was made with. */
export const proves = async (key: WorkspaceKey, check: Bytes): Promise<boolean> =>
  isEqual(await checkValue(key), check);

/** The maker's Ed25519 signature (64 bytes) over LP("wm/v1/check-sig", workspace, epoch, check). */
export const signCheck = (maker: UserKeys, workspace: string, epoch: number, check: Bytes): Promise<Bytes> =>
  maker.sign(lp('wm/v1/check-sig', workspace, epoch, check));

/** The older key, sealed under the one of the next epoch (60 bytes). `nonce` is for frozen test vectors alone. */
export async function wrapOlder(newer: WorkspaceKey, older: WorkspaceKey, nonce?: Bytes): Promise<Bytes> {
  if (newer.workspace !== older.workspace || newer.epoch !== older.epoch + 1) {
    throw new RangeError('only the next epoch of the same workspace keeps an older key');
  }
  return sealBytes(await newer.derived(OLDER), olderContext(newer), older.secret(), nonce);
}

/** The key of the epoch before. Raises SealBroken. */
async function openOlder(newer: WorkspaceKey, wrapped: Bytes): Promise<WorkspaceKey> {
  const secret = await openBytes(await newer.derived(OLDER), olderContext(newer), wrapped);
  return new WorkspaceKey(newer.workspace, newer.epoch - 1, secret);
}

/** The oldest epoch that the key of epoch `newest` leads to; `begunAnew` are those that keep no older key. */
export const firstOfChain = (newest: number, begunAnew: number[]): number =>
  Math.max(FIRST_EPOCH, ...begunAnew.filter((epoch) => epoch <= newest));

/**
 * Every key of the workspace by its epoch, from the newest down to the first of its chain.
 *
 * `wrapped` holds, by the epoch of the older key, what `wrapOlder` made. Raises SealBroken when one is missing or does
 * not open: a server that leaves out the end of the chain must not pass for a young workspace.
 */
export async function openChain(
  newest: WorkspaceKey,
  wrapped: ReadonlyMap<number, Bytes>,
  first: number = FIRST_EPOCH,
): Promise<Map<number, WorkspaceKey>> {
  const keys = new Map([[newest.epoch, newest]]);
  let newer = newest;
  while (newer.epoch > first) {
    const sealed = wrapped.get(newer.epoch - 1);
    if (sealed === undefined) throw new SealBroken();
    newer = await openOlder(newer, sealed);
    keys.set(newer.epoch, newer);
  }
  return keys;
}

const olderContext = (newer: WorkspaceKey): Bytes => lp(OLDER, newer.workspace, newer.epoch, newer.epoch - 1);
