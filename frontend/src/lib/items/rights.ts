/** What the person may do with an item: shown or not, while the service decides. */
import type { ItemOut } from '../api/schema';
import { session } from '../state/session.svelte';
import { workspace } from '../state/workspace.svelte';

/** Personal items that one sees are one's own. */
export const mayEdit = (item: ItemOut): boolean => item.scope === 'personal' || workspace.isEditor;

export const mayDelete = (item: ItemOut): boolean => mayEdit(item) || isOwnProposal(item);

/** A company item that the person's own AI client has proposed, and that may be withdrawn. */
export const isOwnProposal = (item: ItemOut): boolean =>
  item.scope === 'organization' && item.status === 'pending' && item.author?.id === session.me.user_id;
