/**
 * The versions of the document, newest first, and their texts, which are opened here when they are looked at.
 *
 * One that cannot be opened says why and leaves the others: its key is lost, or it is not what was sealed.
 */
import { type RevisionOut, getVersion, listVersions } from '../api/document';
import { SealBroken } from '../crypto/errors';
import { openListed, openRevision } from '../keys/document-opening';
import { KeyLost } from '../keys/errors';
import type { Access } from './store';

/** The text of a version, or why there is none. `missing`: there is no such version. */
export type Opened =
  | { as: 'text'; text: string }
  | { as: 'deleted' }
  | { as: 'key-lost' }
  | { as: 'broken' }
  | { as: 'missing' }
  | { as: 'failed'; error: unknown };

const PAGE = 30;

export class History {
  versions = $state.raw<readonly RevisionOut[]>([]);
  /** Versions that are not what the next one was made upon: the service has changed or left out something. */
  unchained = $state.raw<ReadonlySet<number>>(new Set());
  standing = $state<'loading' | 'there' | 'failed'>('loading');
  problem = $state.raw<unknown>(null);
  more = $state(false);
  loadingMore = $state(false);
  #before: number | null = null;
  readonly #opened = new Map<number, Promise<Opened>>();

  constructor(private readonly access: Access) {}

  /** Begin with the newest, such as after a write. What was opened stays so: a version never changes. */
  async load(): Promise<void> {
    try {
      const page = await listVersions(this.access.workspace, { limit: PAGE });
      this.#take([], page.versions, page.next_before);
      this.standing = 'there';
      this.problem = null;
    } catch (error) {
      this.problem = error;
      if (this.standing !== 'there') this.standing = 'failed';
    }
  }

  async loadMore(): Promise<void> {
    if (this.#before === null || this.loadingMore) return;
    this.loadingMore = true;
    try {
      const page = await listVersions(this.access.workspace, { before: this.#before, limit: PAGE });
      this.#take(this.versions, page.versions, page.next_before);
      this.problem = null;
    } catch (error) {
      this.problem = error;
    } finally {
      this.loadingMore = false;
    }
  }

  /** Load on until a version is in the list, or the list ends. */
  async loadUntil(version: number): Promise<void> {
    while (this.more && !this.problem && (this.versions.at(-1)?.version ?? 0) > version)
      await this.loadMore();
  }

  find(version: number): RevisionOut | undefined {
    return this.versions.find((each) => each.version === version);
  }

  /** The text of a version; of none before the first. */
  open(version: number): Promise<Opened> {
    if (version < 1) return Promise.resolve({ as: 'text', text: '' });
    const known = this.#opened.get(version);
    if (known) return known;
    const opening = this.#open(version);
    this.#opened.set(version, opening);
    // What a failing network kept back can be asked for again.
    void opening.then(({ as }) => as === 'failed' && this.#opened.delete(version));
    return opening;
  }

  async #open(version: number): Promise<Opened> {
    try {
      const found = await getVersion(this.access.workspace, version);
      const listed = this.find(version);
      const { text } = listed
        ? await openListed(this.access, listed, found)
        : await openRevision(this.access, found);
      return text === null ? { as: 'deleted' } : { as: 'text', text };
    } catch (error) {
      if (error instanceof KeyLost) return { as: 'key-lost' };
      if (error instanceof SealBroken) return { as: 'broken' };
      if ((error as { code?: string }).code === 'not_found') return { as: 'missing' };
      return { as: 'failed', error };
    }
  }

  #take(before: readonly RevisionOut[], page: readonly RevisionOut[], next: number | null): void {
    this.versions = [...before, ...page];
    this.#before = next;
    this.more = next !== null;
    this.unchained = brokenLinks(this.versions);
  }
}

/** Versions of a list, newest first, that the one above them does not name as the one before it. */
export function brokenLinks(versions: readonly RevisionOut[]): Set<number> {
  const broken = new Set<number>();
  versions.forEach((older, at) => {
    const newer = versions[at - 1];
    if (!newer) return;
    if (newer.version !== older.version + 1 || newer.previous_sha256 !== older.sha256)
      broken.add(older.version);
  });
  return broken;
}
