/** The memory document, sealed: its newest version, its history, and the writes that a person makes. */
import { call, path } from './client';
import type {
  DocumentOut,
  RevisionPageOut,
  SealedIn,
  WorkspaceMemoryApiSchemasDocumentsRevisionOut as RevisionOut,
  WrittenOut,
} from './schema';

export type { RevisionOut };

export const getDocument = (workspace: string): Promise<DocumentOut> =>
  call('GET', path`/workspaces/${workspace}/memory/document`);

/** Save, Clear or Undo, by its headers: one request. `version_conflict`, `epoch_conflict`, `storage_full` */
export const writeDocument = (
  workspace: string,
  write: { headers: Record<string, string>; body: SealedIn },
): Promise<WrittenOut> =>
  call('PUT', path`/workspaces/${workspace}/memory/document`, { headers: write.headers, body: write.body });

/** Leave a tombstone; the history stays. `version_conflict`, `not_found` */
export const deleteDocument = (workspace: string, base: number): Promise<WrittenOut> =>
  call('DELETE', path`/workspaces/${workspace}/memory/document`, {
    headers: { 'X-Base-Version': String(base) },
  });

/** The history without texts, newest first. */
export const listVersions = (
  workspace: string,
  query: { before?: number | null; limit?: number } = {},
): Promise<RevisionPageOut> =>
  call('GET', path`/workspaces/${workspace}/memory/document/versions`, { query });

/** One version with its sealed text. `not_found` */
export const getVersion = (workspace: string, version: number): Promise<RevisionOut> =>
  call('GET', path`/workspaces/${workspace}/memory/document/versions/${version}`);
