/**
 * The memory document in front of a person: what is shown, the draft upon it, and every way in which they come apart.
 *
 * What a failed write leaves is the draft, as it was. A draft is replaced only by what the person chose. Components
 * show this and call it; it knows no page, so that the rules can be tried without one.
 */
import type { OpenDocument, SealedRevision } from '../keys/document-opening';
import { beginWrite, isWriting, settleConflict } from '../state/saving.svelte';
import type { DraftKeeper, LeftDraft } from './drafts';
import { putTogether } from './merging';
import type { Screen } from './screening';
import type { Intent, Outcome } from './writing';

/** How the frame reads and writes, in the clear. */
export interface MemoryStore {
  /** The newest version. `lost`: it was sealed under a key that nobody holds any more, and its text is not known. */
  read(): Promise<{ document: OpenDocument; lost: boolean }>;
  /** The text of an older version; empty for a deletion. Raises KeyLost, SealBroken. */
  textOf(version: number): Promise<string>;
  /** Raises only what sealing does. */
  write(intent: Intent): Promise<Outcome>;
  /** Who wrote the newest version, without its text. */
  newest(): Promise<Newer | null>;
}

export type Newer = {
  version: number;
  kind: SealedRevision['kind'];
  author: string;
  at: string;
  clearGeneration: number;
};
type WriteKind = Intent['kind'];

/** What keeps the draft from being memory. Each stays until it is decided. */
export type Trouble =
  /**
   * `base`: the version that the draft was begun upon, where it is not the one that is shown. `inseparable`: it could not
   * be read, so that the own lines cannot be told from those that were cleared.
   */
  | { as: 'conflict'; newer: OpenDocument | null; base?: number; inseparable?: boolean }
  | { as: 'failed'; error: unknown; lost: boolean }
  | { as: 'unknown'; error: unknown };

/** What was done and can be taken back: `before` is the version whose text comes back. */
export type Done = {
  what: 'clear' | 'undo' | 'apply' | 'delete';
  version: number;
  before: number;
  of?: number;
};

/** Why something other than a Save was not done. The draft is not concerned. */
export type Undone = {
  what: WriteKind;
  as: 'conflict' | 'failed' | 'unknown';
  error?: unknown;
  newer?: number;
};

/** An older text was to come back, and the person began to write before it was there. */
export class DraftBegun extends Error {
  override readonly name = 'DraftBegun';
  readonly code = 'draft_begun';
}

const NOTHING: OpenDocument = {
  version: 0,
  live: false,
  clearGeneration: 0,
  sha256: new Uint8Array(32),
  text: '',
  newest: null,
};

export class MemoryFrame {
  standing = $state<'loading' | 'failed' | 'there'>('loading');
  /** Why it could not be read. */
  problem = $state.raw<unknown>(null);
  /** The version that the draft is made upon. */
  shown = $state.raw<OpenDocument>(NOTHING);
  lost = $state(false);
  draft = $state('');
  running = $state<WriteKind | null>(null);
  trouble = $state.raw<Trouble | null>(null);
  undone = $state.raw<Undone | null>(null);
  done = $state.raw<Done | null>(null);
  /** A version that somebody else saved since. */
  newer = $state.raw<Newer | null>(null);
  /** The own draft, after the newer text was taken in its place. */
  setAside = $state<string | null>(null);
  /**
   * The draft was put together of two texts, and is to be looked at; `overlaps` places hold both versions. `alone`: the
   * newer text was empty, and what is left was written in the draft itself.
   */
  together = $state.raw<{ overlaps: number; alone: boolean } | null>(null);
  /** A draft that was left behind. */
  offered = $state.raw<LeftDraft | null>(null);
  /** The browser could not keep the draft. */
  unkept = $state(false);
  /** The last Save was found to be there although its answer was lost. */
  found = $state(false);

  /** The draft holds what looks like a secret, and the person has to decide whether it is saved. */
  secret = $state.raw<{ rule: string; line: number; decide: (save: boolean) => void } | null>(null);

  /** This browser could not remember a version that was written. It is said until it was read, once. */
  forgetful = $state(false);

  /** A write of which nobody knows what became, and how to look. */
  #unknown: { look: () => Promise<Outcome>; then: (outcome: Outcome) => Promise<boolean> } | null = null;
  #wasForgetful = false;
  #following: Promise<unknown> = Promise.resolve();

  constructor(
    readonly workspace: string,
    private readonly store: MemoryStore,
    private readonly keeper: DraftKeeper,
    private readonly screen: Screen = async () => null,
  ) {
    keeper.onfailure = (failed) => (this.unkept = failed);
  }

