/** After too many attempts the next one has to wait: the seconds that are left, counted down while a page is open. */
export class WaitingTime {
  #seconds = $state(0);
  #timer: ReturnType<typeof setInterval> | undefined;

  get seconds(): number {
    return this.#seconds;
  }

  begin(seconds: number): void {
    this.end();
    const until = Date.now() + seconds * 1000;
    this.#seconds = seconds;
    // By the clock: a timer of a window in the background comes late.
    this.#timer = setInterval(() => {
      this.#seconds = Math.max(0, Math.ceil((until - Date.now()) / 1000));
      if (!this.#seconds) this.end();
    }, 250);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#seconds = 0;
  }
}
