/** What the address says of the page: tab, search and filters. They survive a reload and can be handed on. */
import type { Kind, Status } from '../api/schema';
import { setQuery } from '../state/router.svelte';

export type Tab = 'mine' | 'company' | 'review';
export type View = { tab: Tab; query: string; kind: Kind | ''; tag: string; status: Status };

const pick = <Value extends string>(value: string | null, known: readonly Value[], otherwise: Value): Value =>
  known.find((each) => each === value) ?? otherwise;

export function chosen(query: URLSearchParams): View {
  const text = query.get('q') ?? '';
  return {
    tab: pick(query.get('tab'), ['mine', 'company', 'review'], 'mine'),
    query: text,
    kind: pick(query.get('kind'), ['', 'fact', 'preference', 'note'], ''),
    tag: query.get('tag') ?? '',
    // A search finds active items alone.
    status: text ? 'active' : pick(query.get('status'), ['active', 'pending', 'rejected'], 'active'),
  };
}

/** Change what the address says. Another tab begins without the filters of the one before, but with its search. */
export function choose(view: Partial<View>): void {
  const changes: Record<string, string | null> = {};
  if (view.tab !== undefined)
    Object.assign(changes, {
      tab: view.tab === 'mine' ? null : view.tab,
      kind: null,
      tag: null,
      status: null,
    });
  if (view.query !== undefined) changes['q'] = view.query.trim() ? view.query : null;
  if (view.kind !== undefined) changes['kind'] = view.kind || null;
  if (view.tag !== undefined) changes['tag'] = view.tag || null;
  if (view.status !== undefined) changes['status'] = view.status === 'active' ? null : view.status;
  setQuery(changes);
}
