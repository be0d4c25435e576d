/** The frame's way to the service: calls, seals, and what this browser remembers, in one. */
import { getDocument, getVersion, listVersions } from '../api/document';
import {
  type OpenDocument,
  type Opener,
  documentHead,
  openDocument,
  openRevision,
  withMark,
} from '../keys/document-opening';
import { KeyLost } from '../keys/errors';
import type { KnownKeys } from '../keys/known-keys';
import type { Keyring } from '../keys/workspace-keyholder';
import type { MemoryStore, Newer } from './frame.svelte';
import { type Intent, type Outcome, writeCalls, writeMemory } from './writing';

/** With what a person reaches the document of a workspace. */
export type Access = { workspace: string; user: string; keys: Keyring; known: KnownKeys };

export class SealedMemory implements MemoryStore {
  constructor(private readonly access: Access) {}

  async read(): Promise<{ document: OpenDocument; lost: boolean }> {
    const { known, workspace } = this.access;
    const found = await withMark(known, workspace, () => getDocument(workspace));
    try {
      return { document: await openDocument(this.#opener, found), lost: false };
    } catch (error) {
      if (!(error instanceof KeyLost)) throw error;
      const head = await documentHead(this.#opener, found);
      return { document: { ...head, text: '', newest: null }, lost: true };
    }
  }

  async textOf(version: number): Promise<string> {
    const revision = await openRevision(this.#opener, await getVersion(this.access.workspace, version));
    return revision.text ?? '';
  }

  write(intent: Intent): Promise<Outcome> {
    return writeMemory(writeCalls(this.access.workspace), this.access, this.access.known, intent);
  }

  async newest(): Promise<Newer | null> {
    const { versions } = await listVersions(this.access.workspace, { limit: 1 });
    const newest = versions[0];
    if (!newest) return null;
    const { version, kind, author_id: author, at, clear_generation: clearGeneration } = newest;
    return { version, kind, author, at, clearGeneration };
  }

  get #opener(): Opener {
    return this.access;
  }
}
