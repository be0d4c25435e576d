/**
 * The versions of the document, newest first, and their texts, which are opened here when they are looked at.
 *
 * One that cannot be opened says why and leaves the others: its key is lost, or it is not what was sealed.
 */
import { type RevisionOut, getVersion, listVersions } from '../api/document';
import { toBase64Url } from '../crypto/bytes';
import { SealBroken } from '../crypto/errors';
import { type DocumentHead, openListed, openRevision } from '../keys/document-opening';
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

/** A version, and the hash of its very bytes. */
type Head = Pick<DocumentHead, 'version' | 'sha256'>;

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
  #head: Head;
  readonly #opened = new Map<number, Promise<Opened>>();

  /** `shown` tells the version that the page shows, which was opened and held against what was seen before. */
  constructor(
    private readonly access: Access,
    private readonly shown: () => Head,
  ) {
    this.#head = shown();
  }

  /** Begin with the newest, such as after a write. What was opened stays so: a version never changes. */
  async load(): Promise<void> {
    // What is shown when the list comes may be newer than the list.
    const head = this.shown();
    try {
      const page = await listVersions(this.access.workspace, { limit: PAGE });
      this.#head = head;
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
    this.unchained = brokenLinks(this.versions, this.#head);
  }
}

/**
 * Versions of a list, newest first, that are not what the one above them was made upon.
 *
 * Nothing in the list says what its top has to be: that is the document that is shown. The list may go on above it, for
 * somebody may have saved since.
 */
export function brokenLinks(versions: readonly RevisionOut[], head: Head): Set<number> {
  const broken = new Set<number>();
  versions.forEach((each, at) => {
    const newer = versions[at - 1];
    const follows = newer
      ? newer.version === each.version + 1 && newer.previous_sha256 === each.sha256
      : each.version >= head.version;
    const isShown = each.version !== head.version || each.sha256 === toBase64Url(head.sha256);
    if (!follows || !isShown) broken.add(each.version);
  });
  return broken;
}
