/** Access tokens of the person who is signed in: one for each client. */
import { call, path } from './client';
import type { MadeTokenOut, TokenIn, TokenOut, TokensOut } from './schema';

export const listTokens = async (workspace: string, signal?: AbortSignal): Promise<TokenOut[]> =>
  (await call<TokensOut>('GET', path`/workspaces/${workspace}/tokens`, { signal })).tokens;

/** The secret is told this once. Raises `secret_refused` for a name that looks like one. */
export const makeToken = (workspace: string, body: TokenIn): Promise<MadeTokenOut> =>
  call('POST', path`/workspaces/${workspace}/tokens`, { body });

export const revokeToken = (workspace: string, token: string): Promise<void> =>
  call('DELETE', path`/workspaces/${workspace}/tokens/${token}`);
