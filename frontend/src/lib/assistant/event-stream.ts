/**
 * Server-sent events out of a response to POST, which the browser's own EventSource cannot send.
 *
 * The format is https://html.spec.whatwg.org/multipage/server-sent-events.html: chunks may be cut anywhere, also within
 * a character or between the two halves of a line end.
 */
export type StreamEvent = { name: string; data: string; id: string };

/** Reads text as it comes. An event counts once its empty line is there; what is cut off at the end is none. */
export class EventStreamParser {
  #rest = '';
  #started = false;
  #name = '';
  #data: string[] = [];
  #id = '';
  /** Milliseconds that the service asks to wait before the next connection; undefined until it says so. */
  retry: number | undefined;

  push(text: string): StreamEvent[] {
    const found: StreamEvent[] = [];
    let pending = this.#rest + text;
    if (!this.#started && pending) {
      this.#started = true;
      if (pending.startsWith('\uFEFF')) pending = pending.slice(1);
    }
    for (;;) {
      const end = pending.search(/[\r\n]/);
      if (end < 0) break;
      // A CR at the very end may be the first half of CR LF.
      if (pending[end] === '\r' && end === pending.length - 1) break;
      const length = pending.startsWith('\r\n', end) ? 2 : 1;
      const event = this.#line(pending.slice(0, end));
      if (event) found.push(event);
      pending = pending.slice(end + length);
    }
    this.#rest = pending;
    return found;
  }

  #line(line: string): StreamEvent | undefined {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    if (colon === 0) return undefined;
    const field = colon < 0 ? line : line.slice(0, colon);
    const raw = colon < 0 ? '' : line.slice(colon + 1);
    const value = raw.startsWith(' ') ? raw.slice(1) : raw;
    if (field === 'event') this.#name = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'id' && !value.includes('\0')) this.#id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) this.retry = Number(value);
    return undefined;
  }

  #dispatch(): StreamEvent | undefined {
    const event = { name: this.#name || 'message', data: this.#data.join('\n'), id: this.#id };
    const isEvent = this.#data.length > 0;
    this.#name = '';
    this.#data = [];
    return isEvent ? event : undefined;
  }
}

/** The events of a body as they come. Raises what reading the body raises. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  parser: EventStreamParser = new EventStreamParser(),
): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    // Whoever stops listening lets go of the connection; the turn goes on.
    await reader.cancel().catch(() => undefined);
  }
}
