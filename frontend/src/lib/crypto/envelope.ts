/**
 * Seals of what people and the Assistant write: document and note revisions, proposals.
 *
 * A seal is bound to its context: moved to another place, version, epoch or author, it does not open. All of them use
 * the key HKDF(workspace key, "wm/v1/doc"); the first part of the associated data keeps the kinds apart. Nothing is
 * padded: whoever holds a seal sees the length of the text.
 */
import { openBytes, sealBytes } from './aead';
import { type Bytes, textOf, utf8 } from './bytes';
import { SealBroken } from './errors';
import { lp } from './packing';
import type { WorkspaceKey } from './workspace-keys';

/** Stands for the hash of the previous ciphertext at version 1 and after a tombstone: 32 zero bytes. */
export const noPrevious = (): Bytes => new Uint8Array(32);

const KEY = 'wm/v1/doc';

/** Where a sealed text belongs; `aad` has the whole of it. */
export type Context = { workspace: string; epoch: number; aad: Bytes };

/**
 * One revision of the memory document or of a note.
 *
 * `previous` is the SHA-256 of the ciphertext of the version before, or 32 zero bytes. `version` is that of the base plus
 * one. `kind` says how it came about (save, clear, undo, capture …). A note's `path` is the one that this very version is
 * kept under: a move is a new revision.
 */
type RevisionPlace = {
  workspace: string;
  path: string;
  epoch: number;
  version: number;
  previous: Bytes;
  clearGeneration: number;
  kind: string;
  author: string;
};

export function revisionContext(of: RevisionPlace): Context {
  if (of.previous.length !== noPrevious().length) throw new SealBroken();
  const { workspace, path, epoch, version, previous, clearGeneration, kind, author } = of;
  const aad = lp('wm/v1/doc', workspace, path, epoch, version, previous, clearGeneration, kind, author);
  return { workspace, epoch, aad };
}

/** A proposal. `base` is the version it was made against. */
type ProposalPlace = {
  workspace: string;
  proposal: string;
  epoch: number;
  base: number;
  clearGeneration: number;
};

export function proposalContext({
  workspace,
  proposal,
  epoch,
  base,
  clearGeneration,
}: ProposalPlace): Context {
  return { workspace, epoch, aad: lp('wm/v1/proposal', workspace, proposal, epoch, base, clearGeneration) };
}

/** The sealed text: 28 bytes longer than its UTF-8. `nonce` is for frozen test vectors alone. Raises NotText. */
export async function seal(key: WorkspaceKey, context: Context, text: string, nonce?: Bytes): Promise<Bytes> {
  if (!isFor(key, context)) throw new RangeError('the key is of another workspace or epoch than the context');
  return sealBytes(await key.derived(KEY), context.aad, utf8(text), nonce);
}

/** The text. Raises SealBroken for another key, another context or changed bytes. */
export async function openSealed(key: WorkspaceKey, context: Context, sealed: Bytes): Promise<string> {
  if (!isFor(key, context)) throw new SealBroken();
  return textOf(await openBytes(await key.derived(KEY), context.aad, sealed));
}

const isFor = (key: WorkspaceKey, context: Context): boolean =>
  key.workspace === context.workspace && key.epoch === context.epoch;