  get dirty(): boolean {
    return this.standing === 'there' && this.draft !== this.shown.text;
  }

  /** Read the newest version, for a page that shows nothing yet. */
  async load(): Promise<void> {
    try {
      const { document, lost } = await this.store.read();
      this.lost = lost;
      this.#show(document);
      this.standing = 'there';
      this.problem = null;
      await this.#offerLeft();
    } catch (error) {
      this.standing = 'failed';
      this.problem = error;
    }
  }

  /** What the person typed. */
  edit(text: string): void {
    if (text === this.draft) return;
    this.draft = text;
    this.found = false;
    if (this.dirty) this.keeper.keep(text, this.#begunUpon);
    else void this.keeper.discard();
  }

  /** The version that the draft was begun upon. One that was left behind keeps its own until its conflict is decided. */
  get #begunUpon(): number {
    const base = this.trouble?.as === 'conflict' ? this.trouble.base : undefined;
    return base ?? this.shown.version;
  }

  /** Send the draft, once. Whether it is saved. */
  save(): Promise<boolean> {
    const mayBegin = !this.running && this.dirty && this.trouble?.as !== 'conflict';
    return mayBegin ? this.#followed(this.#save()) : Promise.resolve(false);
  }

  async #save(): Promise<boolean> {
    // At once, so that a second press finds it under way.
    this.running = 'save';
    const text = this.draft;
    if (!(await this.#mayBeSaved(text))) {
      this.running = null;
      return false;
    }
    // Before it is sent: the answer may end the session, and the page with it.
    await this.keeper.flush();
    const outcome = await this.#write({ kind: 'save', text, head: this.shown });
    if (outcome.as === 'saved') {
      if (outcome.forgotten) this.#forget();
      this.#show(outcome.document, { keeping: this.draft });
      this.found = outcome.found;
      this.undone = null;
      this.done = null;
      this.#unknown = null;
      return true;
    }
    this.trouble = outcome.as === 'conflict' ? { as: 'conflict', newer: await this.#readNewer() } : outcome;
    return false;
  }

  /** After an answer that was lost: look what the service has, and say that. */
  async check(): Promise<void> {
    if (this.trouble?.as !== 'unknown' || this.running) return;
    const { error } = this.trouble;
    const newest = await this.#readNewer();
    if (!newest) return;
    if (newest.version <= this.shown.version) this.trouble = { as: 'failed', error, lost: true };
    else if (newest.text !== this.draft) this.trouble = { as: 'conflict', newer: newest };
    else {
      this.trouble = null;
      this.#show(newest, { keeping: this.draft });
      this.found = true;
    }
  }

  /** Give the draft up. */
  async discard(): Promise<void> {
    this.#settle();
    const newer = this.trouble?.as === 'conflict' ? this.trouble.newer : null;
    this.trouble = null;
    this.together = null;
    this.#show(newer ?? this.shown);
    await this.keeper.discard();
  }

  /** In a conflict: ask for the newer text again, where it could not be read. */
  async readConflict(): Promise<void> {
    if (this.trouble?.as === 'conflict') this.trouble = { ...this.trouble, newer: await this.#readNewer() };
  }

  /** In a conflict: show the newer text. The own draft is kept aside, for one Undo. */
  async useNewer(): Promise<void> {
    if (this.trouble?.as !== 'conflict' || !this.trouble.newer) return;
    const mine = this.draft;
    await this.discard();
    this.setAside = mine;
  }

  /** The draft that was kept aside comes back, upon the text that is shown now. */
  bringBack(): void {
    if (this.setAside === null) return;
    const mine = this.setAside;
    this.setAside = null;
    this.edit(mine);
  }

  /** In a conflict, after a look at both texts: save the own one upon the newer one. */
  async keepMine(text: string = this.draft): Promise<boolean> {
    if (this.trouble?.as !== 'conflict' || !this.trouble.newer || this.running) return false;
    const { newer } = this.trouble;
    this.trouble = null;
    this.#show(newer, { keeping: text });
    if (this.dirty) return this.save();
    // Both say the same by now: there is nothing to save.
    this.#settle();
    await this.keeper.discard();
    return true;
  }

  /**
   * In a conflict: make a draft of both texts, upon the newer one. Nothing is saved: the person looks at it first.
   * What a Clear took out stays out. Whether it was done.
   */
  async putTogether(): Promise<boolean> {
    const conflict = this.trouble;
    if (conflict?.as !== 'conflict' || !conflict.newer || this.running) return false;
    const base = await this.#baseOf(conflict.base);
    if (this.trouble !== conflict) return false;
    const { newer } = conflict;
    const alone = newer.text === '';
    if (base === null && (alone || newer.clearGeneration > this.shown.clearGeneration)) {
      this.trouble = { ...conflict, inseparable: true };
      return false;
    }
    const mine = this.draft;
    const { text, overlaps } = putTogether(base ?? '', mine, newer.text);
    this.trouble = null;
    this.#show(newer, { keeping: text });
    this.together = this.dirty ? { overlaps, alone } : null;
    // Nothing of it was the person's own: it can still be had back.
    if (!this.dirty) this.setAside = mine;
    this.#settle();
    return true;
  }

  /** Write an empty version. The draft has been settled before. */
  clear(): Promise<boolean> {
    return this.#followed(this.#replace({ kind: 'clear', head: this.shown }, 'clear'));
  }

  /** Leave a tombstone. */
  remove(): Promise<boolean> {
    return this.#followed(this.#replace({ kind: 'delete', head: this.shown }, 'delete'));
  }

  /** Save the text that a suggestion makes. */
  apply(proposal: string, text: string): Promise<boolean> {
    return this.#followed(this.#replace({ kind: 'apply', proposal, text, head: this.shown }, 'apply'));
  }

  /** Write the text of an older version as the next one. Raises KeyLost, SealBroken, DraftBegun. */
  restore(version: number): Promise<boolean> {
    return this.#followed(this.#restore(version));
  }

  async #restore(version: number): Promise<boolean> {
    if (this.running) return false;
    // What it is written upon is what was shown when the person asked, however long the reading takes: a Clear or
    // another's Save that comes between makes it a conflict.
    const head = this.shown;
    this.running = 'undo';
    let text;
    try {
      text = version < 1 ? '' : await this.store.textOf(version);
    } finally {
      this.running = null;
    }
    if (this.dirty) throw new DraftBegun();
    return this.#replace({ kind: 'undo', text, head }, 'undo', version);
  }

  /** See whether somebody saved since. Nothing that is shown changes. */
  async look(): Promise<void> {
    if (this.standing !== 'there' || this.running || isWriting(this.workspace)) return;
    // What is newer may be the own write, of which it is not known yet.
    if (this.#unknown) return;
    try {
      const newest = await this.store.newest();
      // A write of one's own may have ended while this was asked.
      if (newest && newest.version > this.shown.version && !this.running) this.newer = newest;
    } catch {
      // The next look, or the next Save, says what is wrong.
    }
  }

  /** Show what somebody else saved: at once where there is no draft, and beside it where there is one. */
  async showNewer(): Promise<void> {
    const newer = await this.#readNewer();
    if (!newer || newer.version <= this.shown.version) return;
    if (this.dirty) this.#conflict(newer);
    else this.#show(newer);
  }

  /** The draft stands against a newer text. What it was begun upon stays what it is. */
  #conflict(newer: OpenDocument): void {
    const before = this.trouble?.as === 'conflict' ? this.trouble : null;
    this.trouble = { ...before, as: 'conflict', newer };
  }

  /** After an answer that was lost, of anything but a Save: look what became of it, and say that. */
  async lookAgain(): Promise<void> {
    const unknown = this.#unknown;
    if (!unknown || this.running) return;
    const outcome = await unknown.look();
    if (outcome.as === 'unknown' || this.#unknown !== unknown || this.running) return;
    this.#unknown = null;
    const own = beginWrite(this.workspace);
    if (outcome.as === 'saved') own.acknowledged(outcome.document.version);
    else if (outcome.as === 'conflict') own.conflicted();
    else own.failed();
    await unknown.then(outcome);
  }

  /** Go on with the draft that was left behind. Where its version is not the newest any more, both are to be compared. */
  takeOffered(): void {
    const left = this.offered;
    if (!left) return;
    this.offered = null;
    // First, so that the draft is kept with the version that it was begun upon.
    if (left.base !== this.shown.version && left.text !== this.shown.text)
      this.trouble = { as: 'conflict', newer: this.shown, base: left.base };
    this.edit(left.text);
    // Not before this page has a copy of its own: a browser that ends now still has the one or the other.
    void this.keeper.kept().then((kept) => (kept ? this.keeper.forget(left.id) : undefined));
  }

  async dropOffered(): Promise<void> {
    const left = this.offered;
    this.offered = null;
    if (left) await this.keeper.forget(left.id);
    this.#settle();
    await this.#offerLeft();
  }

  /** When the write that is under way has ended, and what is shown says so. */
  settled(): Promise<unknown> {
    return this.#following;
  }

  /** The person has decided about a Clear that lost, by giving it up. */
  giveUp(): void {
    this.undone = null;
    this.#settle();
  }

  /** The page may go without a word: keep the draft now. */
  keepNow(): void {
    void this.keeper.flush();
  }

  /** The page goes. A conflict stays one while its draft waits to be offered again. */
  leave(): Promise<void> {
    if (this.trouble?.as !== 'conflict') this.#settle();
    return this.keeper.leave();
  }

  async #replace(intent: Intent, what: Done['what'], of?: number): Promise<boolean> {
    if (this.running || this.dirty) return false;
    const before = this.shown.version;
    this.done = null;
    this.undone = null;
    this.#unknown = null;
    return this.#replaced(await this.#write(intent), { what, before, of });
  }

  async #replaced(outcome: Outcome, by: Omit<Done, 'version'>): Promise<boolean> {
    const { what } = by;
    this.undone = null;
    if (outcome.as === 'saved') {
      if (outcome.forgotten) this.#forget();
      this.#showBeside(outcome.document);
      this.done = { ...by, version: outcome.document.version };
      return true;
    }
    if (outcome.as !== 'conflict') {
      this.undone = { what, as: outcome.as, error: outcome.error };
      if (outcome.as === 'unknown' && outcome.look)
        this.#unknown = { look: outcome.look, then: (known) => this.#replaced(known, by) };
      return false;
    }
    const newer = await this.#readNewer();
    if (newer) this.#showBeside(newer);
    this.undone = { what, as: 'conflict', newer: newer?.version };
    // Only a Clear waits for a decision; the others are begun anew or not.
    if (what !== 'clear') this.#settle();
    return false;
  }

