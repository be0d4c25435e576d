/**
 * One access to an IndexedDB database of this browser, within a time limit.
 *
 * A storage that does not answer counts as missing, so that nothing ever waits for it without end. It is then not waited
 * for again until it has answered after all. What to say of a missing storage is decided by those who use it.
 */

/** How long a storage may take to answer. */
export const STORAGE_MS = 2000;

/** The browser's storage is forbidden, full, broken or silent: nothing was read, and nothing is kept. */
export class StorageMissing extends Error {
  override readonly name = 'StorageMissing';
}

/** A database, and how its stores are made. */
export type Database = { name: string; make: (database: IDBDatabase) => void };

const silent = new Set<string>();

/**
 * Use one object store in a transaction of its own; the answer of the request that `use` returns, once it is written.
 *
 * Raises StorageMissing; and whatever `use` raises, which ends the transaction with nothing written.
 */
export async function inDatabase<Answer>(
  of: Database,
  mode: IDBTransactionMode,
  records: string,
  use: (store: IDBObjectStore, fail: (error: unknown) => void) => IDBRequest<Answer>,
): Promise<Answer> {
  if (silent.has(of.name)) throw new StorageMissing();
  let database: IDBDatabase | undefined;
  let transaction: IDBTransaction | undefined;
  let isLate = false;
  const work = async (): Promise<Answer> => {
    database = await opened(of);
    if (isLate) throw new StorageMissing();
    // Strict: what was said to be kept is still there after the power was cut.
    transaction = database.transaction(records, mode, { durability: 'strict' });
    return answered(transaction, (fail) => use((transaction as IDBTransaction).objectStore(records), fail));
  };
  const working = work().finally(() => {
    silent.delete(of.name);
    database?.close();
  });
  try {
    return await inTime(working);
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    isLate = true;
    silent.add(of.name);
    working.catch(() => undefined);
    abort(transaction);
    throw new StorageMissing();
  }
}

/** Whatever it becomes, unless that takes longer than a storage may. Raises TookTooLong. */
export async function inTime<Answer>(asking: Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    // In two halves: a page that stood still, as in a sleeping machine, has one of them left to hear the answer.
    timer = setTimeout(() => {
      timer = setTimeout(() => reject(new TookTooLong()), STORAGE_MS / 2);
    }, STORAGE_MS / 2);
  });
  try {
    return await Promise.race([asking, late]);
  } finally {
    clearTimeout(timer);
  }
}

class TookTooLong extends StorageMissing {}

function opened({ name, make }: Database): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const refuse = (): void => reject(new StorageMissing());
    try {
      // Some browsers take away storage in private windows, and then the name itself.
      const opening = indexedDB.open(name, 1);
      opening.onupgradeneeded = () => make(opening.result);
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = refuse;
      opening.onblocked = refuse;
    } catch {
      refuse();
    }
  });
}

function answered<Answer>(
  transaction: IDBTransaction,
  use: (fail: (error: unknown) => void) => IDBRequest<Answer>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      reject(error);
      abort(transaction);
    };
    transaction.onabort = () => reject(new StorageMissing());
    try {
      const asking = use(fail);
      transaction.oncomplete = () => resolve(asking.result);
    } catch {
      fail(new StorageMissing());
    }
  });
}

function abort(transaction: IDBTransaction | undefined): void {
  try {
    transaction?.abort();
  } catch {
    // It has ended already.
  }
}
