/** The calls that a keyholder makes. `lib/api/keys.ts` and `lib/api/key-sessions.ts` make them over REST. */
import type {
  GrantKeyIn,
  KeySessionIn,
  KeySessionOut,
  KeysIn,
  KeysOut,
  ListedKeySessionOut,
  ReplaceKeysIn,
  RewrapIn,
  RotateKeyIn,
  StartKeyIn,
  WorkspaceKeysOut,
} from '../api/schema';

/** All raise ApiError and Unreachable; the codes beside each are the ones that a page has to expect. */
export interface KeyCalls {
  /** The own keys, sealed. `not_found` before they are set up. */
  ownKeys(): Promise<KeysOut>;
  /** Store the own keys, once. `keys_exist` */
  createKeys(body: KeysIn): Promise<KeysOut>;
  /** Store the same keys in another wrapping. `version_mismatch`, `keys_missing` */
  rewrapKeys(body: RewrapIn): Promise<KeysOut>;
  /** Store other keys in place of lost ones. `sign_in_refused`, `too_many_attempts`, `keys_missing` */
  replaceKeys(body: ReplaceKeysIn): Promise<KeysOut>;
  /** The state of the workspace key. */
  workspaceKeys(workspace: string): Promise<WorkspaceKeysOut>;
  /** Start the workspace key, or begin it anew. `epoch_conflict`, `key_still_held` */
  startKey(workspace: string, body: StartKeyIn): Promise<WorkspaceKeysOut>;
  /** Pass the newest key on. `epoch_conflict`, `keys_missing`, `keys_changed` */
  grantKey(workspace: string, body: GrantKeyIn): Promise<WorkspaceKeysOut>;
  /** Begin the next epoch. `epoch_conflict`, `key_holders_changed`, `keys_changed` */
  rotateKey(workspace: string, body: RotateKeyIn): Promise<WorkspaceKeysOut>;
}

export interface KeySessionCalls {
  /** Open a key session; its token comes back as a cookie. `epoch_conflict`, `key_not_proved`, `key_store_down` */
  openKeySession(workspace: string, body: KeySessionIn, token: string): Promise<KeySessionOut>;
  /** The own ones in the workspace that have not ended, newest first. */
  listKeySessions(workspace: string): Promise<ListedKeySessionOut[]>;
  /** End one for good; an admin anybody's. */
  revokeKeySession(workspace: string, session: string): Promise<void>;
}
