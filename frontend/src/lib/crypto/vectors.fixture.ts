/**
 * The frozen vectors that all clients of wm/v1 are held to: tests/vectors/wm-v1.json, bytes as hex.
 *
 * A page opens and seals no message of a conversation, so that the vectors of messages are not tried here.
 */
import { readFileSync } from 'node:fs';
import type { Bytes } from './bytes';
import { type Context, proposalContext, revisionContext } from './envelope';
import { FLOOR } from './passphrases';
import { UserKeys, type WrappedKeys } from './user-keys';

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../../tests/vectors/${name}`, import.meta.url), 'utf8'));

export type Part = { text: string } | { hex: string } | { u64: string };
export type Work = { salt: string; memory_kib: number; passes: number; lanes: number };
export type UserVector = Work & {
  user: string;
  x25519_private: string;
  ed25519_private: string;
  x25519_public: string;
  ed25519_public: string;
  fingerprint: string;
  passphrase: string;
  nonce: string;
  wrapped: string;
  recovery_key: string;
  recovery_key_written: string;
  recovery_nonce: string;
  recovery_wrapped: string;
};
export type SealedVector = {
  label: 'wm/v1/doc' | 'wm/v1/message' | 'wm/v1/proposal';
  context: Record<string, string | number>;
  aad: string;
  key: string;
  nonce: string;
  text: string;
  sealed: string;
  sha256: string;
};

export const vectors = read('wm-v1.json') as {
  lp: { parts: Part[]; packed: string }[];
  key_encryption_key: (Work & { passphrase: string; kek: string })[];
  user_keys: [UserVector, UserVector];
  workspace_keys: {
    workspace: string;
    epoch: number;
    key: string;
    check: string;
    check_maker_ed25519: string;
    check_signature: string;
  }[];
  grants: {
    workspace: string;
    epoch: number;
    member: string;
    granter: string;
    granter_ed25519_public: string;
    sealed: string;
    signature: string;
    key: string;
  }[];
  older_keys: [
    {
      workspace: string;
      newer_epoch: number;
      newer_key: string;
      older_key: string;
      nonce: string;
      wrapped: string;
    },
  ];
  sealed: SealedVector[];
  key_sessions: [
    {
      token: string;
      token_written: string;
      user: string;
      workspace: string;
      epoch: number;
      key: string;
      open_nonce: string;
      open_request: string;
    },
  ];
  rewrap_signatures: [
    Work & {
      user: string;
      version: number;
      x25519_public: string;
      ed25519_public: string;
      wrapped: string;
      recovery_wrapped: string;
      signature: string;
    },
  ];
};

/** The vectors of RFC 9180 for X25519 in base mode. */
export const rfc9180 = read('rfc9180.json') as {
  aead_id: number;
  info: string;
  skRm: string;
  pkRm: string;
  enc: string;
  encryption: { aad: string; ct: string; pt: string };
}[];

export const bytes = (hex: string): Bytes =>
  Uint8Array.from(hex.match(/../g) ?? [], (two) => parseInt(two, 16));
export const hex = (raw: Bytes): string =>
  Array.from(raw, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const sealedTexts = vectors.sealed.filter((each) => each.label !== 'wm/v1/message');

export const [alice, bob] = vectors.user_keys;

export const publicOf = (who: UserVector) => ({
  x25519: bytes(who.x25519_public),
  ed25519: bytes(who.ed25519_public),
});

export const keysOf = (who: UserVector): Promise<UserKeys> =>
  UserKeys.from(bytes(who.x25519_private), bytes(who.ed25519_private), publicOf(who));

export const workOf = ({ memory_kib, passes, lanes }: Work) => ({ memoryKib: memory_kib, passes, lanes });

export const wrappedOf = (who: UserVector): WrappedKeys => ({
  public: publicOf(who),
  salt: bytes(who.salt),
  work: FLOOR,
  wrapped: bytes(who.wrapped),
});

/** The context of a sealed vector, with some of its fields as others. */
export function contextOf(vector: SealedVector, others: Record<string, string | number> = {}): Context {
  const { clear_generation, previous, ...fields } = { ...vector.context, ...others };
  const place = { ...fields, clearGeneration: clear_generation, previous: bytes(String(previous ?? '')) };
  return vector.label === 'wm/v1/doc' ? revisionContext(place as never) : proposalContext(place as never);
}
