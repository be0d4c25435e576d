/**
 * What a browser remembers, so that a service cannot lie to it unnoticed: people's keys, and how far things had come.
 *
 * Who signed a grant is trusted on first use; whom this browser seals a key to, only after the fingerprint was compared.
 * Both are held against all that comes later. The marks (`document`, `epoch` …) never go down. It is one record for each
 * user of this browser, kept by a store (`known-keys-store.ts`); where it is lost, fingerprints have to be compared anew,
 * so that a damaged one is refused and not begun again.
 */
import { type Bytes, fromBase64Url, toBase64Url } from '../crypto/bytes';
import { type PublicKeys, fingerprintOf } from '../crypto/user-keys';
import { PinnedKeyChanged, ServerRolledBack } from './errors';

/**
 * `epoch`: the newest workspace key; `document`: the newest version of the memory document; `begun_anew`: the newest
 * epoch at which the key was begun anew; `chained`: the newest from which an older key was opened.
 */
export type Mark = 'epoch' | 'document' | 'begun_anew' | 'chained';

/** A person's public keys, base64url. */
export type Pin = { x25519: string; ed25519: string };

/** `people` newest last, `signers` that were met and not compared, `marks` by workspace. Ids come from the service. */
export type KnownRecord = {
  people: Map<string, Pin[]>;
  signers: Map<string, string[]>;
  marks: Map<string, Map<Mark, number>>;
};

export const emptyRecord = (): KnownRecord => ({ people: new Map(), signers: new Map(), marks: new Map() });

/** Keeps the record. Both raise KnownKeysUnreadable. */
export interface KnownKeysStore {
  read(): Promise<KnownRecord>;
  /** Read, change and write at one go, with no other tab in between; nothing is written when `change` raises. */
  update<Answer>(change: (record: KnownRecord) => Answer): Promise<Answer>;
}

/** The known keys and marks of one user. All methods raise KnownKeysUnreadable. */
export class KnownKeys {
  constructor(private readonly store: KnownKeysStore) {}

  /** The keys of a person whose fingerprint was compared last. */
  async accepted(user: string): Promise<PublicKeys | null> {
    return newestPin(await this.store.read(), user);
  }

  /** Make sure that a person's keys are the known ones, if any are. Raises PinnedKeyChanged. */
  async require(user: string, person: string, presented: PublicKeys): Promise<void> {
    const known = await this.accepted(user);
    if (known !== null && !isPin(pinOf(known), presented)) {
      throw new PinnedKeyChanged(user, person, await fingerprintOf(known), await fingerprintOf(presented));
    }
  }

  /**
   * Trust these keys of a person from now on, since their fingerprint was compared, or they are one's own.
   *
   * What the person signed with keys that were accepted before stays right. A signer that was only met, and never
   * compared, is forgotten: it may have been somebody else's.
   */
  async accept(user: string, keys: PublicKeys): Promise<void> {
    await this.store.update((record) => {
      const pins = record.people.get(user) ?? [];
      const newest = pins.at(-1);
      if (newest !== undefined && isPin(newest, keys)) return;
      record.people.set(user, [...pins, pinOf(keys)]);
      record.signers.delete(user);
    });
  }

  /**
   * Make sure that a signing key is, or was, a person's known one; trust it when none is known.
   *
   * Raises PinnedKeyChanged.
   */
  async requireSigner(user: string, person: string, ed25519: Bytes): Promise<void> {
    const presented = toBase64Url(ed25519);
    const isRight = await this.store.update((record) => {
      const pinned = (record.people.get(user) ?? []).map((pin) => pin.ed25519);
      const known = [...pinned, ...(record.signers.get(user) ?? [])];
      if (known.length > 0) return known.includes(presented);
      record.signers.set(user, [presented]);
      return true;
    });
    if (isRight) return;
    const accepted = await this.accepted(user);
    throw new PinnedKeyChanged(user, person, accepted && (await fingerprintOf(accepted)), null);
  }

  /** How far this browser has seen something come; 0 for never. */
  async mark(workspace: string, what: Mark): Promise<number> {
    return markIn(await this.store.read(), workspace, what);
  }

  /**
   * Remember how far something has come. Raises ServerRolledBack when that is less than it was.
   *
   * `seen` is what `mark` said before the service was asked: another tab may have got further since then, which is no
   * rollback.
   */
  async advance(workspace: string, what: Mark, number: number, seen?: number): Promise<void> {
    await this.store.update((record) => {
      const kept = markIn(record, workspace, what);
      const expected = seen ?? kept;
      if (number < expected) throw new ServerRolledBack(what, expected, number);
      if (number <= kept) return;
      const marks = record.marks.get(workspace) ?? new Map<Mark, number>();
      record.marks.set(workspace, marks.set(what, number));
    });
  }
}

const markIn = (record: KnownRecord, workspace: string, what: Mark): number =>
  record.marks.get(workspace)?.get(what) ?? 0;

function newestPin(record: KnownRecord, user: string): PublicKeys | null {
  const pin = record.people.get(user)?.at(-1);
  return pin === undefined
    ? null
    : { x25519: fromBase64Url(pin.x25519), ed25519: fromBase64Url(pin.ed25519) };
}

const pinOf = (keys: PublicKeys): Pin => ({
  x25519: toBase64Url(keys.x25519),
  ed25519: toBase64Url(keys.ed25519),
});

function isPin(pin: Pin, keys: PublicKeys): boolean {
  const other = pinOf(keys);
  return pin.x25519 === other.x25519 && pin.ed25519 === other.ed25519;
}
