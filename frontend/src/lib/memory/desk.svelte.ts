/** All that the memory page works with, for one workspace and as long as the keys are open. */
import { untrack } from 'svelte';
import { memberNames } from '../api/members';
import { isCode } from '../api/errors';
import { refreshKeys } from '../state/keys.svelte';
import { refresh } from '../state/workspace.svelte';
import { Clearing } from './clearing.svelte';
import { draftsInBrowser } from './draft-store';
import { DraftKeeper } from './drafts';
import { MemoryFrame } from './frame.svelte';
import { History } from './history.svelte';
import { MemoryPolicy } from './policy.svelte';
import { Proposals } from './proposals.svelte';
import { newSecret } from './screening';
import { Settling } from './settling.svelte';
import { type Access, SealedMemory } from './store';

const LOOK_MS = 3000;

export class Desk {
  readonly frame: MemoryFrame;
  readonly settling: Settling;
  readonly clearing: Clearing;
  readonly history: History;
  readonly policy: MemoryPolicy;
  readonly proposals: Proposals;
  names = $state.raw<ReadonlyMap<string, string>>(new Map());
  deleting = $state(false);
  /** Why an older revision could not be written again: it cannot be read. */
  unreadable = $state.raw<unknown>(null);

  constructor(private readonly access: Access) {
    this.frame = new MemoryFrame(
      access.workspace,
      new SealedMemory(access),
      new DraftKeeper(access, draftsInBrowser),
      newSecret,
    );
    this.settling = new Settling(this.frame);
    this.clearing = new Clearing(this.frame);
    this.history = new History(access, () => this.frame.shown);
    this.policy = new MemoryPolicy(access.workspace);
    this.proposals = new Proposals(access);
  }

  /** Load all of it. */
  open(): void {
    void this.frame.load();
    void this.policy.load();
    void this.#loadNames();
  }

  /** See what others did. Nothing that a person works on changes. */
  look(): void {
    void this.lookAgain();
    void this.frame.look();
    void this.policy.load();
    void this.proposals.load();
  }

  /** Another version is shown: what depends on it is asked for again. */
  versionShown(withHistory: boolean): void {
    untrack(() => {
      void this.proposals.load();
      if (withHistory) void this.history.load();
      // Somebody may have joined since.
      const author = this.frame.shown.newest?.author;
      if (author && this.names.size && !this.names.has(author)) void this.#loadNames();
    });
  }

  /**
   * A workspace key that was renewed meanwhile is fetched, so that the next Save is sealed under it; and so is what the
   * person may do here by now.
   */
  refused(): void {
    const { trouble, undone } = this.frame;
    const error = (trouble && 'error' in trouble && trouble.error) || undone?.error;
    if (isCode(error, 'epoch_conflict')) void refreshKeys();
    if (isCode(error, 'forbidden', 'level_too_low')) void refresh();
  }

  save(): void {
    void this.frame.save();
  }

  /** Look what became of a write whose answer was lost. */
  lookAgain(): Promise<void> {
    return this.clearing.lookAgain();
  }

  /** The same again and again, until the function that is returned is called. */
  keepLooking(): () => void {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let ended = false;
    const again = (): void => {
      if (!ended) timer = setTimeout(() => void this.lookAgain().finally(again), LOOK_MS);
    };
    again();
    return () => {
      ended = true;
      clearTimeout(timer);
    };
  }

  clear(): void {
    void this.settling.ask('clear', () => this.clearing.open());
  }

  remove(): void {
    void this.settling.ask('delete', () => (this.deleting = true));
  }

  undo(version: number): void {
    this.unreadable = null;
    void this.settling.ask('undo', () => {
      this.frame.restore(version).catch((error: unknown) => (this.unreadable = error));
    });
  }

  /** Take a file's text as the draft. `then`: it stands in the editor. */
  take(text: string, then: () => void): void {
    void this.settling.ask('import', () => {
      this.frame.edit(text);
      then();
    });
  }

  /** `textOf` tells what the suggestion makes of the text that is saved then: a draft may have been settled first. */
  apply(proposal: string, textOf: (saved: string) => string | null): void {
    void this.settling.ask('apply', () => {
      const text = textOf(this.frame.shown.text);
      if (text !== null) void this.frame.apply(proposal, text);
    });
  }

  async #loadNames(): Promise<void> {
    try {
      this.names = await memberNames(this.access.workspace);
    } catch {
      // Who did something is then not named; the text is there without it.
    }
  }
}
