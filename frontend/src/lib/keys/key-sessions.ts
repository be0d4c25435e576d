/**
 * How long the service may use the workspace key for a person: key sessions, opened, listed and revoked.
 *
 * The token is made here, sent once and forgotten; the browser has it from then on as a cookie that no script reads.
 * That of a program's session becomes no cookie: it is handed out, to be shown once.
 */
import type { KeySessionOut, KeySessionWay, ListedKeySessionOut } from '../api/schema';
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
    return (await this.#opened(name, 'cookie')).session;
  }

  /** The same for a program, which sends the token as X-Key-Session. */
  openForProgram(name: string): Promise<{ session: KeySessionOut; token: string }> {
    return this.#opened(name, 'header');
  }

  /** The own ones that have not ended, newest first. `held` says whether the service has the key now. */
  list(): Promise<ListedKeySessionOut[]> {
    return this.calls.listKeySessions(this.keys.workspace);
  }

  /** End one for good. */
  revoke(session: string): Promise<void> {
    return this.calls.revokeKeySession(this.keys.workspace, session);
  }

  async #opened(name: string, way: KeySessionWay): Promise<{ session: KeySessionOut; token: string }> {
    const key = await this.keys.key();
    const raw = newSessionToken();
    const sealed = toBase64Url(await sealForSession(key, raw, this.keys.user));
    const token = toBase64Url(raw);
    const body = { name, epoch: key.epoch, sealed, way };
    return { session: await this.calls.openKeySession(this.keys.workspace, body, token), token };
  }
}
