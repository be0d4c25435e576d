/** The items of one tab, page after page, and what a change of one makes of them. */
import { listItems } from '../api/items';
import type { ItemOut, ItemPageOut, Kind, Scope, Status } from '../api/schema';
import { Paging } from '../state/paging.svelte';
import { workspace } from '../state/workspace.svelte';

export type Item = ItemPageOut['items'][number];
export type Filters = { scope: Scope; status: Status; kind: Kind | ''; tag: string; query: string };

const PAGE = 50;

export class ItemList extends Paging {
  /** Replaced whole at each change, so that twenty thousand of them cost nothing to watch. */
  items = $state.raw<readonly Item[]>([]);
  /** Where the keyboard is. */
  at = $state(0);

  #filters: Filters = { scope: 'personal', status: 'active', kind: '', tag: '', query: '' };

  /** Show what the filters say, from the first page on. */
  async show(filters: Filters): Promise<void> {
    if (filters.scope !== this.#filters.scope) {
      this.items = [];
      this.standing = 'loading';
    }
    this.#filters = filters;
    await this.first(this.#page, (page) => {
      this.items = page.items;
      this.at = 0;
    });
    if (this.standing === 'failed') this.items = [];
  }

  /** The same again, such as after a failure or a change. */
  again = (): Promise<void> => this.show(this.#filters);

  /** The next page, unless one is on its way. */
  more = (): Promise<void> =>
    this.next(this.#page, (page) => {
      const known = new Set(this.items.map((item) => item.id));
      this.items = [...this.items, ...page.items.filter((item) => !known.has(item.id))];
    });

  /** Put a new or changed item where it belongs, so that nobody is thrown back to the beginning of a long list. */
  put(item: ItemOut): void {
    const { scope, status, kind, tag, query } = this.#filters;
    const at = this.items.findIndex((each) => each.id === item.id);
    const now = { ...item, score: this.items[at]?.score ?? 0, to_be_confirmed: isDue(item) };
    const belongs = item.status === status && (!kind || item.kind === kind);
    if (at >= 0) this.items = belongs ? this.items.with(at, now) : this.items.toSpliced(at, 1);
    else if (belongs && item.scope === scope && !query && !tag) this.items = [now, ...this.items];
    this.at = Math.max(0, Math.min(this.at, this.items.length - 1));
  }

  /** Take an item out before the service has answered; what is given back puts it where it was. */
  remove(id: string): () => void {
    const at = this.items.findIndex((item) => item.id === id);
    const item = this.items[at];
    if (!item) return () => {};
    this.items = this.items.toSpliced(at, 1);
    this.at = Math.max(0, Math.min(this.at, this.items.length - 1));
    return () => {
      if (this.items.every((each) => each.id !== id)) this.items = this.items.toSpliced(at, 0, item);
    };
  }

  readonly #page = async (cursor: string | null, signal: AbortSignal): Promise<ItemPageOut> => {
    const { scope, status, kind, tag, query } = this.#filters;
    // The service tells a viewer's own proposals only in a list without a scope; of company items that wait it says 403.
    const apart = scope === 'organization' && status !== 'active' && !workspace.isEditor;
    const page = await listItems(
      workspace.id,
      {
        query,
        status,
        tag,
        scope: apart ? undefined : scope,
        kind: kind || undefined,
        limit: PAGE,
        cursor: cursor ?? undefined,
      },
      signal,
    );
    return apart ? { ...page, items: page.items.filter((item) => item.scope === scope) } : page;
  };
}

/** Whether its date of review has come, as the service tells in a list. */
const isDue = (item: ItemOut): boolean =>
  item.status === 'active' &&
  item.review_by !== null &&
  item.review_by <= new Date().toISOString().slice(0, 10);
