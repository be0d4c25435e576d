/** Memory items: listed and searched, saved, changed, deleted, and their history. */
import { call, path } from './client';
import type {
  ChangeIn,
  HistoryOut,
  ItemOut,
  ItemPageOut,
  Kind,
  SavedOut,
  SaveIn,
  Scope,
  Status,
} from './schema';

/** Which items are wanted. A `query` ranks active ones; without it the newest come first. */
type Wanted = {
  query?: string;
  scope?: Scope;
  status?: Status;
  kind?: Kind;
  tag?: string;
  limit?: number;
  cursor?: string;
};

export const listItems = (workspace: string, wanted: Wanted, signal?: AbortSignal): Promise<ItemPageOut> =>
  call('GET', path`/workspaces/${workspace}/memory/items`, { query: wanted, signal });

export const getItem = (workspace: string, item: string): Promise<ItemOut> =>
  call('GET', path`/workspaces/${workspace}/memory/items/${item}`);

/** `key` makes a repetition harmless: the same key within a day saves nothing twice. */
export const saveItem = (workspace: string, body: SaveIn, key: string): Promise<SavedOut> =>
  call('POST', path`/workspaces/${workspace}/memory/items`, { body, headers: { 'Idempotency-Key': key } });

export const editItem = (
  workspace: string,
  item: string,
  shown: number,
  changes: ChangeIn,
): Promise<ItemOut> =>
  call('PATCH', path`/workspaces/${workspace}/memory/items/${item}`, {
    body: changes,
    headers: ifMatch(shown),
  });

export const deleteItem = (workspace: string, item: string, shown: number): Promise<void> =>
  call('DELETE', path`/workspaces/${workspace}/memory/items/${item}`, { headers: ifMatch(shown), body: {} });

export const itemHistory = (workspace: string, item: string): Promise<HistoryOut> =>
  call('GET', path`/workspaces/${workspace}/memory/items/${item}/history`);

/** The version that was shown, as the service wants it back. */
export const ifMatch = (version: number): Record<string, string> => ({ 'If-Match': `"${version}"` });
