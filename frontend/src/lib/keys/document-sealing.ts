/**
 * Texts as they go to the service, sealed: exact headers and body of each route that writes.
 *
 *     const write = await sealSave(sealer, text, shown);
 *     const written = await call('PUT', path`/workspaces/${workspace}/memory/document`, write);
 *     shown = afterWrite(shown, text, write, written);
 *
 * A write is one request against the version that was shown. A failure changes nothing, so that the same may be sealed
 * again, against what the service then holds.
 */
import type { NoteIn, SealedIn, WrittenOut } from '../api/schema';
import { sha256 } from '../crypto/aead';
import { type Bytes, toBase64Url } from '../crypto/bytes';
import { noPrevious, revisionContext, seal } from '../crypto/envelope';
import {
  type DocumentHead,
  MEMORY_PATH,
  type NoteHead,
  type OpenDocument,
  type Opener,
  type SealedRevision,
} from './document-opening';
import { NoKeyYet } from './errors';

/** With what, and as whom, texts are sealed. */
export type Sealer = Opener & { user: string };

/** What `call` takes, and the hash that the next version will be bound to. */
export type SealedWrite<Body = SealedIn> = { headers: Record<string, string>; body: Body; sha256: Bytes };

/** Notes are not cleared. */
const NOTE_GENERATION = 0;

type Kind = SealedRevision['kind'];

/** A Save: PUT …/memory/document. Raises NoKeyYet, NotText. */
export const sealSave = (sealer: Sealer, text: string, head: DocumentHead): Promise<SealedWrite> =>
  sealDocument(sealer, text, head, 'save', head.clearGeneration);

/** An Undo, with the text of an older version: PUT …/memory/document. */
export async function sealUndo(sealer: Sealer, text: string, head: DocumentHead): Promise<SealedWrite> {
  const write = await sealDocument(sealer, text, head, 'undo', head.clearGeneration);
  return { ...write, headers: { ...write.headers, 'X-Memory-Kind': 'undo' } };
}

/** A Clear, which retires everything automatic from before: PUT …/memory/document. */
export async function sealClear(sealer: Sealer, head: DocumentHead): Promise<SealedWrite> {
  const write = await sealDocument(sealer, '', head, 'clear', head.clearGeneration + 1);
  return { ...write, headers: { ...write.headers, 'X-Memory-Clear': '1' } };
}

/** A new note: PUT …/documents. POST …/proposals/{id}/apply takes it without the path. */
export async function sealNewNote(sealer: Sealer, text: string, path: string): Promise<SealedWrite<NoteIn>> {
  const write = await sealNote(sealer, text, { path, version: 0, sha256: noPrevious() }, 'save');
  return { ...write, body: { ...write.body, path } };
}

/** The next version of a note: PUT …/documents/{id}. */
export const sealNoteSave = (sealer: Sealer, text: string, head: NoteHead): Promise<SealedWrite> =>
  sealNote(sealer, text, head, 'save');

/** The memory document as it stands after a write that was acknowledged. Then `acknowledged` remembers its version. */
export const afterWrite = (
  sealer: Sealer,
  text: string,
  kind: 'save' | 'undo' | 'clear',
  write: SealedWrite,
  { version, clear_generation }: WrittenOut,
): OpenDocument => ({
  version,
  live: true,
  clearGeneration: clear_generation,
  sha256: write.sha256,
  text,
  newest: { version, kind, author: sealer.user, at: new Date().toISOString(), path: MEMORY_PATH, text },
});

const sealDocument = (
  sealer: Sealer,
  text: string,
  head: DocumentHead,
  kind: Kind,
  clearGeneration: number,
) => sealNext(sealer, text, { ...head, path: MEMORY_PATH, clearGeneration, kind });

const sealNote = (sealer: Sealer, text: string, head: Omit<NoteHead, 'id' | 'live'>, kind: Kind) =>
  sealNext(sealer, text, { ...head, clearGeneration: NOTE_GENERATION, kind });

async function sealNext(
  sealer: Sealer,
  text: string,
  on: { path: string; version: number; sha256: Bytes; clearGeneration: number; kind: Kind },
): Promise<SealedWrite> {
  const key = sealer.keys.get(Math.max(0, ...sealer.keys.keys()));
  if (key === undefined) throw new NoKeyYet();
  const context = revisionContext({
    workspace: sealer.workspace,
    path: on.path,
    epoch: key.epoch,
    version: on.version + 1,
    previous: on.sha256,
    clearGeneration: on.clearGeneration,
    kind: on.kind,
    author: sealer.user,
  });
  const sealed = await seal(key, context, text);
  return {
    headers: { 'X-Base-Version': String(on.version) },
    body: { epoch: key.epoch, ciphertext: toBase64Url(sealed) },
    sha256: await sha256(sealed),
  };
}
