/**
 * The workspace whose pages are shown: its id comes from the address, what the person is in it from the service.
 *
 * Pages ask `refresh` after they have changed what is counted here.
 */
import { getStatus } from '../api/memory';
import { isCode } from '../api/errors';
import type { MemoryStatusOut } from '../api/schema';
import { session, whenLeaving } from './session.svelte';

type Current = { id: string; status: MemoryStatusOut | null; standing: 'asking' | 'there' | 'not-found' };

const state = $state<Current>({ id: '', status: null, standing: 'asking' });
let changes = $state(0);
whenLeaving(() => Object.assign(state, { id: '', status: null, standing: 'asking' }));

export const workspace = {
  get id(): string {
    return state.id;
  },
  get name(): string {
    return session.workspace(state.id)?.name ?? '';
  },
  get standing(): Current['standing'] {
    return state.standing;
  },
  /** Role, level, settings, counts and limits. Only within pages, which are not shown before it is known. */
  get status(): MemoryStatusOut {
    if (!state.status) throw new Error('no workspace is open');
    return state.status;
  },
  /** Goes up when somebody else has changed what is counted. */
  get changesElsewhere(): number {
    return changes;
  },
  get isAdmin(): boolean {
    return state.status?.role === 'admin';
  },
  /** Whether the person may change what belongs to all. */
  get isEditor(): boolean {
    return state.status?.role === 'admin' || state.status?.role === 'editor';
  },
};

/** Turn to a workspace. Raises ApiError or Unreachable for anything but one that is not there. */
export async function enter(id: string): Promise<void> {
  if (state.id !== id) Object.assign(state, { id, status: null, standing: 'asking' });
  try {
    const status = await getStatus(id);
    if (state.id === id) Object.assign(state, { status, standing: 'there' });
  } catch (error) {
    if (state.id !== id) return;
    if (!isCode(error, 'not_found', 'invalid_request')) throw error;
    state.standing = 'not-found';
  }
}

/** Ask again for what is counted and allowed. A failure leaves what was known. */
export async function refresh(): Promise<void> {
  try {
    await enter(state.id);
  } catch {
    // The next page that asks for something says what is wrong.
  }
}

/** The same now and then, while nobody here has changed anything. */
export async function lookAgain(): Promise<void> {
  const { id } = state;
  const before = JSON.stringify(state.status?.counts);
  await refresh();
  if (state.id === id && JSON.stringify(state.status?.counts) !== before) changes += 1;
}
