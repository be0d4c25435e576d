/** The calls about key sessions. The token is sent once, in a header; from then on the browser has it as a cookie. */
import type { KeySessionCalls } from '../keys/key-calls';
import { call, path } from './client';
import type { KeySessionsOut } from './schema';

export const keySessionCalls: KeySessionCalls = {
  openKeySession: (workspace, body, token) =>
    call('POST', path`/workspaces/${workspace}/key-sessions`, { body, headers: { 'X-Key-Session': token } }),
  listKeySessions: async (workspace) => {
    const answer = await call<KeySessionsOut>('GET', path`/workspaces/${workspace}/key-sessions`);
    return answer.key_sessions;
  },
  revokeKeySession: (workspace, session) =>
    call('DELETE', path`/workspaces/${workspace}/key-sessions/${session}`),
};
