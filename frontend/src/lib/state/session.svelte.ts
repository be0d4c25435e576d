/** Who is signed in, and which workspaces that person reaches. The service decides what is allowed; this decides what is shown. */
import { getMe, signOut } from '../api/account';
import { onSignedOut, setPageUser } from '../api/client';
import { isCode } from '../api/errors';
import type { MeOut, ReachedWorkspaceOut } from '../api/schema';

type Session = { standing: 'asking' | 'signed-out' | 'signed-in' | 'unreachable'; me: MeOut | null };

const state = $state<Session>({ standing: 'asking', me: null });
const leaving: (() => void)[] = [];

export const session = {
  get standing(): Session['standing'] {
    return state.standing;
  },
  /** The signed-in person. Only within pages, which are not shown without one. */
  get me(): MeOut {
    if (!state.me) throw new Error('nobody is signed in');
    return state.me;
  },
  workspace(id: string): ReachedWorkspaceOut | undefined {
    return state.me?.workspaces.find((each) => each.id === id);
  },
};

/** What has to be forgotten when the session ends: open keys, texts. */
export const whenLeaving = (forget: () => void): void => void leaving.push(forget);

/** Ask the service who this is, at the start and after anything that changes the own rights. */
export async function ask(): Promise<void> {
  try {
    const me = await getMe();
    setPageUser(me.user_id);
    // The same again is no change to whoever looks at it.
    if (JSON.stringify(me) !== JSON.stringify(state.me)) state.me = me;
    state.standing = 'signed-in';
  } catch (error) {
    if (isCode(error, 'not_authenticated')) end();
    else if (state.standing === 'asking') state.standing = 'unreachable';
    else throw error;
  }
}

/**
 * Sign out at the service, which also revokes this browser's key sessions, and then here.
 *
 * Raises ApiError or Unreachable, and then nobody is signed out: it must not look as if somebody were.
 */
export async function leave(): Promise<void> {
  try {
    await signOut();
  } catch (error) {
    if (!isCode(error, 'not_authenticated')) throw error;
  }
  end();
}

function end(): void {
  for (const forget of leaving) forget();
  state.me = null;
  setPageUser(undefined);
  state.standing = 'signed-out';
}

onSignedOut(() => {
  if (state.standing === 'signed-in') end();
});
