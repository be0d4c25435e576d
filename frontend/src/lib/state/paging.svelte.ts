/**
 * A list that comes page after page: an older answer never overwrites a newer one, and what was there stays in sight
 * until the next answer has come.
 */
type Page = { next_cursor: string | null };

export class Paging {
  standing = $state<'loading' | 'there' | 'failed'>('loading');
  /** Whether an answer is awaited while others are shown. */
  busy = $state(false);
  hasMore = $state(false);
  problem = $state.raw<unknown>(null);

  #cursor: string | null = null;
  #asking: AbortController | undefined;

  /** Ask from the first page on, whatever is on its way. `failed` only where nothing is shown then. */
  protected first<P extends Page>(
    fetch: (cursor: string | null, signal: AbortSignal) => Promise<P>,
    take: (page: P) => void,
  ): Promise<void> {
    return this.#ask(null, fetch, take);
  }

  /** Ask for the next page, unless there is none or an answer is on its way. */
  protected async next<P extends Page>(
    fetch: (cursor: string | null, signal: AbortSignal) => Promise<P>,
    take: (page: P) => void,
  ): Promise<void> {
    if (this.hasMore && !this.busy) await this.#ask(this.#cursor, fetch, take);
  }

  async #ask<P extends Page>(
    cursor: string | null,
    fetch: (cursor: string | null, signal: AbortSignal) => Promise<P>,
    take: (page: P) => void,
  ): Promise<void> {
    this.#asking?.abort();
    const asking = (this.#asking = new AbortController());
    this.busy = true;
    try {
      const page = await fetch(cursor, asking.signal);
      if (asking.signal.aborted) return;
      take(page);
      this.#cursor = page.next_cursor;
      this.hasMore = page.next_cursor !== null;
      this.standing = 'there';
      this.problem = null;
    } catch (error) {
      if (asking.signal.aborted) return;
      this.problem = error;
      if (cursor !== null) return;
      this.hasMore = false;
      this.standing = 'failed';
    } finally {
      if (!asking.signal.aborted) this.busy = false;
    }
  }
}
