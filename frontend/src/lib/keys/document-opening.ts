/**
 * Sealed documents as they come from the service, opened: the memory document, notes, their versions.
 *
 *     const opener = { workspace, keys: await holder.workspace(workspace).keyring() };
 *     const found = await withMark(known, workspace, () => call('GET', …));
 *     const shown = await openDocument(opener, found);
 *
 * What is opened is bound to where it belongs, and each version to the one before. Nothing of it is kept here.
 */
import type { DocumentOut, NoteOut } from '../api/schema';
import { sha256 } from '../crypto/aead';
import { type Bytes, fromBase64Url } from '../crypto/bytes';
import { noPrevious, openSealed, revisionContext } from '../crypto/envelope';
import { SealBroken } from '../crypto/errors';
import type { WorkspaceKey } from '../crypto/workspace-keys';
import { KeyLost } from './errors';
import type { KnownKeys } from './known-keys';
import type { Keyring } from './workspace-keyholder';

export const MEMORY_PATH = '.workspace/memory/memory.md';

/** With what texts of a workspace are opened. */
export type Opener = { workspace: string; keys: Keyring };

/** A version, sealed. */
export type SealedRevision = NonNullable<DocumentOut['newest']>;

/** A version in the clear. `text` is null for a deletion; `at` is an ISO time. */
type OpenRevision = {
  version: number;
  kind: SealedRevision['kind'];
  author: string;
  at: string;
  path: string;
  text: string | null;
};

/** What the next version of the memory document follows on; version 0 when it was never written. */
export type DocumentHead = {
  version: number;
  live: boolean;
  clearGeneration: number;
  /** What the next version is bound to. */
  sha256: Bytes;
};

/** The memory document in the clear; an empty text when it was never written or is deleted. */
export type OpenDocument = DocumentHead & { text: string; newest: OpenRevision | null };

/** What the next version of a note follows on. */
export type NoteHead = { id: string; path: string; version: number; live: boolean; sha256: Bytes };

/** A note in the clear; `text` is empty where it is deleted. */
export type OpenNote = NoteHead & { text: string; newest: OpenRevision };

/**
 * Ask for the memory document, and hold the answer against how far this browser had seen it come.
 *
 * Raises ServerRolledBack: dropping the newest versions is seen by nobody who does not remember them.
 */
export async function withMark(
  known: KnownKeys,
  workspace: string,
  ask: () => Promise<DocumentOut>,
): Promise<DocumentOut> {
  const seen = await known.mark(workspace, 'document');
  const found = await ask();
  // The number of the version that was sealed, and not what merely stands beside it.
  await known.advance(workspace, 'document', found.newest?.version ?? 0, seen);
  return found;
}

/** Remember the version that the service has acknowledged after a write. */
export const acknowledged = (
  known: KnownKeys,
  workspace: string,
  written: { version: number },
): Promise<void> => known.advance(workspace, 'document', written.version, 0);

/** The memory document. Raises KeyLost, SealBroken. */
export async function openDocument(opener: Opener, found: DocumentOut): Promise<OpenDocument> {
  const head = await headOf(found);
  const newest = found.newest === null ? null : await openRevision(opener, found.newest);
  return { ...head, text: newest?.text ?? '', newest };
}

/** What a write follows on, also where nobody can read the newest version any more. Raises SealBroken. */
export async function documentHead(opener: Opener, found: DocumentOut): Promise<DocumentHead> {
  const head = await headOf(found);
  // Opened all the same: nothing is bound to a version that was changed or moved.
  try {
    if (found.newest !== null) await openRevision(opener, found.newest);
  } catch (error) {
    if (!(error instanceof KeyLost)) throw error;
  }
  return head;
}

/** A note. Raises KeyLost, SealBroken. */
export async function openNote(opener: Opener, found: NoteOut): Promise<OpenNote> {
  const head = await noteHeadOf(found);
  const newest = await openRevision(opener, found.newest);
  return { ...head, text: newest.text ?? '', newest };
}

/** A version that was asked for by its place in a list. Raises KeyLost; SealBroken also for another than the listed. */
export async function openListed(
  opener: Opener,
  listed: SealedRevision,
  found: SealedRevision,
): Promise<OpenRevision> {
  const isListed =
    found.version === listed.version && found.path === listed.path && found.sha256 === listed.sha256;
  if (!isListed) throw new SealBroken();
  return openRevision(opener, found);
}

/** One version. Raises KeyLost for a key that nobody holds any more; SealBroken. */
export async function openRevision(opener: Opener, sealed: SealedRevision): Promise<OpenRevision> {
  const { version, kind, path, author_id: author, at } = sealed;
  const shown = { version, kind, author, at, path };
  if (isTombstone(sealed)) return { ...shown, text: null };
  // Only a deletion has no text: one that is left out is no deletion.
  if (sealed.ciphertext == null || sealed.epoch === null) throw new SealBroken();
  const context = revisionContext({
    workspace: opener.workspace,
    path,
    epoch: sealed.epoch,
    version,
    previous: fromBase64Url(sealed.previous_sha256),
    clearGeneration: sealed.clear_generation,
    kind,
    author,
  });
  const key = keyOf(opener.keys, sealed.epoch);
  return { ...shown, text: await openSealed(key, context, fromBase64Url(sealed.ciphertext)) };
}

/** The key of an epoch. Raises KeyLost for one before those that were opened; SealBroken. */
export function keyOf(keys: Keyring, epoch: number): WorkspaceKey {
  const key = keys.get(epoch);
  if (key !== undefined) return key;
  const oldest = keys.size > 0 ? Math.min(...keys.keys()) : 0;
  if (0 < epoch && epoch < oldest) throw new KeyLost(epoch);
  throw new SealBroken();
}

async function headOf({ version, live, clear_generation, newest }: DocumentOut): Promise<DocumentHead> {
  // Else another document's version, or an older one, could pass for the newest of this one.
  if (newest !== null && newest.path !== MEMORY_PATH) throw new SealBroken();
  if (version !== (newest?.version ?? 0)) throw new SealBroken();
  return { version, live, clearGeneration: clear_generation, sha256: await hashOf(newest) };
}

async function noteHeadOf({ id, path, version, live, newest }: NoteOut): Promise<NoteHead> {
  if (newest.path !== path || newest.version !== version) throw new SealBroken();
  return { id, path, version, live, sha256: await hashOf(newest) };
}

/** The hash that the next version names: of the very bytes that came, 32 zero bytes after a deletion. */
async function hashOf(newest: SealedRevision | null): Promise<Bytes> {
  if (newest === null || isTombstone(newest)) return noPrevious();
  return sha256(fromBase64Url(newest.ciphertext ?? ''));
}

const isTombstone = (revision: SealedRevision): boolean => revision.kind === 'delete';
