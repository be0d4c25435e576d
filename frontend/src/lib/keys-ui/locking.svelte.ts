/**
 * Locking by hand: the keys in this page are forgotten at once, and the Assistant's sessions of this browser are ended at
 * the service, for they would let anybody at this browser ask for the whole document without a passphrase.
 *
 * Where they could not be ended, that stays to be said: `locking.left` has them until they are.
 */
import { t } from '../../i18n/keys';
import { type LeftOpen, endSessionsHere } from '../state/key-session.svelte';
import { lockKeys } from '../state/keys.svelte';
import { session, whenLeaving } from '../state/session.svelte';
import { toast } from '../ui/toasts.svelte';

let left = $state.raw<readonly LeftOpen[]>([]);
let busy = $state(false);
// Counts the locks: what an older one found is thrown away.
let locks = 0;

whenLeaving(() => {
  locks += 1;
  left = [];
});

export const locking = {
  /** What may still be open. */
  get left(): readonly LeftOpen[] {
    return left;
  },
  get busy(): boolean {
    return busy;
  },
};

export async function lockHere(): Promise<void> {
  lockKeys();
  left = [];
  await end(session.me.workspaces.map(({ id }) => id));
}

/** Try once more what could not be ended. */
export async function endLeft(): Promise<void> {
  if (left.length && !busy) await end(left.map(({ workspace }) => workspace));
}

async function end(workspaces: readonly string[]): Promise<void> {
  const lock = ++locks;
  busy = true;
  const found = await endSessionsHere(workspaces);
  if (lock !== locks) return;
  busy = false;
  left = found.left;
  if (found.ended && !left.length) toast(t('lockEnded'));
}
