/** What somebody has typed and not saved yet: kept while the page lives, in its memory alone. */
import type { ItemOut, Kind, Scope } from '../api/schema';
import { whenLeaving } from '../state/session.svelte';
import { workspace } from '../state/workspace.svelte';

export type Draft = {
  content: string;
  kind: Kind;
  tags: string[];
  reviewBy: string;
  scope: Scope;
  /** Names the request, so that sending it again after a silence saves nothing twice. */
  key: string;
};

const kept = new Map<string, Draft>();
whenLeaving(() => kept.clear());

const nameOf = (item: ItemOut | undefined): string => `${workspace.id} ${item?.id ?? 'new'}`;

export const emptyDraft = (scope: Scope): Draft => ({
  content: '',
  kind: 'note',
  tags: [],
  reviewBy: '',
  scope,
  key: newKey(),
});

export const draftOf = (item: ItemOut): Draft => ({
  content: item.content,
  kind: item.kind,
  tags: [...item.tags],
  reviewBy: item.review_by ?? '',
  scope: item.scope,
  key: newKey(),
});

export const keptDraft = (item: ItemOut | undefined): Draft | undefined => kept.get(nameOf(item));

export const keepDraft = (item: ItemOut | undefined, draft: Draft): void =>
  void kept.set(nameOf(item), draft);

export const forgetDraft = (item: ItemOut | undefined): void => void kept.delete(nameOf(item));

/** Not `randomUUID`, which browsers have over https alone. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
