/** Where sealed drafts lie: in the browser's IndexedDB, and which of them an open page holds. */
import type { Bytes } from '../crypto/bytes';

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

const DATABASE = 'workspace-memory-drafts';
const RECORDS = 'drafts';
const LOCK = 'workspace-memory-draft:';

export const draftsInBrowser: DraftStore = {
  put: (record) => inStore('readwrite', (store) => store.put(record)).then(() => undefined),
  remove: (id) => inStore('readwrite', (store) => store.delete(id)).then(() => undefined),
  all: () => inStore('readonly', (store) => store.getAll() as IDBRequest<DraftRecord[]>),
  hold(id) {
    let release = (): void => {};
    void navigator.locks
      .request(LOCK + id, () => new Promise<void>((resolve) => (release = resolve)))
      .catch(() => undefined);
    return () => release();
  },
  async held() {
    const { held = [] } = await navigator.locks.query();
    return new Set(held.map(({ name = '' }) => name.slice(LOCK.length)));
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

async function inStore<Answer>(
  mode: IDBTransactionMode,
  use: (store: IDBObjectStore) => IDBRequest<Answer>,
): Promise<Answer> {
  const database = await opened();
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const transaction = database.transaction(RECORDS, mode);
      const asking = use(transaction.objectStore(RECORDS));
      transaction.oncomplete = () => resolve(asking.result);
      transaction.onabort = () => reject(transaction.error ?? new Error('the draft was not kept'));
    });
  } finally {
    database.close();
  }
}

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(RECORDS, { keyPath: 'id' });
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error ?? new Error('there is no storage'));
  });
}
