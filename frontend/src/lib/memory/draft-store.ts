/** Where sealed drafts lie: in the browser's IndexedDB, and which of them an open page holds. */
import type { Bytes } from '../crypto/bytes';
import { type Database, inDatabase, inTime } from '../storage/in-database';

/** A sealed draft. What stands beside the seal is bound to it. */
export type DraftRecord = {
  id: string;
  user: string;
  workspace: string;
  epoch: number;
  base: number;
  at: number;
  sealed: Bytes;
};

export interface DraftStore {
  put(record: DraftRecord): Promise<void>;
  remove(id: string): Promise<void>;
  all(): Promise<DraftRecord[]>;
  /** Hold a draft as one of an open page, until the function that is returned is called or the page ends. */
  hold(id: string): () => void;
  /** The drafts that open pages hold. */
  held(): Promise<Set<string>>;
}

const RECORDS = 'drafts';
const DATABASE: Database = {
  name: 'workspace-memory-drafts',
  make: (database) => database.createObjectStore(RECORDS, { keyPath: 'id' }),
};
const LOCK = 'workspace-memory-draft:';
// Those of this page, which it knows without being told.
const own = new Set<string>();

export const draftsInBrowser: DraftStore = {
  put: (record) => inStore('readwrite', (store) => store.put(record)).then(() => undefined),
  remove: (id) => inStore('readwrite', (store) => store.delete(id)).then(() => undefined),
  all: () => inStore('readonly', (store) => store.getAll() as IDBRequest<DraftRecord[]>),
  hold(id) {
    let release = (): void => {};
    own.add(id);
    // A browser without locks between its pages offers a draft of another open page as one that was left behind: it is
    // found in both then, and lost in none.
    void locks()
      ?.request(
        LOCK + id,
        () => new Promise<void>((resolve) => (own.has(id) ? (release = resolve) : resolve())),
      )
      .catch(() => undefined);
    return () => {
      own.delete(id);
      release();
    };
  },
  async held() {
    const asking = locks()?.query() ?? Promise.resolve<LockManagerSnapshot>({});
    const { held = [] } = await inTime(asking).catch((): LockManagerSnapshot => ({}));
    return new Set([...own, ...held.map(({ name = '' }) => name.slice(LOCK.length))]);
  },
};

/** A store that ends with the page, for tests. */
export function draftsInMemory(): DraftStore & { records: Map<string, DraftRecord> } {
  const records = new Map<string, DraftRecord>();
  const held = new Set<string>();
  return {
    records,
    put: async (record) => void records.set(record.id, structuredClone(record)),
    remove: async (id) => void records.delete(id),
    all: async () => [...records.values()],
    hold(id) {
      held.add(id);
      return () => held.delete(id);
    },
    held: async () => new Set(held),
  };
}

const inStore = <Answer>(
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<Answer>,
): Promise<Answer> => inDatabase(DATABASE, mode, RECORDS, use);

// Not there in older browsers.
const locks = (): LockManager | undefined => (navigator as { locks?: LockManager }).locks;
