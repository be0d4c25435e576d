/**
 * A Clear, from the question to its end. One that another write beat has cleared nothing: the newer text is shown, and
 * only a person who asks for it again clears that.
 */
import type { MemoryFrame } from './frame.svelte';

type ClearStep = 'closed' | 'ask' | 'clearing' | 'lost' | 'failed' | 'unknown';

export class Clearing {
  step = $state<ClearStep>('closed');
  error = $state.raw<unknown>(null);

  constructor(private readonly frame: MemoryFrame) {}

  open(): void {
    this.step = 'ask';
  }

  /** The person said so, for the version that is shown. */
  async confirm(): Promise<void> {
    this.step = 'clearing';
    if (await this.frame.clear()) {
      this.step = 'closed';
      return;
    }
    const { undone } = this.frame;
    this.error = undone?.error ?? null;
    this.step = undone?.as === 'conflict' ? 'lost' : undone?.as === 'unknown' ? 'unknown' : 'failed';
  }

  cancel(): void {
    if (this.step === 'clearing') return;
    this.step = 'closed';
    this.frame.giveUp();
  }
}
