/**
 * How a workspace key travels into a key session: sealed under a token that the server lacks until it is sent along.
 *
 * The server opens it once, proves it by the check value and keeps it sealed under the same token. Between two requests
 * it then holds nothing that opens: the token comes with each request, as a cookie that scripts cannot read.
 */
import { deriveKey, sealBytes } from './aead';
import { type Bytes, randomBytes } from './bytes';
import { lp } from './packing';
import type { WorkspaceKey } from './workspace-keys';

const TOKEN_BYTES = 32;

const OPEN = 'wm/v1/ks-open';

/** 32 random bytes. */
export const newSessionToken = (): Bytes => randomBytes(TOKEN_BYTES);

/** What the client sends to open a key session (60 bytes). `nonce` is for frozen test vectors alone. */
export async function sealForSession(
  key: WorkspaceKey,
  token: Bytes,
  user: string,
  nonce?: Bytes,
): Promise<Bytes> {
  const aad = lp(OPEN, user, key.workspace, key.epoch);
  return sealBytes(await deriveKey(token, OPEN), aad, key.secret(), nonce);
}
