/** Where a person stands with the key of a workspace: what is asked of the service, in which order, and what follows. */
import type { WorkspaceKeysOut } from '../api/schema';
import { type CryptoSupport, cryptoSupport } from '../crypto/support';
import {
  KeyDistrusted,
  KeysLocked,
  KnownKeysUnreadable,
  ServerRolledBack,
  WaitingForKey,
} from '../keys/errors';
import type { Keyholder } from '../keys/keyholder';
import type { Keyring } from '../keys/workspace-keyholder';

/**
 * `insecure`: this browser has no cryptography here (`support` says why). `no-keys`: own keys are to be set up. `locked`:
 * they are to be opened. `no-workspace-key`: nobody has started the key. `waiting`: somebody else has to pass it on.
 * `lost`: nobody holds it any more. `distrusted`: the service sent what cannot be trusted, `problem` says what. `failed`:
 * the service could not be asked.
 */
export type Standing =
  | 'asking'
  | 'insecure'
  | 'no-keys'
  | 'locked'
  | 'no-workspace-key'
  | 'waiting'
  | 'lost'
  | 'distrusted'
  | 'open'
  | 'failed';

/** `state` is what the service tells of the workspace's keys, once it was asked; `ring` is there when `open`. */
export type Look = {
  standing: Standing;
  support: CryptoSupport;
  state: WorkspaceKeysOut | null;
  ring: Keyring | null;
  problem: unknown;
};

export const NOT_ASKED: Look = {
  standing: 'asking',
  support: 'ready',
  state: null,
  ring: null,
  problem: null,
};

/** Ask the service. Raises nothing: what fails is `distrusted` or `failed`. */
export async function lookAt(holder: Keyholder, workspace: string): Promise<Look> {
  const support = await cryptoSupport();
  const look: Look = { ...NOT_ASKED, support };
  if (support !== 'ready') return { ...look, standing: 'insecure' };
  const mine = holder.workspace(workspace);
  try {
    // Also before the keys are open: that the service shows less than before must be seen first.
    look.state = await mine.state();
    if (!holder.isOpen) return { ...look, standing: (await holder.hasKeys()) ? 'locked' : 'no-keys' };
    if (look.state.epoch === 0) return { ...look, standing: 'no-workspace-key' };
    return { ...look, standing: 'open', ring: await mine.keyring() };
  } catch (problem) {
    return { ...look, standing: standingAfter(problem), problem };
  }
}

/** Whether an error says that the service, or this browser's memory of it, is not to be trusted. */
export const isDistrust = (error: unknown): boolean =>
  error instanceof KeyDistrusted || error instanceof ServerRolledBack || error instanceof KnownKeysUnreadable;

function standingAfter(problem: unknown): Standing {
  if (problem instanceof WaitingForKey) return problem.lost ? 'lost' : 'waiting';
  // Locked while it was asked.
  if (problem instanceof KeysLocked) return 'locked';
  return isDistrust(problem) ? 'distrusted' : 'failed';
}
