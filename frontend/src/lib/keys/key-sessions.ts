/**
 * How long the service may use the workspace key for a person: key sessions, opened, listed and revoked.
 *
 * The token is made here, sent once and forgotten; the browser has it from then on as a cookie that no script reads.
 */
import type { KeySessionOut, ListedKeySessionOut } from '../api/schema';
import { toBase64Url } from '../crypto/bytes';
import { newSessionToken, sealForSession } from '../crypto/session-sealing';
import type { KeySessionCalls } from './key-calls';
import type { WorkspaceKeyholder } from './workspace-keyholder';

export class KeySessions {
  constructor(
    private readonly calls: KeySessionCalls,
    private readonly keys: WorkspaceKeyholder,
  ) {}

  /** Let the service use the newest key. Raises WaitingForKey, KeysLocked …; `key_store_down`, `rate_limited`. */
  async open(name: string): Promise<KeySessionOut> {
    const key = await this.keys.key();
    const token = newSessionToken();
    const sealed = toBase64Url(await sealForSession(key, token, this.keys.user));
    return this.calls.openKeySession(
      this.keys.workspace,
      { name, epoch: key.epoch, sealed },
      toBase64Url(token),
    );
  }

  /** The own ones that have not ended, newest first. `held` says whether the service has the key now. */
  list(): Promise<ListedKeySessionOut[]> {
    return this.calls.listKeySessions(this.keys.workspace);
  }

  /** End one for good. */
  revoke(session: string): Promise<void> {
    return this.calls.revokeKeySession(this.keys.workspace, session);
  }
}
