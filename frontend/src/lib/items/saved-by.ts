/** Which client saved an item: by hand on this page it is nobody but the person. */
import type { ItemOut } from '../api/schema';

/** What the service calls a person who is signed in. */
const BY_HAND = 'session';

type SavedBy = { client: string | null; person: string | null };

export const savedBy = (item: Pick<ItemOut, 'source' | 'author'>): SavedBy => ({
  client: item.source === BY_HAND ? null : item.source,
  person: item.author?.name ?? null,
});
