/**
 * A Clear, from the question to its end. One that another write beat has cleared nothing: the newer text is shown, and
 * only a person who asks for it again clears that.
 */
import type { MemoryFrame } from './frame.svelte';

type ClearStep = 'closed' | 'ask' | 'clearing' | 'lost' | 'failed' | 'unknown';

const STEPS = { conflict: 'lost', unknown: 'unknown', failed: 'failed' } as const;

export class Clearing {
  step = $state<ClearStep>('closed');
  error = $state.raw<unknown>(null);

  constructor(private readonly frame: MemoryFrame) {}

  open(): void {
    // One of which nobody knows what became is not asked for again before it is known.
    this.step = this.#isUnknown ? 'unknown' : 'ask';
  }

  /** The person said so, for the version that is shown. */
  async confirm(): Promise<void> {
    this.step = 'clearing';
    this.#tell(await this.frame.clear());
  }

  /** After an answer that was lost: look what became of it, of a Clear or of anything else. */
  async lookAgain(): Promise<void> {
    await this.frame.lookAgain();
    if (this.step === 'unknown') this.#tell(this.frame.undone === null);
  }

  cancel(): void {
    if (this.step === 'clearing') return;
    this.step = 'closed';
    // What became of it is still looked for, and then said on the page.
    if (!this.#isUnknown) this.frame.giveUp();
  }

  get #isUnknown(): boolean {
    const { undone } = this.frame;
    return undone?.what === 'clear' && undone.as === 'unknown';
  }

  #tell(isDone: boolean): void {
    const { undone } = this.frame;
    this.error = undone?.error ?? null;
    this.step = isDone ? 'closed' : STEPS[undone?.as ?? 'failed'];
  }
}
