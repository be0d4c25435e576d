/**
 * The keys of the person in front of this page, and how far they reach in the workspace that is shown.
 *
 *     enterKeys(workspace.id)          // KeyGate and KeyMembers do it
 *     keys.standing === 'open'  →  keys.ring, keys.mine, keys.state
 *
 * Open keys are in the memory of this page alone: a reload asks again, and the end of the session forgets them. The own
 * keys belong to the account, so that another workspace needs no second passphrase; its ring is its own.
 *
 * What a person still owes before going on (`owed`) is kept here and not in a component, so that a recovery key that is
 * shown once is still there after a look at another page.
 */
import { untrack } from 'svelte';
import { isAnswerLost, isCode } from '../api/errors';
import { keyCalls } from '../api/keys';
import type { WorkspaceKeysOut } from '../api/schema';
import type { CryptoSupport } from '../crypto/support';
import { KeysLocked } from '../keys/errors';
import { Keyholder } from '../keys/keyholder';
import { KnownKeys } from '../keys/known-keys';
import { keptInBrowser } from '../keys/known-keys-store';
import type { Keyring, WorkspaceKeyholder } from '../keys/workspace-keyholder';
import { type Look, NOT_ASKED, type Standing, isDistrust, lookAt } from './key-standing';
import { RecoveryOwed } from './recovery-owed.svelte';
import { session, whenLeaving } from './session.svelte';
import { workspace } from './workspace.svelte';

export type { Standing } from './key-standing';
export { isDistrust } from './key-standing';

/** `first`: the keys were just made, so that the workspace key is started as well where that is allowed. */
export type Owed = { what: 'keep'; written: string; first: boolean } | { what: 'passphrase' };

let shown = $state.raw<Look & { workspace: string }>({ ...NOT_ASKED, workspace: '' });
// Not reactive: what it opens is seen by `shown`.
let holder: Keyholder | null = null;
let owed = $state.raw<Owed | null>(null);
let recovery = $state.raw<RecoveryOwed | null>(null);
// Counts the looks: an answer that was overtaken by a newer one, or by a lock, is thrown away.
let looks = 0;

whenLeaving(() => {
  looks += 1;
  holder?.lock();
  holder = null;
  owed = null;
  recovery = null;
  shown = { ...NOT_ASKED, workspace: '' };
});

export const keys = {
  get standing(): Standing {
    return shown.standing;
  },
  get support(): CryptoSupport {
    return shown.support;
  },
  /** What the service tells of the workspace's keys: members, rotation_due …; null before it was asked. */
  get state(): WorkspaceKeysOut | null {
    return shown.state;
  },
  /** Why it is `distrusted` or `failed`. */
  get problem(): unknown {
    return shown.problem;
  },
  get owed(): Owed | null {
    return owed;
  },
  /** Whether a recovery key was made here and never said to be kept. */
  get isRecoveryOwed(): boolean {
    return recovery?.isOwed ?? false;
  },
  /** Every key of the workspace by its epoch. Raises KeysLocked unless `open`. */
  get ring(): Keyring {
    if (!shown.ring) throw new KeysLocked();
    return shown.ring;
  },
  /** The own keys. */
  get holder(): Keyholder {
    return (holder ??= newHolder());
  },
  /** What they do in the workspace that is shown. */
  get mine(): WorkspaceKeyholder {
    return keys.holder.workspace(shown.workspace);
  },
};

/** Turn to a workspace. What is known of it stays shown while it is asked for again. */
export function enterKeys(id: string): void {
  // It is called within effects, which are not to run again for what it finds out.
  untrack(() => {
    if (keys.holder.user !== session.me.user_id) holder = newHolder();
    recovery ??= new RecoveryOwed(session.me.user_id);
    if (shown.workspace !== id) shown = { ...NOT_ASKED, workspace: id };
    void refreshKeys();
  });
}

/** Ask again. A failure leaves a page that is open, or waits, as it is; what cannot be trusted closes it. */
export async function refreshKeys(): Promise<void> {
  const look = ++looks;
  const { workspace: id } = shown;
  if (!id) return;
  const found = await lookAt(keys.holder, id);
  if (look !== looks) return;
  if (found.standing === 'failed' && ['open', 'waiting'].includes(shown.standing)) return;
  shown = { ...found, ring: sameRing(shown.ring, found.ring), workspace: id };
}

