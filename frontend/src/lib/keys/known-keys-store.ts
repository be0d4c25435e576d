/**
 * Where the known keys of a browser lie: in its IndexedDB, one record for each user of this origin; and a store that
 * lasts as long as the page, for tests.
 *
 * Each change is one readwrite transaction, which the browser runs after those of other tabs and never beside them.
 */
import { KnownKeysUnreadable } from './errors';
import { type KnownKeysStore, type KnownRecord, type Pin, emptyRecord } from './known-keys';

const DATABASE = 'workspace-memory-keys';
const RECORDS = 'known';
const KEY = /^[A-Za-z0-9_-]{43}$/;

/** The store of one user. Nothing is opened before it is used. */
export function keptInBrowser(user: string): KnownKeysStore {
  const inOne = async <Answer>(mode: IDBTransactionMode, use: Use<Answer>): Promise<Answer> => {
    let database: IDBDatabase | undefined;
    try {
      database = await openedDatabase();
      return await inTransaction(database, mode, user, use);
    } catch (error) {
      // The browser's own, such as for storage that a setting forbids.
      throw error instanceof DOMException ? new KnownKeysUnreadable() : error;
    } finally {
      database?.close();
    }
  };
  return {
    read: () => inOne('readonly', (record) => record),
    update: (change) => inOne('readwrite', change),
  };
}

/** A store that forgets everything with the page. */
export function keptInMemory(record: KnownRecord = emptyRecord()): KnownKeysStore {
  let kept = record;
  return {
    read: async () => structuredClone(kept),
    update: async (change) => {
      const changed = structuredClone(kept);
      const answer = change(changed);
      kept = changed;
      return answer;
    },
  };
}

type Use<Answer> = (record: KnownRecord) => Answer;

function openedDatabase(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const refuse = () => reject(new KnownKeysUnreadable());
    // Some browsers take away storage in private windows, and then the name itself.
    if (globalThis.indexedDB === undefined) return refuse();
    const opening = indexedDB.open(DATABASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(RECORDS);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = refuse;
    opening.onblocked = refuse;
  });
}

function inTransaction<Answer>(
  database: IDBDatabase,
  mode: IDBTransactionMode,
  user: string,
  use: Use<Answer>,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    // Strict: a pin that is lost with the power would be trusted anew without a word.
    const transaction = database.transaction(RECORDS, mode, { durability: 'strict' });
    const records = transaction.objectStore(RECORDS);
    let outcome: { answer: Answer } | { error: unknown } = { error: new KnownKeysUnreadable() };
    const reading = records.get(user);
    reading.onsuccess = () => {
      try {
        const record = checkedRecord(reading.result);
        outcome = { answer: use(record) };
        if (mode === 'readwrite') records.put(record, user);
      } catch (error) {
        outcome = { error };
        transaction.abort();
      }
    };
    transaction.oncomplete = () => ('answer' in outcome ? resolve(outcome.answer) : reject(outcome.error));
    transaction.onabort = () => reject('error' in outcome ? outcome.error : new KnownKeysUnreadable());
  });
}

/** A record as it was kept. Raises KnownKeysUnreadable for anything else. */
export function checkedRecord(kept: unknown): KnownRecord {
  if (kept === undefined) return emptyRecord();
  if (!isRecord(kept)) throw new KnownKeysUnreadable();
  return kept;
}

function isRecord(kept: unknown): kept is KnownRecord {
  const { people, signers, marks } = (kept ?? {}) as Partial<KnownRecord>;
  return (
    isMapOf(people, (pins) => isListOf(pins, isPin)) &&
    isMapOf(signers, (keys) => isListOf(keys, isKey)) &&
    isMapOf(marks, (numbers) => isMapOf(numbers, isCount))
  );
}

const isMapOf = (value: unknown, isOne: (each: unknown) => boolean): boolean =>
  value instanceof Map && [...value].every(([name, each]) => typeof name === 'string' && isOne(each));
const isListOf = (value: unknown, isOne: (each: unknown) => boolean): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isOne);
const isKey = (value: unknown): boolean => typeof value === 'string' && KEY.test(value);
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;

function isPin(value: unknown): boolean {
  const { x25519, ed25519 } = (value ?? {}) as Partial<Pin>;
  return isKey(x25519) && isKey(ed25519);
}
