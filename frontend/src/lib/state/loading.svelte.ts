/** Something that a page asks the service for: not there yet, there, or failed. An answer that is overtaken is dropped. */
export class Loading<Value> {
  value = $state.raw<Value>();
  error = $state.raw<unknown>();
  #asked = 0;

  constructor(private readonly load: () => Promise<Value>) {}

  /** Ask, or ask again; what was there stays until the new answer is. */
  async ask(): Promise<void> {
    const asked = ++this.#asked;
    this.error = undefined;
    try {
      const value = await this.load();
      if (asked === this.#asked) this.value = value;
    } catch (error) {
      if (asked === this.#asked) this.error = error;
    }
  }

  /** Take over what the service answered to a change. */
  set(value: Value): void {
    this.#asked += 1;
    this.value = value;
    this.error = undefined;
  }
}
