/** Which client saved an item: by hand on this page it is nobody but the person. */
import type { HistoryOut, ItemOut } from '../api/schema';

/** What the service calls a person who is signed in. */
const BY_HAND = 'session';

export type SavedBy = { client: string | null; person: string | null };

export const savedBy = (item: Pick<ItemOut, 'source' | 'author'>): SavedBy => ({
  client: item.source === BY_HAND ? null : item.source,
  person: item.author?.name ?? null,
});

type Revision = HistoryOut['revisions'][number];

/** Who wrote the first version and who the present one, out of a history with the newest first; `last` only if later. */
export function writtenBy(revisions: readonly Revision[]): { first?: Revision; last?: Revision } {
  const first = revisions.find((revision) => revision.version === 1);
  const newest = revisions[0];
  return { first, last: newest && newest.version > 1 ? newest : undefined };
}

/** The same of one version. */
export const changedBy = (revision: Revision): SavedBy =>
  savedBy({
    source: revision.source,
    author: revision.changed_by === null ? null : { id: '', name: revision.changed_by },
  });
