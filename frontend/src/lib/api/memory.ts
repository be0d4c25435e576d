/** What memory is to the caller in a workspace, and the settings that hold for all of its members. */
import { call, path } from './client';
import type { MemoryStatusOut, SettingsChangeIn, SettingsOut } from './schema';

export const getStatus = (workspace: string): Promise<MemoryStatusOut> =>
  call('GET', path`/workspaces/${workspace}/memory/status`);

export const getSettings = (workspace: string): Promise<SettingsOut> =>
  call('GET', path`/workspaces/${workspace}/memory/settings`);

export const changeSettings = (workspace: string, changes: SettingsChangeIn): Promise<SettingsOut> =>
  call('PATCH', path`/workspaces/${workspace}/memory/settings`, { body: changes });
