/**
 * Whether somebody made a recovery key here and never said that it is kept: the answer was lost, or the page was left
 * while it was shown. It is remembered in this browser, for each account, from before the request on.
 */
import { isAnswerLost } from '../api/errors';
import { forget, keep, kept } from './kept';

const nameOf = (user: string): string => `recovery-key-owed ${user}`;

export class RecoveryOwed {
  #owed = $state(false);

  constructor(private readonly user: string) {
    this.#owed = kept(nameOf(user)) !== null;
  }

  get isOwed(): boolean {
    return this.#owed;
  }

  /** Make a recovery key by `make`. Only where it is certain that none was stored is none owed on its account. */
  async making<Made>(make: () => Promise<Made>): Promise<Made> {
    const before = this.#owed;
    this.#set(true);
    try {
      return await make();
    } catch (error) {
      if (!isAnswerLost(error)) this.#set(before);
      throw error;
    }
  }

  settle(): void {
    this.#set(false);
  }

  #set(owed: boolean): void {
    this.#owed = owed;
    if (owed) keep(nameOf(this.user), 'yes');
    else forget(nameOf(this.user));
  }
}
