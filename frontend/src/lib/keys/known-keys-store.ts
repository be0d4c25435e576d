/**
 * Where the known keys of a browser lie: in its IndexedDB, one record for each user of this origin; and a store that
 * lasts as long as the page, for tests.
 *
 * Each change is one readwrite transaction, which the browser runs after those of other tabs and never beside them.
 */
import { type Database, StorageMissing, inDatabase } from '../storage/in-database';
import { KnownKeysUnreadable } from './errors';
import { type KnownKeysStore, type KnownRecord, type Pin, emptyRecord } from './known-keys';

const RECORDS = 'known';
const DATABASE: Database = {
  name: 'workspace-memory-keys',
  make: (database) => database.createObjectStore(RECORDS),
};
const KEY = /^[A-Za-z0-9_-]{43}$/;

/** The store of one user. Nothing is opened before it is used. */
export function keptInBrowser(user: string): KnownKeysStore {
  return {
    read: () => inRecord('readonly', user, (record) => record),
    update: (change) => inRecord('readwrite', user, change),
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

async function inRecord<Answer>(
  mode: IDBTransactionMode,
  user: string,
  use: (record: KnownRecord) => Answer,
): Promise<Answer> {
  let outcome: { answer: Answer } | undefined;
  try {
    await inDatabase(DATABASE, mode, RECORDS, (records, fail) => {
      const reading = records.get(user) as IDBRequest<unknown>;
      reading.onsuccess = () => {
        try {
          const record = checkedRecord(reading.result);
          outcome = { answer: use(record) };
          if (mode === 'readwrite') records.put(record, user);
        } catch (error) {
          fail(error);
        }
      };
      return reading;
    });
  } catch (error) {
    // The browser's own, such as for storage that a setting forbids.
    const isStorage = error instanceof StorageMissing || error instanceof DOMException;
    throw isStorage ? new KnownKeysUnreadable() : error;
  }
  if (outcome === undefined) throw new KnownKeysUnreadable();
  return outcome.answer;
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
