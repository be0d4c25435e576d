/** AI clients as administrators see them, each a token of a member, and undoing what one of them wrote. */
import { call, path } from './client';
import type { ClientOut, ClientsOut, RemovalIn, RemovalOut } from './schema';

export const listClients = async (workspace: string): Promise<ClientOut[]> =>
  (await call<ClientsOut>('GET', path`/workspaces/${workspace}/clients`)).clients;

/** Count, or with `dry_run: false` carry out, at most 1,000 at once: `more` says to call again. */
export const undoClient = (workspace: string, token: string, body: RemovalIn): Promise<RemovalOut> =>
  call('DELETE', path`/workspaces/${workspace}/clients/${token}/items`, { body });
