/** The workspace itself: its name and its end. */
import { call, path } from './client';
import type { WorkspaceOut } from './schema';

export const renameWorkspace = (workspace: string, name: string): Promise<WorkspaceOut> =>
  call('PATCH', path`/workspaces/${workspace}`, { body: { name } });

/** Everything in it goes. `name` is the workspace's name, repeated. */
export const deleteWorkspace = (workspace: string, name: string): Promise<void> =>
  call('DELETE', path`/workspaces/${workspace}`, { body: { confirm_name: name } });