/** Show at once that something cannot be trusted which another call has found out. */
export function distrust(problem: unknown): void {
  looks += 1;
  shown = { ...shown, standing: 'distrusted', ring: null, problem };
}

/** Forget the open keys, here and now. */
export function lockKeys(): void {
  looks += 1;
  holder?.lock();
  if (owed?.what === 'passphrase') owed = null;
  if (!['asking', 'insecure', 'no-keys'].includes(shown.standing))
    shown = { ...shown, standing: 'locked', ring: null, problem: null };
}

/** Make the own keys. The recovery key is owed then. Raises as `Keyholder.setUp`. */
export async function setUpKeys(passphrase: string): Promise<void> {
  try {
    const written = await making(() => keys.holder.setUp(passphrase));
    owed = { what: 'keep', written, first: true };
  } catch (error) {
    // Made in another window in the meantime, or here without an answer: that passphrase opens them.
    if (isCode(error, 'keys_exist') || isAnswerLost(error)) await refreshKeys();
    throw error;
  }
  void refreshKeys();
}

/** Open the own keys. Raises as `Keyholder.unlock`. */
export async function unlockKeys(passphrase: string): Promise<void> {
  await keys.holder.unlock(passphrase);
  await refreshKeys();
}

/** Open them by the recovery key; a new passphrase is owed then. Raises as `Keyholder.unlockByRecovery`. */
export async function recoverKeys(written: string): Promise<void> {
  await keys.holder.unlockByRecovery(written);
  owed = { what: 'passphrase' };
}

/** Give the open keys another passphrase; `present` proves who asks. Raises as `Keyholder.changePassphrase`. */
export async function choosePassphrase(passphrase: string, present: string | null): Promise<void> {
  await keys.holder.changePassphrase(passphrase, present);
  if (owed?.what === 'passphrase') owed = null;
  await refreshKeys();
}

/** Make another recovery key, which is owed then. Raises as `Keyholder.newRecoveryKey`. */
export async function renewRecoveryKey(present: string): Promise<void> {
  const written = await making(() => keys.holder.newRecoveryKey(present));
  owed = { what: 'keep', written, first: false };
}

/** Take other keys for lost ones; the recovery key is owed then. Raises as `Keyholder.replaceKeys`. */
export async function replaceKeys(passphrase: string, password: string): Promise<void> {
  const written = await making(() => keys.holder.replaceKeys(passphrase, password));
  owed = { what: 'keep', written, first: false };
  void refreshKeys();
}

/** The recovery key lies in a safe place. Whoever may, starts the key of a workspace that has none along the way. */
export async function keptRecoveryKey(): Promise<void> {
  const first = owed?.what === 'keep' && owed.first;
  owed = null;
  recovery?.settle();
  if (!shown.workspace) return;
  await refreshKeys();
  if (first && shown.standing === 'no-workspace-key' && workspace.isEditor) await startKey();
}

/** Make the first key of the workspace, or the one after `lostEpoch`, which nobody holds any more. */
export async function startKey(lostEpoch?: number): Promise<void> {
  try {
    await keys.mine.start(lostEpoch);
  } catch (error) {
    if (isDistrust(error)) return distrust(error);
    // Somebody else was first, or has the key after all: what there is now is shown.
    if (!['epoch_conflict', 'key_still_held'].includes((error as { code?: string }).code ?? '')) throw error;
  }
  await refreshKeys();
}

const making = (make: () => Promise<string>): Promise<string> =>
  (recovery ??= new RecoveryOwed(session.me.user_id)).making(make);

const newHolder = (): Keyholder => {
  const user = session.me.user_id;
  return new Keyholder({ user, calls: keyCalls, known: new KnownKeys(keptInBrowser(user)) });
};

/** The ring that was there, where it has the same keys: who depends on it need not begin again. */
function sameRing(before: Keyring | null, now: Keyring | null): Keyring | null {
  const isSame =
    before && now && before.size === now.size && [...now.keys()].every((epoch) => before.has(epoch));
  return isSame ? before : now;
}
