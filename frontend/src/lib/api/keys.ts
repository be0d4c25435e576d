/** The calls about keys: the own ones, and the key of a workspace. `lib/keys` makes and checks what they carry. */
import type { KeyCalls } from '../keys/key-calls';
import { call, path } from './client';

const OWN = '/me/keys';

export const keyCalls: KeyCalls = {
  ownKeys: () => call('GET', OWN),
  createKeys: (body) => call('PUT', OWN, { body }),
  rewrapKeys: (body) => call('PATCH', OWN, { body }),
  replaceKeys: (body) => call('POST', `${OWN}/replacement`, { body }),
  workspaceKeys: (workspace) => call('GET', path`/workspaces/${workspace}/keys`),
  startKey: (workspace, body) => call('POST', path`/workspaces/${workspace}/keys`, { body }),
  grantKey: (workspace, body) => call('POST', path`/workspaces/${workspace}/keys/grants`, { body }),
  rotateKey: (workspace, body) => call('POST', path`/workspaces/${workspace}/keys/rotation`, { body }),
};