  /** What is newer is shown; a draft that was begun while nobody knew of it stays, and has to be decided about. */
  #showBeside(document: OpenDocument): void {
    if (this.dirty) this.#conflict(document);
    else if (document.version >= this.shown.version) this.#show(document);
  }

  #forget(): void {
    if (!this.#wasForgetful) this.forgetful = true;
    this.#wasForgetful = true;
  }

  async #mayBeSaved(text: string): Promise<boolean> {
    // A check that fails must not keep anybody from saving.
    const found = await this.screen(text, this.shown.text).catch(() => null);
    if (found === null) return true;
    const save = await new Promise<boolean>((decide) => (this.secret = { ...found, decide }));
    this.secret = null;
    return save;
  }

  async #write(intent: Intent): Promise<Outcome> {
    this.running = intent.kind;
    this.trouble = null;
    this.setAside = null;
    this.together = null;
    const own = beginWrite(this.workspace);
    try {
      const outcome = await this.store.write(intent);
      if (outcome.as === 'saved') own.acknowledged(outcome.document.version);
      else if (outcome.as === 'conflict') own.conflicted();
      return outcome;
    } catch (error) {
      return { as: 'failed', error, lost: false };
    } finally {
      own.failed();
      this.running = null;
    }
  }

  /** Take a version as the base; `keeping` stays as the draft upon it. */
  #show(document: OpenDocument, { keeping }: { keeping?: string } = {}): void {
    const wasLost = this.lost && document.version === this.shown.version;
    this.shown = document;
    this.lost = wasLost;
    this.draft = keeping ?? document.text;
    if (this.newer && this.newer.version <= document.version) this.newer = null;
    if (keeping === undefined) return;
    if (this.dirty) this.keeper.keep(keeping, document.version);
    else void this.keeper.discard();
  }

  async #readNewer(): Promise<OpenDocument | null> {
    try {
      return (await this.store.read()).document;
    } catch {
      return null;
    }
  }

  /** The text that the draft was begun upon; null where it cannot be read: then both texts stay whole. */
  async #baseOf(version: number = this.shown.version): Promise<string | null> {
    if (version === this.shown.version) return this.shown.text;
    return version < 1 ? '' : this.store.textOf(version).catch(() => null);
  }

  async #offerLeft(): Promise<void> {
    const left = await this.keeper.left().catch(() => []);
    // One that says what is saved already is of no use to anybody.
    const same = left.filter((each) => each.text === this.shown.text);
    for (const each of same) await this.keeper.forget(each.id);
    this.offered = left.find((each) => !same.includes(each)) ?? null;
    // A conflict from before the keys were locked is decided with the draft that it was about.
    if (!this.offered) this.#settle();
  }

  #followed(write: Promise<boolean>): Promise<boolean> {
    this.#following = write;
    return write;
  }

  #settle(): void {
    settleConflict(this.workspace);
  }
}
