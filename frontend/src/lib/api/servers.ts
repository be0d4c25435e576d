/** MCP servers: the addresses of a workspace for AI clients, and what each client needs to reach one. */
import { call, path } from './client';
import type { ConfigurationsOut, ServerChangeIn, ServerOut, ServersOut } from './schema';

export const listServers = async (workspace: string): Promise<ServerOut[]> =>
  (await call<ServersOut>('GET', path`/workspaces/${workspace}/servers`)).servers;

export const addServer = (workspace: string, name: string): Promise<ServerOut> =>
  call('POST', path`/workspaces/${workspace}/servers`, { body: { name } });

export const changeServer = (workspace: string, server: string, body: ServerChangeIn): Promise<ServerOut> =>
  call('PATCH', path`/workspaces/${workspace}/servers/${server}`, { body });

export const deleteServer = (workspace: string, server: string): Promise<void> =>
  call('DELETE', path`/workspaces/${workspace}/servers/${server}`);

export const getConfigurations = (workspace: string, server: string): Promise<ConfigurationsOut> =>
  call('GET', path`/workspaces/${workspace}/servers/${server}/configurations`);
