/**
 * Before something takes the place of the draft, it is saved, discarded, or the something is given up: leaving the page,
 * an imported file, a Clear, an Undo, applying a suggestion. A Save that is under way is waited for first.
 */
import type { MemoryFrame } from './frame.svelte';

type Purpose = 'leave' | 'import' | 'clear' | 'undo' | 'apply' | 'delete';

const NOTHING = (): void => {};

export class Settling {
  purpose = $state<Purpose | null>(null);
  /** A Save is under way, and goes first. */
  waiting = $state(false);
  #then: () => void = NOTHING;

  constructor(private readonly frame: MemoryFrame) {}

  /** Do `then` as soon as there is no draft; at once where there is none. */
  async ask(purpose: Purpose, then: () => void): Promise<void> {
    this.#then = then;
    if (this.frame.running) {
      this.purpose = purpose;
      this.waiting = true;
      await this.frame.settled();
      this.waiting = false;
      // Given up meanwhile, or something else was asked.
      if (this.purpose !== purpose || this.#then !== then) return;
    }
    if (this.frame.dirty) this.purpose = purpose;
    else this.#go(then);
  }

  /** Whether it was saved. The page says why not; the draft is still there. */
  async save(): Promise<boolean> {
    const then = this.#then;
    const saved = await this.frame.save();
    if (saved) this.#go(then);
    else this.cancel();
    return saved;
  }

  async discard(): Promise<void> {
    const then = this.#then;
    await this.frame.discard();
    this.#go(then);
  }

  cancel(): void {
    this.purpose = null;
    this.waiting = false;
    this.#then = NOTHING;
  }

  /** Once: a second press ends here, as does what was given up while the first was under way. */
  #go(then: () => void): void {
    if (this.#then !== then) return;
    this.cancel();
    then();
  }
}
