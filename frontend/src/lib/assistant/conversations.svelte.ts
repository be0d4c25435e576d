/** The conversations of the person in the workspace that is shown, newest first, a page at a time. */
import { untrack } from 'svelte';
import { listConversations } from '../api/conversations';
import type { ConversationOut } from '../api/schema';
import { whenLeaving } from '../state/session.svelte';

const PAGE = 30;

type State = {
  workspace: string;
  list: ConversationOut[];
  more: string | null;
  standing: 'asking' | 'there' | 'failed';
  loadingMore: boolean;
};

const state = $state<State>({ workspace: '', list: [], more: null, standing: 'asking', loadingMore: false });
whenLeaving(() => forget(''));

export const conversations = {
  get list(): readonly ConversationOut[] {
    return state.list;
  },
  get hasMore(): boolean {
    return state.more !== null;
  },
  get standing(): State['standing'] {
    return state.standing;
  },
  get loadingMore(): boolean {
    return state.loadingMore;
  },
  find: (id: string): ConversationOut | undefined => state.list.find((each) => each.id === id),
};

export function enterConversations(workspace: string): void {
  untrack(() => {
    if (state.workspace !== workspace) forget(workspace);
    void refreshConversations();
  });
}

/** Ask again for the newest ones, as after a new one or after the titles have become readable. */
export async function refreshConversations(): Promise<void> {
  const { workspace } = state;
  try {
    const shown = Math.max(PAGE, Math.min(state.list.length, 200));
    const page = await listConversations(workspace, { limit: shown });
    if (state.workspace !== workspace) return;
    state.list = page.conversations.map(withKnownTitle);
    state.more = page.next_before;
    state.standing = 'there';
  } catch {
    if (state.workspace === workspace && state.standing === 'asking') state.standing = 'failed';
  }
}

/**
 * A title that this page has shown stays readable in it, as the chat does, after the session has ended: the server has
 * forgotten the key, and the page has not.
 */
const withKnownTitle = (conversation: ConversationOut): ConversationOut => ({
  ...conversation,
  title: conversation.title ?? conversations.find(conversation.id)?.title ?? null,
});

/** The next page of older ones. Raises as `listConversations`. */
export async function moreConversations(): Promise<void> {
  const { workspace, more } = state;
  if (more === null || state.loadingMore) return;
  state.loadingMore = true;
  try {
    const page = await listConversations(workspace, { before: more, limit: PAGE });
    if (state.workspace !== workspace) return;
    const known = new Set(state.list.map((each) => each.id));
    state.list.push(...page.conversations.filter((each) => !known.has(each.id)));
    state.more = page.next_before;
  } finally {
    state.loadingMore = false;
  }
}

/** Show another title, or that it is gone, without asking. */
export function retitled(id: string, title: string): void {
  const found = state.list.find((each) => each.id === id);
  if (found) found.title = title;
}

export function removed(id: string): void {
  state.list = state.list.filter((each) => each.id !== id);
}

function forget(workspace: string): void {
  Object.assign(state, { workspace, list: [], more: null, standing: 'asking', loadingMore: false });
}
