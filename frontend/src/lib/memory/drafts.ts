/**
 * Drafts that survive: sealed under a key that is derived from the workspace's, in this browser's IndexedDB.
 *
 * Never in the clear, and only for whoever opens the workspace key. Each open page has a draft of its own, held by a
 * lock that ends with the page; a draft that nobody holds was left behind, and is offered.
 */
import { openBytes, sealBytes } from '../crypto/aead';
import { textOf, utf8 } from '../crypto/bytes';
import { lp } from '../crypto/packing';
import type { WorkspaceKey } from '../crypto/workspace-keys';
import type { Keyring } from '../keys/workspace-keyholder';
import { type DraftRecord, type DraftStore } from './draft-store';

/** A draft in the clear. `base`: the version that it was begun on; `at`: milliseconds since 1970. */
export type LeftDraft = { id: string; base: number; at: number; text: string };

const PURPOSE = 'wm/v1/draft';
/** Short, since a browser that is closed finishes nothing. */
const SETTLE_MS = 200;

type Owner = { user: string; workspace: string; keys: Keyring };

/** The draft of one page. */
export class DraftKeeper {
  readonly id = crypto.randomUUID();
  /** Told when a draft could not be kept, such as in a browser whose storage is full or forbidden. */
  onfailure: (failed: boolean) => void = () => {};
  #waiting: { text: string; base: number } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #failed = false;
  // One after the other: what was kept last stays.
  #work: Promise<void> = Promise.resolve();
  readonly #release: () => void;

  constructor(
    private readonly owner: Owner,
    private readonly store: DraftStore,
  ) {
    this.#release = store.hold(this.id);
  }

  /** Keep a draft in a moment; a later one takes its place. */
  keep(text: string, base: number): void {
    this.#waiting = { text, base };
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), SETTLE_MS);
  }

  /** Keep it now. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    const draft = this.#waiting;
    this.#waiting = null;
    if (draft) this.#do(async () => this.store.put(await sealed(this.owner, this.id, draft)));
    return this.#work;
  }

  /** Whether what was to be kept is, now. */
  async kept(): Promise<boolean> {
    await this.flush();
    return !this.#failed;
  }

  /** Forget the draft, since it was saved or given up. */
  discard(): Promise<void> {
    clearTimeout(this.#timer);
    this.#waiting = null;
    this.#do(() => this.store.remove(this.id));
    return this.#work;
  }

  /** Drafts that other pages of this person left behind, newest first. One that does not open is none of ours. */
  async left(): Promise<LeftDraft[]> {
    const held = await this.store.held();
    const records = (await this.store.all()).filter(
      (each) =>
        each.user === this.owner.user && each.workspace === this.owner.workspace && !held.has(each.id),
    );
    const opened = await Promise.all(records.map((record) => unsealed(this.owner, record)));
    return opened.filter((each) => each !== null).sort((one, other) => other.at - one.at);
  }

  /** Forget a draft that was left behind, since it was taken over or given up. */
  forget(id: string): Promise<void> {
    return this.store.remove(id).catch(() => undefined);
  }

  /** The page goes: keep what waits, then let go. What was kept is offered to the next page. */
  async leave(): Promise<void> {
    await this.flush();
    this.#release();
  }

  #told(failed: boolean): void {
    this.#failed = failed;
    this.onfailure(failed);
  }

  #do(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).then(
      () => this.#told(false),
      () => this.#told(true),
    );
  }
}

async function sealed(owner: Owner, id: string, draft: { text: string; base: number }): Promise<DraftRecord> {
  const key = owner.keys.get(Math.max(0, ...owner.keys.keys()));
  if (key === undefined) throw new Error('there is no key');
  const place = {
    id,
    user: owner.user,
    workspace: owner.workspace,
    epoch: key.epoch,
    base: draft.base,
    at: Date.now(),
  };
  return { ...place, sealed: await sealBytes(await key.derived(PURPOSE), context(place), utf8(draft.text)) };
}

async function unsealed(owner: Owner, record: DraftRecord): Promise<LeftDraft | null> {
  const key: WorkspaceKey | undefined = owner.keys.get(record.epoch);
  if (key === undefined) return null;
  try {
    const text = textOf(await openBytes(await key.derived(PURPOSE), context(record), record.sealed));
    return { id: record.id, base: record.base, at: record.at, text };
  } catch {
    return null;
  }
}

const context = (of: Omit<DraftRecord, 'sealed'>) =>
  lp(PURPOSE, of.workspace, of.user, of.id, of.epoch, of.base, of.at);
