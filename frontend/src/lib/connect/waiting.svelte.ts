/**
 * Waits for the first call of a client, by asking when its token was last used.
 *
 * It asks often at first and then more seldom, only while the page is seen, and stops after a while: `look` begins anew.
 */
import type { TokenOut } from '../api/schema';

const FIRST_MS = 1500;
const LONGEST_MS = 15_000;
const GROWTH = 1.25;
const TOGETHER_MS = 20 * 60_000;

/** Milliseconds until the next question, after so many. */
export const pause = (asked: number): number => Math.min(LONGEST_MS, FIRST_MS * GROWTH ** asked);

type WaitingState = 'waiting' | 'failed' | 'paused' | 'connected';

export class Waiting {
  state = $state<WaitingState>('waiting');
  /** When the client called. */
  at = $state('');
  #asked = 0;
  #since = Date.now();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  constructor(
    private readonly token: string,
    private readonly list: () => Promise<TokenOut[]>,
    private readonly oncall: (tokens: TokenOut[]) => void,
    private readonly isSeen: () => boolean = () => document.visibilityState === 'visible',
  ) {
    this.#plan();
  }

  /** Ask now, and go on as at first: when the page is seen again, or somebody wants to know. */
  look(): void {
    if (this.#ended || this.state === 'connected') return;
    this.#asked = 0;
    this.#since = Date.now();
    if (this.state === 'paused') this.state = 'waiting';
    clearTimeout(this.#timer);
    void this.#ask();
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  #plan(): void {
    if (this.#ended || this.state === 'connected') return;
    if (!this.isSeen() || Date.now() - this.#since > TOGETHER_MS) {
      this.state = 'paused';
      return;
    }
    this.#timer = setTimeout(() => void this.#ask(), pause(this.#asked++));
  }

  async #ask(): Promise<void> {
    try {
      const tokens = await this.list();
      if (this.#ended) return;
      const found = tokens.find((each) => each.id === this.token);
      this.state = found?.last_used_at ? 'connected' : 'waiting';
      if (found?.last_used_at) {
        this.at = found.last_used_at;
        this.oncall(tokens);
      }
    } catch {
      if (!this.#ended) this.state = 'failed';
    }
    this.#plan();
  }
}
