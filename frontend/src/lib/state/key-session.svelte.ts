/**
 * The key session of this browser in the workspace that is shown: while it is open, the service can read messages and
 * memory. It is opened by a person, and opened anew by itself only where that person had opened it and did not end it.
 */
import { untrack } from 'svelte';
import { ApiError, isCode } from '../api/errors';
import { keySessionCalls } from '../api/key-sessions';
import type { KeySessionOut } from '../api/schema';
import { KeySessions } from '../keys/key-sessions';
import { keys, refreshKeys } from './keys.svelte';
import { whenLeaving } from './session.svelte';

/** `closed`: none, or the person ended it; `ended`: by itself; `unsure`: the key store does not answer. */
export type Standing = 'asking' | 'closed' | 'open' | 'ended' | 'unsure' | 'failed';
type State = { workspace: string; standing: Standing; session: KeySessionOut | null; problem: unknown };

// A clock of this machine that is ahead must not ask without an end.
const LOOK_AT_LEAST_MS = 60_000;

const NONE: State = { workspace: '', standing: 'asking', session: null, problem: null };
let state = $state.raw<State>(NONE);
let timer: ReturnType<typeof setTimeout> | undefined;
let looks = 0;
// A session that is asked for just now. Whatever ends sessions waits for it, else it would outlive that.
let opening: Promise<unknown> = Promise.resolve();

whenLeaving(() => set(NONE));

export const keySession = {
  get standing(): Standing {
    return state.standing;
  },
  /** The open session. */
  get until(): string {
    return state.session?.expires_at ?? '';
  },
  get problem(): unknown {
    return state.problem;
  },
};

/** Turn to a workspace, and ask again for the same one. */
export function enterSession(workspace: string): void {
  untrack(() => {
    if (state.workspace !== workspace) set({ ...NONE, workspace });
    void lookAtSession();
  });
}

/** Ask the service which session this browser has. A failure leaves what was known. */
export async function lookAtSession(): Promise<void> {
  const look = ++looks;
  const { workspace } = state;
  try {
    const listed = await keySessionCalls.listKeySessions(workspace);
    if (look !== looks) return;
    const own = listed.find((each) => each.in_this_browser);
    if (own?.held) set({ workspace, standing: 'open', session: own, problem: null });
    else if (own && own.held === null) set({ workspace, standing: 'unsure', session: own, problem: null });
    // A session that is gone although nobody ended it here has ended by itself.
    else if (own || state.standing === 'open')
      set({ workspace, standing: 'ended', session: null, problem: null });
    else if (state.standing !== 'ended') set({ workspace, standing: 'closed', session: null, problem: null });
  } catch (error) {
    if (look === looks && state.standing === 'asking') set({ ...state, standing: 'failed', problem: error });
  }
}

/** Open one, with the keys that are open in this page. Raises as `KeySessions.open`. */
export async function openSession(name: string): Promise<void> {
  looks += 1;
  const { workspace } = state;
  const open = (): Promise<KeySessionOut> => new KeySessions(keySessionCalls, keys.mine).open(name);
  const opened = (async (): Promise<KeySessionOut> => {
    try {
      return await open();
    } catch (error) {
      // The workspace key was just rotated: the newest one is the one to open it with.
      if (!isCode(error, 'epoch_conflict')) throw error;
      await refreshKeys();
      return await open();
    }
  })();
  opening = opened.catch(() => {});
  const session = await opened;
  if (state.workspace === workspace) set({ workspace, standing: 'open', session, problem: null });
}

/** End it for good. */
export async function endSession(): Promise<void> {
  looks += 1;
  const { workspace, session } = state;
  if (!session) return;
  await keySessionCalls.revokeKeySession(workspace, session.id);
  if (state.workspace === workspace) set({ workspace, standing: 'closed', session: null, problem: null });
}

/** A session that may still be open: `until` an ISO time, null where the service could not even be asked for it. */
export type LeftOpen = { workspace: string; until: string | null };

/**
 * End the sessions that this browser has in these workspaces, as signing out does. How many were ended, and what could
 * not be. Raises nothing.
 */
export async function endSessionsHere(
  workspaces: readonly string[],
): Promise<{ ended: number; left: LeftOpen[] }> {
  await opening;
  looks += 1;
  const done = await Promise.all(workspaces.map(endIn));
  return { ended: done.filter((each) => each === 'ended').length, left: done.filter(isLeft) };
}

const isLeft = (done: 'none' | 'ended' | LeftOpen): done is LeftOpen => typeof done !== 'string';

async function endIn(workspace: string): Promise<'none' | 'ended' | LeftOpen> {
  let own = state.workspace === workspace ? state.session : null;
  try {
    const listed = await keySessionCalls.listKeySessions(workspace);
    own = listed.find((each) => each.in_this_browser) ?? null;
    if (own) await keySessionCalls.revokeKeySession(workspace, own.id);
  } catch (error) {
    // Ended meanwhile, or out of reach for this person altogether: nothing is open there.
    const isGone = error instanceof ApiError && [401, 403, 404].includes(error.status);
    if (!isGone) return { workspace, until: own?.expires_at ?? null };
  }
  if (state.workspace === workspace && (own || state.session))
    set({ workspace, standing: 'closed', session: null, problem: null });
  return own ? 'ended' : 'none';
}

/**
 * The service has refused a call for want of a session. Whether it is open again: only with open keys, and only where
 * the person had one open.
 */
export async function renewSession(name: string): Promise<boolean> {
  if (state.standing !== 'open') return false;
  const { workspace } = state;
  try {
    if (keys.standing === 'open') {
      await openSession(name);
      return true;
    }
  } catch {
    // The person is asked, as where the keys are locked.
  }
  if (state.workspace === workspace) set({ workspace, standing: 'ended', session: null, problem: null });
  return false;
}

function set(to: State): void {
  state = to;
  clearTimeout(timer);
  if (to.standing !== 'open' || !to.session) return;
  const left = new Date(to.session.expires_at).getTime() - Date.now();
  timer = setTimeout(() => void lookAtSession(), Math.min(Math.max(left, LOOK_AT_LEAST_MS), 2 ** 31 - 1));
}
