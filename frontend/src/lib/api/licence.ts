/** The licence of a workspace, for admins; everybody sees `licensed` in the state of memory. */
import { call, path } from './client';
import type { LicenceStateOut } from './schema';

export const getLicence = (workspace: string): Promise<LicenceStateOut> =>
  call('GET', path`/workspaces/${workspace}/licence`);

/** Raises `licence_invalid`. */
export const storeLicence = (workspace: string, key: string): Promise<LicenceStateOut> =>
  call('PUT', path`/workspaces/${workspace}/licence`, { body: { licence_key: key } });

export const deleteLicence = (workspace: string): Promise<LicenceStateOut> =>
  call('DELETE', path`/workspaces/${workspace}/licence`);
