/**
 * Grants: how a member receives the key of a workspace from another member, past a server that may lie.
 *
 * HPKE seals the key to the member; the granter signs it with Ed25519. Encryption alone would let the server grant a key
 * of its own and read what is sealed under it, so a client opens no grant whose signature does not come from the key
 * that it has pinned for the granter.
 */
import type { Bytes } from './bytes';
import { GrantRefused, SealBroken } from './errors';
import { openFrom, sealTo } from './hpke';
import { lp } from './packing';
import { type PublicKeys, type UserKeys, isSigned } from './user-keys';
import { WorkspaceKey } from './workspace-keys';

/** What a grant says: the key of which workspace and epoch, to whom, by whom. */
type GrantContext = { workspace: string; epoch: number; member: string; granter: string };

/** A grant as the server keeps it: `sealed` is enc ‖ ciphertext (80 bytes), the signature has 64 bytes. */
export type Grant = { sealed: Bytes; signature: Bytes };

/**
 * Seal the workspace key to a member and sign that.
 *
 * `memberKeys` are the ones whose fingerprint the granter was shown. Raises GrantRefused for a public key to which
 * nothing can be sealed safely.
 */
export async function makeGrant(
  key: WorkspaceKey,
  to: { member: string; memberKeys: PublicKeys },
  by: { granter: string; granterKeys: UserKeys },
): Promise<Grant> {
  const context = { workspace: key.workspace, epoch: key.epoch, member: to.member, granter: by.granter };
  const info = grantInfo(context, to.memberKeys.x25519);
  const sealed = await sealTo(to.memberKeys.x25519, info, key.secret()).catch((error: unknown) => {
    throw error instanceof SealBroken ? new GrantRefused() : error;
  });
  return { sealed, signature: await by.granterKeys.sign(signedGrant(info, sealed)) };
}

/**
 * The workspace key, after its signature was checked. `granterEd25519` is the pinned key.
 *
 * Raises GrantRefused for another signature; SealBroken when it was signed, but not sealed to this member and context.
 */
export async function openGrant(
  grant: Grant,
  context: GrantContext,
  memberKeys: UserKeys,
  granterEd25519: Bytes,
): Promise<WorkspaceKey> {
  const { x25519 } = memberKeys.publicKeys;
  const info = grantInfo(context, x25519);
  if (!(await isSigned(granterEd25519, signedGrant(info, grant.sealed), grant.signature))) {
    throw new GrantRefused();
  }
  const secret = await openFrom(memberKeys.receiving, x25519, info, grant.sealed);
  return new WorkspaceKey(context.workspace, context.epoch, secret);
}

/** The `info` of HPKE, which is also part of what is signed. */
const grantInfo = ({ workspace, epoch, member, granter }: GrantContext, memberX25519: Bytes): Bytes =>
  lp('wm/v1/grant', workspace, epoch, member, memberX25519, granter);

const signedGrant = (info: Bytes, sealed: Bytes): Bytes => lp('wm/v1/grant-sig', info, sealed);
